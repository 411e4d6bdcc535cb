/*
 * The fast path of the audit equals the plain one: same number asked, same status, same label, for every person and
 * delta; and an audit counts the same with any number of threads, block by block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "audit.h"
#include "auditor.h"
#include "chain.h"
#include "oracle.h"
#include "scale.h"
#include "scratch.h"
#include "simd.h"

enum { PEOPLE = 300, N_DELTAS = 11 };
static const double DELTAS[N_DELTAS] = {0.05, 0, 0.3, 0.01, 0.1, 0, 0.2, 0.02, 0.4, 0.45, 0.1};

/* PEOPLE people, input by input. */
static double *draw_people(const tacit_model *m, uint64_t seed)
{
    size_t d = m->codec->n_inputs;
    double *x = make_model_room(d * PEOPLE), *one = make_model_room(d);
    tct_random random;

    tct_random_seed(&random, seed, 8);
    for (size_t r = 0; r < PEOPLE; r++) {
        if (r % 2)
            draw_person(m, &random, one);
        else
            draw_typical_person(m, &random, one);
        for (size_t i = 0; i < d; i++)
            x[i * PEOPLE + r] = one[i];
    }
    tct_free(one);
    return x;
}

static void chain__equals_walk(void **state)
{
    size_t cases = scaled(200);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 1, 1 + c % 9, 2, c % 3 != 0);
        size_t d = m->codec->n_inputs, asked[64];
        double *x = draw_people(m, c), *one = make_model_room(d);
        tct_promise promises[N_DELTAS];
        size_t n_promises = c % 4 < 2 ? N_DELTAS : 1 + c % 4; /* with delta = 0 among them, and without */
        tct_ending *marks = tct_calloc(N_DELTAS * TCT_TILE, sizeof *marks);
        tct_ending *rest = tct_calloc(N_DELTAS * TCT_TILE, sizeof *rest);
        uint8_t full[TCT_TILE], once[TCT_TILE];
        tct_plan *plan;
        tct_walker *walker;
        tct_chain *chain;
        const tct_stage *start;

        tct_simd_limit((tct_simd)(c % TCT_SIMD_LEVELS)); /* for every kind of processor that this one can be */
        for (size_t i = 0; i < n_promises; i++)
            promises[i] = tct_promise_of(m, TACIT_RULE_ENTROPY, n_promises < N_DELTAS ? 0.3 - 0.1 * i : DELTAS[i]);
        assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
        if (c % 2)
            tct_plan_limit(plan, 0); /* every stage behind the start is made for the moment */
        assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
        assert_int_equal(tct_walker_new(&walker, plan, TACIT_RULE_ENTROPY, 0, NULL), TACIT_OK);
        assert_int_equal(tct_chain_new(&chain, plan, start, TACIT_RULE_ENTROPY, promises, n_promises, NULL), TACIT_OK);
        assert_non_null(chain);
        for (size_t at = 0; at < PEOPLE; at += TCT_TILE) {
            size_t n = PEOPLE - at < TCT_TILE ? PEOPLE - at : TCT_TILE;

            tct_chain_labels(tct_as_linear(m->classifier), x + at, PEOPLE, n, full);
            tct_chain_tile(chain, x + at, PEOPLE, n, full, marks);
            tct_chain_rest(chain, x + at, PEOPLE, n, full, once, rest);
            for (size_t p = 0; p < n; p++) {
                tct_stop stops[N_DELTAS];

                for (size_t i = 0; i < d; i++)
                    one[i] = x[i * PEOPLE + at + p];
                assert_int_equal(full[p], oracle_label(m, one));
                assert_int_equal(tct_walker_run(walker, start, one, NULL, promises, n_promises, stops, asked, NULL),
                                 TACIT_OK);
                assert_true(once[p] < TCT_ENDINGS_PACKED);
                for (size_t i = 0; i < n_promises; i++) {
                    const tct_ending *mark = &marks[i * TCT_TILE + p];
                    tct_ending other = once[p] ? tct_ending_of(0, once[p]) : rest[i * TCT_TILE + p];

                    assert_int_equal(mark->asked, stops[i].end.asked);
                    assert_int_equal(mark->settled, stops[i].end.settled);
                    assert_int_equal(mark->label, stops[i].end.label);
                    assert_memory_equal(mark, &other, sizeof other);
                    assert_memory_equal(tct_chain_order(chain), asked, stops[i].end.asked * sizeof *asked);
                }
            }
        }
        tct_chain_free(chain);
        tct_walker_free(walker);
        tct_plan_free(plan);
        tct_free(marks);
        tct_free(rest);
        tct_free(x);
        tct_free(one);
        tacit_model_free(m);
    }
}

/* Stages of hundreds of variables are large, and a chain has as many: none stays behind, and plans keep theirs as before. */
static void chain__leaves_no_stages_behind(void **state)
{
    tacit_model *m = make_linear_model(2, 7, 2, true);
    tct_promise promise = tct_promise_of(m, TACIT_RULE_ENTROPY, 0.1);
    const tct_stage *start, *next;
    size_t limit;
    tct_plan *plan;
    tct_chain *chain;

    (void)state;
    assert_int_equal(tct_plan_new(&plan, m, NULL), TACIT_OK);
    limit = tct_plan_limit(plan, 1 << 20);
    assert_int_equal(tct_plan_limit(plan, limit), 1 << 20);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_chain_new(&chain, plan, start, TACIT_RULE_ENTROPY, &promise, 1, NULL), TACIT_OK);
    assert_non_null(chain);
    assert_null(tct_plan_mark(plan));
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        assert_null(start->children[a]);
    assert_int_equal(tct_plan_limit(plan, limit), limit);
    assert_int_equal(tct_plan_step(plan, start, tct_chain_order(chain)[0], &next, NULL), TACIT_OK);
    assert_ptr_equal(start->children[tct_chain_order(chain)[0]], next);
    tct_chain_free(chain);
    tct_plan_free(plan);
    tacit_model_free(m);
}

static void chain__is_only_offered_where_there_is_a_common_order(void **state)
{
    tacit_model *two = make_linear_model(1, 4, 2, true), *three = make_linear_model(1, 4, 3, true);
    tct_promise promise = tct_promise_of(two, TACIT_RULE_ENTROPY, 0.1);
    const tct_stage *start;
    tct_plan *plan;
    tct_chain *chain;

    (void)state;
    assert_int_equal(tct_plan_new(&plan, two, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_chain_new(&chain, plan, start, TACIT_RULE_MARGIN, &promise, 1, NULL), TACIT_OK);
    assert_null(chain);
    tct_plan_free(plan);
    assert_int_equal(tct_plan_new(&plan, three, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(plan, &start, NULL), TACIT_OK);
    assert_int_equal(tct_chain_new(&chain, plan, start, TACIT_RULE_ENTROPY, &promise, 1, NULL), TACIT_OK);
    assert_null(chain);
    tct_plan_free(plan);
    tacit_model_free(two);
    tacit_model_free(three);
}

/* The people as a CSV file, with ground truth and a group. */
static char *write_people(const tacit_model *m, const double *x)
{
    const tacit_schema *schema = m->schema;
    double *one = make_model_room(m->codec->n_inputs);
    tct_text text = {0};
    char cell[128];

    for (size_t a = 0; a < schema->n_attributes; a++)
        tct_text_printf(&text, "%s,", schema->attributes[a].name);
    tct_text_printf(&text, "%s,team\n", schema->label);
    for (size_t r = 0; r < PEOPLE; r++) {
        for (size_t i = 0; i < m->codec->n_inputs; i++)
            one[i] = x[i * PEOPLE + r];
        for (size_t a = 0; a < schema->n_attributes; a++) {
            tct_decode_cell(m->codec, a, one + m->codec->domains[a].first, cell, sizeof cell);
            tct_text_printf(&text, "%s,", cell);
        }
        tct_text_printf(&text, "%s,%s\n", r % 7 == 0 ? "" : schema->classes[r % schema->n_classes],
                        r % 3 ? "red" : "blue");
    }
    tct_free(one);
    assert_false(text.failed);
    return text.bytes;
}

static char *read_all(const char *path)
{
    char *bytes;
    size_t size;

    assert_int_equal(tct_file_read(&bytes, &size, path, 1 << 30, NULL), TACIT_OK);
    return bytes;
}

/* Two audits found the same: everything but what is said about the data at the end. */
static void assert_same_findings(const char *a, const char *b)
{
    const char *end_a = strstr(a, "\n  \"data\":"), *end_b = strstr(b, "\n  \"data\":");

    assert_non_null(end_a);
    assert_non_null(end_b);
    assert_int_equal(end_a - a, end_b - b);
    assert_memory_equal(a, b, (size_t)(end_a - a));
}

static void audit__any_number_of_threads_any_path(void **state)
{
    size_t cases = scaled(10);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 400, 2 + c % 6, 2 + c % 2, true);
        double *x = draw_people(m, c);
        char *csv = write_people(m, x), *first[2] = {NULL, NULL}, *first_rows = NULL; /* from a file, from a table */
        const char *path = scratch_text(csv);
        char rows[600];
        tacit_table *table;

        snprintf(rows, sizeof rows, "%s.rows", path);
        assert_int_equal(tacit_table_read(&table, path, NULL, 2, NULL), TACIT_OK);
        for (size_t round = 0; round < 5; round++) {
            tacit_audit_options options = {.deltas = DELTAS,
                                           .n_deltas = N_DELTAS,
                                           .rule = c % 2 ? TACIT_RULE_AUTO : TACIT_RULE_ENTROPY,
                                           .threads = 1 + round % 3,
                                           .group = "team",
                                           .rows_path = rows};
            tacit_error err = {0};
            tacit_audit *audit;
            char *json, *rows_text;
            tacit_status st = round < 3 ? tacit_audit_csv(&audit, m, path, NULL, &options, &err)
                                        : tacit_audit_table(&audit, m, table, &options, &err);

            if (st)
                fail_msg("%s", err.message);
            assert_int_equal(tacit_audit_json(&json, audit, NULL), TACIT_OK);
            rows_text = read_all(rows);
            if (!first[round >= 3]) {
                const tacit_audit_result *r = tacit_audit_result_get(audit, 1);

                assert_int_equal(r->people, PEOPLE);
                assert_int_equal(r->agree, PEOPLE); /* delta = 0 */
                assert_true(r->fidelity == 1);
                first[round >= 3] = json; /* they differ: a table knows the checksum of its file */
            } else {
                assert_string_equal(json, first[round >= 3]);
                tacit_text_free(json);
            }
            if (first_rows) {
                assert_string_equal(rows_text, first_rows);
                tct_free(rows_text);
            } else {
                first_rows = rows_text;
            }
            tacit_audit_free(audit);
        }
        unlink(rows);
        assert_same_findings(first[0], first[1]);
        tacit_text_free(first[0]);
        tacit_text_free(first[1]);
        tct_free(first_rows);
        tacit_table_free(table);
        tct_free(csv);
        tct_free(x);
        tacit_model_free(m);
    }
}

/* How many names are in cell `column` of a row of the rows file: joined by semicolons, in quotes when there are some. */
static size_t names_in(const char *line, size_t column)
{
    bool quoted = false;
    size_t names = 0;

    for (; *line && (quoted || column > 0); line++) {
        quoted ^= *line == '"';
        column -= !quoted && *line == ',';
    }
    for (; *line && (quoted || *line != ','); line++) {
        quoted ^= *line == '"';
        names += *line == ';' || names == 0;
    }
    return names;
}

/* The size of the smallest set in a row: the number behind the cell of what was asked. */
static uint64_t opt_of(const char *line)
{
    bool quoted = false;

    for (size_t column = 5; *line && column > 0; line++) {
        quoted ^= *line == '"';
        column -= !quoted && *line == ',';
    }
    return strtoul(line, NULL, 10);
}

/* The counts an audit prints are those of its rows. */
static void audit__counts_match_its_rows(void **state)
{
    tacit_model *m = make_linear_model(77, 6, 2, true);
    double *x = draw_people(m, 1);
    char *csv = write_people(m, x), rows[600], *text, *line, *rest;
    const char *path = scratch_text(csv);
    tacit_audit_options options = {.deltas = DELTAS, .n_deltas = N_DELTAS, .rows_path = rows};
    uint64_t lines[N_DELTAS] = {0}, asked[N_DELTAS] = {0}, certain[N_DELTAS] = {0};
    uint64_t indispensable[N_DELTAS] = {0}, spare[N_DELTAS] = {0}, opt_sizes = 0, opt_sum = 0;
    tacit_audit *audit;
    size_t n = 0;

    (void)state;
    snprintf(rows, sizeof rows, "%s.rows", path);
    assert_int_equal(tacit_audit_csv(&audit, m, path, NULL, &options, NULL), TACIT_OK);
    text = read_all(rows);
    line = strtok_r(text, "\n", &rest);
    assert_string_equal(line, "row,delta,label,status,asked,opt,indispensable,spare");
    while ((line = strtok_r(NULL, "\n", &rest))) {
        size_t i = n++ % N_DELTAS;

        assert_int_equal(strtoul(line, NULL, 10), n / N_DELTAS + (n % N_DELTAS != 0));
        assert_true(strtod(strchr(line, ',') + 1, NULL) == DELTAS[i]);
        lines[i]++;
        certain[i] += strstr(line, ",certain,") != NULL;
        asked[i] += names_in(line, 4);
        assert_int_equal(names_in(line, 5), 1);
        indispensable[i] += names_in(line, 6);
        spare[i] += names_in(line, 7);
        if (i == 0)
            opt_sizes += opt_of(line);
        if (strchr(line, '"'))
            assert_non_null(strchr(line, ';'));
    }
    for (size_t i = 0; i < N_DELTAS; i++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, i);

        assert_int_equal(lines[i], PEOPLE);
        assert_int_equal(asked[i], r->total_asked);
        assert_int_equal(certain[i], r->certain);
        assert_int_equal(spare[i], r->spare_answers);
        for (size_t a = 0; a < tacit_audit_summary_get(audit)->n_sensitive; a++)
            indispensable[i] -= r->indispensable[a];
        assert_int_equal(indispensable[i], 0);
        assert_int_equal(r->certain + r->likely + r->all_revealed, PEOPLE);
    }
    for (size_t k = 1; k <= tacit_audit_summary_get(audit)->n_sensitive; k++)
        opt_sum += k * tacit_audit_summary_get(audit)->opt_histogram[k];
    assert_int_equal(opt_sizes, opt_sum);
    unlink(rows);
    tacit_audit_free(audit);
    tct_free(text);
    tct_free(csv);
    tct_free(x);
    tacit_model_free(m);
}

/* Counted together or one by one (for rows, for groups): the same counts. */
static void audit__counts_the_same_with_and_without_rows(void **state)
{
    static const double more[] = {0.1, 0.2, 0.3}; /* all promises may be kept at once */

    (void)state;
    for (size_t c = 0; c < 12; c++) {
        tacit_model *m = make_linear_model(c + 900, 3 + c % 6, 2, true);
        double *x = draw_people(m, c);
        char *csv = write_people(m, x), rows[600], *json[2];
        const char *path = scratch_text(csv);

        snprintf(rows, sizeof rows, "%s.rows", path);
        for (size_t round = 0; round < 2; round++) {
            tacit_audit_options options = {.deltas = c % 2 ? more : DELTAS,
                                           .n_deltas = c % 2 ? 3 : N_DELTAS,
                                           .rule = c % 3 ? TACIT_RULE_AUTO : TACIT_RULE_ENTROPY,
                                           .threads = 1,
                                           .rows_path = round ? rows : NULL};
            tacit_audit *audit;

            assert_int_equal(tacit_audit_csv(&audit, m, path, NULL, &options, NULL), TACIT_OK);
            assert_int_equal(tacit_audit_json(&json[round], audit, NULL), TACIT_OK);
            tacit_audit_free(audit);
        }
        assert_same_findings(json[0], json[1]);
        unlink(rows);
        tacit_text_free(json[0]);
        tacit_text_free(json[1]);
        tct_free(csv);
        tct_free(x);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain__equals_walk),
        cmocka_unit_test(chain__leaves_no_stages_behind),
        cmocka_unit_test(chain__is_only_offered_where_there_is_a_common_order),
        cmocka_unit_test(audit__any_number_of_threads_any_path),
        cmocka_unit_test(audit__counts_match_its_rows),
        cmocka_unit_test(audit__counts_the_same_with_and_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
