/*
 * The journals of several processes: their names, reading all of them, a trial that is in two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_experiment.h"
#include "scratch.h"

enum { REPS = 3 };

static const char *name_of(const char *path, size_t rank)
{
    static tct_text names[4];
    static size_t used;
    tct_text *name = &names[used++ % 4];

    assert_int_equal(tct_journal_name(name, path, rank, NULL), TACIT_OK);
    return name->bytes;
}

static void journal_team__names(void **state)
{
    (void)state;
    assert_string_equal(name_of("out/journal.jsonl", 0), "out/journal.jsonl");
    assert_string_equal(name_of("out/journal.jsonl", 12), "out/journal.12.jsonl");
    assert_string_equal(name_of("v1.2/journal", 3), "v1.2/journal.3");
}

/* A folder of its own. */
static const char *make_folder(void)
{
    static char folder[SCRATCH_PATH], path[SCRATCH_PATH + 32];

    snprintf(folder, sizeof folder, "%s.folder-XXXXXX", scratch_text(""));
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    return path;
}

/* A journal at `path` with these trials. */
static void write_journal(const char *path, const size_t *trials, size_t n)
{
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;

    assert_int_equal(tct_journal_open(&journal, path, false, e, NULL), TACIT_OK);
    for (size_t i = 0; i < n; i++) {
        fill_trial(e, trials[i] / REPS, trials[i] % REPS);
        assert_int_equal(tct_journal_add(journal, e, &e->trials[trials[i]], NULL), TACIT_OK);
    }
    tct_journal_close(journal);
    tacit_experiment_free(e);
}

static void journal_team__reads_all_and_each_trial_once(void **state)
{
    const char *path = make_folder();
    tacit_experiment *e = make_experiment(REPS);
    char *folder = tct_strndup(path, strlen(path) - strlen("/journal.jsonl"));
    tct_journal *journal = NULL;
    tacit_error err = {0};

    (void)state;
    write_journal(path, (const size_t[]){0, 1}, 2);
    write_journal(name_of(path, 1), (const size_t[]){1, 2}, 2);
    write_journal(name_of(path, 7), (const size_t[]){5}, 1);
    assert_int_equal(tct_journal_open(&journal, name_of(path, 1), true, e, NULL), TACIT_OK);
    assert_int_equal(tct_journal_read_others(path, 1, e, &err), TACIT_OK);
    for (size_t i = 0; i < 2 * REPS; i++)
        assert_int_equal(e->trials[i].done, i <= 2 || i == 5);
    tct_journal_close(journal);
    tacit_experiment_free(e);
    tct_journal_remove_others(path);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(name_of(path, 1), F_OK), 0);
    assert_int_not_equal(access(name_of(path, 7), F_OK), 0);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
    tct_free(folder);
}

static void journal_team__lines_there_and_back(void **state)
{
    static const bool KNOWN[2 * REPS] = {true};
    const char *path = make_folder();
    tacit_experiment *from = make_experiment(REPS), *to = make_experiment(REPS), *again = make_experiment(REPS);
    char *folder = tct_strndup(path, strlen(path) - strlen("/journal.jsonl"));
    tct_journal *journal = NULL;
    tct_text lines = {0};

    (void)state;
    fill_trial(from, 0, 0);
    fill_trial(from, 0, 2);
    fill_trial(from, 1, 1);
    for (size_t i = 0; i < 2 * REPS; i++)
        from->trials[i].done = i == 0 || i == 2 || i == REPS + 1;
    assert_int_equal(tct_journal_lines(&lines, from, KNOWN, NULL), TACIT_OK);
    assert_int_equal(tct_journal_open(&journal, path, false, to, NULL), TACIT_OK);
    for (size_t twice = 0; twice < 2; twice++)
        assert_int_equal(tct_journal_take_lines(to, journal, lines.bytes, lines.size, NULL), TACIT_OK);
    tct_journal_close(journal);
    for (size_t i = 0; i < 2 * REPS; i++)
        assert_int_equal(to->trials[i].done, i == 2 || i == REPS + 1);
    assert_int_equal(tct_journal_read(path, again, NULL), TACIT_OK);
    assert_true(again->trials[2].done && again->trials[REPS + 1].done && !again->trials[0].done);
    assert_int_equal(tct_journal_take_lines(to, NULL, "{}", 2, NULL), TACIT_E_INPUT);
    tct_text_free(&lines);
    tacit_experiment_free(from);
    tacit_experiment_free(to);
    tacit_experiment_free(again);
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
    tct_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(journal_team__names),
        cmocka_unit_test(journal_team__reads_all_and_each_trial_once),
        cmocka_unit_test(journal_team__lines_there_and_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
