/*
 * Audits by several members, here threads: every byte of what comes out is that of one alone, and so is every error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_people.h"
#include "make_team.h"
#include "team.h"

static const double DELTAS[] = {0, 0.1};
static const size_t SIZES[] = {2, 3, 7, 16};

static const char *people_path;
static tacit_model *model;

/* An audit, what to audit and what came out. */
typedef struct job {
    const char *paths[3];
    size_t n_paths;
    tacit_audit_options options;
    tacit_status status[TEAM_MOST];
    tacit_error errors[TEAM_MOST];
    char *json;
} job;

static void audit_member(const tacit_team *team, void *context)
{
    job *j = context;
    size_t rank = team ? team->rank : 0;
    tacit_audit_options options = j->options;
    tacit_audit *audit = NULL;

    options.team = team;
    j->status[rank] = tacit_audit_files(&audit, model, j->paths, j->n_paths, NULL, &options, &j->errors[rank]);
    if (audit && tacit_audit_json(&j->json, audit, NULL))
        abort();
    if (audit && rank > 0)
        abort();
    tacit_audit_free(audit);
}

/* Alone and with teams of all sizes: the same JSON and rows, or the same error for everybody. */
static void check_teams(const job *what, tacit_status status, const char *message)
{
    const char *rows = what->options.rows_path;
    job alone = *what;
    char *alone_rows = NULL;

    audit_member(NULL, &alone);
    assert_int_equal(alone.status[0], status);
    if (message)
        assert_string_equal(scratch_message(alone.errors[0].message, what->paths[0]), message);
    if (rows && !status)
        alone_rows = file_text(rows);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        job together = *what;

        run_team(SIZES[i], audit_member, &together);
        for (size_t r = 0; r < SIZES[i]; r++) {
            assert_int_equal(together.status[r], status);
            if (status)
                assert_string_equal(together.errors[r].message, alone.errors[0].message);
        }
        if (!status)
            assert_string_equal(together.json, alone.json);
        if (alone_rows) {
            char *text = file_text(rows);

            assert_string_equal(text, alone_rows);
            tct_free(text);
        }
        tacit_text_free(together.json);
    }
    tct_free(alone_rows);
    tacit_text_free(alone.json);
}

static job make_job(const char *path)
{
    return (job){
        .paths = {path}, .n_paths = 1, .options = {.deltas = DELTAS, .n_deltas = 2, .threads = 2, .group = "job"}};
}

static void team__same_bytes_as_alone(void **state)
{
    job j = make_job(people_path);
    const char *rows = scratch_text("");

    (void)state;
    check_teams(&j, TACIT_OK, NULL);
    j.options.rows_path = rows;
    check_teams(&j, TACIT_OK, NULL);
    j.options.rule = TACIT_RULE_MONTECARLO;
    j.options.seed = 5;
    j.options.no_opt = true;
    j.paths[0] = people_file(0, 300);
    check_teams(&j, TACIT_OK, NULL);
}

static void team__held_out_part_and_hash(void **state)
{
    job j = make_job(people_path);

    (void)state;
    j.options.part = TACIT_PART_HELD_OUT;
    j.options.rows_path = scratch_text("");
    check_teams(&j, TACIT_OK, NULL);
    j.options.part = TACIT_PART_TRAIN;
    j.options.partial = true;
    check_teams(&j, TACIT_OK, NULL);
    j.paths[0] = people_file(0, 50);
    check_teams(&j, TACIT_E_INPUT,
                "not the file the model was trained on, so there is no held-out or training part in it");
}

static void team__fewer_rows_than_members(void **state)
{
    job j = make_job(people_file(0, 3));

    (void)state;
    j.options.rows_path = scratch_text("");
    check_teams(&j, TACIT_OK, NULL);
    j.paths[0] = scratch_text(PEOPLE_HEADER);
    check_teams(&j, TACIT_E_INPUT, "no people to audit");
    j.paths[0] = scratch_text(PEOPLE_HEADER "\n\r\n\n\n\n\n\n\n\n\n\n");
    check_teams(&j, TACIT_E_INPUT, "no people to audit");
}

static void team__all_that_is_wrong_with_the_file(void **state)
{
    tct_text text = {0};
    job j;

    (void)state;
    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, 0, 500);
    tct_text_printf(&text, "old,1.5,clerk,,yes\n"); /* row 501 */
    add_people(&text, 0, 100);
    tct_text_printf(&text, "1,2,3\n");
    add_people(&text, 0, 900);
    tct_text_printf(&text, "aged,1.5,king,,yes\n");
    j = make_job(scratch_bytes(text.bytes, text.size));
    check_teams(
        &j, TACIT_E_INPUT,
        "3 problems:\n  row 602: 3 cells where the header has 5\n  row 501, column age: expected a whole number, "
        "and so in 1 more row\n  row 1503, column job: not one of the 3 levels the model knows");
    text.size = 0;
    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, 0, 500);
    tct_text_printf(&text, "50,1.5,clerk,\"never closed,yes\n");
    add_people(&text, 4, 5); /* without a quote */
    j.paths[0] = scratch_bytes(text.bytes, text.size);
    check_teams(&j, TACIT_E_INPUT, "row 501: unclosed quote");
    tct_text_free(&text);
}

static void team__what_all_of_them_find(void **state)
{
    job j = make_job("no/such/file.csv");

    (void)state;
    check_teams(&j, TACIT_E_IO, "cannot read no/such/file.csv: No such file or directory");
    j = make_job(people_path);
    j.options.group = "jib";
    check_teams(&j, TACIT_E_USAGE, "no column called 'jib' to group by, did you mean 'job'?");
    j = make_job(people_path);
    j.options.rows_path = "no/such/folder/rows.csv";
    check_teams(&j, TACIT_E_IO, "cannot write no/such/folder/rows.csv: No such file or directory");
}

static void team__several_files(void **state)
{
    job j = make_job(people_file(0, 700));

    (void)state;
    j.paths[1] = people_file(700, 710);
    j.paths[2] = people_file(710, 1500);
    j.n_paths = 3;
    j.options.rows_path = scratch_text("");
    j.options.partial = true;
    check_teams(&j, TACIT_OK, NULL);
    j.paths[1] = "no/such/file.csv";
    check_teams(&j, TACIT_E_IO, NULL);
    j.options.part = TACIT_PART_HELD_OUT;
    check_teams(&j, TACIT_E_USAGE, NULL);
    j.options.part = TACIT_PART_ALL;
    j.paths[1] = "-";
    check_teams(&j, TACIT_E_USAGE, NULL);
}

static void audit__all_that_is_wrong(void **state)
{
    job j = make_job(scratch_text(PEOPLE_HEADER "30,1500.5,clerk,,yes\nold,1500.5,clerk,,yes\n1,2,3\n"));

    (void)state;
    check_teams(&j, TACIT_E_INPUT,
                "2 problems:\n  row 3: 3 cells where the header has 5\n  row 2, column age: expected a whole number");
}

static void audit__several_files_are_one_audit(void **state)
{
    static const char HEADER[] = "file,row,delta,label,status,asked,opt,indispensable,spare,group:job\n";
    const char *rows = scratch_text(""), *first = people_file(0, 40), *second = people_file(40, 60);
    job whole = make_job(people_file(0, 60)), parts = make_job(first);
    char *text;

    (void)state;
    parts.paths[1] = second;
    parts.n_paths = 2;
    parts.options.rows_path = rows;
    audit_member(NULL, &whole);
    audit_member(NULL, &parts);
    assert_int_equal(parts.status[0], TACIT_OK);
    assert_string_equal(whole.json, parts.json);
    text = file_text(rows);
    assert_int_equal(strncmp(text, HEADER, strlen(HEADER)), 0);
    assert_int_equal(strncmp(text + strlen(HEADER), first, strlen(first)), 0);
    assert_non_null(strstr(text, second));
    tct_free(text);
    tacit_text_free(whole.json);
    tacit_text_free(parts.json);
}

/* ---- agreeing ---- */

typedef struct vote {
    tacit_status given[TEAM_MOST], got[TEAM_MOST];
    tacit_error errors[TEAM_MOST];
} vote;

static void vote_member(const tacit_team *team, void *context)
{
    vote *v = context;
    tacit_error *err = &v->errors[team->rank];

    if (v->given[team->rank])
        tct_fail(err, v->given[team->rank], "member %zu", team->rank);
    v->got[team->rank] = tct_team_agree(team, v->given[team->rank], err);
}

static void team__agrees_on_the_first_failure(void **state)
{
    vote v = {.given = {TACIT_OK, TACIT_E_STOPPED, TACIT_E_IO, TACIT_E_INPUT}};

    (void)state;
    run_team(4, vote_member, &v);
    for (size_t r = 0; r < 4; r++) {
        assert_int_equal(v.got[r], TACIT_E_IO);
        assert_string_equal(v.errors[r].message, "member 2");
    }
    v = (vote){.given = {TACIT_OK, TACIT_E_STOPPED}};
    run_team(3, vote_member, &v);
    assert_int_equal(v.got[0], TACIT_E_STOPPED);
    v = (vote){0};
    run_team(3, vote_member, &v);
    assert_int_equal(v.got[2], TACIT_OK);
    assert_int_equal(tct_team_agree(NULL, TACIT_E_USAGE, &v.errors[0]), TACIT_E_USAGE);
}

static bool count_step(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ++*(size_t *)context;
    return true;
}

/* When a process is killed, the others are given a second to go: slow counting must look up often. */
static void audit__slow_counting_can_be_ended_soon(void **state)
{
    const char *people = people_file(0, 200);
    size_t steps = 0;
    tacit_audit_options options = {.deltas = DELTAS,
                                   .n_deltas = 2,
                                   .threads = 1,
                                   .rule = TACIT_RULE_MONTECARLO,
                                   .no_opt = true,
                                   .seed = 1,
                                   .progress = count_step,
                                   .progress_context = &steps};
    tacit_audit *audit = NULL;

    (void)state;
    assert_int_equal(tacit_audit_csv(&audit, model, people, NULL, &options, NULL), TACIT_OK);
    assert_true(steps >= 200 / 4);
    tacit_audit_free(audit);
}

static int prepare(void **state)
{
    static char kept[SCRATCH_PATH];
    tct_text text = {0};

    (void)state;
    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, 0, PEOPLE_MOST);
    snprintf(kept, sizeof kept, "%s.people", scratch_bytes(text.bytes, text.size));
    if (tacit_file_write(kept, text.bytes, text.size, NULL))
        return 1;
    tct_text_free(&text);
    people_path = kept;
    model = people_model(people_path);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    tacit_model_free(model);
    return unlink(people_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(team__same_bytes_as_alone),         cmocka_unit_test(team__held_out_part_and_hash),
        cmocka_unit_test(team__fewer_rows_than_members),     cmocka_unit_test(team__all_that_is_wrong_with_the_file),
        cmocka_unit_test(team__what_all_of_them_find),       cmocka_unit_test(team__several_files),
        cmocka_unit_test(audit__all_that_is_wrong),          cmocka_unit_test(audit__several_files_are_one_audit),
        cmocka_unit_test(team__agrees_on_the_first_failure), cmocka_unit_test(audit__slow_counting_can_be_ended_soon),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
