/*
 * journal_team.c -- an experiment that several processes run has several journals, side by side.
 *
 * Each member adds to its own.  Whoever goes on later, with any number of members, reads them all.  At the end the first
 * member has every trial in its own journal before it removes the others: cut off at any time, nothing is lost, and a
 * trial that is in two journals counts once.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "experiment.h"
#include "journal_trial.h"

/* "journal.jsonl" in two: what stands before the last point of the name, and the rest. */
static size_t split_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *point = strrchr(path, '.');

    return point && (!slash || point > slash) ? (size_t)(point - path) : strlen(path);
}

tacit_status tct_journal_name(tct_text *out, const char *path, size_t rank, tacit_error *err)
{
    size_t stem = split_name(path);

    out->size = 0;
    tct_text_append(out, path, stem);
    if (rank > 0)
        tct_text_printf(out, ".%zu", rank);
    tct_text_append(out, path + stem, strlen(path + stem));
    return out->failed ? tct_fail_memory(err) : TACIT_OK;
}

/* The rank in the name of a file, if it is the journal of a member beyond the first; else 0. */
static size_t rank_of(const char *name, const char *first)
{
    size_t stem = split_name(first), rank = 0;

    if (strncmp(name, first, stem) != 0 || name[stem] != '.' || name[stem + 1] == '0')
        return 0;
    for (name += stem + 1; *name >= '0' && *name <= '9' && rank < 1000000; name++)
        rank = 10 * rank + (size_t)(*name - '0');
    return strcmp(name, first + stem) == 0 ? rank : 0;
}

/* Call `visit` for the journals of all members beyond the first. */
static tacit_status visit_others(const char *path, tacit_status (*visit)(void *context, size_t rank, tacit_error *err),
                                 void *context, tacit_error *err)
{
    const char *slash = strrchr(path, '/'), *first = slash ? slash + 1 : path;
    char *folder = slash ? tct_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : tct_strdup(".");
    DIR *files = folder ? opendir(folder) : NULL;
    const struct dirent *entry;
    tacit_status st = TACIT_OK;

    if (!folder)
        return tct_fail_memory(err);
    if (!files)
        st = tct_fail(err, TACIT_E_IO, "cannot read %s: %s", folder, strerror(errno));
    while (!st && (entry = readdir(files))) {
        size_t rank = rank_of(entry->d_name, first);

        if (rank > 0)
            st = visit(context, rank, err);
    }
    if (files)
        closedir(files);
    tct_free(folder);
    return st;
}

typedef struct visitor {
    const char *path;
    size_t rank;
    tacit_experiment *experiment;
} visitor;

static tacit_status read_other(void *context, size_t rank, tacit_error *err)
{
    const visitor *v = context;
    tct_text name = {0};
    tacit_status st = TACIT_OK;

    if (rank != v->rank)
        st = tct_journal_name(&name, v->path, rank, err);
    if (!st && rank != v->rank)
        st = tct_journal_read(name.bytes, v->experiment, err);
    tct_text_free(&name);
    return st;
}

static tacit_status remove_other(void *context, size_t rank, tacit_error *err)
{
    const visitor *v = context;
    tct_text name = {0};

    if (tct_journal_name(&name, v->path, rank, err) == TACIT_OK)
        unlink(name.bytes);
    tct_text_free(&name);
    return TACIT_OK;
}

tacit_status tct_journal_read_others(const char *path, size_t rank, tacit_experiment *e, tacit_error *err)
{
    visitor v = {.path = path, .rank = rank, .experiment = e};
    tacit_status st = visit_others(path, read_other, &v, err);

    if (!st && rank > 0 && access(path, F_OK) == 0)
        st = tct_journal_read(path, e, err);
    return st;
}

void tct_journal_remove_others(const char *path)
{
    visitor v = {.path = path};

    (void)visit_others(path, remove_other, &v, NULL);
}

tacit_status tct_journal_lines(tct_text *out, const tacit_experiment *e, const bool *known, tacit_error *err)
{
    for (size_t i = 0; i < e->kinds.count * e->reps; i++)
        if (e->trials[i].done && !known[i]) {
            tct_journal_write(out, e, &e->trials[i]);
            tct_text_append(out, "}\n", 2);
        }
    return out->failed ? tct_fail_memory(err) : TACIT_OK;
}

tacit_status tct_journal_take_lines(tacit_experiment *e, tct_journal *journal, const char *text, size_t size,
                                    tacit_error *err)
{
    tct_json_at at = {.file = "a trial of another process"};
    const char *end = text + size;
    tacit_status st = TACIT_OK;

    while (text < end && !st) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        json_t *json = NULL;
        const tct_trial *trial;

        st = tct_json_parse(&json, text, (size_t)((stop ? stop : end) - text), at.file, err);
        trial = st ? NULL : tct_journal_find(e, json);
        if (!st && !(trial && trial->done)) {
            st = tct_journal_take(e, json, &at, err);
            if (!st && journal && trial)
                st = tct_journal_add(journal, e, trial, err);
        }
        json_decref(json);
        text = stop ? stop + 1 : end;
    }
    return st;
}
