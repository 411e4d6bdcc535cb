/*
 * Rows: remembered person by person while a tile is counted, since each pass of an audit knows a part of a row.
 */
#include "rows.h"

#include <string.h>

const char tct_rows_header[] = "row,delta,label,status,asked,opt,indispensable,spare";

tacit_status tct_rows_new(tct_rows **out, const tct_job *job, tacit_error *err)
{
    tct_rows *r = tct_calloc(1, sizeof *r);
    size_t n = job->n_sensitive + 1;

    *out = NULL;
    if (!r)
        return tct_fail_memory(err);
    r->job = job;
    r->outcomes = tct_calloc(job->n_deltas * TCT_TILE, sizeof *r->outcomes);
    r->needs = tct_calloc(TCT_TILE * n, 1);
    r->spare = tct_calloc(job->n_deltas * TCT_TILE * n, 1);
    r->smallest = tct_calloc(TCT_TILE, sizeof *r->smallest);
    if (!r->outcomes || !r->needs || !r->spare || !r->smallest) {
        tct_rows_free(r);
        return tct_fail_memory(err);
    }
    *out = r;
    return TACIT_OK;
}

void tct_rows_free(tct_rows *r)
{
    size_t n;

    if (!r)
        return;
    n = r->job->n_sensitive + 1;
    tct_free_wiped(r->outcomes, r->job->n_deltas * TCT_TILE * sizeof *r->outcomes);
    tct_free_wiped(r->needs, TCT_TILE * n);
    tct_free_wiped(r->spare, r->job->n_deltas * TCT_TILE * n);
    tct_free_wiped(r->smallest, TCT_TILE * sizeof *r->smallest);
    tct_free(r);
}

void tct_rows_keep(tct_rows *r, size_t p, size_t delta_index, const tct_outcome *o)
{
    size_t n = r->job->n_sensitive;
    tct_outcome *kept = &r->outcomes[delta_index * TCT_TILE + p];

    *kept = *o;
    if (o->needs)
        kept->needs = memcpy(r->needs + p * (n + 1), o->needs, n);
    if (o->spare)
        kept->spare = memcpy(r->spare + (delta_index * TCT_TILE + p) * (n + 1), o->spare, n);
}

void tct_append_cell(tct_text *out, const char *cell)
{
    if (!strpbrk(cell, ",;\"\r\n")) {
        tct_text_append(out, cell, strlen(cell));
        return;
    }
    tct_text_append(out, "\"", 1);
    for (; *cell; cell++) {
        if (*cell == '"')
            tct_text_append(out, "\"", 1);
        tct_text_append(out, cell, 1);
    }
    tct_text_append(out, "\"", 1);
}

/* The names of n sensitive attributes as one cell; which: their places, NULL: those whose entry in `marks` is `mark`. */
static void append_names(const tct_job *job, tct_text *out, const size_t *which, size_t n, const unsigned char *marks,
                         unsigned char mark)
{
    tct_text names = {0};

    for (size_t i = 0; i < n; i++)
        if (which || marks[i] == mark)
            tct_text_printf(&names, "%s%s", names.size ? ";" : "",
                            job->model->schema->attributes[job->sensitive[which ? which[i] : i]].name);
    tct_append_cell(out, names.bytes ? names.bytes : "");
    out->failed = out->failed || names.failed;
    if (names.bytes)
        tct_wipe(names.bytes, names.room);
    tct_text_free(&names);
}

/* The names of a person's groups. */
static void append_groups(const tct_rows *r, tct_text *out, const tct_sorter *sorter, const size_t *groups)
{
    for (size_t g = 0; groups && g < r->job->groupings->n; g++) {
        tct_text name = {0};

        tct_sorter_label(sorter, g, groups[g], &name);
        tct_text_append(out, ",", 1);
        tct_append_cell(out, name.bytes ? name.bytes : "");
        out->failed = out->failed || name.failed;
        if (name.bytes)
            tct_wipe(name.bytes, name.room);
        tct_text_free(&name);
    }
}

static void append_row(const tct_rows *r, tct_text *out, size_t p, uint64_t row, size_t delta_index)
{
    const tct_job *job = r->job;
    const tct_outcome *o = &r->outcomes[delta_index * TCT_TILE + p];
    char number[32];

    if (job->row_prefix && job->row_prefix->size)
        tct_text_append(out, job->row_prefix->bytes, job->row_prefix->size);
    tct_format_number(job->options->deltas[delta_index], number, sizeof number);
    tct_text_printf(out, "%llu,%s,", (unsigned long long)row, number);
    tct_append_cell(out, job->model->schema->classes[o->end.label]);
    tct_text_printf(out, ",%s,", tacit_settled_name((tacit_settled)o->end.settled));
    append_names(job, out, o->order, o->end.asked, NULL, 0);
    if (job->options->no_opt || r->smallest[p] == SIZE_MAX)
        tct_text_append(out, ",", 1);
    else
        tct_text_printf(out, ",%zu", r->smallest[p]);
    tct_text_append(out, ",", 1);
    if (o->needs)
        append_names(job, out, NULL, job->n_sensitive, o->needs, TACIT_NEED_INDISPENSABLE);
    tct_text_append(out, ",", 1);
    if (o->spare)
        append_names(job, out, NULL, job->n_sensitive, o->spare, 1);
}

void tct_rows_write(const tct_rows *r, size_t p, uint64_t row, const tct_sorter *sorter, const size_t *groups,
                    tct_text *out)
{
    for (size_t i = 0; i < r->job->n_deltas; i++) {
        append_row(r, out, p, row, i);
        append_groups(r, out, sorter, groups);
        tct_text_append(out, "\n", 1);
    }
}
