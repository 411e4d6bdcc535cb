/*
 * grouping.c -- reading how results are to be broken down.
 */
#include "grouping.h"

#include <math.h>
#include <string.h>

static const size_t MOST_BINS = 50;

/* ---------------------------------------------------------------- building */

tacit_status tct_groupings_new(tct_groupings **out, tacit_error *err)
{
    tct_groupings *g = tct_calloc(1, sizeof *g);

    *out = g;
    if (!g)
        return tct_fail_memory(err);
    g->dimensions = tct_calloc(TCT_MAX_DIMENSIONS, sizeof *g->dimensions);
    if (g->dimensions)
        return TACIT_OK;
    tct_free(g);
    *out = NULL;
    return tct_fail_memory(err);
}

void tct_groupings_free(tct_groupings *g)
{
    if (!g)
        return;
    for (size_t d = 0; d < g->n_dimensions; d++) {
        for (size_t i = 0; g->dimensions[d].bins && i < g->dimensions[d].n_edges + 2; i++)
            tct_free(g->dimensions[d].bins[i]);
        tct_free(g->dimensions[d].bins);
        tct_free(g->dimensions[d].column);
    }
    for (size_t i = 0; i < g->n; i++)
        tct_free(g->list[i].name);
    tct_free(g->dimensions);
    tct_free(g);
}

/* Names of bins, from their edges. */
static tacit_status name_bins(tct_dimension *d, tacit_error *err)
{
    d->bins = tct_calloc(d->n_edges + 2, sizeof *d->bins);
    if (!d->bins)
        return tct_fail_memory(err);
    for (size_t i = 0; i <= d->n_edges + 1; i++) {
        char from[32] = "", to[32] = "", name[96];

        if (i > 0 && i <= d->n_edges)
            tct_format_number(d->edges[i - 1], from, sizeof from);
        if (i < d->n_edges)
            tct_format_number(d->edges[i], to, sizeof to);
        if (i == 0)
            snprintf(name, sizeof name, "below %s", to);
        else if (i < d->n_edges)
            snprintf(name, sizeof name, "%s to below %s", from, to);
        else if (i == d->n_edges)
            snprintf(name, sizeof name, "%s and above", from);
        else
            snprintf(name, sizeof name, "%s", TCT_MISSING_GROUP);
        d->bins[i] = tct_strdup(name);
        if (!d->bins[i])
            return tct_fail_memory(err);
    }
    return TACIT_OK;
}

tacit_status tct_groupings_dimension(tct_groupings *g, const char *column, const double *edges, size_t n_edges,
                                     size_t *dimension, tacit_error *err)
{
    tct_dimension *d;

    for (*dimension = 0; *dimension < g->n_dimensions; ++*dimension) {
        d = &g->dimensions[*dimension];
        if (strcmp(d->column, column) == 0 && d->binned == (edges != NULL) && d->n_edges == n_edges &&
            (!edges || memcmp(d->edges, edges, n_edges * sizeof *edges) == 0))
            return TACIT_OK;
    }
    if (g->n_dimensions == TCT_MAX_DIMENSIONS) /* no more groupings than there is room for: not met */
        return tct_fail(err, TACIT_E_USAGE, "more than %d columns to group by", TCT_MAX_DIMENSIONS);
    d = &g->dimensions[g->n_dimensions];
    *d = (tct_dimension){.column = tct_strdup(column), .binned = edges != NULL, .n_edges = n_edges};
    if (!d->column)
        return tct_fail_memory(err);
    g->n_dimensions++;
    if (!edges)
        return TACIT_OK;
    memcpy(d->edges, edges, n_edges * sizeof *edges);
    return name_bins(d, err);
}

/* The same dimensions, in whatever order? */
static bool is_same(const tct_grouping *a, const size_t *parts, size_t n_parts)
{
    size_t found = 0;

    for (size_t i = 0; i < n_parts; i++)
        for (size_t k = 0; k < a->n_parts; k++)
            found += a->parts[k] == parts[i];
    return a->n_parts == n_parts && found == n_parts;
}

tacit_status tct_groupings_cross(tct_groupings *g, const char *name, const size_t *parts, size_t n_parts,
                                 tacit_error *err)
{
    tct_grouping *grouping = &g->list[g->n];

    if (g->n == TCT_MAX_GROUPINGS)
        return tct_fail(err, TACIT_E_USAGE, "more than %d groupings", TCT_MAX_GROUPINGS);
    for (size_t i = 0; i < g->n; i++)
        if (is_same(&g->list[i], parts, n_parts))
            return tct_fail(err, TACIT_E_USAGE, "grouping '%.200s' is there twice", name);
    *grouping = (tct_grouping){.name = tct_strdup(name), .n_parts = n_parts};
    if (!grouping->name)
        return tct_fail_memory(err);
    memcpy(grouping->parts, parts, n_parts * sizeof *parts);
    g->n++;
    return TACIT_OK;
}

size_t tct_groupings_depth(const tct_groupings *g, size_t n)
{
    size_t depth = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < g->list[i].n_parts; k++)
            if (g->list[i].parts[k] >= depth)
                depth = g->list[i].parts[k] + 1;
    return depth;
}

size_t tct_dimension_bin(const tct_dimension *d, double value)
{
    size_t low = 0, high = d->n_edges;

    while (low < high) { /* edges that are not above it */
        size_t middle = low + (high - low) / 2;

        if (d->edges[middle] <= value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---------------------------------------------------------------- reading */

/* A text being read. */
typedef struct reading {
    const char *whole, *at;
    const tacit_schema *schema;
} reading;

static tacit_status complain(const reading *in, tacit_error *err, const char *what)
{
    return tct_fail(err, TACIT_E_USAGE, "grouping '%.200s': %s", in->whole, what);
}

/* A name up to * or :, or one in quotes.  Blanks around it do not count. */
static tacit_status read_column(reading *in, tct_text *name, tacit_error *err)
{
    bool quoted;

    in->at += strspn(in->at, " ");
    quoted = *in->at == '"';
    if (!quoted) {
        tct_text_append(name, in->at, strcspn(in->at, "*:"));
        in->at += strcspn(in->at, "*:");
        while (name->size > 0 && name->bytes[name->size - 1] == ' ')
            name->bytes[--name->size] = '\0';
    } else {
        for (in->at++; *in->at && (*in->at != '"' || in->at[1] == '"'); in->at++) {
            in->at += *in->at == '"';
            tct_text_append(name, in->at, 1);
        }
        if (*in->at++ != '"')
            return complain(in, err, "the quote is not closed");
        in->at += strspn(in->at, " ");
    }
    if (name->failed)
        return tct_fail_memory(err);
    if (*in->at && *in->at != '*' && *in->at != ':')
        return complain(in, err, "expected * or : behind the quoted name");
    return name->size == 0 ? complain(in, err, "the name of a column is missing") : TACIT_OK;
}

/* Equal parts of an attribute's domain.  Integers: edges are whole, so no bin is empty by its edges. */
static tacit_status divide_domain(const reading *in, const char *column, double bins, double *edges, size_t *n_edges,
                                  tacit_error *err)
{
    size_t attribute = tacit_schema_find(in->schema, column);
    const tacit_attribute *a = attribute == TACIT_NONE ? NULL : tacit_schema_attribute(in->schema, attribute);

    if (!(bins >= 2 && bins <= (double)MOST_BINS && bins == floor(bins)))
        return complain(in, err,
                        "expected 2 to 50 bins, or their edges; a single edge is written with a comma behind it");
    if (!a || a->type == TACIT_CATEGORY || !(a->min < a->max))
        return complain(in, err,
                        "only a number or integer of the model with more than one value can be divided into equal "
                        "parts; give the edges of the bins instead, as in age:25,40,60");
    for (size_t i = 1; i < (size_t)bins; i++) {
        double edge = a->min + (a->max - a->min) * ((double)i / bins);

        edge = a->type == TACIT_INTEGER ? ceil(edge) : edge;
        if (*n_edges == 0 || edge > edges[*n_edges - 1])
            edges[(*n_edges)++] = edge;
    }
    return TACIT_OK;
}

/* What stands behind the colon. */
static tacit_status read_bins(reading *in, const char *column, double *edges, size_t *n_edges, tacit_error *err)
{
    static const char EXPECTED[] =
        "expected the edges of bins in ascending order, as in age:25,40,60, or how many, as in age:5 (a name with * or "
        ": in it is written in double quotes)";
    bool more = true, list = false;
    double value = 0;

    for (; more; in->at += more) {
        size_t size = strcspn(in->at, ",*"), from = strspn(in->at, " "), to = size;

        while (to > from && in->at[to - 1] == ' ')
            to--;
        if (to <= from && *n_edges == 1 && in->at[size] != ',') { /* "65,": one edge */
            in->at += size;
            break;
        }
        if (from > size || !tct_parse_number(in->at + from, to - from, &value) ||
            (*n_edges > 0 && !(value > edges[*n_edges - 1])))
            return complain(in, err, EXPECTED);
        if (*n_edges == TCT_MAX_EDGES)
            return complain(in, err, "more than 100 edges");
        edges[(*n_edges)++] = value + 0; /* no -0 */
        in->at += size;
        more = *in->at == ',';
        list = list || more;
    }
    if (list)
        return TACIT_OK;
    *n_edges = 0;
    return divide_domain(in, column, value, edges, n_edges, err);
}

static tacit_status read_part(tct_groupings *g, reading *in, size_t *part, tacit_error *err)
{
    double edges[TCT_MAX_EDGES];
    size_t n_edges = 0;
    bool binned;
    tct_text column = {0};
    tacit_status st = read_column(in, &column, err);

    binned = !st && *in->at == ':';
    if (binned) {
        in->at++;
        st = read_bins(in, column.bytes, edges, &n_edges, err);
    }
    if (!st)
        st = tct_groupings_dimension(g, column.bytes, binned ? edges : NULL, n_edges, part, err);
    tct_text_free(&column);
    return st;
}

tacit_status tct_groupings_add(tct_groupings *g, const char *text, const tacit_schema *schema, tacit_error *err)
{
    reading in = {.whole = text, .at = text, .schema = schema};
    size_t parts[TCT_MAX_CROSSED], n = 0;

    for (bool more = true; more; in.at += more) {
        tacit_status st;

        if (n == TCT_MAX_CROSSED)
            return complain(&in, err, "more than 6 columns at once");
        st = read_part(g, &in, &parts[n], err);
        if (st)
            return st;
        for (size_t i = 0; i < n; i++)
            if (strcmp(g->dimensions[parts[i]].column, g->dimensions[parts[n]].column) == 0)
                return complain(&in, err, "the same column twice");
        n++;
        more = *in.at == '*';
    }
    return tct_groupings_cross(g, text, parts, n, err);
}

tacit_status tct_groupings_add_column(tct_groupings *g, const char *column, tacit_error *err)
{
    size_t part;
    tacit_status st = tct_groupings_dimension(g, column, NULL, 0, &part, err);

    return st ? st : tct_groupings_cross(g, column, &part, 1, err);
}
