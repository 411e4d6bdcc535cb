/*
 * schema_guess.c -- a schema from a table: what type each column has and which values it may take.
 *
 * Numbers and integers get their domain and mean from the training part: a model must not know the extremes of people
 * it is going to be tested on.  Levels and classes come from the whole table, since an unknown level is an error.
 *
 * A column with some text is a category.  A column of numbers with a little text, or of dates with a little else, is more
 * likely one with stray cells or a marker for "missing" that nobody mentioned; that is an error with its rows, unless
 * somebody says that the column is a category.  With more text than that it is one, with a remark.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_inside.h"
#include "dates.h"
#include "encode.h"
#include "habits.h"
#include "lookup.h"
#include "names.h"
#include "notice.h"
#include "remarks.h"
#include "schema.h"
#include "schema_findings.h"
#include "table_walk.h"

#define MISSING_LEVEL "(missing)"
#define TOO_LONG " (120 bytes at most"
_Static_assert(TCT_MAX_NAME == 120, "TOO_LONG says so");
#define HALF 0.5 /* share of numbers from which on it is told that a category has them */
enum { LEAST_AT_END = 5 };
/* More different numbers in the label look like something measured; a schema can say that they are classes. */
enum { MOST_NUMBERED_CLASSES = 64 };
#define ID_ROWS 50 /* up to here, all values may well be different by chance */

/* What inference works on. */
typedef struct inference {
    const tacit_table *table;
    const tacit_infer_options *options;
    const char *const *forced; /* columns that are categories whatever they hold, beside those of the options */
    size_t n_forced;
    tct_names dropped, categories;
    bool *held;             /* by row number - 1 */
    tct_findings *findings; /* of every column */
    tacit_schema *schema;
    tacit_error *problems; /* all that is wrong, in the order of the columns */
    size_t n_problems;
} inference;

/* The different values of a column. */
typedef struct levels {
    tct_lookup lookup;
    const char **names; /* terminated copies, by index */
    bool *trained;      /* occurs in the training part */
    size_t room;
} levels;

static tacit_status fail_column(const inference *in, size_t column, size_t row, tacit_error *err, const char *text)
{
    return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), row, tct_csv_column(in->table->csv, column),
                       "%s", text);
}

/* ---- levels ---- */

static void clear_levels(levels *all)
{
    for (size_t i = 0; all->names && i < all->lookup.count; i++)
        tct_free((void *)(uintptr_t)all->names[i]);
    tct_free(all->names);
    tct_free(all->trained);
    tct_lookup_clear(&all->lookup);
}

/* The cell's value as a level; *full is set when there is no room for another. */
static tacit_status add_level(const inference *in, levels *all, tct_walk *w, bool *full, tacit_error *err)
{
    size_t size;
    const char *bytes = tct_walk_text(w, &size), *problem, *name;
    uint32_t index = tct_lookup_find(&all->lookup, bytes, size);
    tacit_status st;

    if (index == TCT_LOOKUP_NONE) {
        *full = all->lookup.count == all->room;
        if (*full)
            return TACIT_OK;
        problem = tct_name_problem(bytes, size, TCT_MAX_NAME);
        if (problem)
            return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), w->number,
                               tct_csv_column(in->table->csv, w->column), "the value %s%s", problem,
                               size > TCT_MAX_NAME ? TOO_LONG "; --drop leaves the column out)" : "");
        name = all->names[all->lookup.count] = tct_strndup(bytes, size);
        if (!name)
            return tct_fail_memory(err);
        st = tct_lookup_add(&all->lookup, name, size, &index, err);
        if (st) {
            tct_free((void *)(uintptr_t)name);
            return st;
        }
    }
    all->trained[index] = all->trained[index] || !in->held[w->number - 1];
    return TACIT_OK;
}

/* All values of a column, up to `room` different ones. */
static tacit_status collect_levels(const inference *in, size_t column, size_t room, levels *all, bool *full,
                                   tacit_error *err)
{
    tct_walk w = {.table = in->table, .column = column};
    tacit_status st = TACIT_OK;

    *full = false;
    all->room = room;
    all->names = tct_calloc(room + 1, sizeof(*all->names)); /* one more for "missing" */
    all->trained = tct_calloc(room + 1, sizeof(*all->trained));
    if (!all->names || !all->trained)
        return tct_fail_memory(err);
    while (!st && !*full && tct_walk_next(&w))
        if (!w.missing)
            st = add_level(in, all, &w, full, err);
    return st;
}

/* By value; spellings of the same value by bytes. */
static int compare_numbers(const void *a, const void *b)
{
    const char *text_a = *(const char *const *)a, *text_b = *(const char *const *)b;
    double value_a = 0, value_b = 0;

    tct_parse_number(text_a, strlen(text_a), &value_a);
    tct_parse_number(text_b, strlen(text_b), &value_b);
    return value_a < value_b ? -1 : value_a > value_b ? 1 : strcmp(text_a, text_b);
}

/* ---- one column ---- */

static bool in_list(const tct_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

/* Is the name in a comma-separated list? */
static bool in_list_of(const char *list, const char *name)
{
    tct_names names = {0};
    bool found = tct_names_split(&names, list, NULL) == TACIT_OK && in_list(&names, name);

    tct_names_free(&names);
    return found;
}

/* Are all values of the column different? */
static tacit_status all_different(const inference *in, size_t column, bool *different, tacit_error *err)
{
    tct_walk w = {.table = in->table, .column = column};
    tct_lookup seen = {0};
    tacit_status st = TACIT_OK;
    uint32_t index;

    *different = in->table->n_rows > ID_ROWS;
    while (!st && *different && tct_walk_next(&w)) {
        uint32_t count = seen.count;
        size_t size;
        const char *key = tct_walk_key(&w, &size);

        st = tct_lookup_add(&seen, key, size, &index, err);
        *different = !w.missing && seen.count > count;
    }
    tct_lookup_clear(&seen);
    return st;
}

/* 1, 2 or 5 times a power of ten, about a twentieth of the span; for whole numbers at least 2. */
static double choose_step(double span, bool whole)
{
    double least = span / 20, power = pow(10, floor(log10(least)));
    double step = power >= least ? power : 2 * power >= least ? 2 * power : 5 * power >= least ? 5 * power : 10 * power;

    return whole && step < 2 ? 2 : step;
}

/* The next multiple of the step beyond v, in the direction of `away`; v itself where numbers are too large for that. */
static double round_away(double v, double step, double away)
{
    double n = away < 0 ? floor(v / step) : ceil(v / step);
    double rounded =
        step < 1 ? n / rint(1 / step) : n * step; /* so that it is the double nearest to the short decimal */

    return isfinite(rounded) && (rounded - v) * away >= 0 ? rounded + 0.0 : v;
}

/* The domain of a number.  The smallest and the largest value of all are somebody's: where fewer than LEAST_AT_END people
 * have it, the end is rounded outward to a short decimal, which tells little more than the order of magnitude.  Where so few
 * have any value at all, what lies between theirs is theirs too: steps go by how large the values are, and there is room for
 * one at least. */
static void choose_domain(const tct_findings *f, tacit_attribute *a)
{
    bool few = f->n_train < LEAST_AT_END;
    double size = fmax(fabs(f->min), fabs(f->max)), span = few ? fmax(f->max - f->min, size) : f->max - f->min;
    double step = span > 0 ? choose_step(span, f->whole) : few ? 1 + f->whole : 0;

    a->min = step > 0 && f->n_min < LEAST_AT_END ? round_away(f->min, step, -1) : f->min;
    a->max = step > 0 && f->n_max < LEAST_AT_END ? round_away(f->max, step, 1) : f->max;
    if (few && a->min == a->max)
        a->max = round_away(a->max + step, step, 1);
}

static tacit_status infer_number(const inference *in, size_t column, const tct_findings *f, tacit_attribute *a,
                                 tacit_error *err)
{
    tacit_status st = TACIT_OK;
    double mean;

    if (f->n_train == 0)
        return fail_column(in, column, 0, err, "all values in the training part are missing; leave it out with --drop");
    if (!isfinite(f->max - f->min))
        return fail_column(in, column, 0, err, "the smallest and the largest number are too far apart");
    choose_domain(f, a);
    a->type = f->whole && a->max - a->min < TCT_MAX_GRID ? TACIT_INTEGER : TACIT_NUMBER;
    mean = f->min == f->max && a->min < a->max ? a->min / 2 + a->max / 2 : f->mean; /* nobody's own */
    a->fill = a->type == TACIT_INTEGER ? rint(mean) + 0.0 : mean;                   /* + 0.0: no negative zero */
    a->fill = a->fill < a->min ? a->min : a->fill > a->max ? a->max : a->fill;
    if (f->n_zeros > 0)
        st = tct_remark_add(in->schema, "leading_zeros", &a->name, 1, err,
                            "column %s has numbers that begin with a zero, as codes do: if it is one, name it in "
                            "--category",
                            a->name);
    if (!st && f->min == f->max && (a->min == a->max || f->n_missing == 0))
        st = tct_remark_add(in->schema, "constant", &a->name, 1, err,
                            "column %s has one value in the training part: it cannot matter", a->name);
    return st;
}

static tacit_status fail_stray(const inference *in, size_t column, const tct_findings *f, tacit_error *err)
{
    tct_text others = {0};
    size_t rows[TCT_ROWS_TOLD], n = tct_findings_stray(f, in->table, column, rows);
    tacit_status st;

    for (size_t i = 1; i < n && i < TCT_ROWS_TOLD; i++)
        tct_text_printf(&others, "%s%zu", i == 1 ? n == 2 ? ", and so in row " : ", and so in rows " : ", ", rows[i]);
    if (n > TCT_ROWS_TOLD)
        tct_text_printf(&others, " and %zu more", n - TCT_ROWS_TOLD);
    st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), rows[0], tct_csv_column(in->table->csv, column),
                     "expected a %s like the other rows have%s (if it means missing, name it in --missing; if the "
                     "column is no %s, name it in --category; --skip-bad-rows leaves such rows out)",
                     f->kind == TCT_COLUMN_DATES ? "date" : "number", others.bytes ? others.bytes : "",
                     f->kind == TCT_COLUMN_DATES ? "date" : "number");
    tct_text_free(&others);
    return st;
}

/* A category of numbers that are not written as numbers, or that half of the rows and more have numbers in. */
static tacit_status remark_mixed(const inference *in, const tct_findings *f, const char *name, tacit_error *err)
{
    double cells = (double)(f->n_numbers + f->n_other);

    if (f->n_written > 0 && (double)(f->n_numbers + f->n_written) > TCT_MOSTLY * cells)
        return tct_remark_add(
            in->schema, "written_numbers", &name, 1, err,
            "column %s is a category because of the signs or separators in its numbers (as in 5 %% or "
            "1,234): written plainly they would be numbers",
            name);
    if (f->n_other == 0 || (double)f->n_numbers < HALF * cells)
        return TACIT_OK;
    return tct_remark_add(
        in->schema, "stray_text", &name, 1, err,
        "column %s is a category because %.0f %% of its cells are text, the others are numbers: if the "
        "text means missing, name it in --missing",
        name, 100.0 * (double)f->n_other / cells);
}

/* A column of dates as day numbers. */
static tacit_status infer_date(const inference *in, size_t column, tacit_dates order, tacit_attribute *a,
                               tacit_error *err)
{
    static const char *const orders[] = {"", "year, month, day", "day, month, year", "month, day, year"};
    tct_walk w = {.table = in->table, .column = column};
    tct_findings f = {.whole = true};
    int64_t days;
    tacit_status st;

    while (tct_walk_next(&w))
        if (w.missing)
            f.n_missing++;
        else if (tct_datum_date(&w.value, order, &days))
            tct_findings_count(&f, (double)days, in->held[w.number - 1]);
    st = infer_number(in, column, &f, a, err);
    if (st)
        return st;
    if (a->type != TACIT_INTEGER)
        return fail_column(in, column, 0, err,
                           "the first and the last date are too far apart: leave it out with --drop");
    a->dates = order;
    return tct_remark_add(
        in->schema, "date", &a->name, 1, err,
        "column %s holds dates (%s), which count as days since 1970-01-01; a date may point at a person", a->name,
        orders[order]);
}

/* Leave a column of dates out. */
static tacit_status drop_date(const inference *in, const char *name, tacit_dates order, tacit_error *err)
{
    if (in_list_of(in->options->sensitive, name) || in_list_of(in->options->public_, name))
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), 0, name,
                           order ? "a column of dates: --dates days makes day numbers of them"
                                 : "a column of dates with years of two digits, which cannot be numbered");
    return tct_remark_add(in->schema, "date", &name, 1, err,
                          order ? "column %s holds dates and was left out; --dates days makes day numbers of them"
                                : "column %s holds dates with years of two digits and was left out",
                          name);
}

static bool is_category(const inference *in, const char *name)
{
    for (size_t i = 0; i < in->n_forced; i++)
        if (strcmp(in->forced[i], name) == 0)
            return true;
    return in_list(&in->categories, name);
}

static tacit_status infer_category(const inference *in, size_t column, const tct_findings *f, levels *all,
                                   tacit_attribute *a, tacit_error *err)
{
    size_t room = TCT_MAX_LEVELS - (f->n_missing > 0), n_new = 0, n = 0;
    tacit_status st;
    bool full;

    st = collect_levels(in, column, room, all, &full, err);
    if (st)
        return st;
    if (full)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), 0, a->name,
                           "more than %d different texts: leave it out with --drop", TCT_MAX_LEVELS);
    for (size_t i = 0; i < all->lookup.count; i++)
        n_new += !all->trained[i];
    qsort(all->names, all->lookup.count, sizeof(*all->names), tct_compare_texts);
    n = all->lookup.count;
    a->type = TACIT_CATEGORY;
    a->encoding = in->options->encoding;
    a->levels = all->names;
    a->n_levels = n;
    if (f->n_missing > 0) {
        a->missing_level = 0;
        while (a->missing_level < n && strcmp(all->names[a->missing_level], MISSING_LEVEL) != 0)
            a->missing_level++; /* the table may spell it out */
        if (a->missing_level == n)
            a->n_levels++;
        all->names[n] = MISSING_LEVEL;
    }
    if (a->n_levels == 1)
        st = tct_remark_add(in->schema, "constant", &a->name, 1, err, "column %s has one value: it cannot matter",
                            a->name);
    if (!st && n_new > 0)
        st = tct_remark_add(in->schema, "untrained_levels", &a->name, 1, err,
                            "column %s: %zu of %zu levels do not occur in the training part", a->name, n_new,
                            a->n_levels);
    return st;
}

/* The attribute of a column, and the remarks on it. */
static tacit_status infer_column(const inference *in, size_t column, tacit_error *err)
{
    tacit_attribute a = {.name = tct_csv_column(in->table->csv, column),
                         .role = TACIT_SENSITIVE,
                         .cost = 1,
                         .missing_level = TACIT_NONE};
    const char *problem = tct_name_problem(a.name, strlen(a.name), TCT_MAX_NAME);
    bool different = false, category = is_category(in, a.name);
    levels all = {0};
    tct_findings f;
    double missing;
    tct_column_kind kind;
    tacit_status st = TACIT_OK;

    if (problem)
        return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), 0, NULL, "the name of column %zu %s%s",
                           column + 1, problem, strlen(a.name) > TCT_MAX_NAME ? TOO_LONG ")" : "");
    f = in->findings[column];
    if (f.n_numbers + f.n_other == 0)
        return fail_column(in, column, 0, err, "all values are missing; leave it out with --drop");
    kind = category ? TCT_COLUMN_TEXT : f.kind;
    if (kind != TCT_COLUMN_TEXT && f.n_stray > 0 && !tct_csv_may_skip(in->table->csv))
        return fail_stray(in, column, &f, err);
    if (kind == TCT_COLUMN_DATES && !(f.order && in->options->dates_as_days))
        return drop_date(in, a.name, f.order, err);
    if (!category && f.blurred)
        return fail_column(in, column, f.blurred, err,
                           "a whole number of so many digits cannot be told from its neighbours: leave the column out "
                           "with --drop, or name it in --category");
    st = kind == TCT_COLUMN_NUMBERS ? infer_number(in, column, &f, &a, err)
         : kind == TCT_COLUMN_DATES ? infer_date(in, column, f.order, &a, err)
                                    : infer_category(in, column, &f, &all, &a, err);
    if (!st && !category && kind == TCT_COLUMN_TEXT)
        st = remark_mixed(in, &f, a.name, err);
    a.missing_is_value = f.missing_trained;
    if (!st)
        st = tct_schema_add(in->schema, &a, err);
    if (!st && (f.n_other > 0 || f.whole))
        st = all_different(in, column, &different, err);
    if (!st && different)
        st = tct_remark_add(in->schema, "identifier", &a.name, 1, err,
                            "column %s looks like an identifier (no value occurs twice): consider leaving it out",
                            a.name);
    missing = 100.0 * (double)f.n_missing / (double)in->table->n_rows;
    if (!st && f.n_missing > in->table->n_rows / 2)
        st = tct_remark_add(in->schema, "mostly_missing", &a.name, 1, err,
                            "column %s is missing in %s%.0f %% of the rows", a.name, missing < 99.5 ? "" : "more than ",
                            fmin(missing, 99));
    clear_levels(&all);
    return st;
}

static tacit_status fail_unlabelled(const inference *in, size_t column, size_t missing, size_t first, tacit_error *err)
{
    char all[64] = "the row";

    if (missing > 1)
        snprintf(all, sizeof(all), "it and %zu other%s", missing - 1, missing == 2 ? "" : "s");
    return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), first, tct_csv_column(in->table->csv, column),
                       "the label is missing; --skip-unlabelled leaves %s out", all);
}

static tacit_status infer_label(const inference *in, size_t column, tacit_error *err)
{
    tct_walk w = {.table = in->table, .column = column};
    levels all = {0};
    size_t missing = 0, first = 0, most;
    bool full, numbers = true;
    double v;
    tacit_status st;

    while (tct_walk_next(&w)) {
        if (w.missing) {
            first = missing++ ? first : w.number;
            continue;
        }
        numbers = numbers && tct_datum_number(in->table->csv, &w.value, &v);
    }
    if (missing)
        return fail_unlabelled(in, column, missing, first, err);
    most = numbers ? MOST_NUMBERED_CLASSES : TCT_MAX_CLASSES;
    st = collect_levels(in, column, most, &all, &full, err);
    if (!st && full)
        st = tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(in->table->csv), 0, in->options->label,
                         "more than %zu classes: the label looks like %s", most,
                         numbers ? "a number to be predicted, not a class" : "free text");
    if (!st && all.lookup.count < 2)
        st = fail_column(in, column, 0, err, "the label has one class only");
    if (!st) {
        qsort(all.names, all.lookup.count, sizeof(*all.names), numbers ? compare_numbers : tct_compare_texts);
        in->schema->label = tct_strdup(in->options->label);
        st = in->schema->label ? tct_schema_copy_texts(&in->schema->classes, all.names, all.lookup.count, err)
                               : tct_fail_memory(err);
    }
    if (!st)
        in->schema->n_classes = all.lookup.count;
    clear_levels(&all);
    return st;
}

/* ---- options ---- */

/* A column that an option names. */
static tacit_status find_column(const inference *in, const char *name, size_t *column, tacit_error *err)
{
    const tct_csv *csv = in->table->csv;
    const char *close;

    *column = tct_csv_find(csv, name);
    if (*column != TACIT_NONE)
        return TACIT_OK;
    close = tacit_suggest(name, (const char *const *)csv->columns, csv->n_columns);
    if (close)
        return tct_fail_at(err, TACIT_E_USAGE, csv->path, 0, NULL, "no column is called %s; did you mean %s?", name,
                           close);
    return tct_fail_at(err, TACIT_E_USAGE, csv->path, 0, NULL, "no column is called %s%s", name,
                       csv->n_columns == 1 ? "; the file has a single column (another separator?)" : "");
}

static tacit_status check_dropped(const inference *in, tacit_error *err)
{
    size_t column;

    for (size_t i = 0; i < in->dropped.count; i++) {
        const char *name = in->dropped.items[i];
        tct_names before = {in->dropped.items, i};
        tacit_status st = find_column(in, name, &column, err);

        if (st)
            return st;
        if (strcmp(name, in->options->label) == 0)
            return tct_fail(err, TACIT_E_USAGE, "%s is the label: it cannot be dropped", name);
        if (in_list(&before, name))
            return tct_fail(err, TACIT_E_USAGE, "%s is dropped twice", name);
    }
    return TACIT_OK;
}

/* A dropped column has no role. */
static tacit_status check_roles(const inference *in, const char *list, tacit_error *err)
{
    tct_names names;
    tacit_status st = tct_names_split(&names, list, err);

    for (size_t i = 0; !st && i < names.count; i++)
        if (in_list(&in->dropped, names.items[i]))
            st = tct_fail(err, TACIT_E_USAGE, "%s is dropped: it has no role", names.items[i]);
    tct_names_free(&names);
    return st;
}

static tacit_status check_options(inference *in, tacit_error *err)
{
    const tacit_infer_options *options = in->options;
    size_t column;
    tacit_status st;

    if (!options->label || !options->label[0])
        return tct_fail(err, TACIT_E_USAGE, "which column is the label?");
    if (!(options->test_share >= 0 && options->test_share < 1))
        return tct_fail(err, TACIT_E_USAGE, "the share held out for testing must be at least 0 and below 1");
    st = find_column(in, options->label, &column, err);
    if (!st)
        st = tct_names_split(&in->dropped, options->drop, err);
    if (!st)
        st = check_dropped(in, err);
    if (!st)
        st = tct_names_split(&in->categories, options->categories, err);
    for (size_t i = 0; i < in->categories.count && !st; i++)
        st = find_column(in, in->categories.items[i], &column, err);
    if (!st)
        st = check_roles(in, options->sensitive, err);
    if (!st)
        st = check_roles(in, options->public_, err);
    return st;
}

/* Keep a problem for the list, so that others can be found as well; lack of memory ends everything. */
static tacit_status keep_problem(inference *in, tacit_status st, tacit_error *err)
{
    tacit_error *grown;

    if (st != TACIT_E_INPUT && st != TACIT_E_USAGE)
        return st;
    grown = tct_realloc(in->problems, in->n_problems + 1, sizeof(*grown));
    if (!grown)
        return tct_fail_memory(err);
    in->problems = grown;
    in->problems[in->n_problems++] = *err;
    return TACIT_OK;
}

static tacit_status infer_columns(inference *in, tacit_error *err)
{
    const tct_csv *csv = in->table->csv;
    tacit_status st = in->table->problem ? keep_problem(in, TACIT_E_INPUT, in->table->problem) : TACIT_OK;

    if (!st)
        in->findings = tct_calloc(csv->n_columns + 1, sizeof *in->findings);
    if (!st && !in->findings)
        st = tct_fail_memory(err);
    if (!st) {
        tct_findings_look(in->findings, in->table, in->held);
        st = tct_habits_remark(in->schema, in->table, err);
    }
    if (!st)
        st = keep_problem(in, infer_label(in, tct_csv_find(csv, in->options->label), err), err);
    for (size_t c = 0; !st && c < csv->n_columns; c++) {
        if (strcmp(csv->columns[c], in->options->label) == 0 || in_list(&in->dropped, csv->columns[c]))
            continue;
        if (in->schema->n_attributes == TCT_MAX_ATTRIBUTES)
            return tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL,
                               "more than %d attributes: leave some out with --drop", TCT_MAX_ATTRIBUTES);
        st = keep_problem(in, infer_column(in, c, err), err);
    }
    if (!st && in->n_problems > 0)
        return tct_fail_list(err, csv->path, in->problems, in->n_problems);
    if (!st && in->schema->n_attributes == 0)
        st = tct_fail_at(err, TACIT_E_INPUT, csv->path, 0, NULL, "no column beside the label");
    if (!st)
        st = tct_schema_check_inputs(in->schema, err);
    if (!st)
        st = tacit_schema_set_roles(in->schema, in->options->sensitive, in->options->public_, err);
    if (!st)
        st = tct_notice_columns(in->schema, in->table, in->held, err);
    if (!st)
        st = tct_habits_keep(in->schema, in->table, err);
    return st;
}

tacit_status tacit_schema_infer(tacit_schema **out, const tacit_table *table, const tacit_infer_options *options,
                                tacit_error *err)
{
    return tct_schema_infer_as(out, table, options, NULL, 0, err);
}

tacit_status tct_schema_infer_as(tacit_schema **out, const tacit_table *table, const tacit_infer_options *options,
                                 const char *const *categories, size_t n_categories, tacit_error *err)
{
    tacit_infer_options own;
    inference in = {.table = table, .options = &own, .forced = categories, .n_forced = n_categories};
    tacit_status st = TCT_OPTIONS_TAKE(&own, tacit_infer_options, categories, options, err);

    *out = NULL;
    if (!st)
        st = check_options(&in, err);
    if (st)
        goto done;
    in.schema = tct_calloc(1, sizeof(*in.schema));
    in.held = tct_malloc(table->last_row, sizeof(*in.held));
    if (!in.schema || !in.held) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t r = 0; r < table->last_row; r++)
        in.held[r] = tct_held_out(own.seed, own.test_share, r + 1);
    st = infer_columns(&in, err);
    if (st)
        goto done;
    *out = in.schema;
    in.schema = NULL;
done:
    tacit_schema_free(in.schema);
    tct_free(in.held);
    tct_free(in.findings);
    tct_free(in.problems);
    tct_names_free(&in.dropped);
    tct_names_free(&in.categories);
    return st;
}
