/*
 * habits.c -- what stands for "missing" in a file, and its decimal mark.
 *
 * Nine spellings that programs write for "no value" are taken as missing wherever they stand, and a remark says so.
 * A dash or a dot is a level as often as it is a gap (blood groups, grades), so they are taken as missing only where
 * a column has nothing but numbers beside them, and no other column has them among texts.
 *
 * A comma can be the decimal mark only where it does not separate cells.  It is, if some column has nothing but numbers
 * when read so, and no column has numbers with a point.  Cells like 1,234 alone do not count: they may be thousands.
 *
 * Every cell is looked at, before anything else is done with a table, so it has to be quick: a column that has a text is
 * asked for markers only, and threads share the blocks.
 */
#include "habits.h"

#include <string.h>

#include "remarks.h"
#include "table_walk.h"

static const char *const markers[] = {"NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?", "-", "--", "."};
enum { SURE = 9, MARKERS = 12 };

/* What the cells of a column look like. */
typedef struct habit {
    size_t seen[MARKERS];
    /* Numbers without either, with a point, with a comma; anything else.  Behind a text the others are not counted. */
    size_t whole, point, comma, text;
    bool no_thousands; /* a comma that does not separate thousands */
} habit;

/* Can it be a marker, by its size and first byte? */
static inline bool may_be_marker(const char *bytes, size_t size)
{
    char c = size == 0 || size > 4 ? 0 : bytes[0];

    return c == 'N' || c == 'n' || c == '#' || c == '?' || c == '-' || c == '.';
}

static size_t find_marker(const char *bytes, size_t size)
{
    size_t m = 0;

    if (!may_be_marker(bytes, size))
        return MARKERS;
    while (m < MARKERS && (strlen(markers[m]) != size || memcmp(markers[m], bytes, size) != 0))
        m++;
    return m;
}

/* 1,234 or -12,345,678? */
static bool looks_like_thousands(const char *bytes, size_t size)
{
    size_t start = size > 0 && bytes[0] == '-', first = start;

    while (first < size && bytes[first] != ',')
        first++;
    if (first - start < 1 || first - start > 3 || (size - first) % 4 != 0)
        return false;
    for (size_t i = start; i < size; i++)
        if ((i >= first && (i - first) % 4 == 0) ? bytes[i] != ',' : bytes[i] < '0' || bytes[i] > '9')
            return false;
    return true;
}

/* A few digits and nothing else? */
static bool is_plain(const char *bytes, size_t size)
{
    size_t i = 0;

    if (size > 15)
        return false;
    while (i < size && bytes[i] >= '0' && bytes[i] <= '9')
        i++;
    return i == size;
}

static void look_at_cell(habit *h, const char *bytes, size_t size, char separator)
{
    size_t m = find_marker(bytes, size);
    char buffer[TCT_POINT_ROOM];
    double v;

    if (size == 0)
        return;
    if (m < MARKERS) {
        h->seen[m]++;
    } else if (is_plain(bytes, size)) {
        h->whole++;
    } else if (tct_parse_number(bytes, size, &v)) {
        *(memchr(bytes, '.', size) ? &h->point : &h->whole) += 1;
    } else if (separator != ',' && size < sizeof(buffer) && memchr(bytes, ',', size)) {
        bool number, thousands = looks_like_thousands(bytes, size);

        for (size_t i = 0; i < size; i++)
            buffer[i] = bytes[i] == ',' ? '.' : bytes[i] == '.' ? ':' : bytes[i];
        number = thousands || tct_parse_number(buffer, size, &v);
        *(number ? &h->comma : &h->text) += 1;
        h->no_thousands |= number && !thousands;
        tct_wipe(buffer, sizeof(buffer));
    } else {
        h->text++;
    }
}

/* Nothing but numbers, if the comma (else the point) is the mark? */
static bool is_number(const habit *h, bool comma)
{
    return h->text == 0 && (comma ? h->point == 0 : h->comma == 0) && h->whole + h->point + h->comma > 0;
}

static bool is_comma(const habit *all, size_t n)
{
    bool found = false;

    for (size_t c = 0; c < n; c++) {
        if (all[c].point > 0 && is_number(&all[c], false))
            return false;
        found = found || (all[c].comma > 0 && all[c].no_thousands && is_number(&all[c], true));
    }
    return found;
}

/* Does marker m occur, and is it a gap wherever it does? */
static bool is_gap(const habit *all, size_t n, size_t m, bool comma)
{
    bool found = false;

    for (size_t c = 0; c < n; c++) {
        if (m >= SURE && all[c].seen[m] > 0 && !is_number(&all[c], comma))
            return false;
        found = found || all[c].seen[m] > 0;
    }
    return found;
}

/* The markers of the file, and which columns have them. */
static tacit_status settle_markers(tacit_table *table, const habit *all, bool comma, tacit_error *err)
{
    size_t n = table->csv->n_columns;
    tct_text list = {0};
    tacit_status st;

    table->marked = tct_calloc(n, sizeof(*table->marked));
    if (!table->marked)
        return tct_fail_memory(err);
    for (size_t m = 0; m < MARKERS; m++) {
        if (!is_gap(all, n, m, comma))
            continue;
        tct_text_printf(&list, "%s%s", list.size ? "," : "", markers[m]);
        for (size_t c = 0; c < n; c++)
            if (all[c].seen[m] > 0)
                table->marked[c] |= 1u << m;
    }
    st = list.failed ? tct_fail_memory(err) : tct_csv_set_missing(table->csv, list.size ? list.bytes : NULL, err);
    tct_text_free(&list);
    return st;
}

/* A column with a text is no column of numbers any more: only markers still count. */
static void look_at_block(habit *all, const tct_csv *csv, const tct_block *block)
{
    const tct_cell *cell = block->cells;

    for (size_t r = 0; r < block->n_rows; r++)
        for (size_t c = 0; c < csv->n_columns; c++, cell++) {
            const char *bytes = block->bytes + cell->start;

            if ((all[c].text == 0 || may_be_marker(bytes, cell->size)) &&
                !tct_csv_missing_quick(csv, bytes, cell->size))
                look_at_cell(&all[c], bytes, cell->size, csv->separator);
        }
}

static void add_habits(habit *sum, const habit *more, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        for (size_t m = 0; m < MARKERS; m++)
            sum[c].seen[m] += more[c].seen[m];
        sum[c].whole += more[c].whole;
        sum[c].point += more[c].point;
        sum[c].comma += more[c].comma;
        sum[c].text += more[c].text;
        sum[c].no_thousands |= more[c].no_thousands;
    }
}

/* Every cell, by several threads.  What counts of the sums is whether they are 0, and that hangs on no order. */
static tacit_status look_at_all(habit *all, const tacit_table *table, tacit_error *err)
{
    size_t n = table->csv->n_columns;
    bool failed = false;

#pragma omp parallel if (table->n_blocks > 1)
    {
        habit *own = tct_calloc(n, sizeof(*own));

        if (!own) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(dynamic, 1)
        for (size_t b = 0; b < table->n_blocks; b++)
            if (own)
                look_at_block(own, table->csv, &table->blocks[b]);
#pragma omp critical(tct_habits)
        if (own)
            add_habits(all, own, n);
        tct_free(own);
    }
    return failed ? tct_fail_memory(err) : TACIT_OK;
}

tacit_status tct_habits_find(tacit_table *table, const tacit_csv_options *opt, tacit_error *err)
{
    tct_csv *csv = table->csv;
    habit *all;
    bool comma;
    tacit_status st;

    if ((opt && opt->missing && opt->decimal) || (opt && opt->missing && csv->separator == ','))
        return TACIT_OK;
    all = tct_calloc(csv->n_columns, sizeof(*all));
    if (!all)
        return tct_fail_memory(err);
    st = look_at_all(all, table, err);
    comma = csv->decimal == ',';
    if (!(opt && opt->decimal) && is_comma(all, csv->n_columns)) {
        comma = table->found_comma = true;
        csv->decimal = ',';
    }
    if (!st && !(opt && opt->missing))
        st = settle_markers(table, all, comma, err);
    tct_free(all);
    return st;
}

/* "NA and ?" of those that occur. */
static void name_markers(tct_text *text, unsigned seen)
{
    size_t left = 0, n;

    for (size_t m = 0; m < MARKERS; m++)
        left += seen >> m & 1;
    n = left;
    for (size_t m = 0; m < MARKERS; m++)
        if (seen >> m & 1) {
            tct_text_printf(text, "%s%s", left == n ? "" : left == 1 ? " and " : ", ", markers[m]);
            left--;
        }
}

static tacit_status remark_markers(tacit_schema *schema, const tacit_table *table, tacit_error *err)
{
    size_t n = table->csv->n_columns, count = 0;
    const char **names = tct_malloc(n, sizeof(*names));
    tct_text list = {0};
    unsigned seen = 0;
    tacit_status st = names ? TACIT_OK : tct_fail_memory(err);

    for (size_t c = 0; !st && c < n; c++)
        if (table->marked[c]) {
            seen |= table->marked[c];
            names[count++] = table->csv->columns[c];
        }
    if (!st && count > 0) {
        name_markers(&list, seen);
        st = list.failed ? tct_fail_memory(err)
                         : tct_remark_add(schema, "missing_markers", names, count, err,
                                          "%s: read as missing, in column%s %s%s; if that is a value, say --missing ''",
                                          list.bytes, count == 1 ? "" : "s", names[0], count > 1 ? " and others" : "");
    }
    tct_text_free(&list);
    tct_free(names);
    return st;
}

tacit_status tct_habits_remark(tacit_schema *schema, const tacit_table *table, tacit_error *err)
{
    const tct_csv *csv = table->csv;
    tacit_status st = table->marked ? remark_markers(schema, table, err) : TACIT_OK;

    if (!st && table->found_comma)
        st = tct_remark_add(schema, "decimal", NULL, 0, err,
                            "numbers have a decimal comma, as in 1,5 (--decimal . says otherwise)");
    for (size_t c = 0; !st && csv->renamed && c < csv->n_columns; c++)
        if (csv->renamed[c])
            st = tct_remark_add(schema, "renamed", (const char *const *)&csv->columns[c], 1, err,
                                "column %zu is called %s here: its name in the header is empty or occurs before", c + 1,
                                csv->columns[c]);
    return st;
}

tacit_status tct_habits_keep(tacit_schema *schema, const tacit_table *table, tacit_error *err)
{
    const tct_csv *csv = table->csv;
    tct_text list = {0};

    for (size_t i = 0; i < csv->missing.count; i++)
        tct_text_printf(&list, "%s%s", i ? "," : "", csv->missing.items[i]);
    if (list.failed)
        return tct_fail_memory(err);
    tct_free((void *)(uintptr_t)schema->csv.missing);
    schema->csv.missing = list.size ? tct_strdup(list.bytes) : NULL;
    schema->csv.decimal = csv->decimal == ',' ? ',' : 0;
    if (list.size && !schema->csv.missing) {
        tct_text_free(&list);
        return tct_fail_memory(err);
    }
    tct_text_free(&list);
    return TACIT_OK;
}
