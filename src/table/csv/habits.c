/*
 * habits.c -- what stands for "missing" in a file, and its decimal mark.
 *
 * Nine spellings that programs write for "no value" are taken as missing wherever they stand, and a remark says so.
 * A dash or a dot is a level as often as it is a gap (blood groups, grades), so they are taken as missing only where
 * a column has nothing but numbers beside them, and no other column has them among texts.
 *
 * A comma can be the decimal mark only where it does not separate cells.  It is, if some column has nothing but numbers
 * when read so, and no column has numbers with a point.  Cells like 1,234 alone do not count: they may be thousands.  If that
 * decides nothing, columns in which nearly all cells are numbers do: the few others are odd cells, and told as such, which
 * they would not be if the numbers around them were taken for texts.
 *
 * Threads that read a block look for markers and commas at once, while it is in their cache: by size, first and last
 * byte almost no cell can be a marker.  Only where something is found that hangs on it, cells are tried as numbers.
 */
#include "habits.h"

#include <string.h>

#include "remarks.h"
#include "table_walk.h"

static const char *const markers[] = {"NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?", "-", "--", "."};
enum { SURE = TCT_USUAL_MARKERS, MARKERS = 12 };
const char *const tct_usual_markers[] = {"NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "?"};

/* What the cells of a column look like beside markers.  Behind more texts than a column of numbers may have nothing more is
 * found out. */
typedef struct habit {
    size_t whole, point, comma; /* numbers: with neither, with a point, with a comma */
    size_t no_thousands;        /* commas that do not separate thousands */
    size_t text;                /* anything else */
} habit;

/* Bytes that some marker begins and ends with. */
enum { FIRST = 1, LAST = 2 };
static const unsigned char edges[256] = {
    ['N'] = FIRST | LAST, ['n'] = FIRST | LAST, ['#'] = FIRST, ['?'] = FIRST | LAST, ['-'] = FIRST | LAST,
    ['.'] = FIRST | LAST, ['A'] = LAST,         ['a'] = LAST,  ['l'] = LAST,         ['L'] = LAST};

/* Can it be a marker?  Without a branch: "no" is as frequent as "yes". */
static inline bool may_be_marker(const char *bytes, size_t size)
{
    unsigned first = edges[(unsigned char)bytes[0]], last = edges[(unsigned char)bytes[size - (size > 0)]];

    return (size - 1 < 4) & (first & FIRST) & (last >> 1);
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
    char buffer[TCT_POINT_ROOM];
    double v;

    if (size == 0 || find_marker(bytes, size) < MARKERS)
        return;
    if (is_plain(bytes, size)) {
        h->whole++;
    } else if (tct_parse_number(bytes, size, &v)) {
        ++*(memchr(bytes, '.', size) ? &h->point : &h->whole);
    } else if (separator != ',' && size < sizeof(buffer) && memchr(bytes, ',', size)) {
        bool number, thousands = looks_like_thousands(bytes, size);

        for (size_t i = 0; i < size; i++)
            buffer[i] = bytes[i] == ',' ? '.' : bytes[i] == '.' ? ':' : bytes[i];
        number = thousands || tct_parse_number(buffer, size, &v);
        ++*(number ? &h->comma : &h->text);
        h->no_thousands += number && !thousands;
        tct_wipe(buffer, sizeof(buffer));
    } else {
        h->text++;
    }
}

/* Nothing but numbers, if the comma (else the point) is the mark? */
static bool is_number(const habit *h, bool comma)
{
    return !h->text && !(comma ? h->point : h->comma) && (h->whole || h->point || h->comma);
}

/* The same but for a few? */
static bool is_mostly_number(const habit *h, bool comma)
{
    size_t others = h->text + (comma ? h->point : h->comma), numbers = h->whole + (comma ? h->comma : h->point);

    return (double)numbers > TCT_MOSTLY * (double)(numbers + others);
}

/* What the columns say that `fits` takes for numbers; false if they say nothing. */
static bool decide_comma(const habit *all, size_t n, bool (*fits)(const habit *, bool), bool *comma)
{
    bool point = false, found = false;

    for (size_t c = 0; c < n; c++) {
        point = point || (all[c].point && fits(&all[c], false));
        found = found || (all[c].no_thousands && fits(&all[c], true));
    }
    *comma = found && !point;
    return found || point;
}

static bool is_comma(const habit *all, size_t n)
{
    bool comma;

    return decide_comma(all, n, is_number, &comma) || decide_comma(all, n, is_mostly_number, &comma) ? comma : false;
}

/* Does marker m occur, and is it a gap wherever it does? */
static bool is_gap(const tacit_table *table, const habit *all, size_t m, bool comma)
{
    bool found = false;

    for (size_t c = 0; c < table->csv->n_columns; c++) {
        bool here = table->marked[c] >> m & 1;

        if (here && m >= SURE && !is_number(&all[c], comma))
            return false;
        found = found || here;
    }
    return found;
}

/* The markers of the file, and which columns have them: what is no gap is forgotten. */
static tacit_status settle_markers(tacit_table *table, const habit *all, bool comma, tacit_error *err)
{
    tct_text list = {0};
    unsigned gaps = 0;
    tacit_status st;

    for (size_t m = 0; m < MARKERS; m++)
        if (is_gap(table, all, m, comma)) {
            tct_text_printf(&list, "%s%s", list.size ? "," : "", markers[m]);
            gaps |= 1u << m;
        }
    for (size_t c = 0; c < table->csv->n_columns; c++)
        table->marked[c] &= gaps;
    st = list.failed ? tct_fail_memory(err) : tct_csv_set_missing(table->csv, list.size ? list.bytes : NULL, err);
    tct_text_free(&list);
    return st;
}

/* Of the columns wanted.  One with more than `most` texts is no column of numbers any more. */
static void look_at_block(habit *all, const tct_csv *csv, const tct_block *block, const size_t *wanted, size_t n,
                          size_t most)
{
    for (size_t r = 0; r < block->n_rows; r++)
        for (size_t k = 0; k < n; k++) {
            habit *h = &all[wanted[k]];
            tct_datum value = tct_datum_at(csv, block, r, wanted[k]);

            if (h->text <= most && !tct_datum_missing(csv, &value))
                look_at_cell(h, value.bytes, value.size, csv->separator);
        }
}

static void add_habits(habit *sum, const habit *more, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        sum[c].whole += more[c].whole;
        sum[c].point += more[c].point;
        sum[c].comma += more[c].comma;
        sum[c].no_thousands += more[c].no_thousands;
        sum[c].text += more[c].text;
    }
}

/* All cells of the columns wanted, by several threads.  What they find hangs on no order. */
static tacit_status look_at_all(habit *all, const tacit_table *table, const size_t *wanted, size_t n_wanted,
                                tacit_error *err)
{
    size_t n = table->csv->n_columns, most = (size_t)((1 - TCT_MOSTLY) * (double)table->n_rows) + 1;
    bool failed = false;
    int n_threads = (int)tacit_threads(table->n_blocks > 1 ? 0 : 1);

#pragma omp parallel num_threads(n_threads)
    {
        habit *own = tct_calloc(n, sizeof(*own));

        if (!own) {
#pragma omp atomic write
            failed = true;
        }
#pragma omp for schedule(dynamic, 1)
        for (size_t b = 0; b < table->n_blocks; b++)
            if (own)
                look_at_block(own, table->csv, &table->blocks[b], wanted, n_wanted, most);
#pragma omp critical(tct_habits)
        if (own)
            add_habits(all, own, n);
        tct_free(own);
    }
    return failed ? tct_fail_memory(err) : TACIT_OK;
}

tacit_status tct_habits_begin(tacit_table *table, const tacit_csv_options *options, tacit_error *err)
{
    table->ask_commas = !(options && options->decimal) && table->csv->separator != ',';
    if (options && options->missing)
        return TACIT_OK;
    table->marked = tct_calloc(table->csv->n_columns, sizeof(*table->marked));
    return table->marked ? TACIT_OK : tct_fail_memory(err);
}

/* The cell in this column is a marker, perhaps. */
static void note_marker(tacit_table *table, size_t column, const char *bytes, size_t size)
{
    size_t m = find_marker(bytes, size);
    unsigned before;

#pragma omp atomic read
    before = table->marked[column];
    if (m == MARKERS || before >> m & 1)
        return;
#pragma omp atomic
    table->marked[column] |= 1u << m;
}

/* A column of texts of a block that holds numbers in others. */
static void note_texts(tacit_table *table, const tct_block *block, size_t column)
{
    size_t n_columns = table->csv->n_columns;
    const tct_cell *cell = block->cells + column;

    for (size_t r = 0; r < block->n_rows; r++, cell += n_columns)
        if (may_be_marker(block->bytes + cell->start, cell->size))
            note_marker(table, column, block->bytes + cell->start, cell->size);
}

void tct_habits_note(tacit_table *table, const tct_block *block)
{
    const tct_cell *cells = block->cells;
    const char *bytes = block->bytes;
    size_t n_columns = table->csv->n_columns, n = table->marked ? block->n_rows * n_columns : 0;
    bool commas;

    for (size_t i = 0; i < n && !block->numbers; i++)
        if (may_be_marker(bytes + cells[i].start, cells[i].size))
            note_marker(table, i % n_columns, bytes + cells[i].start, cells[i].size);
    for (size_t c = 0; n > 0 && block->numbers && c < n_columns; c++)
        if (tct_csv_holds(table->csv, c) == TCT_TEXT)
            note_texts(table, block, c);
#pragma omp atomic read
    commas = table->commas;
    if (table->ask_commas && !commas && memchr(bytes, ',', block->size)) {
#pragma omp atomic write
        table->commas = true;
    }
}

/* A dash or a dot hangs on what else its column has, the decimal mark on all columns. */
static size_t find_wanted(const tacit_table *table, size_t *wanted)
{
    size_t n = 0;

    for (size_t c = 0; c < table->csv->n_columns; c++)
        if (table->commas || (table->marked && table->marked[c] >> SURE))
            wanted[n++] = c;
    return n;
}

tacit_status tct_habits_find(tacit_table *table, tacit_error *err)
{
    tct_csv *csv = table->csv;
    habit *all = tct_calloc(csv->n_columns, sizeof(*all));
    size_t *wanted = tct_calloc(csv->n_columns, sizeof(*wanted)), n_wanted;
    tacit_status st = all && wanted ? TACIT_OK : tct_fail_memory(err);

    if (st)
        goto done;
    n_wanted = find_wanted(table, wanted);
    if (n_wanted > 0)
        st = look_at_all(all, table, wanted, n_wanted, err);
    if (!st && table->commas && is_comma(all, csv->n_columns)) {
        table->found_comma = true;
        csv->decimal = ',';
    }
    if (!st && table->marked)
        st = settle_markers(table, all, csv->decimal == ',', err);
done:
    tct_free(all);
    tct_free(wanted);
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
