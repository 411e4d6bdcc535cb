/*
 * The search for bad completions: what it finds is a completion, its margin is that of the deployed scores, it is never
 * below what bounds prove, it is no worse than the start, and on small problems of two-valued attributes it often is
 * the least there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "make_model.h"
#include "scale.h"
#include "simd.h"
#include "worst_completion.h"

enum { MOST_INPUTS = 64, CORNERS = 64 };

static double margin_of(const tacit_model *m, const double *x, size_t label)
{
    double f[8], least = INFINITY;
    size_t k = m->classifier->n_scores;

    m->classifier->ops->scores(m->classifier, x, 1, f);
    if (k == 1)
        return label ? f[0] : -f[0];
    for (size_t c = 0; c < k; c++)
        if (c != label)
            least = fmin(least, f[label] - f[c]);
    return least;
}

static void assert_completion(const tacit_model *m, const unsigned char *known, const double *x, const double *start)
{
    for (size_t a = 0; a < m->schema->n_attributes; a++) {
        const tct_domain *domain = &m->codec->domains[a];
        double low, high, sum = 0;

        if (known[a]) {
            assert_memory_equal(x + domain->first, start + domain->first, domain->width * sizeof *x);
            continue;
        }
        if (domain->kind == TCT_ONEHOT) {
            for (size_t i = 0; i < domain->width; i++)
                sum += x[domain->first + i];
            assert_true(fabs(sum - 1) < 1e-12);
            continue;
        }
        tct_codec_range(m->codec, a, &low, &high);
        assert_true(x[domain->first] >= low && x[domain->first] <= high);
    }
}

/* The least margin over the corners of what is free. */
static double least_corner(const tacit_model *m, const unsigned char *known, const double *x, size_t label)
{
    double y[MOST_INPUTS], least = INFINITY, low, high;

    for (size_t corner = 0; corner < CORNERS; corner++) {
        size_t bits = corner;

        memcpy(y, x, m->codec->n_inputs * sizeof *y);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            if (known[a])
                continue;
            tct_codec_range(m->codec, a, &low, &high);
            y[m->codec->domains[a].first] = bits & 1 ? high : low;
            bits >>= 1;
        }
        least = fmin(least, margin_of(m, y, label));
    }
    return least;
}

/* Margins where the search is, with one attribute as at the start. */
static void assert_swaps(const tct_worst *s, const double *start)
{
    const tacit_model *m = s->model;
    size_t n = m->schema->n_attributes, attributes[64];
    double margins[64], y[MOST_INPUTS];

    for (size_t a = 0; a < n; a++)
        attributes[a] = n - 1 - a;
    tct_worst_swap(s, &s->at, start, attributes, n, margins);
    for (size_t i = 0; i < n; i++) {
        const tct_domain *domain = &m->codec->domains[attributes[i]];

        memcpy(y, s->at.x, m->codec->n_inputs * sizeof *y);
        memcpy(y + domain->first, start + domain->first, domain->width * sizeof *y);
        assert_true(fabs(margins[i] - margin_of(m, y, s->label)) <= 1e-9 * (1 + fabs(margins[i])));
    }
}

/* Each point steps to its values input by input, whatever the level puts side by side. */
static void assert_same_bits_at_every_level(tct_worst *s, const double *x)
{
    double first[64], seen = 0;

    for (int level = TCT_SIMD_PLAIN; level <= TCT_SIMD_AVX512; level++) {
        tct_simd_limit((tct_simd)level);
        memcpy(s->at.x, x, s->model->codec->n_inputs * sizeof *x);
        tct_worst_search(s, 2);
        if (level > TCT_SIMD_PLAIN) {
            assert_memory_equal(&seen, &s->margin, sizeof seen);
            assert_memory_equal(first, s->at.first, s->line->n_first * sizeof *first);
        }
        seen = s->margin;
        memcpy(first, s->at.first, s->line->n_first * sizeof *first);
    }
    tct_simd_limit(TCT_SIMD_LEVELS);
}

static void stress__finds_real_completions(void **state)
{
    size_t cases = scaled(400), met = 0, compared = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        size_t classes = 2 + c % 3;
        tacit_model *m = make_mlp_model(c + 1, 3 + c % 4, classes, c % 2, 1 + c % 2, 8);
        size_t n = m->schema->n_attributes, d = m->codec->n_inputs, free_attributes = 0;
        double x[MOST_INPUTS], start[MOST_INPUTS], first[64], moved[64], lower[8], before;
        unsigned char known[64];
        bool simple = true;
        tct_random random;
        tct_netline *line;
        tct_worst s;

        assert_true(d <= MOST_INPUTS);
        tct_random_seed(&random, c, 3);
        draw_person(m, &random, start);
        memcpy(x, start, d * sizeof *x);
        for (size_t a = 0; a < n; a++) {
            known[a] = tct_random_below(&random, 3) == 0;
            free_attributes += !known[a];
            simple = simple && (known[a] || m->codec->domains[a].kind != TCT_ONEHOT);
        }
        assert_int_equal(tct_netline_new(&line, m->classifier, c % 5 == 0, NULL), TACIT_OK);
        assert_true(line->n_first <= 64);
        s = (tct_worst){.model = m,
                        .line = line,
                        .known = known,
                        .label = c % classes,
                        .at = {x, first},
                        .moved = moved,
                        .enough = -INFINITY};
        before = margin_of(m, start, s.label);
        tct_worst_search(&s, 1 + c % 3);
        assert_completion(m, known, x, start);
        assert_true(fabs(s.margin - margin_of(m, x, s.label)) <= 1e-9 * (1 + fabs(s.margin)));
        assert_true(s.margin <= before + 1e-9 * (1 + fabs(before)));
        assert_swaps(&s, start);
        tct_region region = tct_region_of(m->codec, known, start);

        m->classifier->ops->margins(m->classifier, &region, s.label, lower);
        for (size_t k = 0; k < m->classifier->n_classes; k++)
            if (k != s.label)
                before = k == (s.label == 0) ? lower[k] : fmin(before, lower[k]);
        assert_true(s.margin >= before - 1e-9 * (1 + fabs(before)));
        if (simple && free_attributes > 0 && ((size_t)1 << free_attributes) <= CORNERS) {
            compared++;
            met += s.margin <= least_corner(m, known, start, s.label) + 1e-9;
        }
        assert_same_bits_at_every_level(&s, start);
        tct_netline_free(line);
        tacit_model_free(m);
    }
    assert_true(compared > cases / 20);
    assert_true(met * 10 >= compared * 6);
}

/* Asked only whether the label holds, it says what the whole search says, wherever it begins to look. */
static void stress__ends_where_it_is_enough(void **state)
{
    size_t cases = scaled(400), held = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        size_t classes = 2 + c % 3, rounds = 1 + c % 3;
        tacit_model *m = make_mlp_model(c + 1, 3 + c % 4, classes, c % 2, 2, 8);
        size_t d = m->codec->n_inputs;
        double x[MOST_INPUTS], y[MOST_INPUTS], first[64], moved[64];
        unsigned char known[64];
        tct_random random;
        tct_netline *line;
        tct_worst asked, whole;

        tct_random_seed(&random, c, 4);
        draw_person(m, &random, x);
        memcpy(y, x, d * sizeof *x);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            known[a] = tct_random_below(&random, 3) > 0;
        assert_int_equal(tct_netline_new(&line, m->classifier, false, NULL), TACIT_OK);
        asked = whole = (tct_worst){
            .model = m, .line = line, .known = known, .label = c % classes, .at = {x, first}, .moved = moved};
        asked.hint = tct_random_below(&random, m->schema->n_attributes);
        asked.enough = c % 3 ? 0 : tct_random_uniform(&random) - 0.5;
        tct_worst_search(&asked, rounds);
        whole.at.x = y;
        whole.enough = -INFINITY;
        tct_worst_search(&whole, rounds);
        held += whole.margin > asked.enough;
        assert_int_equal(asked.margin > asked.enough, whole.margin > asked.enough);
        assert_true(asked.margin <= asked.enough || asked.margin == whole.margin);
        assert_true(asked.hint < m->schema->n_attributes);
        tct_netline_free(line);
        tacit_model_free(m);
    }
    assert_true(cases < 400 || (held > cases / 20 && held < cases - cases / 20)); /* few cases may be alike */
}

/* What was seen from a completion serves every search from there, to the bit, with more known too. */
static void stress__goes_on_from_what_was_seen(void **state)
{
    size_t cases = scaled(300);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        size_t classes = 2 + c % 3, rounds = c % 4;
        tacit_model *m = make_mlp_model(c + 1, 3 + c % 4, classes, c % 2, 1 + c % 2, 8);
        size_t n = m->schema->n_attributes, d = m->codec->n_inputs;
        double start[MOST_INPUTS], x[MOST_INPUTS], y[MOST_INPUTS], first_x[64], first_y[64], kept[64], moved[64];
        unsigned char known[64];
        tct_move best[64];
        tct_outlying seen = {.best = best};
        tct_random random;
        tct_netline *line;
        tct_worst on, whole;

        tct_random_seed(&random, c, 5);
        draw_person(m, &random, start);
        memcpy(x, start, d * sizeof *x);
        for (size_t a = 0; a < n; a++)
            known[a] = tct_random_below(&random, 4) == 0;
        assert_int_equal(tct_netline_new(&line, m->classifier, c % 5 == 0, NULL), TACIT_OK);
        on = whole = (tct_worst){.model = m,
                                 .line = line,
                                 .known = known,
                                 .label = c % classes,
                                 .at = {x, first_x},
                                 .moved = moved,
                                 .enough = -INFINITY};
        tct_worst_look(&on, &seen);
        memcpy(kept, first_x, line->n_first * sizeof *kept);
        for (size_t more = 0; more <= n; more++) {
            unsigned char before = more < n ? known[more] : 0;

            if (more < n)
                known[more] = 1;
            memcpy(x, start, d * sizeof *x);
            memcpy(first_x, kept, line->n_first * sizeof *kept);
            memcpy(y, start, d * sizeof *y);
            tct_worst_search_on(&on, &seen, rounds);
            whole.at = (tct_completion){y, first_y};
            tct_worst_search(&whole, rounds);
            assert_memory_equal(&on.margin, &whole.margin, sizeof on.margin);
            assert_memory_equal(x, y, d * sizeof *x);
            if (more < n)
                known[more] = before;
        }
        tct_netline_free(line);
        tacit_model_free(m);
    }
}

/* A few points are dealt with one by one, many side by side: the same bits, at every level. */
static void netline__few_points_give_the_bits_of_many(void **state)
{
    static const size_t widths[] = {3, 8, 21, 72};
    static const tct_simd levels[] = {TCT_SIMD_PLAIN, TCT_SIMD_AVX2, TCT_SIMD_LEVELS};

    (void)state;
    for (size_t c = 0; c < 24; c++) {
        tacit_model *m = make_mlp_model(c + 1, 4, 2 + c % 3, c % 2, 1 + c % 3, widths[c % 4]);
        size_t k = m->classifier->n_scores;
        double many[3][8 * TCT_LANES];

        for (size_t level = 0; level < 3; level++) {
            tct_random random;
            tct_netline *line;

            tct_simd_limit(levels[level]);
            assert_int_equal(tct_netline_new(&line, m->classifier, false, NULL), TACIT_OK);
            tct_random_seed(&random, c, 5);
            for (size_t i = 0; i < line->n_first * TCT_LANES; i++)
                line->first[i] = tct_random_normal(&random);
            tct_netline_scores(line, TCT_LANES);
            memcpy(many[level], line->scores, k * TCT_LANES * sizeof(double));
            assert_memory_equal(many[level], many[0], k * TCT_LANES * sizeof(double));
            for (size_t n = 1; n < TCT_LANES; n++) {
                memset(line->scores, 0, k * TCT_LANES * sizeof(double));
                tct_netline_scores(line, n);
                for (size_t s = 0; s < k; s++)
                    assert_memory_equal(line->scores + s * TCT_LANES, many[0] + s * TCT_LANES, n * sizeof(double));
            }
            tct_netline_free(line);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress__finds_real_completions),
        cmocka_unit_test(stress__ends_where_it_is_enough),
        cmocka_unit_test(stress__goes_on_from_what_was_seen),
        cmocka_unit_test(netline__few_points_give_the_bits_of_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
