/*
 * test_journal.c -- finished trials survive on disk to the bit; what a crash leaves is dropped, everything else that is
 * not as it was written is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_experiment.h"
#include "scratch.h"

enum { REPS = 2 };

/* A path that no file has yet. */
static const char *free_path(void)
{
    const char *path = scratch_text("");

    unlink(path);
    return path;
}

static char *read_all(const char *path, size_t *size)
{
    char *text = NULL;

    assert_int_equal(tct_file_read(&text, size, path, 1 << 24, NULL), TACIT_OK);
    return text;
}

/* Bytes of the first line, its end included. */
static size_t head_size(const char *text)
{
    return strcspn(text, "\n") + 1;
}

static void append_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "a");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void put_trial(tct_journal *journal, tacit_experiment *e, size_t kind, size_t rep)
{
    fill_trial(e, kind, rep);
    assert_int_equal(tct_journal_add(journal, e, tct_experiment_trial(e, kind, rep), NULL), TACIT_OK);
}

/* A journal of three of four trials. */
static const char *make_journal(void)
{
    const char *path = free_path();
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;

    assert_int_equal(tct_journal_open(&journal, path, false, e, NULL), TACIT_OK);
    put_trial(journal, e, 1, 1);
    put_trial(journal, e, 0, 0);
    put_trial(journal, e, 1, 0);
    tct_journal_close(journal);
    tacit_experiment_free(e);
    return path;
}

static tacit_status resume(const char *path, tacit_experiment *e, tacit_error *err)
{
    tct_journal *journal = NULL;
    tacit_status st = tct_journal_open(&journal, path, true, e, err);

    assert_int_equal(journal != NULL, st == TACIT_OK);
    tct_journal_close(journal);
    return st;
}

static size_t count_done(const tacit_experiment *e)
{
    size_t n = 0;

    for (size_t i = 0; i < e->kinds.count * e->reps; i++)
        n += e->trials[i].done;
    return n;
}

/* A resume that is refused with this message behind the path. */
static void expect_refusal(const char *path, tacit_experiment *e, const char *message)
{
    tacit_error err = {0};

    assert_int_equal(resume(path, e, &err), TACIT_E_INPUT);
    assert_string_equal(scratch_message(err.message, path), message);
    tacit_experiment_free(e);
}

/* Seal a line like journal.c does; `first` is the checksum of the first line, "" for that line. */
static void write_sealed(FILE *file, const char *first, const char *line, char sum[65])
{
    tct_hash *hash = NULL;

    assert_int_equal(tct_hash_new(&hash, NULL), TACIT_OK);
    tct_hash_add(hash, first, strlen(first));
    tct_hash_add(hash, line, strlen(line));
    tct_hash_finish(hash, sum);
    fprintf(file, "%s,\"sum\":\"%s\"}\n", line, sum);
}

/* A copy of the journal in which, on line `number`, `to` stands in place of `from`, with checksums that fit. */
static const char *edit_journal(size_t number, const char *from, const char *to)
{
    size_t size, at = 0;
    char *text = read_all(make_journal(), &size), first[65] = "";
    const char *path = scratch_text("");
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    for (size_t start = 0; start < size; start += head_size(text + start)) {
        size_t length = head_size(text + start) - 75; /* without ,"sum":"..."} and the line end */
        char line[20000], edited[20000], sum[65], *place;

        snprintf(line, sizeof line, "%.*s", (int)length, text + start);
        memcpy(edited, line, sizeof line);
        place = ++at == number ? strstr(line, from) : NULL;
        assert_true(place || at != number);
        if (place)
            snprintf(edited, sizeof edited, "%.*s%s%s", (int)(place - line), line, to, place + strlen(from));
        write_sealed(file, at == 1 ? "" : first, edited, sum);
        if (at == 1)
            memcpy(first, sum, sizeof sum);
    }
    tct_free(text);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* ---------------------------------------------------------------- round trips */

static void journal__gives_back_what_was_added(void **state)
{
    tacit_experiment *was = make_experiment(REPS), *is = make_experiment(REPS);
    const char *path = make_journal();
    char *before[2] = {NULL}, *after[2] = {NULL};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        fill_trial(was, i / 2, i % 2);
    assert_int_equal(resume(path, is, NULL), TACIT_OK);
    assert_int_equal(count_done(is), 3);
    assert_false(tct_experiment_trial(is, 0, 1)->done);
    fill_trial(is, 0, 1);
    /* Everything written at the end is the same, the seconds too. */
    assert_int_equal(tacit_experiment_json(&before[0], was, NULL), TACIT_OK);
    assert_int_equal(tacit_experiment_json(&after[0], is, NULL), TACIT_OK);
    assert_int_equal(tacit_experiment_seconds(&before[1], was, NULL), TACIT_OK);
    assert_int_equal(tacit_experiment_seconds(&after[1], is, NULL), TACIT_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(before[i], after[i]);
        tacit_text_free(before[i]);
        tacit_text_free(after[i]);
    }
    assert_int_equal(is->trials[2].inputs, 3);
    tacit_experiment_free(was);
    tacit_experiment_free(is);
}

static void journal__goes_on_behind_what_was_there(void **state)
{
    const char *path = make_journal();
    tacit_experiment *e = make_experiment(REPS), *again = make_experiment(REPS);
    tct_journal *journal = NULL;

    (void)state;
    assert_int_equal(tct_journal_open(&journal, path, true, e, NULL), TACIT_OK);
    put_trial(journal, e, 0, 1);
    tct_journal_close(journal);
    assert_int_equal(resume(path, again, NULL), TACIT_OK);
    assert_int_equal(count_done(again), 4);
    tacit_experiment_free(e);
    tacit_experiment_free(again);
}

static void journal__begins_where_there_is_none(void **state)
{
    const char *path = free_path();
    tacit_experiment *e = make_experiment(REPS);

    (void)state;
    assert_int_equal(resume(path, e, NULL), TACIT_OK);
    assert_int_equal(count_done(e), 0);
    assert_int_equal(resume(path, e, NULL), TACIT_OK);
    tacit_experiment_free(e);
}

static void journal__a_new_one_must_not_exist(void **state)
{
    const char *path = make_journal();
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_journal_open(&journal, path, false, e, &err), TACIT_E_IO);
    assert_null(journal);
    assert_non_null(strstr(err.message, "File exists"));
    tacit_experiment_free(e);
}

static void journal__belongs_to_one_at_a_time(void **state)
{
    const char *path = make_journal();
    tacit_experiment *e = make_experiment(REPS), *other = make_experiment(REPS);
    tct_journal *journal = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_journal_open(&journal, path, true, e, NULL), TACIT_OK);
    assert_int_equal(resume(path, other, &err), TACIT_E_IO);
    assert_non_null(strstr(err.message, "another program is writing it"));
    tct_journal_close(journal);
    assert_int_equal(resume(path, other, &err), TACIT_OK);
    tacit_experiment_free(e);
    tacit_experiment_free(other);
}

static void journal__takes_more_and_fewer_repetitions(void **state)
{
    const char *path = make_journal();

    (void)state;
    for (size_t reps = 1; reps <= 5; reps++) {
        tacit_experiment *e = make_experiment(reps);

        assert_int_equal(resume(path, e, NULL), TACIT_OK);
        assert_int_equal(count_done(e), reps == 1 ? 2 : 3);
        tacit_experiment_free(e);
    }
}

/* ---------------------------------------------------------------- crashes and damage */

/* Cut anywhere behind the first line: whole lines count, the rest is gone from the file as well. */
static void journal__drops_a_line_cut_short(void **state)
{
    size_t size, head;
    char *text = read_all(make_journal(), &size);

    (void)state;
    head = head_size(text);
    for (size_t cut = head; cut <= size; cut += cut + 40 < size ? 37 : 1) {
        const char *path = scratch_bytes(text, cut);
        tacit_experiment *e = make_experiment(REPS);
        size_t whole = cut, kept, lines = 0;
        char *left;

        while (text[whole - 1] != '\n')
            whole--;
        for (size_t i = 0; i < whole; i++)
            lines += text[i] == '\n';
        assert_int_equal(resume(path, e, NULL), TACIT_OK);
        assert_int_equal(count_done(e), lines - 1);
        left = read_all(path, &kept);
        assert_int_equal(kept, whole);
        assert_memory_equal(left, text, whole);
        tct_free(left);
        tacit_experiment_free(e);
    }
    tct_free(text);
}

static void journal__begins_anew_when_its_head_was_cut_short(void **state)
{
    size_t size, head, kept;
    char *text = read_all(make_journal(), &size), *left;

    (void)state;
    head = head_size(text);
    for (size_t cut = 0; cut < head; cut += 13) {
        const char *path = scratch_bytes(text, cut);
        tacit_experiment *e = make_experiment(REPS);

        assert_int_equal(resume(path, e, NULL), TACIT_OK);
        left = read_all(path, &kept);
        assert_int_equal(kept, head);
        assert_memory_equal(left, text, head);
        tct_free(left);
        tacit_experiment_free(e);
    }
    tct_free(text);
}

static void journal__leaves_other_files_alone(void **state)
{
    const char *path = scratch_text("my notes");
    size_t size;
    char *text;

    (void)state;
    expect_refusal(path, make_experiment(REPS), "line 1: not the head of a journal, or damaged");
    text = read_all(path, &size);
    assert_string_equal(text, "my notes");
    tct_free(text);
    path = scratch_text("my notes\nof today\n");
    expect_refusal(path, make_experiment(REPS), "line 1: not the head of a journal, or damaged");
}

/* Every byte of a line counts. */
static void journal__notices_damage(void **state)
{
    size_t size;
    char *text = read_all(make_journal(), &size);

    (void)state;
    for (size_t at = 5; at < size; at += 29) {
        tacit_experiment *e = make_experiment(REPS);
        tacit_error err = {0};
        const char *path;

        if (text[at] == '\n')
            continue;
        text[at] ^= 1;
        path = scratch_bytes(text, size);
        text[at] ^= 1;
        assert_int_equal(resume(path, e, &err), TACIT_E_INPUT);
        assert_non_null(strstr(err.message, ": line "));
        assert_non_null(strstr(err.message, "damaged"));
        tacit_experiment_free(e);
    }
    tct_free(text);
}

static void journal__notices_a_line_of_another_journal(void **state)
{
    const char *path = make_journal(), *other = free_path();
    tacit_experiment *e = make_experiment(REPS);
    tct_journal *journal = NULL;
    size_t size;
    char *text;

    (void)state;
    e->seed = 2;
    assert_int_equal(tct_journal_open(&journal, other, false, e, NULL), TACIT_OK);
    put_trial(journal, e, 0, 1);
    tct_journal_close(journal);
    tacit_experiment_free(e);
    text = read_all(other, &size);
    append_bytes(path, text + head_size(text), size - head_size(text));
    tct_free(text);
    expect_refusal(path, make_experiment(REPS), "line 5: damaged: its checksum is wrong");
}

/* ---------------------------------------------------------------- other settings */

static void journal__names_the_first_setting_that_differs(void **state)
{
    const char *path = make_journal();
    tacit_experiment *e = make_experiment(REPS);

    (void)state;
    e->seed = 2;
    expect_refusal(path, e, "the journal was made with seed 1, not 2");
    e = make_experiment(REPS);
    e->sizes[1] = 3;
    e->seed = 3;
    expect_refusal(path, e, "the journal was made with sizes 1,2, not 1,3");
    e = make_experiment(REPS);
    e->deltas[1] = 0.2;
    expect_refusal(path, e, "the journal was made with deltas 0,0.1, not 0,0.2");
    e = make_experiment(REPS);
    e->methods[TACIT_METHOD_PAPER] = false;
    expect_refusal(path, e, "the journal was made with methods baseline,opt,paper,tacit, not baseline,opt,tacit");
    e = make_experiment(REPS);
    e->fit.rate = 0.01;
    expect_refusal(path, e, "the journal was made with rate 0.001, not 0.01");
    e = make_experiment(REPS);
    e->fit.epochs = 20;
    expect_refusal(path, e, "the journal was made with epochs 300, not 20");
    e = make_experiment(REPS);
    e->fit.adam = true;
    expect_refusal(path, e, "the journal was made with adam off, not on");
    e = make_experiment(REPS);
    memcpy(e->hidden, "8", 2);
    expect_refusal(path, e, "the journal was made with hidden 10,10, not 8");
    e = make_experiment(REPS);
    e->data_hash[0] = 'b';
    expect_refusal(path, e, "the journal was made with other data");
    e = make_experiment(REPS);
    e->schema->attributes[0].max = 91;
    expect_refusal(path, e, "the journal was made with another schema");
}

static void journal__refuses_other_versions(void **state)
{
    (void)state;
    expect_refusal(edit_journal(1, "\"version\":1", "\"version\":2"), make_experiment(REPS),
                   "the journal has version 2, this Tacit knows 1");
    expect_refusal(edit_journal(1, "tacit-experiment-journal", "tacit-diary"), make_experiment(REPS),
                   "no journal of an experiment");
    expect_refusal(edit_journal(1, "\"tacit\":\"", "\"tacit\":\"x"), make_experiment(REPS),
                   "the journal was made by Tacit x" TACIT_VERSION ", not " TACIT_VERSION);
}

/* ---------------------------------------------------------------- what a line says */

/* Checksums are no secret: whoever writes them can write nonsense. */
static void journal__checks_every_count(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } edits[] = {
        {"\"model\":\"mlp\"", "\"model\":\"oak\"", "line 2.model: not one of the models of the first line"},
        {"\"repetition\":1", "\"repetition\":-1", "line 2.repetition: expected a whole number, 0 or more"},
        {"\"inputs\":3", "\"inputs\":4", "line 2.inputs: expected 3"},
        {"\"fit_seconds\":1.5", "\"fit_seconds\":-1", "line 2.fit_seconds: expected a number, 0 or more"},
        {"\"cells\":[{", "\"cells\":[{},{", "line 2.cells: expected 2 entries, not 3"},
        {"\"size\":1", "\"size\":2", "line 2.cells[0].size: expected 1"},
        {"\"sensitive\":[0]", "\"sensitive\":[3]",
         "line 2.cells[0].sensitive: expected ascending numbers of attributes"},
        {"\"sensitive\":[0,2]", "\"sensitive\":[2,0]",
         "line 2.cells[1].sensitive: expected ascending numbers of attributes"},
        {"\"sensitive\":[0,2]", "\"sensitive\":[0]", "line 2.cells[1].sensitive: expected 2 attributes"},
        {"\"people\":10", "\"people\":31", "line 2.cells[0].people: the counts contradict each other"},
        {"\"baseline_correct\":9", "\"baseline_correct\":11",
         "line 2.cells[0].people: the counts contradict each other"},
        {"\"opt_people\":5", "\"opt_people\":11", "line 2.cells[0].opt_people: more than there are"},
        {"\"opt_inexact\":1", "\"opt_inexact\":6", "line 2.cells[0]: the counts contradict each other"},
        {"\"opt_histogram\":[4,1]", "\"opt_histogram\":[4,0]",
         "line 2.cells[0].opt_histogram: does not add up to the people"},
        {"\"opt_histogram\":[4,1]", "\"opt_histogram\":[4,1,0]",
         "line 2.cells[0].opt_histogram: expected 2 counts, not 3"},
        {"\"opt_members\":[1]", "\"opt_members\":[6]",
         "line 2.cells[0].opt_members: expected whole numbers from 0 to 5"},
        {"\"agree\":10", "\"agree\":11", "line 2.cells[0].paper[0]: the counts contradict each other"},
        {"\"certain\":6", "\"certain\":5", "line 2.cells[0].paper[0]: the counts contradict each other"},
        {"\"stopped\":6", "\"stopped\":7", "line 2.cells[0].paper[0]: the counts contradict each other"},
        {"\"histogram\":[6,4]", "\"histogram\":[7,4]",
         "line 2.cells[0].paper[0].histogram: does not add up to the people"},
        {"\"asked\":[4]", "\"asked\":[3]", "line 2.cells[0].paper[0].asked: does not add up to the histogram's"},
        {"\"paper\":[{\"people\":10", "\"paper\":[{\"people\":9",
         "line 2.cells[0].paper[0]: not about the people of its "
         "cell"},
        {"\"tacit\":[{", "\"tacit\":[{},{", "line 2.cells[0].tacit: expected 2 entries, not 3"},
        {"\"stages\":7", "\"stages\":8", "line 2.cells[0].grid: the counts contradict each other"},
        {"\"missed\":2", "\"missed\":4", "line 2.cells[0].grid: the counts contradict each other"},
        {"\"misled\":1", "\"misled\":3", "line 2.cells[0].grid: the counts contradict each other"},
        {"\"seconds\":{\"opt\":", "\"seconds\":{\"pot\":", "line 2.cells[0].seconds.opt: missing"},
        {"\"model\":\"mlp\"", "\"model\":", "line 2: not valid JSON"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        expect_refusal(edit_journal(2, edits[i].from, edits[i].to), make_experiment(REPS), edits[i].message);
    expect_refusal(edit_journal(4, "\"repetition\":0", "\"repetition\":1"), make_experiment(REPS),
                   "line 4: repetition 1 of the model mlp is there twice");
}

/* ---------------------------------------------------------------- failures */

static void journal__a_failed_write_is_reported_and_nothing_is_lost(void **state)
{
    const char *path = make_journal();
    tacit_experiment *e = make_experiment(REPS), *again = make_experiment(REPS);
    tct_journal *journal = NULL;
    tacit_error err = {0};

    (void)state;
    assert_int_equal(tct_journal_open(&journal, path, true, e, NULL), TACIT_OK);
    fill_trial(e, 0, 1);
    tct_io_fail_at(1);
    assert_int_equal(tct_journal_add(journal, e, tct_experiment_trial(e, 0, 1), &err), TACIT_E_IO);
    assert_non_null(strstr(err.message, path));
    /* A line may be there in part: nothing more goes behind it. */
    assert_int_equal(tct_journal_add(journal, e, tct_experiment_trial(e, 0, 1), &err), TACIT_E_IO);
    tct_journal_close(journal);
    assert_int_equal(resume(path, again, NULL), TACIT_OK);
    assert_int_equal(count_done(again), 3);
    tacit_experiment_free(e);
    tacit_experiment_free(again);
}

static void journal__every_read_write_and_allocation_may_fail(void **state)
{
    size_t size;
    char *text = read_all(make_journal(), &size);

    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        tacit_status st = TACIT_E_MEMORY;

        for (uint64_t n = 1; st != TACIT_OK; n++) {
            const char *path = scratch_bytes(text, size - 3);
            tacit_experiment *e = make_experiment(REPS);

            if (memory)
                tct_memory_fail_at(n, true);
            else
                tct_io_fail_at(n);
            st = resume(path, e, NULL);
            tct_memory_fail_at(0, false);
            tct_io_fail_at(0);
            assert_true(st == TACIT_OK || st == (memory ? TACIT_E_MEMORY : TACIT_E_IO));
            tacit_experiment_free(e);
        }
    }
    tct_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(journal__gives_back_what_was_added),
        cmocka_unit_test(journal__goes_on_behind_what_was_there),
        cmocka_unit_test(journal__begins_where_there_is_none),
        cmocka_unit_test(journal__a_new_one_must_not_exist),
        cmocka_unit_test(journal__belongs_to_one_at_a_time),
        cmocka_unit_test(journal__takes_more_and_fewer_repetitions),
        cmocka_unit_test(journal__drops_a_line_cut_short),
        cmocka_unit_test(journal__begins_anew_when_its_head_was_cut_short),
        cmocka_unit_test(journal__leaves_other_files_alone),
        cmocka_unit_test(journal__notices_damage),
        cmocka_unit_test(journal__notices_a_line_of_another_journal),
        cmocka_unit_test(journal__names_the_first_setting_that_differs),
        cmocka_unit_test(journal__refuses_other_versions),
        cmocka_unit_test(journal__checks_every_count),
        cmocka_unit_test(journal__a_failed_write_is_reported_and_nothing_is_lost),
        cmocka_unit_test(journal__every_read_write_and_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
