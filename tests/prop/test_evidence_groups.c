/*
 * Groups: every figure against counting by hand, from the rows that the audit writes and the people's own file; how
 * groupings are written; the same bytes whoever counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "grouping.h"
#include "make_people.h"
#include "num.h"
#include "plain_csv.h"

static const double DELTAS[] = {0, 0.15};
static const char *const SPECS[] = {"job",         "age:30,45", "age:3*job", "note", "\"job\"*income:1500,3000",
                                    "income:2000,"};
enum { N_SPECS = 6, PEOPLE = 900 };
static tacit_model *model;

/* ---- people and rows as they are in the files ---- */

typedef struct person {
    const char *group[N_SPECS], *truth, *label[2];
    size_t asked[2];
} person;

typedef struct crowd {
    plain_csv people, rows;
    person list[PEOPLE];
} crowd;

static size_t column_of(const plain_csv *csv, const char *name)
{
    for (size_t c = 0; c < csv->n_columns; c++)
        if (strcmp(csv->cells[c].text, name) == 0)
            return c;
    fail_msg("no column %s", name);
    return 0;
}

static const char *cell(const plain_csv *csv, size_t row, size_t column)
{
    return csv->cells[row * csv->n_columns + column].text;
}

static void read_csv(plain_csv *csv, const char *path)
{
    char *text = file_text(path);

    plain_csv_read(csv, text, strlen(text), ',', false);
    tct_free(text);
    assert_false(csv->bad);
}

static void read_crowd(crowd *c, const char *people, const char *rows)
{
    size_t groups[N_SPECS], asked, label, truth;

    read_csv(&c->people, people);
    read_csv(&c->rows, rows);
    asked = column_of(&c->rows, "asked");
    label = column_of(&c->rows, "label");
    truth = column_of(&c->people, "outcome");
    for (size_t g = 0; g < N_SPECS; g++) {
        char name[100];

        snprintf(name, sizeof name, "group:%s", SPECS[g]);
        groups[g] = column_of(&c->rows, name);
    }
    assert_int_equal(c->rows.n_rows, 2 * PEOPLE + 1);
    for (size_t i = 0; i < PEOPLE; i++) {
        person *p = &c->list[i];
        double age = strtod(cell(&c->people, i + 1, 0), NULL);

        p->truth = cell(&c->people, i + 1, truth);
        for (size_t d = 0; d < 2; d++) {
            size_t row = 1 + 2 * i + d;
            const char *list = cell(&c->rows, row, asked);

            assert_string_equal(cell(&c->rows, row, groups[0]), cell(&c->people, i + 1, 2));
            assert_string_equal(cell(&c->rows, row, groups[1]), age < 30   ? "below 30"
                                                                : age < 45 ? "30 to below 45"
                                                                           : "45 and above");
            p->label[d] = cell(&c->rows, row, label);
            p->asked[d] = *list != '\0';
            for (; *list; list++)
                p->asked[d] += *list == ';';
            for (size_t g = 0; g < N_SPECS; g++)
                p->group[g] = cell(&c->rows, row, groups[g]);
        }
    }
}

/* ---- figures ---- */

static void check_share(const tacit_share *share, uint64_t count, uint64_t of)
{
    double low, high;

    assert_int_equal(share->count, count);
    assert_int_equal(share->of, of);
    if (of == 0) {
        assert_true(isnan(share->value) && isnan(share->low));
        return;
    }
    tct_clopper_pearson((double)count, (double)of, 0.95, &low, &high);
    assert_true(share->value == (double)count / (double)of && share->low == low && share->high == high);
}

static void check_group(const crowd *c, const tacit_audit *audit, size_t s, size_t g, size_t d)
{
    const tacit_audit_group *group = tacit_audit_grouping_group(audit, s, g);
    const tacit_audit_result *r = tacit_audit_grouping_result(audit, s, g, d);
    const tacit_audit_rates *rates = tacit_audit_grouping_rates(audit, s, g, d);
    uint64_t people = 0, yes = 0, same = 0, right = 0, asked = 0, truth_yes = 0, hit_yes = 0, hit_no = 0;

    for (size_t i = 0; i < PEOPLE; i++) {
        const person *p = &c->list[i];
        bool decided = strcmp(p->label[d], "yes") == 0, truth = strcmp(p->truth, "yes") == 0;

        if (strcmp(p->group[s], group->name) != 0)
            continue;
        people++;
        yes += decided;
        same += strcmp(p->label[d], p->label[0]) == 0; /* at delta 0 the decision is the one with everything known */
        right += decided == truth;
        asked += p->asked[d];
        truth_yes += truth;
        hit_yes += truth && decided;
        hit_no += !truth && !decided;
    }
    assert_int_equal(group->people, people);
    assert_true(people >= 20);
    assert_int_equal(r->total_asked, asked);
    assert_true(rates->mean_low <= r->mean_asked && r->mean_asked <= rates->mean_high);
    check_share(&rates->fidelity, same, people);
    check_share(&rates->accuracy, right, people);
    check_share(&rates->selection[1], yes, people);
    check_share(&rates->selection[0], people - yes, people);
    check_share(&rates->recall[1], hit_yes, truth_yes);
    check_share(&rates->recall[0], hit_no, people - truth_yes);
    check_share(&rates->false_positive, people - truth_yes - hit_no, people - truth_yes);
    check_share(&rates->false_negative, truth_yes - hit_yes, truth_yes);
}

static tacit_audit *run_audit(const char *people, const char *rows, size_t threads)
{
    tacit_audit_options options = {.deltas = DELTAS,
                                   .n_deltas = 2,
                                   .threads = threads,
                                   .groupings = SPECS,
                                   .n_groupings = N_SPECS,
                                   .rows_path = rows,
                                   .partial = true};
    tacit_audit *audit = NULL;
    tacit_error err = {0};

    if (tacit_audit_csv(&audit, model, people, NULL, &options, &err))
        fail_msg("%s", err.message);
    return audit;
}

static void groups__figures_are_those_of_the_rows(void **state)
{
    static crowd c;
    const char *people = people_file(0, PEOPLE), *rows = scratch_text("");
    tacit_audit *audit = run_audit(people, rows, 2);
    size_t shown = 0;

    (void)state;
    read_crowd(&c, people, rows);
    assert_int_equal(tacit_audit_groupings(audit), N_SPECS);
    for (size_t s = 0; s < N_SPECS; s++) {
        const tacit_audit_grouping *g = tacit_audit_grouping_get(audit, s);
        uint64_t total = 0;

        assert_string_equal(g->name, SPECS[s]);
        for (size_t i = 0; i < g->n_groups + (g->pooled_groups > 0); i++) {
            const tacit_audit_group *group = tacit_audit_grouping_group(audit, s, i);

            total += i < g->n_groups ? group->people : 0;
            if (!group->shown)
                assert_null(tacit_audit_grouping_result(audit, s, i, 0));
            for (size_t d = 0; d < 2 && group->shown && !group->pooled; d++)
                check_group(&c, audit, s, i, d);
            shown += group->shown;
        }
        assert_int_equal(total, PEOPLE);
        assert_int_equal(tacit_audit_grouping_group(audit, s, TACIT_NONE)->people, PEOPLE);
        assert_null(tacit_audit_grouping_group(audit, s, g->n_groups + 1));
    }
    assert_true(shown > 15);
    assert_null(tacit_audit_grouping_get(audit, N_SPECS));
    tacit_audit_free(audit);
    plain_csv_free(&c.people);
    plain_csv_free(&c.rows);
}

/* The interval of a difference, written down once more. */
static void check_difference(const tacit_audit *audit, const tacit_audit_difference *d)
{
    const tacit_audit_rates *a = tacit_audit_grouping_rates(audit, 0, d->high_group, d->delta_index);
    const tacit_audit_rates *b = tacit_audit_grouping_rates(audit, 0, d->low_group, d->delta_index);
    const tacit_share *x = &a->selection[1], *y = &b->selection[1];
    double z = tct_normal_quantile(1 - 0.025 / (double)d->pairs), ends[2][2];

    assert_int_equal(d->pairs, 3);
    assert_true(d->high == x->value && d->low == y->value && d->difference == x->value - y->value);
    for (size_t i = 0; i < 2; i++) {
        const tacit_share *s = i ? y : x;
        double n = (double)s->of, p = s->value, root = z * sqrt((p * (1 - p) + z * z / 4 / n) / n);

        ends[i][0] = (p + z * z / 2 / n - root) / (1 + z * z / n);
        ends[i][1] = (p + z * z / 2 / n + root) / (1 + z * z / n);
    }
    assert_true(fabs(d->low_end - (d->difference - hypot(x->value - ends[0][0], ends[1][1] - y->value))) < 1e-12);
    assert_true(fabs(d->high_end - (d->difference + hypot(ends[0][1] - x->value, y->value - ends[1][0]))) < 1e-12);
    assert_true(d->beyond_noise == (d->low_end > 0));
}

static void groups__differences(void **state)
{
    tacit_audit *audit = run_audit(people_file(0, PEOPLE), NULL, 1);
    const tacit_audit_grouping *g = tacit_audit_grouping_get(audit, 0);
    size_t seen = 0;

    (void)state;
    for (size_t i = 0; i < g->n_differences; i++) {
        const tacit_audit_difference *d = &g->differences[i];

        assert_true(d->high_group != d->low_group && d->difference >= 0);
        assert_true(d->low_end <= d->difference && d->difference <= d->high_end);
        if (strcmp(d->figure, "selection_rate") == 0) {
            assert_string_equal(d->class_name, "yes");
            check_difference(audit, d);
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    tacit_audit_free(audit);
}

/* ---- whoever counts ---- */

static char *json_of(const tacit_audit *audit)
{
    char *json = NULL;

    assert_int_equal(tacit_audit_json(&json, audit, NULL), TACIT_OK);
    return json;
}

static void groups__same_bytes_by_threads_and_parts(void **state)
{
    const char *cuts[] = {people_file(0, 7), people_file(7, 300), people_file(300, PEOPLE)}, *parts[3];
    tacit_audit_options options = {
        .deltas = DELTAS, .n_deltas = 2, .threads = 1, .groupings = SPECS, .n_groupings = N_SPECS, .partial = true};
    tacit_audit *audit = NULL;
    char *one, *other;

    (void)state;
    assert_int_equal(tacit_audit_files(&audit, model, cuts, 3, NULL, &options, NULL), TACIT_OK);
    one = json_of(audit);
    tacit_audit_free(audit);
    options.threads = 3;
    assert_int_equal(tacit_audit_files(&audit, model, cuts, 3, NULL, &options, NULL), TACIT_OK);
    other = json_of(audit);
    tacit_audit_free(audit);
    assert_string_equal(one, other);
    tacit_text_free(other);
    for (size_t i = 0; i < 3; i++) {
        char *text = NULL;

        assert_int_equal(tacit_audit_files(&audit, model, &cuts[2 - i], 1, NULL, &options, NULL), TACIT_OK);
        assert_int_equal(tacit_audit_partial(&text, audit, NULL, NULL), TACIT_OK);
        parts[2 - i] = scratch_text(text);
        tacit_text_free(text);
        tacit_audit_free(audit);
    }
    assert_int_equal(tacit_audit_merge(&audit, parts, 3, NULL), TACIT_OK);
    other = json_of(audit);
    assert_string_equal(one, other);
    tacit_audit_free(audit);
    tacit_text_free(one);
    tacit_text_free(other);
}

/* ---- how groupings are written ---- */

static void groupings__are_read(void **state)
{
    const tacit_schema *schema = tacit_model_schema(model);
    tct_groupings *g = NULL;

    (void)state;
    assert_int_equal(tct_groupings_new(&g, NULL), TACIT_OK);
    assert_int_equal(tct_groupings_add(g, "age:4 * job", schema, NULL), TACIT_OK);
    assert_int_equal(g->n_dimensions, 2);
    assert_int_equal(g->dimensions[0].n_edges, 3);
    for (size_t i = 0; i < 3; i++) /* an integer: whole edges */
        assert_true(g->dimensions[0].edges[i] == floor(g->dimensions[0].edges[i]));
    assert_int_equal(tct_groupings_add(g, "\"a:\"\"b\"\"*c\"", schema, NULL), TACIT_OK);
    assert_string_equal(g->dimensions[2].column, "a:\"b\"*c");
    assert_int_equal(tct_groupings_add(g, "x:-1e3, 0 ,2.5", schema, NULL), TACIT_OK);
    assert_int_equal(g->dimensions[3].n_edges, 3);
    assert_string_equal(g->dimensions[3].bins[0], "below -1000");
    assert_string_equal(g->dimensions[3].bins[1], "-1000 to below 0");
    assert_string_equal(g->dimensions[3].bins[3], "2.5 and above");
    assert_string_equal(g->dimensions[3].bins[4], "(missing)");
    assert_int_equal(tct_dimension_bin(&g->dimensions[3], -1000), 1);
    assert_int_equal(tct_dimension_bin(&g->dimensions[3], -1000.5), 0);
    assert_int_equal(tct_dimension_bin(&g->dimensions[3], 2.5), 3);
    assert_int_equal(tct_groupings_add(g, "age:65,", schema, NULL), TACIT_OK);
    assert_int_equal(g->dimensions[4].n_edges, 1);
    assert_int_equal(tct_groupings_add(g, "job", schema, NULL), TACIT_OK);
    assert_int_equal(g->n_dimensions, 5); /* shared */
    assert_int_equal(tct_groupings_depth(g, 1), 2);
    assert_int_equal(tct_groupings_depth(g, 5), 5);
    tct_groupings_free(g);
}

static void groupings__what_is_wrong_is_said(void **state)
{
    static const struct {
        const char *text, *reason;
    } CASES[] = {
        {"", "the name of a column is missing"},
        {"*job", "the name of a column is missing"},
        {"job*", "the name of a column is missing"},
        {":5", "the name of a column is missing"},
        {"age:", "expected the edges of bins"},
        {"age:x", "expected the edges of bins"},
        {"age:40,30", "ascending order"},
        {"age:30,30", "ascending order"},
        {"age:30,,40", "expected the edges of bins"},
        {"age:,", "expected the edges of bins"},
        {"age:nan,3", "expected the edges of bins"},
        {"age:1", "2 to 50 bins"},
        {"age:2.5", "2 to 50 bins"},
        {"age:51", "2 to 50 bins"},
        {"job:3", "only a number or integer of the model"},
        {"town:3", "only a number or integer of the model"},
        {"age*age:3", "the same column twice"},
        {"a*b*c*d*e*f*g", "more than 6 columns"},
        {"\"job", "the quote is not closed"},
        {"\"job\"x", "behind the quoted name"},
        {"sex*job", "is there twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tct_groupings *g = NULL;
        tacit_error err = {0};

        assert_int_equal(tct_groupings_new(&g, NULL), TACIT_OK);
        assert_int_equal(tct_groupings_add(g, "job*sex", tacit_model_schema(model), NULL), TACIT_OK);
        assert_int_equal(tct_groupings_add(g, CASES[i].text, tacit_model_schema(model), &err), TACIT_E_USAGE);
        if (!strstr(err.message, CASES[i].reason))
            fail_msg("%s: '%s' does not say '%s'", CASES[i].text, err.message, CASES[i].reason);
        tct_groupings_free(g);
    }
}

static int prepare(void **state)
{
    (void)state;
    model = people_model(people_file(0, 1000));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    tacit_model_free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups__figures_are_those_of_the_rows),   cmocka_unit_test(groups__differences),
        cmocka_unit_test(groups__same_bytes_by_threads_and_parts), cmocka_unit_test(groupings__are_read),
        cmocka_unit_test(groupings__what_is_wrong_is_said),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
