/*
 * journal.c -- finished trials on disk, so that a run that is cut off goes on where it was.
 *
 * A text file.  The first line says what is being run; every other line is a finished trial with all that was counted,
 * so that what is written at the end does not depend on how often a run was cut off.  Lines are JSON objects whose last
 * member is a checksum: of what stands before it on the line and, but for the first line, of the first line's checksum,
 * so that a line of another journal does not pass.
 *
 *   {"format":"tacit-experiment-journal","version":1,...,"sum":"<64 hex digits>"}
 *   {"model":"mlp","repetition":3,...,"sum":"<64 hex digits>"}
 *
 * A line is one write, seen to the disk: a crash leaves at most the last line without its end, and that one is dropped.
 * Anything else that is not as it was written is an error.  What is read is checked like any input: counts must add up.
 * The seconds come along; they are the only thing in it that two runs would not agree on.  The number of repetitions is
 * not part of the settings: more can be added to a journal, and lines beyond those asked for are passed over.
 */
#include "experiment.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "journal_trial.h"

enum { VERSION = 1 };
static const char FORMAT[] = "tacit-experiment-journal";
static const size_t LIMIT = (size_t)1 << 30;

/* What ends a line: ,"sum":"<64 hex digits>"} */
static const char SUM_KEY[] = ",\"sum\":\"";
enum { KEY_SIZE = sizeof SUM_KEY - 1, HEX = 64, TAIL_SIZE = KEY_SIZE + HEX + 2 };

struct tct_journal {
    tct_appender *file;
    char first_sum[HEX + 1];
};

/* ---------------------------------------------------------------- lines */

/* Checksum of a line of the journal whose first line has `first_sum` ("" for that line itself). */
static tacit_status sum_line(char hex[HEX + 1], const char *first_sum, const char *line, size_t size, tacit_error *err)
{
    tct_hash *hash = NULL;
    tacit_status st = tct_hash_new(&hash, err);

    if (st)
        return st;
    tct_hash_add(hash, first_sum, strlen(first_sum));
    tct_hash_add(hash, line, size);
    tct_hash_finish(hash, hex);
    return TACIT_OK;
}

/* `line` is an object without its last brace: put checksum, brace and line end behind it. */
static tacit_status end_line(tct_text *line, const char *first_sum, char sum[HEX + 1], tacit_error *err)
{
    tacit_status st = line->failed ? tct_fail_memory(err) : sum_line(sum, first_sum, line->bytes, line->size, err);

    if (!st)
        tct_text_printf(line, "%s%s\"}\n", SUM_KEY, sum);
    return !st && line->failed ? tct_fail_memory(err) : st;
}

/* Is the line (without its line end) as it was written?  Its checksum goes into `sum`. */
static tacit_status check_line(const char *first_sum, const char *line, size_t size, const char *file, size_t number,
                               char sum[HEX + 1], tacit_error *err)
{
    const char *tail = line + size - TAIL_SIZE;
    char expected[HEX + 1] = "";
    tacit_status st;

    if (size > TAIL_SIZE && memcmp(tail, SUM_KEY, KEY_SIZE) == 0 && memcmp(line + size - 2, "\"}", 2) == 0) {
        st = sum_line(expected, first_sum, line, size - TAIL_SIZE, err);
        if (st)
            return st;
        memcpy(sum, tail + KEY_SIZE, HEX);
        sum[HEX] = '\0';
        if (memcmp(sum, expected, HEX) == 0)
            return TACIT_OK;
    }
    return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL,
                       number == 1 ? "line %zu: not the head of a journal, or damaged"
                                   : "line %zu: damaged: its checksum is wrong",
                       number);
}

/* ---------------------------------------------------------------- the first line: what is being run */

static void put_text(tct_text *out, const char *key, const char *text)
{
    tct_text_printf(out, ",\"%s\":\"", key);
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20)
            tct_text_printf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            tct_text_append(out, text, 1);
    tct_text_append(out, "\"", 1);
}

static void put_number(tct_text *out, const char *key, double value)
{
    char text[32];

    tct_format_number(value, text, sizeof text);
    tct_text_printf(out, ",\"%s\":%s", key, text);
}

static void put_count(tct_text *out, const char *key, uint64_t count)
{
    tct_text_printf(out, ",\"%s\":%llu", key, (unsigned long long)count);
}

/* Lists as text: that is how a difference is told. */
static void put_lists(tct_text *out, const tacit_experiment *e)
{
    const char *comma = "";

    tct_text_printf(out, ",\"models\":\"");
    for (size_t i = 0; i < e->kinds.count; i++)
        tct_text_printf(out, "%s%s", i ? "," : "", e->kinds.items[i]);
    tct_text_printf(out, "\",\"methods\":\"");
    for (size_t m = 0; m < TACIT_METHODS; m++)
        if (e->methods[m]) {
            tct_text_printf(out, "%s%s", comma, tacit_method_name((tacit_method)m));
            comma = ",";
        }
    tct_text_printf(out, "\",\"sizes\":\"");
    for (size_t i = 0; i < e->n_sizes; i++)
        tct_text_printf(out, "%s%zu", i ? "," : "", e->sizes[i]);
    tct_text_printf(out, "\",\"deltas\":\"");
    for (size_t i = 0; i < e->n_deltas; i++) {
        char text[32];

        tct_format_number(e->deltas[i], text, sizeof text);
        tct_text_printf(out, "%s%s", i ? "," : "", text);
    }
    tct_text_printf(out, "\"");
}

/* What only trees have is told where there are some. */
static void put_trees(tct_text *out, const tacit_experiment *e)
{
    for (size_t i = 0; i < e->kinds.count; i++)
        if (tacit_fit_has_trees(e->kinds.items[i])) {
            put_count(out, "tree_count", e->fit.trees);
            put_count(out, "tree_depth", e->fit.depth);
            put_number(out, "tree_rate", e->trees_rate);
        }
}

static tacit_status hash_schema(char hex[HEX + 1], const tacit_schema *schema, tacit_error *err)
{
    json_t *json = tct_schema_to_json(schema);
    char *text = NULL;
    size_t size = 0;
    tacit_status st = json ? tct_json_dump(&text, &size, json, err) : tct_fail_memory(err);

    if (!st)
        st = sum_line(hex, "", text, size, err);
    tct_free(text);
    json_decref(json);
    return st;
}

/* Members are compared in this order: the schema comes last, because one that was inferred depends on the others. */
static tacit_status write_head(tct_text *out, const tacit_experiment *e, char sum[HEX + 1], tacit_error *err)
{
    char schema[HEX + 1], seed[32];
    tacit_status st = hash_schema(schema, e->schema, err);

    if (st)
        return st;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)e->seed); /* a text: 64 bits, whoever reads it */
    tct_text_printf(out, "{\"format\":\"%s\",\"version\":%d", FORMAT, VERSION);
    put_text(out, "tacit", tacit_version());
    put_text(out, "data", e->data_hash);
    put_count(out, "rows", e->n_rows); /* of the same file, when it is read another way */
    put_lists(out, e);
    put_text(out, "seed", seed);
    put_number(out, "test_share", e->test_share);
    put_text(out, "hidden", e->hidden);
    put_count(out, "epochs", e->fit.epochs);
    put_count(out, "batch", e->fit.batch);
    put_number(out, "rate", e->fit.rate);
    put_number(out, "momentum", e->fit.momentum);
    put_text(out, "adam", e->fit.adam ? "on" : "off");
    put_count(out, "patience", e->fit.patience);
    put_number(out, "l2", e->fit.l2);
    put_trees(out, e);
    put_count(out, "opt_people", e->opt_people);
    put_count(out, "grid_people", e->grid_people);
    put_text(out, "schema", schema);
    return end_line(out, "", sum, err);
}

/* A member as a person would say it. */
static void describe(const json_t *value, char *text, size_t size)
{
    if (json_is_string(value))
        snprintf(text, size, "%.200s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        tct_format_number(json_real_value(value), text, size);
    else
        snprintf(text, size, "something else");
}

static tacit_status tell_difference(const char *file, const char *key, const json_t *theirs, const json_t *ours,
                                    tacit_error *err)
{
    char there[256], here[256];

    if (strcmp(key, "data") == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "the journal was made with other data");
    if (strcmp(key, "schema") == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "the journal was made with another schema");
    describe(theirs, there, sizeof there);
    describe(ours, here, sizeof here);
    if (strcmp(key, "version") == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "the journal has version %s, this Tacit knows %s", there,
                           here);
    if (strcmp(key, "tacit") == 0)
        return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "the journal was made by Tacit %s, not %s", there, here);
    return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "the journal was made with %s %s, not %s", key, there, here);
}

/* Does the first line of a journal say what ours says? */
static tacit_status compare_heads(const char *line, size_t size, const tct_text *ours, const char *file,
                                  tacit_error *err)
{
    json_t *there = NULL, *here = NULL;
    tacit_status st = tct_json_parse(&there, line, size, file, err);

    if (!st)
        st = tct_json_parse(&here, ours->bytes, ours->size, "journal", err);
    if (!st && !json_equal(json_object_get(there, "format"), json_object_get(here, "format")))
        st = tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "no journal of an experiment");
    for (void *i = here ? json_object_iter(here) : NULL; i && !st; i = json_object_iter_next(here, i)) {
        const char *key = json_object_iter_key(i);
        const json_t *theirs = json_object_get(there, key);

        if (strcmp(key, "sum") != 0 && !json_equal(theirs, json_object_iter_value(i)))
            st = tell_difference(file, key, theirs, json_object_iter_value(i), err);
    }
    json_decref(there);
    json_decref(here);
    return st;
}

/* ---------------------------------------------------------------- what is there already */

tct_trial *tct_journal_find(const tacit_experiment *e, const json_t *json)
{
    const char *model = json_string_value(json_object_get(json, "model"));
    json_int_t rep = json_integer_value(json_object_get(json, "repetition"));

    for (size_t k = 0; model && rep >= 0 && (uint64_t)rep < e->reps && k < e->kinds.count; k++)
        if (strcmp(model, e->kinds.items[k]) == 0)
            return &e->trials[k * e->reps + (size_t)rep];
    return NULL;
}

/* again: a trial that is there already may come once more. */
static tacit_status take_trial(tacit_experiment *e, const char *line, size_t size, const char *file, size_t number,
                               bool again, tacit_error *err)
{
    char place[64];
    tct_json_at top = {.file = file}, at = {.parent = &top, .key = place};
    json_t *json = NULL;
    tacit_status st = tct_json_parse(&json, line, size, file, err);
    const tct_trial *there = NULL;

    snprintf(place, sizeof place, "line %zu", number);
    if (st == TACIT_E_INPUT) /* it takes the line for a file */
        st = tct_json_fail(&at, NULL, err, "not valid JSON");
    if (!st && again)
        there = tct_journal_find(e, json);
    if (!st && !(there && there->done))
        st = tct_journal_take(e, json, &at, err);
    json_decref(json);
    return st;
}

/* The lines of `text`; *whole tells how many bytes of it are to be kept, 0 when there is not even a first line. */
static tacit_status read_lines(tct_journal *j, tacit_experiment *e, const char *text, size_t size, const tct_text *head,
                               const char *file, bool again, uint64_t *whole, tacit_error *err)
{
    const char *line = text, *end;
    tacit_status st = TACIT_OK;

    *whole = 0;
    for (size_t number = 1; !st && (end = memchr(line, '\n', size - *whole)); number++) {
        char sum[HEX + 1] = "";
        size_t length = (size_t)(end - line);

        st = check_line(number == 1 ? "" : j->first_sum, line, length, file, number, sum, err);
        if (!st && number == 1) {
            memcpy(j->first_sum, sum, sizeof sum);
            st = compare_heads(line, length, head, file, err);
        } else if (!st) {
            st = take_trial(e, line, length, file, number, again, err);
        }
        *whole += length + 1;
        line = end + 1;
    }
    /* A first line without its end is ours to begin again only if it was going to be ours. */
    if (!st && *whole == 0 && (size > head->size || memcmp(text, head->bytes, size) != 0))
        st = tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL, "line 1: not the head of a journal, or damaged");
    return st;
}

static tacit_status read_journal(tct_journal *j, tacit_experiment *e, const char *path, const tct_text *head,
                                 tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    uint64_t whole = 0;
    tacit_status st = tct_file_read(&text, &size, path, LIMIT, err);

    if (!st)
        st = read_lines(j, e, text, size, head, path, false, &whole, err);
    if (!st && whole < size)
        st = tct_appender_cut(j->file, whole, err);
    if (!st && whole == 0)
        st = tct_appender_add(j->file, head->bytes, head->size, err);
    tct_free(text);
    return st;
}

/* ---------------------------------------------------------------- the journal */

tacit_status tct_journal_open(tct_journal **out, const char *path, bool resume, tacit_experiment *e, tacit_error *err)
{
    tct_journal *j = tct_calloc(1, sizeof *j);
    bool fresh = !resume || (access(path, F_OK) != 0 && errno == ENOENT);
    char sum[HEX + 1] = "";
    tct_text head = {0};
    tacit_status st;

    *out = NULL;
    if (!j)
        return tct_fail_memory(err);
    st = write_head(&head, e, sum, err);
    if (!st)
        st = tct_appender_open(&j->file, path, fresh, err);
    memcpy(j->first_sum, sum, sizeof sum);
    if (!st)
        st = fresh ? tct_appender_add(j->file, head.bytes, head.size, err) : read_journal(j, e, path, &head, err);
    if (st) {
        tct_journal_close(j);
        j = NULL;
    }
    *out = j;
    tct_text_free(&head);
    return st;
}

tacit_status tct_journal_add(tct_journal *j, const tacit_experiment *e, const tct_trial *trial, tacit_error *err)
{
    char sum[HEX + 1];
    tct_text line = {0};
    tacit_status st;

    tct_journal_write(&line, e, trial);
    st = end_line(&line, j->first_sum, sum, err);
    if (!st)
        st = tct_appender_add(j->file, line.bytes, line.size, err);
    tct_text_free(&line);
    return st;
}

void tct_journal_close(tct_journal *j)
{
    if (!j)
        return;
    tct_appender_close(j->file);
    tct_free(j);
}

tacit_status tct_journal_read(const char *path, tacit_experiment *e, tacit_error *err)
{
    tct_journal j = {0};
    tct_text head = {0};
    char sum[HEX + 1], *text = NULL;
    size_t size = 0;
    uint64_t whole;
    tacit_status st = write_head(&head, e, sum, err);

    if (!st)
        st = tct_file_read(&text, &size, path, LIMIT, err);
    if (!st)
        st = read_lines(&j, e, text, size, &head, path, true, &whole, err);
    tct_free(text);
    tct_text_free(&head);
    return st;
}
