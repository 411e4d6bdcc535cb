/*
 * notice.c -- remarks on columns that repeat each other or point at people.
 *
 * Every attribute is coded over the training rows (redundant.h) and every pair is compared.  Most pairs are told apart
 * by their first few rows; only numbers are always read to the end, for their correlation.  The number of rows is
 * bounded so that a wide table costs seconds, and the remarks say how many were looked at.
 */
#include "notice.h"

#include <math.h>

#include "lookup.h"
#include "redundant.h"
#include "remarks.h"
#include "table_walk.h"

enum { MOST_ROWS = 100000, LEAST_ROWS = 200, ID_ROWS = 50, MANY_CELLS = 1 << 18 };
#define MOST_CODES 5e7
#define MOST_STEPS 4e9
#define NEARLY_ALL 0.9

/* All attributes over the rows that are looked at. */
typedef struct looking {
    const tacit_schema *schema;
    const tacit_table *table;
    const bool *held; /* by row number - 1 */
    size_t n_rows, n;
    tct_coded *columns;
    uint8_t *relations; /* n x n; [i * n + j] for i < j */
    size_t *first;      /* the first column that tells the same */
} looking;

static size_t count_rows(const looking *l)
{
    double d = (double)l->n, most = MOST_STEPS / (d * d / 2), room = MOST_CODES / d;
    size_t rows = 0;

    for (size_t b = 0; b < l->table->n_blocks; b++)
        for (size_t r = 0; r < l->table->blocks[b].n_rows; r++)
            rows += !l->held[tct_block_row(&l->table->blocks[b], r) - 1];
    most = most < room ? most : room;
    most = most > LEAST_ROWS ? most : LEAST_ROWS;
    most = most < MOST_ROWS ? most : MOST_ROWS;
    return (double)rows < most ? rows : (size_t)most;
}

/* The next row that is looked at. */
static bool next_trained(const looking *l, tct_walk *w)
{
    while (tct_walk_next(w))
        if (!l->held[w->number - 1])
            return true;
    return false;
}

/* Mean 0 and sum of squares 1; nothing where all values are the same. */
static void standardise(tct_coded *column, const double *values, size_t n)
{
    double mean = 0, squares = 0;
    size_t known = 0;

    for (size_t r = 0; r < n; r++)
        if (!isnan(values[r]))
            mean += (values[r] - mean) / (double)++known;
    for (size_t r = 0; r < n; r++)
        squares += isnan(values[r]) ? 0 : (values[r] - mean) * (values[r] - mean);
    if (!(squares > 0) || !isfinite(squares)) {
        tct_free(column->numbers);
        column->numbers = NULL;
        return;
    }
    for (size_t r = 0; r < n; r++)
        column->numbers[r] = isnan(values[r]) ? 0 : (float)((values[r] - mean) / sqrt(squares));
}

/* A number as the schema reads it; NaN where it is missing. */
static double number_of(const tct_csv *csv, const tacit_attribute *a, const tct_walk *w)
{
    int64_t days;
    double v = NAN;

    if (w->missing)
        return NAN;
    if (a->dates && tct_datum_date(&w->value, a->dates, &days))
        return (double)days;
    return tct_datum_number(csv, &w->value, &v) ? v + 0.0 : NAN; /* + 0.0: no negative zero */
}

/* Codes of one attribute: numbers by value, texts by spelling. */
static tacit_status code_column(const looking *l, size_t attribute, tacit_error *err)
{
    const tacit_attribute *a = &l->schema->attributes[attribute];
    const tct_csv *csv = l->table->csv;
    tct_walk w = {.table = l->table, .column = tct_csv_find(csv, a->name)};
    tct_coded *column = &l->columns[attribute];
    bool number = a->type != TACIT_CATEGORY;
    double *values = number ? tct_malloc(l->n_rows, sizeof(*values)) : NULL;
    tct_lookup seen = {0};
    tacit_status st = TACIT_OK;

    column->codes = tct_malloc(l->n_rows, sizeof(*column->codes));
    column->numbers = number ? tct_malloc(l->n_rows, sizeof(*column->numbers)) : NULL;
    if (!column->codes || (number && (!values || !column->numbers)))
        st = tct_fail_memory(err);
    for (size_t r = 0; !st && r < l->n_rows && next_trained(l, &w); r++) {
        size_t size;
        const char *key = tct_walk_key(&w, &size);

        if (number)
            values[r] = number_of(csv, a, &w);
        st = number ? tct_lookup_add(&seen, (const char *)&values[r], sizeof(*values), &column->codes[r], err)
                    : tct_lookup_add(&seen, w.missing ? "" : key, w.missing ? 0 : size, &column->codes[r], err);
    }
    if (!st)
        st = tct_coded_finish(column, l->n_rows, err);
    if (!st && number)
        standardise(column, values, l->n_rows);
    tct_lookup_clear(&seen);
    tct_free_wiped(values, number ? l->n_rows * sizeof(*values) : 0);
    return st;
}

/* All of them, each by one thread; what the first one that failed says. */
static tacit_status code_all(const looking *l, tacit_error *err)
{
    size_t failed = l->n;
    tacit_status result = TACIT_OK;
    int n_threads = (int)tacit_threads(0);

#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads) if (l->n_rows * l->n > MANY_CELLS)
    for (size_t i = 0; i < l->n; i++) {
        tacit_error own = {0};
        tacit_status st = code_column(l, i, &own);

#pragma omp critical(tct_code_all)
        if (st && i < failed) {
            failed = i;
            result = st;
            if (err)
                *err = own;
        }
    }
    return result;
}

static tacit_status compare_all(const looking *l, tacit_error *err)
{
    size_t room = 2 * l->n_rows + TCT_PAIR_ROOM;
    bool failed = false;
    int n_threads = (int)tacit_threads(0);

#pragma omp parallel num_threads(n_threads)
    {
        uint32_t *scratch = tct_malloc(room, sizeof(*scratch));

        if (!scratch) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < l->n; i++)
            for (size_t j = i + 1; scratch && j < l->n; j++)
                l->relations[i * l->n + j] = (uint8_t)tct_relate(&l->columns[i], &l->columns[j], l->n_rows, scratch);
        tct_free_wiped(scratch, room * sizeof(*scratch));
    }
    return failed ? tct_fail_memory(err) : TACIT_OK;
}

static tct_relation relation_of(const looking *l, size_t i, size_t j)
{
    tct_relation r = (tct_relation)l->relations[i < j ? i * l->n + j : j * l->n + i];

    if (i < j || (r != TCT_FIRST_TELLS && r != TCT_SECOND_TELLS))
        return r;
    return r == TCT_FIRST_TELLS ? TCT_SECOND_TELLS : TCT_FIRST_TELLS;
}

/* "%s and %s ..." about attributes i and j. */
static tacit_status remark_pair(const looking *l, tacit_schema *schema, const char *kind, size_t i, size_t j,
                                const char *before, const char *between, const char *after, tacit_error *err)
{
    const char *names[] = {schema->attributes[i].name, schema->attributes[j].name};

    return tct_remark_add(schema, kind, names, 2, err, "%s%s%s%s%s (%zu rows looked at)", before, names[0], between,
                          names[1], after, l->n_rows);
}

/* The remark on column j, if it follows from another or is nearly the same as one before it. */
static tacit_status remark_column(const looking *l, tacit_schema *schema, size_t j, tacit_error *err)
{
    size_t from = TACIT_NONE, same = TACIT_NONE;

    if (l->first[j] != j)
        return remark_pair(l, schema, "determined", l->first[j], j, "columns ", " and ",
                           " determine each other: one of them is enough", err);
    for (size_t i = 0; i < l->n; i++) {
        tct_relation r = i == j ? TCT_UNRELATED : relation_of(l, i, j);

        if (r == TCT_FIRST_TELLS && l->first[i] == i &&
            (from == TACIT_NONE || l->columns[i].n_values < l->columns[from].n_values))
            from = i;
        if (r == TCT_NEARLY_SAME && i < j && same == TACIT_NONE)
            same = i;
    }
    if (from != TACIT_NONE) {
        const char *names[] = {schema->attributes[from].name, schema->attributes[j].name};

        return tct_remark_add(schema, "determined", names, 2, err,
                              "column %s follows from column %s: who gives the latter has given both (%zu rows looked "
                              "at)",
                              names[1], names[0], l->n_rows);
    }
    if (same != TACIT_NONE)
        return remark_pair(l, schema, "near_duplicate", same, j, "columns ", " and ",
                           " are nearly the same: one of them may be enough", err);
    return TACIT_OK;
}

/* Texts and whole numbers that nearly everybody has for themselves. */
static tacit_status remark_unique(const looking *l, tacit_schema *schema, size_t i, tacit_error *err)
{
    const tct_coded *column = &l->columns[i];
    uint32_t *counts = tct_calloc((size_t)column->n_values + 1, sizeof(*counts));
    size_t alone = 0;

    if (!counts)
        return tct_fail_memory(err);
    for (size_t r = 0; r < l->n_rows; r++)
        counts[column->codes[r]]++;
    for (size_t v = 0; v < column->n_values; v++)
        alone += counts[v] == 1;
    tct_free(counts);
    if (l->n_rows <= ID_ROWS || alone == l->n_rows || (double)alone < NEARLY_ALL * (double)l->n_rows ||
        schema->attributes[i].type == TACIT_NUMBER)
        return TACIT_OK;
    return tct_remark_add(
        schema, "near_unique", &schema->attributes[i].name, 1, err,
        "column %s is nearly unique (%.0f %% of %zu rows have a value of their own): it can point at a "
        "person",
        schema->attributes[i].name, 100.0 * (double)alone / (double)l->n_rows, l->n_rows);
}

static void find_first(const looking *l)
{
    for (size_t j = 0; j < l->n; j++) {
        l->first[j] = j;
        for (size_t i = 0; i < j && l->first[j] == j; i++)
            if (l->relations[i * l->n + j] == TCT_BOTH_TELL)
                l->first[j] = l->first[i];
    }
}

tacit_status tct_notice_columns(tacit_schema *schema, const tacit_table *table, const bool *held, tacit_error *err)
{
    looking l = {.schema = schema, .table = table, .held = held, .n = schema->n_attributes};
    tacit_status st = TACIT_OK;

    l.n_rows = count_rows(&l);
    if (l.n_rows == 0 || l.n == 0)
        return TACIT_OK;
    l.columns = tct_calloc(l.n, sizeof(*l.columns));
    l.relations = tct_calloc(l.n, l.n);
    l.first = tct_malloc(l.n, sizeof(*l.first));
    if (!l.columns || !l.relations || !l.first)
        st = tct_fail_memory(err);
    if (!st)
        st = code_all(&l, err);
    if (!st)
        st = compare_all(&l, err);
    if (!st)
        find_first(&l);
    for (size_t i = 0; !st && i < l.n; i++)
        st = remark_unique(&l, schema, i, err);
    for (size_t j = 0; !st && j < l.n; j++)
        st = remark_column(&l, schema, j, err);
    for (size_t i = 0; l.columns && i < l.n; i++)
        tct_coded_clear(&l.columns[i], l.n_rows);
    tct_free(l.columns);
    tct_free(l.relations);
    tct_free(l.first);
    return st;
}
