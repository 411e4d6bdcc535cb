/*
 * partial_merge.c -- parts of an audit, joined.
 *
 * Parts fit together when they are about the same model and were made with the same settings; what differs is told.
 * The files that were counted are known by their hashes, so nobody is counted twice.
 */
#include <string.h>

#include "partial.h"

static const size_t LIMIT = (size_t)1 << 30; /* bytes of a part */

/* ---------------------------------------------------------------- do they fit together? */

static void write_model(tct_text *out, const tacit_audit *a)
{
    tct_text_printf(out, "%s %.12s", a->kind, a->model_hash);
}

static void write_sensitive(tct_text *out, const tacit_audit *a)
{
    for (size_t i = 0; i < a->summary.n_sensitive; i++)
        tct_text_printf(out, "%s%s", i ? ", " : "", a->names[i]);
}

static void write_costs(tct_text *out, const tacit_audit *a)
{
    for (size_t i = 0; i < a->summary.n_sensitive; i++) {
        char cost[32];

        tct_format_number(a->costs[i], cost, sizeof cost);
        tct_text_printf(out, "%s%s", i ? "," : "", cost);
    }
}

static void write_deltas(tct_text *out, const tacit_audit *a)
{
    for (size_t i = 0; i < a->summary.n_results; i++) {
        char delta[32];

        tct_format_number(a->results[i].delta, delta, sizeof delta);
        tct_text_printf(out, "%s%s", i ? "," : "", delta);
    }
}

static void write_rules(tct_text *out, const tacit_audit *a)
{
    for (size_t i = 0; i < a->summary.n_results; i++)
        tct_text_printf(out, "%s%s", i ? "," : "", tacit_rule_name(a->results[i].rule));
}

static void write_groups(tct_text *out, const tacit_audit *a)
{
    for (size_t i = 0; a->groupings && i < a->groupings->n; i++)
        tct_text_printf(out, "%s%s", i ? " and " : "", a->groupings->list[i].name);
}

static void write_rows(tct_text *out, const tacit_audit *a)
{
    tct_text_printf(out, "%s", tct_part_names[a->part]);
}

static void write_unknown(tct_text *out, const tacit_audit *a)
{
    tct_text_printf(out, "%s", a->unknown_as_missing ? "missing" : "error");
}

static void write_opt(tct_text *out, const tacit_audit *a)
{
    char share[32];

    tct_format_number(a->opt_share, share, sizeof share);
    if (a->opt_share < 1)
        tct_text_printf(out, "counted for a share of %s", share);
    else
        tct_text_printf(out, "%s",
                        a->no_opt            ? "left out"
                        : a->census->octaves ? "counted, of a sample where people are many"
                                             : "counted");
}

static void write_needs(tct_text *out, const tacit_audit *a)
{
    tct_text_printf(out, "%s", a->no_needs ? "left out" : "counted");
}

static void write_seed(tct_text *out, const tacit_audit *a)
{
    tct_text_printf(out, "%llu", (unsigned long long)a->seed);
}

/* Names may be equal and mean something else: as a column, or as a crossing. */
static bool same_edges(const tct_dimension *x, const tct_dimension *y)
{
    bool same = x->n_edges == y->n_edges;

    for (size_t i = 0; same && i < x->n_edges; i++)
        same = x->edges[i] == y->edges[i];
    return same;
}

static bool same_groupings(const tct_groupings *a, const tct_groupings *b)
{
    bool same = !a == !b && (!a || (a->n == b->n && a->n_dimensions == b->n_dimensions));

    for (size_t i = 0; a && same && i < a->n_dimensions; i++) {
        const tct_dimension *x = &a->dimensions[i], *y = &b->dimensions[i];

        same = strcmp(x->column, y->column) == 0 && x->binned == y->binned && same_edges(x, y);
    }
    for (size_t i = 0; a && same && i < a->n; i++)
        same = a->list[i].n_parts == b->list[i].n_parts &&
               memcmp(a->list[i].parts, b->list[i].parts, a->list[i].n_parts * sizeof(size_t)) == 0;
    return same;
}

/* A setting, in words that can be compared and told. */
typedef struct setting {
    const char *name;
    void (*write)(tct_text *out, const tacit_audit *audit);
} setting;

static const setting SETTINGS[] = {
    {"sensitive attributes", write_sensitive}, /* before the model, whose hash depends on them */
    {"costs", write_costs},
    {"model", write_model},
    {"deltas", write_deltas},
    {"rules", write_rules},
    {"grouping", write_groups},
    {"part of the rows", write_rows},
    {"treatment of unknown categories", write_unknown},
    {"smallest sets (Opt)", write_opt},
    {"indispensable attributes", write_needs},
    {"seed", write_seed},
};

tacit_status tct_partial_compare(const tacit_audit *a, const char *file_a, const tacit_audit *b, const char *file_b,
                                 tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS && !st; i++) {
        tct_text there = {0}, here = {0};

        SETTINGS[i].write(&there, a);
        SETTINGS[i].write(&here, b);
        if (there.failed || here.failed)
            st = tct_fail_memory(err);
        else if (strcmp(there.bytes ? there.bytes : "", here.bytes ? here.bytes : "") != 0 ||
                 (SETTINGS[i].write == write_model && strcmp(a->model_hash, b->model_hash) != 0) ||
                 (SETTINGS[i].write == write_groups && !same_groupings(a->groupings, b->groupings)))
            st = tct_fail_at(err, TACIT_E_INPUT, file_b, 0, NULL, "does not go with %s: %s %.200s here, %.200s there",
                             file_a, SETTINGS[i].name, here.bytes ? here.bytes : "none",
                             there.bytes ? there.bytes : "none");
        tct_text_free(&there);
        tct_text_free(&here);
    }
    if (!st && !json_equal(a->describe, b->describe))
        st = tct_fail_at(err, TACIT_E_INPUT, file_b, 0, NULL,
                         "does not go with %s: the same model, but another description of it", file_a);
    return st;
}

/* Has a file of `b` been counted in `a` already?  `owners`: for each file of `a`, the part it came with. */
static tacit_status refuse_twice(const tacit_audit *a, const size_t *owners, const char *const *paths,
                                 const tacit_audit *b, const char *file, tacit_error *err)
{
    for (size_t i = 0; i < b->n_sources; i++)
        for (size_t k = 0; k < a->n_sources; k++)
            if (strcmp(a->sources[k].hash, b->sources[i].hash) == 0)
                return tct_fail_at(err, TACIT_E_INPUT, file, 0, NULL,
                                   "counts the same people as %s: the file with SHA-256 %.12s... is in both",
                                   paths[owners[k]], b->sources[i].hash);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- joining */

/* Parts: files, or texts in memory. */
typedef struct parts {
    const char *const *names; /* paths, or what to call them */
    const char *const *texts; /* NULL: files */
    const size_t *sizes;
    size_t n;
} parts;

static tacit_status read_part(tacit_audit **out, const parts *all, size_t i, tacit_error *err)
{
    const char *name = !all->texts && strcmp(all->names[i], "-") == 0 ? "standard input" : all->names[i];
    char *text = NULL;
    size_t size = 0;
    tacit_status st = all->texts ? TACIT_OK : tct_file_read(&text, &size, all->names[i], LIMIT, err);

    *out = NULL;
    if (!st)
        st = tct_partial_read(out, all->texts ? all->texts[i] : text, all->texts ? all->sizes[i] : size, name, err);
    tct_free_wiped(text, size);
    if (!st && (*out)->n_sources == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, name, 0, NULL, "does not say which files it counts");
    return st;
}

/* Which part the files come from that were added since the last call. */
static tacit_status note_owner(size_t **owners, size_t *n_owners, size_t n_sources, size_t part, tacit_error *err)
{
    size_t *more = tct_realloc(*owners, n_sources, sizeof *more);

    if (!more)
        return tct_fail_memory(err);
    *owners = more;
    while (*n_owners < n_sources)
        more[(*n_owners)++] = part;
    return TACIT_OK;
}

static tacit_status merge_parts(tacit_audit **out, const parts *given, tacit_error *err)
{
    const char *const *names = given->names;
    tacit_audit *all = NULL, *part = NULL;
    size_t *owners = NULL, n_owners = 0;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (given->n == 0)
        return tct_fail(err, TACIT_E_USAGE, "nothing to merge");
    for (size_t i = 0; i < given->n && !st; i++) {
        st = read_part(&part, given, i, err);
        if (!st && all)
            st = tct_partial_compare(all, names[0], part, names[i], err);
        if (!st && all)
            st = refuse_twice(all, owners, names, part, names[i], err);
        if (!st && !all) {
            all = part;
            part = NULL;
        } else if (!st) {
            st = tct_audit_absorb(all, part, err);
        }
        if (!st)
            st = note_owner(&owners, &n_owners, all->n_sources, i, err);
        tacit_audit_free(part);
        part = NULL;
    }
    if (!st)
        st = tct_audit_finish(all, NULL, err);
    if (!st) {
        *out = all;
        all = NULL;
    }
    tct_free(owners);
    tacit_audit_free(all);
    return st;
}

tacit_status tacit_audit_merge(tacit_audit **out, const char *const *paths, size_t n_paths, tacit_error *err)
{
    parts all = {.names = paths, .n = n_paths};

    return merge_parts(out, &all, err);
}

tacit_status tacit_audit_merge_texts(tacit_audit **out, const char *const *texts, const size_t *sizes, size_t n_texts,
                                     tacit_error *err)
{
    enum { ROOM = 32 };
    char *room = tct_calloc(n_texts + 1, ROOM);
    const char **names = tct_calloc(n_texts + 1, sizeof *names);
    parts all = {.names = names, .texts = texts, .sizes = sizes, .n = n_texts};
    tacit_status st = room && names ? TACIT_OK : tct_fail_memory(err);

    *out = NULL;
    for (size_t i = 0; i < n_texts && !st; i++) {
        snprintf(room + i * ROOM, ROOM, "part %zu", i + 1);
        names[i] = room + i * ROOM;
    }
    if (!st)
        st = merge_parts(out, &all, err);
    tct_free(room);
    tct_free(names);
    return st;
}
