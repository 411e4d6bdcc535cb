/*
 * Regions that are smaller than the domains: what is proven over them, refuted in them and checked about them, against
 * every completion where there are few, and random ones elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker.h"
#include "net_case.h"
#include "provers.h"
#include "scale.h"

enum { TRIES = 400, QUESTIONS = 6 };

static size_t certified, refuted, undecided, narrowed;

/* Narrow an attribute: an interval, a stretch of the grid, some of the levels. */
static void narrow(const tct_codec *codec, size_t a, tct_random *random, tct_ranges *ranges)
{
    const tct_domain *domain = &codec->domains[a];
    double *low = ranges->low + domain->first, *high = ranges->high + domain->first;
    double u = tct_random_uniform(random), v = tct_random_uniform(random), from = *low, width = *high - *low;
    size_t kept;

    if (domain->kind == TCT_BOX) {
        *low = from + width * fmin(u, v);
        *high = tct_random_below(random, 8) ? from + width * fmax(u, v) : *low;
    } else if (domain->kind == TCT_GRID) {
        *low = floor(from + (width + 1) * fmin(u, v) * 0.999);
        *high = floor(from + (width + 1) * fmax(u, v) * 0.999);
    } else {
        kept = tct_random_below(random, domain->count);
        for (size_t k = 0; k < domain->count; k++)
            low[k] = k == kept || tct_random_below(random, 2);
    }
    narrowed++;
}

/* Some completion of the region: anywhere, or at ends. */
static void complete(const tct_region *region, tct_random *random, double *x)
{
    bool ends = tct_random_below(random, 3) == 0;

    for (size_t a = 0; a < region->codec->schema->n_attributes; a++) {
        const tct_domain *domain = &region->codec->domains[a];
        double u = tct_random_uniform(random), from, to;
        size_t level, k = 0;

        u = ends ? u >= 0.5 : u;
        if (region->known[a]) {
            memcpy(x + domain->first, region->x + domain->first, domain->width * sizeof(double));
        } else if (domain->kind == TCT_BOX) {
            tct_region_range(region, a, &from, &to);
            x[domain->first] = fmin(from + u * (to - from), to);
        } else if (domain->kind == TCT_GRID) {
            tct_region_indices(region, a, &from, &to);
            tct_codec_value(region->codec, a, (size_t)fmin(floor(from + u * (to - from + 1)), to), x + domain->first);
        } else {
            level = tct_random_below(random, tct_region_levels(region, a));
            while (!tct_region_has_level(region, a, k) || level-- > 0)
                k++;
            tct_codec_value(region->codec, a, k, x + domain->first);
        }
        assert_true(tct_region_holds(region, a, x + domain->first));
    }
}

static void assert_inside(const tct_region *region, const double *x)
{
    for (size_t a = 0; a < region->codec->schema->n_attributes; a++)
        assert_true(tct_region_holds(region, a, x + region->codec->domains[a].first));
}

static void judge(const tacit_model *m, const tct_region *region, const tct_finding *finding, tct_random *random,
                  double *x)
{
    double lower[TCT_MAX_CLASSES], f[TCT_MAX_CLASSES];
    size_t labels[2];

    if (finding->verdict == TACIT_REFUTED) {
        refuted++;
        for (size_t w = 0; w < 2; w++) {
            assert_inside(region, finding->witness[w]);
            m->classifier->ops->scores(m->classifier, finding->witness[w], 1, f);
            labels[w] = tct_label(f, m->classifier->n_scores);
        }
        assert_true(labels[0] != labels[1]);
        return;
    }
    certified += finding->verdict == TACIT_CERTIFIED;
    undecided += finding->verdict == TACIT_UNDECIDED;
    if (finding->verdict != TACIT_CERTIFIED)
        return;
    m->classifier->ops->margins(m->classifier, region, finding->label, lower);
    for (size_t t = 0; t < TRIES; t++) {
        complete(region, random, x);
        m->classifier->ops->scores(m->classifier, x, 1, f);
        assert_int_equal(tct_label(f, m->classifier->n_scores), finding->label);
        for (size_t c = 0; c < m->classifier->n_classes && m->classifier->n_scores > 1; c++)
            assert_true(c == finding->label || f[finding->label] - f[c] >= lower[c]);
    }
}

/* What is certified is proven again by the checker, and a claim about another label is not. */
static void prove_again(const tacit_model *m, const tct_region *region, const tct_finding *finding)
{
    for (size_t label = 0; label < m->classifier->n_classes; label++) {
        tct_claim claim = {m, *region, label};
        bool right = finding->verdict == TACIT_CERTIFIED && finding->label == label, made = false;
        tct_proof proof = {0};

        assert_int_equal(tct_prover_write(&proof, &made, &claim, right ? 0 : 50, NULL), TACIT_OK);
        assert_true(!made || finding->verdict != TACIT_REFUTED);
        assert_true(!made || finding->verdict != TACIT_CERTIFIED || right);
        if (made)
            assert_int_equal(tct_check(&claim, &proof, NULL), TACIT_OK);
        tct_proof_clear(&proof);
    }
}

static void ask(const tacit_model *m, const unsigned char *known, const double *x, tct_random *random)
{
    tct_region whole = tct_region_of(m->codec, known, x), region;
    double *first = make_model_room(m->codec->n_inputs), *second = make_model_room(m->codec->n_inputs);
    double *room = make_model_room(m->codec->n_inputs);
    tct_finding finding = {.witness = {first, second}};
    tct_ranges ranges = {0};

    assert_int_equal(tct_ranges_of(&ranges, &whole, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        if (!known[a] && tct_random_below(random, 4))
            narrow(m->codec, a, random, &ranges);
    region = tct_region_within(&whole, &ranges);
    assert_int_equal(tct_certify(&finding, m, &region, NULL), TACIT_OK);
    judge(m, &region, &finding, random, room);
    prove_again(m, &region, &finding);
    tct_ranges_clear(&ranges);
    tct_free(first);
    tct_free(second);
    tct_free(room);
}

static void region__networks(void **state)
{
    (void)state;
    certified = refuted = undecided = narrowed = 0;
    for (uint64_t seed = 1; seed <= scaled(400); seed++) {
        net_case c;

        net_case_make(&c, seed);
        for (size_t q = 0; q < QUESTIONS; q++)
            ask(c.model, c.known, c.x, &c.random);
        net_case_free(&c);
    }
    assert_true(certified > 0 && refuted > 0 && narrowed > 0);
    if (scaled(400) >= 400) /* with few cases chance decides */
        assert_true(undecided * 20 <= certified + refuted + undecided);
}

static void region__linear(void **state)
{
    (void)state;
    certified = refuted = undecided = narrowed = 0;
    for (uint64_t seed = 1; seed <= scaled(400); seed++) {
        tacit_model *m = make_linear_model(seed, 2 + seed % 7, 2 + seed % 3, true);
        double *x = make_model_room(m->codec->n_inputs);
        unsigned char known[9];
        tct_random random;

        tct_random_seed(&random, seed, 3);
        for (size_t q = 0; q < QUESTIONS; q++) {
            draw_person(m, &random, x);
            for (size_t a = 0; a < m->schema->n_attributes; a++)
                known[a] = tct_random_below(&random, 3) == 0;
            ask(m, known, x, &random);
        }
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(certified > 0 && refuted > 0 && narrowed > 0);
    if (scaled(400) >= 400) /* with few cases chance decides */
        assert_true(undecided * 20 <= certified + refuted + undecided);
}

/* The whole domains said as ranges are the same region: the same bits come out. */
static void region__whole_is_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        net_case c;
        tct_region whole, said;
        tct_ranges ranges = {0};
        double one[NET_CASE_CLASSES], other[NET_CASE_CLASSES];
        tct_finding a = {0}, b = {0};
        double *x[4];

        net_case_make(&c, seed);
        for (size_t i = 0; i < 4; i++)
            x[i] = make_model_room(c.model->codec->n_inputs);
        a.witness[0] = x[0], a.witness[1] = x[1], b.witness[0] = x[2], b.witness[1] = x[3];
        whole = net_case_region(&c);
        assert_int_equal(tct_ranges_of(&ranges, &whole, NULL), TACIT_OK);
        said = tct_region_within(&whole, &ranges);
        c.model->classifier->ops->margins(c.model->classifier, &whole, 0, one);
        c.model->classifier->ops->margins(c.model->classifier, &said, 0, other);
        assert_memory_equal(one, other, c.model->classifier->n_classes * sizeof(double));
        assert_int_equal(tct_certify(&a, c.model, &whole, NULL), TACIT_OK);
        assert_int_equal(tct_certify(&b, c.model, &said, NULL), TACIT_OK);
        assert_int_equal(a.verdict, b.verdict);
        assert_int_equal(a.nodes, b.nodes);
        for (size_t w = 0; w < 2 && a.verdict == TACIT_REFUTED; w++)
            assert_memory_equal(a.witness[w], b.witness[w], c.model->codec->n_inputs * sizeof(double));
        tct_ranges_clear(&ranges);
        for (size_t i = 0; i < 4; i++)
            tct_free(x[i]);
        net_case_free(&c);
    }
}

/* Scores and bounds of somebody of whom everything is known, from the inputs that are not 0: the same bits. */
static void compare_given(const tacit_model *m, const double *x)
{
    const tct_linear *linear = tct_as_linear(m->classifier);
    size_t d = m->codec->n_inputs, input[64];
    double value[64], one[TCT_MAX_CLASSES], other[TCT_MAX_CLASSES];
    unsigned char known[16];
    tct_region point = tct_region_of(m->codec, known, x);
    tct_given given = {0, input, value};

    memset(known, 1, sizeof known);
    for (size_t i = tct_next_given(x, 0, d); i < d; i = tct_next_given(x, i + 1, d)) {
        assert_true(x[i] != 0);
        input[given.n] = i;
        value[given.n++] = x[i];
    }
    m->classifier->ops->scores(m->classifier, x, 1, one);
    tct_linear_scores_of(linear, &given, other);
    assert_memory_equal(one, other, m->classifier->n_scores * sizeof(double));
    for (size_t label = 0; label < m->classifier->n_classes; label++) {
        m->classifier->ops->margins(m->classifier, &point, label, one);
        for (size_t c = 0; c < m->classifier->n_classes; c++)
            assert_true(c == label || one[c] == tct_linear_margin_of(linear, label, c, &given));
    }
}

/* Linear models over whole domains by lists of inputs, and the same domains said as ranges: verdicts, labels and witnesses
 * are the same.  Half of the models have weights and values with ties: small whole numbers. */
static void region__linear_lists_are_ranges(void **state)
{
    size_t verdicts[3] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(600); seed++) {
        tacit_model *m = make_linear_model(seed, 2 + seed % 7, 2 + seed % 4, true);
        size_t d = m->codec->n_inputs, n = m->classifier->n_scores;
        tct_linear *linear = (tct_linear *)m->classifier;
        double *x[5];
        unsigned char known[9];
        tct_random random;

        tct_random_seed(&random, seed, 5);
        for (size_t i = 0; i < 5; i++)
            x[i] = make_model_room(d);
        for (size_t i = 0; i < n * d && seed % 2; i++)
            linear->weights[i] = (double)tct_random_below(&random, 5) - 2;
        for (size_t i = 0; i < n && seed % 2; i++)
            linear->bias[i] = (double)tct_random_below(&random, 3) - 1;
        for (size_t q = 0; q < 2 * QUESTIONS; q++) {
            tct_finding a = {.witness = {x[0], x[1]}}, b = {.witness = {x[2], x[3]}};
            tct_region whole = tct_region_of(m->codec, known, x[4]), said;
            tct_ranges ranges = {0};

            draw_person(m, &random, x[4]);
            compare_given(m, x[4]);
            for (size_t i = 0; i < m->schema->n_attributes; i++)
                known[i] = tct_random_below(&random, 8) > 0;
            assert_int_equal(tct_ranges_of(&ranges, &whole, NULL), TACIT_OK);
            said = tct_region_within(&whole, &ranges);
            assert_int_equal(tct_certify(&a, m, &whole, NULL), TACIT_OK);
            assert_int_equal(tct_certify(&b, m, &said, NULL), TACIT_OK);
            assert_int_equal(a.verdict, b.verdict);
            assert_int_equal(a.label, b.label);
            assert_int_equal(a.nodes, b.nodes);
            for (size_t w = 0; w < 2 && a.verdict == TACIT_REFUTED; w++)
                for (size_t i = 0; i < d; i++)
                    assert_true(a.witness[w][i] == b.witness[w][i]);
            verdicts[a.verdict]++;
            tct_ranges_clear(&ranges);
        }
        for (size_t i = 0; i < 5; i++)
            tct_free(x[i]);
        tacit_model_free(m);
    }
    assert_true(verdicts[TACIT_CERTIFIED] > 0 && verdicts[TACIT_REFUTED] > 0 && verdicts[TACIT_UNDECIDED] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(region__networks),
        cmocka_unit_test(region__linear),
        cmocka_unit_test(region__whole_is_whole),
        cmocka_unit_test(region__linear_lists_are_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
