/*
 * How the people were spread from whom a model was made: bins against a plain recount, at least TCT_LEAST_IN_BIN people
 * in each, rounded edges and counts; copies, and the round trip through JSON.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "codec_inside.h"
#include "reference.h"
#include "schema.h"

enum { AGE, INCOME, GRADE, JOB, N_ATTRIBUTES, N_JOBS = 5, N_GRADES = 4, MOST = 25000 };

static const char SCHEMA[] =
    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"outcome\", \"classes\": [\"no\", \"yes\"]},"
    "\"attributes\": [{\"name\": \"age\", \"type\": \"integer\", \"min\": 18, \"max\": 90},"
    "{\"name\": \"income\", \"type\": \"number\", \"min\": -500, \"max\": 9000},"
    "{\"name\": \"grade\", \"type\": \"category\", \"levels\": [\"a\", \"b\", \"c\", \"d\"], \"encoding\": "
    "\"ordinal\"},"
    "{\"name\": \"job\", \"type\": \"category\", \"levels\": [\"p\", \"q\", \"r\", \"s\", \"t\"],"
    "\"encoding\": \"onehot\"}]}";

/* People by their values, and encoded. */
typedef struct people {
    size_t n;
    double values[N_ATTRIBUTES][MOST];
    double *x;
} people;

typedef struct fixture {
    tacit_schema *schema;
    tct_codec *codec;
    people *folk;
} fixture;

static int make(void **state)
{
    static fixture f;
    tct_json_at at = {.file = "schema"};
    json_t *json;

    assert_int_equal(tct_json_parse(&json, SCHEMA, strlen(SCHEMA), at.file, NULL), TACIT_OK);
    assert_int_equal(tct_schema_from_json(&f.schema, json, &at, NULL), TACIT_OK);
    json_decref(json);
    assert_int_equal(tct_codec_new(&f.codec, f.schema, NULL), TACIT_OK);
    f.folk = tct_calloc(1, sizeof *f.folk);
    assert_non_null(f.folk);
    f.folk->x = tct_calloc(MOST * f.codec->n_inputs, sizeof *f.folk->x);
    assert_non_null(f.folk->x);
    *state = &f;
    return 0;
}

static int clear(void **state)
{
    fixture *f = *state;

    tct_free(f->folk->x);
    tct_free(f->folk);
    tct_codec_free(f->codec);
    tacit_schema_free(f->schema);
    return 0;
}

static void encode(fixture *f)
{
    people *p = f->folk;

    memset(p->x, 0, p->n * f->codec->n_inputs * sizeof *p->x);
    for (size_t r = 0; r < p->n; r++)
        for (size_t a = 0; a < N_ATTRIBUTES; a++) {
            double *x = p->x + f->codec->domains[a].first * p->n + r;

            if (a == INCOME)
                *x = tct_box_value(&f->schema->attributes[a], p->values[a][r]);
            else if (a == JOB)
                x[(size_t)p->values[a][r] * p->n] = 1;
            else
                *x = tct_grid_value((size_t)(p->values[a][r] - (a == AGE ? 18 : 0)), a == AGE ? 73 : N_GRADES);
        }
}

/* Shapes: everybody alike; two values; even; crowded at one end. */
static double draw(tct_random *random, uint64_t shape, double low, double high, bool whole)
{
    double u = (double)tct_random_below(random, 1000001) / 1e6, v;

    if (shape == 0)
        return low + floor((high - low) / 3);
    if (shape == 1)
        u = u < 0.3 ? 0 : 1;
    if (shape == 3)
        u = u * u * u * u;
    v = low + u * (high - low);
    return whole ? floor(v) : v;
}

static void draw_people(fixture *f, size_t n, tct_random *random)
{
    people *p = f->folk;
    uint64_t shapes[N_ATTRIBUTES];

    p->n = n;
    for (size_t a = 0; a < N_ATTRIBUTES; a++)
        shapes[a] = tct_random_below(random, 4);
    for (size_t r = 0; r < n; r++) {
        p->values[AGE][r] = draw(random, shapes[AGE], 18, 90, true);
        p->values[INCOME][r] = draw(random, shapes[INCOME], -500, 9000, false);
        p->values[GRADE][r] = draw(random, shapes[GRADE], 0, N_GRADES - 1, true);
        p->values[JOB][r] = draw(random, shapes[JOB], 0, N_JOBS - 1, true);
    }
    encode(f);
}

static tct_reference *reference_of(const fixture *f)
{
    const tct_encode_counts cells[N_ATTRIBUTES] = {{4, 5, 0}, {14, 15, 0}, {0, 1234, 0}, {0, 0, 0}};
    tct_reference *r;

    assert_int_equal(tct_reference_new(&r, f->codec, f->codec, f->folk->x, NULL, f->folk->n, cells, NULL), TACIT_OK);
    assert_int_equal(r->people, f->folk->n);
    return r;
}

/* Nobody can be told from it, and everybody is where a plain count puts them. */
static void check_spread(const fixture *f, const tct_profile *s, size_t a)
{
    uint64_t plain[TCT_MOST_BINS + N_JOBS] = {0}, all = 0;

    assert_in_range(s->n_bins, 1, TCT_MOST_BINS);
    for (size_t r = 0; r < f->folk->n; r++) {
        double v = f->folk->values[a][r];
        size_t bin = 0;

        for (size_t e = 0; s->edges && e + 1 < s->n_bins; e++)
            bin += v > s->edges[e];
        plain[s->bins ? s->bins[(size_t)v] : bin]++;
    }
    for (size_t b = 0; b < s->n_bins; b++) {
        assert_int_equal(s->counts[b], plain[b]);
        all += s->counts[b];
        if (s->n_bins > 1) /* levels that nobody had may have a bin of their own */
            assert_true(s->counts[b] >= TCT_LEAST_IN_BIN || (s->bins && s->counts[b] == 0));
    }
    assert_int_equal(all, f->folk->n);
    for (size_t e = 0; s->edges && e + 1 < s->n_bins; e++) {
        assert_true(e == 0 || s->edges[e] > s->edges[e - 1]);
        assert_true(s->edges[e] == rint(s->edges[e] * 10) / 10); /* the domains are wide: no digit of anybody's value */
        assert_true(a == INCOME || s->edges[e] == rint(s->edges[e]));
    }
}

static void reference__counts_as_a_plain_count_does(void **state)
{
    static const size_t sizes[] = {1, 2, 19, 20, 21, 39, 40, 200, 1000, 9999, 10001, MOST};
    fixture *f = *state;
    tct_random random;

    tct_random_seed(&random, 12, 26);
    for (size_t round = 0; round < 120; round++) {
        tct_reference *r;

        draw_people(f, sizes[round % (sizeof sizes / sizeof *sizes)], &random);
        r = reference_of(f);
        for (size_t a = 0; a < N_ATTRIBUTES; a++)
            check_spread(f, &r->spreads[a], a);
        tct_reference_free(r);
    }
}

static void reference__does_not_depend_on_the_order_of_people(void **state)
{
    fixture *f = *state;
    tct_random random;
    json_t *json[2];

    tct_random_seed(&random, 13, 26);
    draw_people(f, 3000, &random);
    for (size_t i = 0; i < 2; i++) {
        tct_reference *r = reference_of(f);

        json[i] = tct_reference_to_json(r);
        tct_reference_free(r);
        for (size_t a = 0; a < N_ATTRIBUTES; a++) /* the other way round */
            for (size_t k = 0; k < f->folk->n / 2; k++) {
                double v = f->folk->values[a][k];

                f->folk->values[a][k] = f->folk->values[a][f->folk->n - 1 - k];
                f->folk->values[a][f->folk->n - 1 - k] = v;
            }
        encode(f);
    }
    assert_true(json_equal(json[0], json[1]));
    json_decref(json[0]);
    json_decref(json[1]);
}

/* `counts` people of each job. */
static tct_reference *of_jobs(fixture *f, const size_t counts[N_JOBS])
{
    f->folk->n = 0;
    for (size_t k = 0; k < N_JOBS; k++)
        for (size_t i = 0; i < counts[k]; i++) {
            f->folk->values[AGE][f->folk->n] = 30;
            f->folk->values[INCOME][f->folk->n] = 100;
            f->folk->values[GRADE][f->folk->n] = 1;
            f->folk->values[JOB][f->folk->n++] = (double)k;
        }
    encode(f);
    return reference_of(f);
}

static void check_jobs(fixture *f, const size_t counts[N_JOBS], size_t n_bins, const size_t bins[N_JOBS])
{
    tct_reference *r = of_jobs(f, counts);
    const tct_profile *s = &r->spreads[JOB];

    assert_int_equal(s->n_bins, n_bins);
    assert_int_equal(s->n_levels, N_JOBS);
    assert_memory_equal(s->bins, bins, N_JOBS * sizeof *bins);
    check_spread(f, s, JOB);
    for (size_t a = 0; a < JOB; a++) /* all alike: one bin, no edge */
        assert_int_equal(r->spreads[a].n_bins, 1);
    tct_reference_free(r);
}

static void reference__joins_rare_levels(void **state)
{
    fixture *f = *state;

    check_jobs(f, (size_t[]){20, 30, 40, 50, 60}, 5, (size_t[]){0, 1, 2, 3, 4});
    check_jobs(f, (size_t[]){19, 30, 40, 50, 1}, 4, (size_t[]){3, 0, 1, 2, 3}); /* 20 together: a bin */
    check_jobs(f, (size_t[]){18, 30, 40, 25, 1}, 3, (size_t[]){2, 0, 1, 2, 2}); /* 19: with the smallest */
    check_jobs(f, (size_t[]){0, 30, 40, 50, 0}, 4, (size_t[]){3, 0, 1, 2, 3});  /* nobody is nobody */
    check_jobs(f, (size_t[]){15, 15, 15, 15, 15}, 1, (size_t[]){0, 0, 0, 0, 0});
    check_jobs(f, (size_t[]){1, 0, 0, 0, 0}, 1, (size_t[]){0, 0, 0, 0, 0});
}

static void reference__rounds_counts_of_cells(void **state)
{
    fixture *f = *state;
    tct_reference *r = of_jobs(f, (size_t[]){20, 20, 20, 20, 20});

    assert_int_equal(r->spreads[0].clipped, 0); /* 4 */
    assert_int_equal(r->spreads[0].missing, 10);
    assert_int_equal(r->spreads[1].clipped, 10); /* 14 */
    assert_int_equal(r->spreads[1].missing, 20);
    assert_int_equal(r->spreads[2].missing, 1230);
    assert_int_equal(r->spreads[3].clipped + r->spreads[3].missing, 0);
    tct_reference_free(r);
}

/* Counters of other people, in pieces as an audit has them, make the bins of a plain count. */
static void profile__counts_other_people_in_pieces(void **state)
{
    fixture *f = *state;
    tct_random random;
    tct_reference *r;

    tct_random_seed(&random, 14, 26);
    draw_people(f, 2000, &random);
    r = reference_of(f);
    draw_people(f, 777, &random);
    for (size_t a = 0; a < N_ATTRIBUTES; a++) {
        tct_profile *s = &r->spreads[a];
        uint64_t counters[TCT_MOST_BINS] = {0}, bins[TCT_MOST_BINS], plain[TCT_MOST_BINS] = {0};
        const double *x = f->folk->x + f->codec->domains[a].first * f->folk->n;

        assert_int_equal(tct_profile_counters(s), s->bins ? s->n_bins : s->n_bins - 1);
        tct_profile_count(s, f->codec, a, x, f->folk->n, 100, counters);
        tct_profile_count(s, f->codec, a, x + 100, f->folk->n, 677, counters);
        tct_profile_bins(s->n_bins, s->bins != NULL, counters, f->folk->n, bins);
        for (size_t p = 0; p < f->folk->n; p++) {
            double v = f->folk->values[a][p];
            size_t bin = 0;

            for (size_t e = 0; s->edges && e + 1 < s->n_bins; e++)
                bin += v > s->edges[e];
            plain[s->bins ? s->bins[(size_t)v] : bin]++;
        }
        assert_memory_equal(bins, plain, s->n_bins * sizeof *bins);
    }
    tct_reference_free(r);
}

static void reference__comes_back_from_json_and_copies(void **state)
{
    fixture *f = *state;
    tct_json_at at = {.file = "model"};
    tct_random random;
    tct_reference *r, *copy, *back;
    json_t *json, *again;

    tct_random_seed(&random, 15, 26);
    draw_people(f, 500, &random);
    r = reference_of(f);
    r->train[0] = 300, r->train[3] = 200, r->test[2] = 7;
    json = tct_reference_to_json(r);
    assert_int_equal(tct_reference_copy(&copy, r, NULL), TACIT_OK);
    again = tct_reference_to_json(copy);
    assert_true(json_equal(json, again));
    json_decref(again);
    assert_int_equal(tct_reference_from_json(&back, json, f->schema, &at, NULL), TACIT_OK);
    again = tct_reference_to_json(back);
    assert_true(json_equal(json, again));
    json_decref(again);
    json_decref(json);
    tct_reference_free(r);
    tct_reference_free(copy);
    tct_reference_free(back);
}

/* A valid document in which one member is another: refused, and why. */
static void check_refused(const fixture *f, const tct_reference *r, size_t attribute, const char *key,
                          const char *value, const char *message)
{
    tct_json_at at = {.file = "model"};
    tacit_error err = {0};
    tct_reference *back;
    json_t *json = tct_reference_to_json(r), *into = json, *other = json_loads(value, JSON_DECODE_ANY, NULL);

    if (attribute < N_ATTRIBUTES)
        into = json_array_get(json_object_get(json, "attributes"), attribute);
    assert_int_equal(json_object_set_new(into, key, other), 0);
    assert_int_equal(tct_reference_from_json(&back, json, f->schema, &at, &err), TACIT_E_INPUT);
    assert_null(back);
    assert_non_null(strstr(err.message, message));
    json_decref(json);
}

static void reference__is_not_believed(void **state)
{
    fixture *f = *state;
    tct_reference *r = of_jobs(f, (size_t[]){20, 20, 20, 20, 20});

    r->train[0] = 100;
    check_refused(f, r, N_ATTRIBUTES, "people", "0", "expected a number of people");
    check_refused(f, r, N_ATTRIBUTES, "people", "101", "does not add up to the people");
    check_refused(f, r, N_ATTRIBUTES, "train", "[99, 0, 0, 0]", "does not add up to the people");
    check_refused(f, r, N_ATTRIBUTES, "attributes", "[]", "expected 4 entries");
    check_refused(f, r, AGE, "counts", "[]", "expected 1 to 10 counts");
    check_refused(f, r, AGE, "counts", "[99]", "does not add up to the people");
    check_refused(f, r, AGE, "edges", "[1]", "edges");
    check_refused(f, r, AGE, "missing", "-1", "missing");
    check_refused(f, r, JOB, "bins", "[0, 1, 2, 3, 5]", "bins");
    check_refused(f, r, JOB, "counts", "[20, 20, 20, 20, 10, 10]", "expected 1 to 5 counts");
    tct_reference_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference__counts_as_a_plain_count_does),
        cmocka_unit_test(reference__does_not_depend_on_the_order_of_people),
        cmocka_unit_test(reference__joins_rare_levels),
        cmocka_unit_test(reference__rounds_counts_of_cells),
        cmocka_unit_test(profile__counts_other_people_in_pieces),
        cmocka_unit_test(reference__comes_back_from_json_and_copies),
        cmocka_unit_test(reference__is_not_believed),
    };

    return cmocka_run_group_tests_name("reference", tests, make, clear);
}
