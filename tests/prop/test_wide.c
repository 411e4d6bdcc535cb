/*
 * Categories of many levels that are one variable each: trained from levels as from inputs, written to files, asked about
 * alike by fast path and plain one, and as likely as the checker finds by its own means.  Where they are inputs, one per
 * level, people are drawn as with the whole factor of the covariance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chain.h"
#include "law.h"
#include "make_model.h"
#include "model_parts.h"
#include "odds.h"
#include "posteriors.h"
#include "receipt.h"
#include "scale.h"
#include "train.h"
#include "walk.h"

enum { ROWS = 1500, LEVELS = 70, MORE_LEVELS = 90 };

/* A made-up table: two numbers, two wide categories, a narrow one, everything about a hidden cause; two to six classes. */
static tacit_table *make_table(uint64_t seed, size_t classes)
{
    static const char *const labels[] = {"no", "yes", "perhaps", "later", "never", "soon"};
    tct_text text = {0};
    tacit_table *table = NULL;
    tacit_error err = {0};
    tct_random random;

    tct_random_seed(&random, seed, 5);
    tct_text_printf(&text, "age,town,job,wage,kind,label\n");
    for (size_t r = 0; r < ROWS; r++) {
        double cause = tct_random_normal(&random), age = cause + tct_random_normal(&random);
        double town = fmin(fmax(0.5 + 0.2 * cause + 0.2 * tct_random_normal(&random), 0), 0.999);
        double job = fmin(fmax(0.4 - 0.1 * cause + 0.3 * tct_random_normal(&random), 0), 0.999);
        double wage = town + tct_random_normal(&random);
        double score = age + 4 * town - 2 * job + wage + tct_random_normal(&random);
        size_t label = score > 1.5;

        if (classes > 2 && fabs(job - 0.4) < 0.15)
            label = 2;
        if (classes > 3 && fabs(score - 1.5) > 2)
            label = 3;
        if (classes > 4 && age > 1.2)
            label = 4;
        if (classes > 5 && wage < -0.5)
            label = 5;

        tct_text_printf(&text, "%.3f,t%02d,j%02d,%.3f,k%d,%s\n", age, (int)(town * LEVELS), (int)(job * MORE_LEVELS),
                        wage, (int)tct_random_below(&random, 3), labels[label]);
    }
    make_model_check(tacit_table_parse(&table, "made.csv", text.bytes, text.size, NULL, 1, &err), &err);
    tct_text_free(&text);
    return table;
}

static tacit_model *make_model_of_kind(uint64_t seed, const char *kind, size_t classes)
{
    const tacit_infer_options infer = {.size = sizeof infer, .label = "label", .encoding = TACIT_ONEHOT};
    const tacit_fit_options fit = {.size = sizeof fit, .threads = 1, .kind = kind};
    tacit_table *table = make_table(seed, classes);
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    make_model_check(tacit_schema_infer(&schema, table, &infer, &err), &err);
    make_model_check(tacit_schema_set_roles(schema, seed % 2 ? "town,job,wage,kind" : "age,town,kind,wage", NULL, &err),
                     &err);
    make_model_check(tacit_fit(&model, table, schema, &fit, &err), &err);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return model;
}

static tacit_model *make_wide_model(uint64_t seed)
{
    return make_model_of_kind(seed, "logistic", 2);
}

/* Look at people of whom some attributes are known, as the protocol does and as the checker does. */
static void wide__is_as_likely_as_the_checker_finds(void **state)
{
    size_t likely = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(20); seed++) {
        size_t classes = 2 + seed % 5;
        tacit_model *m = make_model_of_kind(seed, "logistic", classes);
        size_t n = m->schema->n_attributes, n_terms = classes == 2 ? 1 : classes - 1, order[16];
        const tct_promise promise = tct_promise_nominal(0.05);
        unsigned char known[16];
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;
        tct_plan *plan;
        tct_walker *walker;

        assert_int_equal(m->variables->n_wide, 2 * n_terms);
        assert_int_equal(m->variables->n, 2 + 2 * n_terms + 3);
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        assert_int_equal(tct_walker_new(&walker, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
        tct_random_seed(&random, seed, 9);
        for (size_t c = 0; c < 50; c++) {
            const tct_stage *stage;
            tct_look look;
            tct_claim claim = {.model = m};
            double p[6];
            size_t n_order = 0;

            draw_typical_person(m, &random, x);
            for (size_t a = 0; a < n; a++) {
                known[a] = tct_random_below(&random, 2) == 0;
                if (known[a])
                    order[n_order++] = a;
            }
            assert_int_equal(tct_plan_start(plan, known, &stage, NULL), TACIT_OK);
            assert_int_equal(tct_walker_look(walker, stage, x, &promise, &look, NULL), TACIT_OK);
            claim.region = tct_region_of(m->codec, known, x);
            assert_int_equal(tct_receipt_odds(p, &claim, order, n_order, NULL), TACIT_OK);
            if (look.settled != TACIT_OPEN && look.settled != TACIT_LIKELY)
                continue;
            if (classes <= TCT_ODDS_SCORES)
                assert_true(fabs(look.probability - p[look.label]) < 1e-9);
            else /* a lower estimate, as in test_many_classes.c */
                assert_true(look.probability <= p[look.label] + 0.003);
            likely += classes > TCT_ODDS_SCORES && look.settled == TACIT_LIKELY;
        }
        tct_walker_free(walker);
        tct_plan_free(plan);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(likely > 0 || scaled(20) < 20);
}

/* The common order of questions, walked by everybody at once and one by one. */
static void wide__chain_equals_walk(void **state)
{
    enum { PEOPLE = 64 };

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(10); seed++) {
        tacit_model *m = make_wide_model(seed);
        size_t d = m->codec->n_inputs, asked[16];
        double *x = make_model_room(d * PEOPLE), *one = make_model_room(d);
        const tct_promise promises[2] = {tct_promise_nominal(0.1), tct_promise_nominal(0)};
        tct_ending *marks = tct_calloc(2 * TCT_TILE, sizeof *marks);
        uint8_t full[TCT_TILE];
        tct_random random;
        tct_plan *plan;
        tct_walker *walker;
        tct_chain *chain;
        const tct_stage *start;

        tct_random_seed(&random, seed, 3);
        for (size_t r = 0; r < PEOPLE; r++) {
            draw_typical_person(m, &random, one);
            for (size_t i = 0; i < d; i++)
                x[i * PEOPLE + r] = one[i];
        }
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
        assert_int_equal(tct_walker_new(&walker, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
        assert_int_equal(tct_chain_new(&chain, plan, start, TACIT_RULE_ENTROPY, promises, 2, NULL), TACIT_OK);
        tct_chain_labels(tct_as_linear(m->classifier), x, PEOPLE, PEOPLE, full);
        tct_chain_tile(chain, x, PEOPLE, PEOPLE, full, marks);
        for (size_t p = 0; p < PEOPLE; p++) {
            tct_stop stops[2];

            for (size_t i = 0; i < d; i++)
                one[i] = x[i * PEOPLE + p];
            assert_int_equal(tct_walker_run(walker, start, one, NULL, promises, 2, stops, asked, NULL), TACIT_OK);
            for (size_t i = 0; i < 2; i++)
                assert_memory_equal(&marks[i * TCT_TILE + p], &stops[i].end, sizeof stops[i].end);
        }
        tct_chain_free(chain);
        tct_walker_free(walker);
        tct_plan_free(plan);
        tct_free(marks);
        tct_free(x);
        tct_free(one);
        tacit_model_free(m);
    }
}

/* Shares of levels sum to 1, and their mean terms are those that were asked for where none of them is cut off. */
static void wide__levels_have_the_mean_they_are_given(void **state)
{
    double levels[TCT_MAX_LEVELS];

    (void)state;
    for (size_t classes = 2; classes <= 6; classes++) {
        tacit_model *m = make_model_of_kind(3, "logistic", classes);
        const tct_variables *v = m->variables;

        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            size_t at = v->first[a];
            double variance = m->covariance[at * v->n + at], means[5] = {0}, sum = 0, terms[5] = {0};

            if (v->span[at] == 1)
                continue;
            for (size_t j = 0; j < v->n_terms; j++)
                means[j] = v->means[at + j] + (j % 2 ? -0.01 : 0.02) * m->covariance[(at + j) * (v->n + 1)];
            tct_variable_levels(v, a, means, variance, levels);
            for (size_t l = 0; l < v->span[at]; l++) {
                assert_true(levels[l] >= 0);
                sum += levels[l];
                for (size_t j = 0; j < v->n_terms; j++)
                    terms[j] += levels[l] * tct_variable_terms(v, at + j)[l];
            }
            assert_true(fabs(sum - 1) < 1e-12);
            for (size_t j = 0; j < v->n_terms; j++)
                assert_true(fabs(terms[j] - means[j]) < 1e-9);
        }
        tacit_model_free(m);
    }
}

/* Groups of levels: few, none empty, with the mean terms of all, and nearer to their levels than those are to the mean. */
static void wide__groups_stand_for_their_levels(void **state)
{
    (void)state;
    for (size_t classes = 3; classes <= 6; classes++) {
        tacit_model *m = make_model_of_kind(4, "logistic", classes);
        const tct_variables *v = m->variables;

        for (size_t at = 0; at < v->n; at++) {
            const double *terms = tct_variable_terms(v, at), *shares = v->shares + v->input[at];
            double people[TCT_WIDE_LEVELS] = {0}, mean = 0, within = 0, variance = 0;
            size_t members[TCT_WIDE_LEVELS] = {0}, last = 0;

            if (v->span[at] == 1)
                continue;
            for (size_t l = 0; l < v->span[at]; l++) {
                size_t group = v->group[v->input[at] + l];
                double off = terms[l] - tct_variable_centres(v, at)[group], whole = terms[l] - v->means[at];

                assert_true(group < TCT_WIDE_LEVELS);
                members[group]++;
                people[group] += shares[l];
                last = group > last ? group : last;
                within += shares[l] * off * off;
                variance += shares[l] * whole * whole;
            }
            for (size_t g = 0; g <= last; g++) {
                assert_true(members[g] > 0);
                mean += people[g] * tct_variable_centres(v, at)[g];
            }
            assert_true(fabs(mean - v->means[at]) < 1e-12);
            assert_true(within < 0.05 * variance);
        }
        tacit_model_free(m);
    }
}

/* With everything known the mean scores differ as the scores do. */
static void wide__known_terms_are_the_scores(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(6); seed++) {
        tacit_model *m = make_model_of_kind(seed, "logistic", 3 + seed % 4);
        size_t n = m->schema->n_attributes, k = m->classifier->n_scores;
        unsigned char known[16];
        double *x = make_model_room(m->codec->n_inputs), mean[6], scores[6];
        tct_random random;
        tct_belief *b;
        tct_law *law;

        memset(known, 1, n);
        assert_int_equal(tct_belief_start(&b, m, known, NULL), TACIT_OK);
        assert_int_equal(tct_law_linear(&law, b, tct_as_linear(m->classifier), NULL), TACIT_OK);
        tct_random_seed(&random, seed, 13);
        for (size_t c = 0; c < 100; c++) {
            draw_typical_person(m, &random, x);
            tct_law_mean(law, b, x, mean);
            m->classifier->ops->scores(m->classifier, x, 1, scores);
            for (size_t s = 1; s < k; s++)
                assert_true(fabs((mean[s] - mean[0]) - (scores[s] - scores[0])) < 1e-12);
        }
        tct_law_free(law);
        tct_belief_free(b);
        tct_free(x);
        tacit_model_free(m);
    }
}

/* A file of version 4 reads back as itself, and says what it must. */
static void compare_file(size_t classes)
{
    static const struct {
        const char *from, *to, *expected;
    } cases[] = {
        {"\"terms_above\": 64", "\"terms_above\": 65", "terms_above: expected 64"},
        {"\"terms_above\": 64", "\"terms_over\": 64", "terms_above: missing"},
        {"\"version\": 4", "\"version\": 3", "terms_above: not expected before version 4"},
    };
    tacit_model *m = make_model_of_kind(2, "logistic", classes), *again = NULL;
    char *text = NULL, *second = NULL;
    size_t size, second_size;
    tacit_error err;

    assert_int_equal(tacit_model_text(&text, &size, m, NULL), TACIT_OK);
    assert_int_equal(tacit_model_parse(&again, text, size, &err), TACIT_OK);
    assert_int_equal(tacit_model_text(&second, &second_size, again, NULL), TACIT_OK);
    assert_int_equal(size, second_size);
    assert_memory_equal(text, second, size);
    assert_int_equal(again->variables->n, m->variables->n);
    tacit_model_free(again);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_t *json = json_loads(text, 0, NULL);
        char *dumped, *at, hash[65];
        tct_text changed = {0};

        json_object_del(json, "sha256");
        dumped = json_dumps(json, 0);
        at = strstr(dumped, cases[k].from);
        assert_non_null(at);
        tct_text_printf(&changed, "%.*s%s%s", (int)(at - dumped), dumped, cases[k].to, at + strlen(cases[k].from));
        json_decref(json);
        free(dumped);
        json = json_loads(changed.bytes, 0, NULL);
        assert_int_equal(tct_json_hash(hash, json, NULL), TACIT_OK);
        json_object_set_new(json, "sha256", json_string(hash));
        dumped = json_dumps(json, 0);
        assert_int_equal(tacit_model_parse(&again, dumped, strlen(dumped), &err), TACIT_E_INPUT);
        if (!strstr(err.message, cases[k].expected))
            fail_msg("%s: %s", cases[k].to, err.message);
        json_decref(json);
        free(dumped);
        tct_text_free(&changed);
    }
    tacit_text_free(text);
    tacit_text_free(second);
    tacit_model_free(m);
}

static void wide__file_is_what_it_says(void **state)
{
    (void)state;
    compare_file(2);
    compare_file(3);
}

/* Levels or the inputs that they stand for: the same minimum. */
static void wide__trains_alike_from_levels_and_inputs(void **state)
{
    enum { N = 600, WIDTH = 12, D = WIDTH + 2 };
    const size_t inputs[2] = {0, D - 1}, first[1] = {1};
    double *dense = make_model_room(D * N), *columns = make_model_room(2 * N);
    uint16_t levels[N];
    const uint16_t *const lists[1] = {levels};
    int32_t labels[N];
    tct_levelled points = {.x = columns,
                           .inputs = inputs,
                           .n = N,
                           .n_columns = 2,
                           .n_inputs = D,
                           .n_categories = 1,
                           .first = first,
                           .levels = lists,
                           .labels = labels};
    tct_classifier *a = NULL, *b = NULL;
    tct_random random;

    (void)state;
    for (size_t classes = 2; classes < 4; classes++) {
        tct_random_seed(&random, classes, 1);
        memset(dense, 0, D * N * sizeof *dense);
        for (size_t r = 0; r < N; r++) {
            dense[r] = columns[r] = tct_random_normal(&random) / 3;
            dense[(D - 1) * N + r] = columns[N + r] = tct_random_normal(&random) / 3;
            levels[r] = (uint16_t)tct_random_below(&random, WIDTH);
            dense[(1 + levels[r]) * N + r] = 1;
            labels[r] = (int32_t)((levels[r] + tct_random_below(&random, 4) + (columns[r] > 0)) % classes);
        }
        make_model_check(tct_train_logistic(&a, dense, N, labels, N, D, classes, 1, NULL, 1, NULL, NULL, NULL), NULL);
        make_model_check(tct_train_logistic_levelled(&b, &points, classes, 1, 1, NULL, NULL, NULL), NULL);
        for (size_t i = 0; i < D * a->n_scores; i++)
            assert_true(fabs(tct_as_linear(a)->weights[i] - tct_as_linear(b)->weights[i]) < 1e-7);
        a->ops->free(a);
        b->ops->free(b);
    }
    tct_free(dense);
    tct_free(columns);
}

/* Many points: Newton steps from some of them come to where L-BFGS comes, and to the same bits with any threads; with
 * weights per spread too, narrow: the last input is for most people. */
static void compare_many_points(bool narrow)
{
    enum { N = (1 << 17) + 77, D = 3 };
    double *x = make_model_room(D * N);
    int32_t *labels = tct_calloc(N, sizeof *labels);
    tct_levelled points = {.x = x, .n = N, .n_columns = D, .n_inputs = D, .labels = labels};
    tct_classifier *quick[2] = {NULL}, *plain = NULL;
    double width[] = {0.5, 1, 0.001}, middle[] = {0.1, 0, -0.99};
    tct_input_spread spread = {D, middle, width};
    tct_random random;

    assert_non_null(labels);
    points.spread = narrow ? &spread : NULL;
    tct_random_seed(&random, 5, 1);
    for (size_t r = 0; r < N; r++) {
        double score = 0.3;

        for (size_t i = 0; i < D; i++) {
            x[i * N + r] = 2 * tct_random_uniform(&random) - 1;
            score += (double)(i + 1) * x[i * N + r];
        }
        labels[r] = score + tct_random_normal(&random) > 0;
        if (narrow && r % 1000)
            x[2 * N + r] = x[2 * N + r] / 1000 - 0.99;
    }
    for (size_t t = 0; t < 2; t++)
        make_model_check(
            tct_train_logistic(&quick[t], x, N, labels, N, D, 2, 1, points.spread, t + 1, NULL, NULL, NULL), NULL);
    make_model_check(tct_train_logistic_levelled(&plain, &points, 2, 1, 1, NULL, NULL, NULL), NULL);
    for (size_t i = 0; i < D; i++) {
        assert_true(tct_as_linear(quick[0])->weights[i] == tct_as_linear(quick[1])->weights[i]);
        assert_true(fabs(tct_as_linear(quick[0])->weights[i] - tct_as_linear(plain)->weights[i]) <
                    (narrow ? 1e-5 : 1e-9));
    }
    assert_true(fabs(tct_as_linear(quick[0])->bias[0] - tct_as_linear(plain)->bias[0]) < (narrow ? 1e-5 : 1e-9));
    quick[0]->ops->free(quick[0]);
    quick[1]->ops->free(quick[1]);
    plain->ops->free(plain);
    tct_free(x);
    tct_free(labels);
}

static void wide__many_points_have_one_minimum(void **state)
{
    (void)state;
    compare_many_points(false);
    compare_many_points(true);
}

/* ---- drawing people ---- */

/* The lower triangle L with L L' = covariance, 0 where an input is determined by those before. */
static double *whole_factor(const tct_belief *b)
{
    size_t n = b->n_unknown;
    double *l = make_model_room(n * n);

    memset(l, 0, n * n * sizeof *l);
    for (size_t j = 0; j < n; j++)
        for (size_t r = j; r < n; r++) {
            double rest = b->cov[r * n + j];

            for (size_t i = 0; i < j; i++)
                rest -= l[r * n + i] * l[j * n + i];
            if (r == j && tct_determined(rest, b->cov[j * n + j]))
                break;
            l[r * n + j] = r == j ? sqrt(rest) : rest / l[j * n + j];
        }
    return l;
}

static size_t level_by_weights(const double *weights, size_t count, tct_random *random)
{
    double sum = 0, left;
    size_t last = 0;

    for (size_t k = 0; k < count; k++)
        sum += weights[k];
    left = tct_random_uniform(random) * sum;
    for (size_t k = 0; k < count && left >= 0; k++)
        if (weights[k] > 0) {
            last = k;
            left -= weights[k];
        }
    return last;
}

/* One attribute of a person, input after input with all of the factor; z: of the inputs before and then its own. */
static void draw_plainly(const tct_region *region, const double *l, size_t n, size_t attribute, size_t at,
                         const double *mean, double *z, tct_random *random, double *inputs)
{
    const tct_domain *domain = &region->codec->domains[attribute];
    double expected[MORE_LEVELS + 1], weights[MORE_LEVELS + 1];

    for (size_t i = 0; i < domain->width; i++) {
        expected[i] = mean[at + i];
        for (size_t j = 0; j < at; j++)
            expected[i] += l[(at + i) * n + j] * z[j];
    }
    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(expected, domain->count, weights);
        tct_codec_value(region->codec, attribute, level_by_weights(weights, domain->count, random), inputs);
    } else {
        inputs[0] = tct_region_nearest(region, attribute, expected[0] + l[at * n + at] * tct_random_normal(random));
    }
    for (size_t i = 0; i < domain->width; i++) {
        double off = inputs[i] - expected[i], own = l[(at + i) * n + at + i];

        for (size_t j = at; j < at + i; j++)
            off -= l[(at + i) * n + j] * z[j];
        z[at + i] = own > 0 ? off / own : 0;
    }
}

/* People of whom the same is known, drawn both ways from the same stream. */
static void compare_drawn(const tacit_model *m, const tct_belief *b, const tct_region *region)
{
    enum { DRAWN = 200 };
    const tct_codec *codec = m->codec;
    size_t d = codec->n_inputs;
    double *drawn = make_model_room(DRAWN * d), *room = make_model_room(2 * d), *x = make_model_room(d);
    double *mean = make_model_room(d), *z = make_model_room(d), *l = whole_factor(b);
    tct_random random;

    tct_posterior_gaussian.people(m, b, region, 7, DRAWN, drawn, room);
    tct_random_seed(&random, 7, b->n_known);
    tct_belief_mean(b, region->x, mean);
    for (size_t i = 0; i < DRAWN; i++)
        for (size_t a = 0, at = 0; a < m->schema->n_attributes; a++) {
            const tct_domain *domain = &codec->domains[a];

            if (region->known[a])
                continue;
            draw_plainly(region, l, b->n_unknown, a, at, mean, z, &random, x);
            for (size_t k = 0; k < domain->width; k++)
                assert_true(fabs(drawn[i * d + domain->first + k] - x[k]) < 1e-7);
            at += domain->width;
        }
    tct_free(drawn);
    tct_free(room);
    tct_free(x);
    tct_free(mean);
    tct_free(z);
    tct_free(l);
}

static void wide__people_are_drawn_as_with_the_whole_factor(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(4); seed++) {
        tacit_model *m = make_model_of_kind(seed, "trees", 2);
        unsigned char known[16] = {0};
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;

        tct_random_seed(&random, seed, 11);
        for (size_t c = 0; c < 6; c++) { /* the first: nothing is known */
            tct_belief *b;
            tct_region region;

            draw_typical_person(m, &random, x);
            for (size_t a = 0; a < m->schema->n_attributes && c > 0; a++)
                known[a] = tct_random_below(&random, 3) == 0;
            assert_int_equal(tct_belief_start(&b, m, known, NULL), TACIT_OK);
            assert_int_equal(tct_factor_add(b, NULL), TACIT_OK);
            region = tct_region_of(m->codec, known, x);
            compare_drawn(m, b, &region);
            tct_belief_free(b);
        }
        tct_free(x);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide__is_as_likely_as_the_checker_finds),
        cmocka_unit_test(wide__chain_equals_walk),
        cmocka_unit_test(wide__levels_have_the_mean_they_are_given),
        cmocka_unit_test(wide__groups_stand_for_their_levels),
        cmocka_unit_test(wide__known_terms_are_the_scores),
        cmocka_unit_test(wide__file_is_what_it_says),
        cmocka_unit_test(wide__trains_alike_from_levels_and_inputs),
        cmocka_unit_test(wide__many_points_have_one_minimum),
        cmocka_unit_test(wide__people_are_drawn_as_with_the_whole_factor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
