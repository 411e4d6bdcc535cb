/*
 * onnx_pipeline.c -- the operators that stand between a table and a model: encoders, an imputer, and picking columns.
 *
 * An encoder works on the levels of a category, of which there are few: what it makes of each is written down, and
 * whatever reads the column later looks it up.  So a one-hot group stays one attribute, and the schema's levels need not
 * be in the order of the encoder's.
 */
#include "onnx_inside.h"

#include <math.h>

static const tacit_attribute *attribute_of(const tct_onnx *o, const tct_source *column)
{
    return &o->codec->schema->attributes[column->attribute];
}

/* Input 0 as columns, each of one attribute. */
static tacit_status get_table(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value **out)
{
    tacit_status st = tct_onnx_table(o, node, 0, out);

    if (!st && !(*out)->sources)
        st = tct_onnx_fail(o, "is understood in front of a model only, on columns that come from one attribute each");
    if (!st && (*out)->deep)
        st = tct_onnx_fail(o, "input 1 has three dimensions; a Reshape must come first");
    return st;
}

/* All columns must be categories: what is done to them level by level cannot be done number by number. */
static tacit_status check_categories(tct_onnx *o, const tct_value *a)
{
    for (size_t i = 0; i < a->columns; i++)
        if (!a->sources[i].values && !a->sources[i].texts)
            return tct_onnx_fail(o,
                                 "attribute '%.60s' is a number in the schema; let it be a category whose levels are "
                                 "the values that this operator knows",
                                 attribute_of(o, &a->sources[i])->name);
    return TACIT_OK;
}

/* ---- OneHotEncoder ---- */

/* What an encoder knows. */
typedef struct categories {
    const char *const *texts;
    const int64_t *numbers;
    size_t count;
    int64_t zeros; /* others are all 0; else they are an error */
} categories;

static tacit_status get_categories(tct_onnx *o, const TctOnnx__NodeProto *node, bool text, categories *c)
{
    size_t n_texts = 0, n_numbers = 0;
    tacit_status st;

    *c = (categories){.zeros = 1};
    if ((st = tct_onnx_names(o, node, "cats_strings", NULL, NULL, &c->texts, &n_texts)) ||
        (st = tct_onnx_ints(o, node, "cats_int64s", &c->numbers, &n_numbers)) ||
        (st = tct_onnx_int(o, node, "zeros", &c->zeros)))
        return st;
    if ((n_texts > 0) == (n_numbers > 0))
        return tct_onnx_fail(o, "expected either cats_strings or cats_int64s");
    if (text != (n_texts > 0))
        return tct_onnx_fail(o, "knows categories that are %s, but reads %s", n_texts ? "texts" : "numbers",
                             text ? "texts" : "numbers");
    c->count = n_texts + n_numbers;
    return TACIT_OK;
}

/* The place of a level among the categories; the last one counts where one is there twice.  c->count: not there. */
static size_t find_category(const categories *c, const tct_source *column, size_t level)
{
    for (size_t k = c->count; k-- > 0;)
        if (c->texts ? strcmp(c->texts[k], column->texts[level]) == 0
                     : trunc(column->values[level]) == (double)c->numbers[k])
            return k;
    return c->count;
}

/* The columns of one category, one after the other. */
static tacit_status encode_column(tct_onnx *o, const categories *c, const tct_source *column, tct_source *out)
{
    const tacit_attribute *a = attribute_of(o, column);
    double *values = tct_onnx_alloc(o, c->count * a->n_levels, sizeof *values);

    if (!values)
        return o->error.status;
    for (size_t k = 0; k < c->count; k++)
        out[k] = (tct_source){.attribute = column->attribute, .values = values + k * a->n_levels, .missing = NAN};
    for (size_t level = 0; level < a->n_levels; level++) {
        size_t k = find_category(c, column, level);

        if (k < c->count)
            values[k * a->n_levels + level] = 1;
        else if (!c->zeros)
            return tct_onnx_fail(o,
                                 "does not know the level '%.60s' of '%.60s', and stops where zeros is 0: take it out "
                                 "of the schema",
                                 a->levels[level], a->name);
    }
    return TACIT_OK;
}

tacit_status tct_onnx_one_hot(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_source *columns;
    categories c;
    tct_value value;
    tacit_status st;

    if ((st = get_table(o, node, &a)) || (st = check_categories(o, a)) || (st = get_categories(o, node, a->text, &c)))
        return st;
    if (c.count * a->columns > TCT_MAX_INPUTS)
        return tct_onnx_fail(o, "makes %zu columns; at most %d are possible", c.count * a->columns, TCT_MAX_INPUTS);
    columns = tct_onnx_alloc(o, c.count * a->columns, sizeof *columns);
    if (!columns)
        return o->error.status;
    for (size_t i = 0; i < a->columns && !st; i++)
        st = encode_column(o, &c, &a->sources[i], columns + i * c.count);
    value = (tct_value){.kind = TCT_WIRE, .deep = a->flat ? 0 : c.count};
    return st ? st : tct_onnx_put_columns(o, node, &value, NULL, columns, c.count * a->columns);
}

/* ---- LabelEncoder ---- */

/* Keys or values: texts or numbers. */
typedef struct entries {
    const char *const *texts;
    double *numbers;
    size_t count;
    bool whole;
} entries;

static tacit_status get_entries(tct_onnx *o, const TctOnnx__NodeProto *node, const char *what, entries *e)
{
    char texts[32], ints[32], floats[32];
    const TctOnnx__AttributeProto *list;
    tacit_status st;

    snprintf(texts, sizeof texts, "%s_strings", what);
    snprintf(ints, sizeof ints, "%s_int64s", what);
    snprintf(floats, sizeof floats, "%s_floats", what);
    *e = (entries){0};
    st = tct_onnx_names(o, node, texts, NULL, NULL, &e->texts, &e->count);
    if (st || e->texts)
        return st;
    list = tct_onnx_attribute(node, ints) ? tct_onnx_attribute(node, ints) : tct_onnx_attribute(node, floats);
    e->whole = tct_onnx_attribute(node, ints) != NULL;
    e->count = !list ? 0 : e->whole ? list->n_ints : list->n_floats;
    e->numbers = tct_onnx_alloc(o, e->count + 1, sizeof *e->numbers);
    if (!e->numbers)
        return o->error.status;
    for (size_t i = 0; i < e->count; i++) {
        e->numbers[i] = e->whole ? (double)list->ints[i] : (double)list->floats[i];
        if (!(fabs(e->numbers[i]) < 0x1p53))
            return tct_onnx_fail(o, "one of its %s is not finite, or beyond 2^53", what);
    }
    return TACIT_OK;
}

/* The names of its first version, which stand for 0, 1, ...; text becomes number or the other way. */
static tacit_status get_classes(tct_onnx *o, const TctOnnx__NodeProto *node, bool text, entries *keys, entries *values)
{
    entries names = {0}, places = {.whole = true};
    tacit_status st = tct_onnx_names(o, node, "classes_strings", NULL, NULL, &names.texts, &names.count);

    if (st || !names.texts)
        return st;
    places.count = names.count;
    places.numbers = tct_onnx_alloc(o, names.count, sizeof *places.numbers);
    if (!places.numbers)
        return o->error.status;
    for (size_t k = 0; k < names.count; k++)
        places.numbers[k] = (double)k;
    *keys = text ? names : places;
    *values = text ? places : names;
    return TACIT_OK;
}

/* What others become. */
static tacit_status get_default(tct_onnx *o, const TctOnnx__NodeProto *node, const entries *values, const char **text,
                                double *number)
{
    int64_t whole = -1;
    tacit_status st;

    *text = "_Unused";
    *number = 0;
    if ((st = tct_onnx_text(o, node, "default_string", text)) ||
        (st = tct_onnx_int(o, node, "default_int64", &whole)) ||
        (st = tct_onnx_float(o, node, "default_float", number)))
        return st;
    if (values->whole)
        *number = (double)whole;
    return TACIT_OK;
}

/* One column through keys and values. */
static tacit_status recode_column(tct_onnx *o, const TctOnnx__NodeProto *node, const entries *keys,
                                  const entries *values, tct_source *column)
{
    size_t n = attribute_of(o, column)->n_levels;
    const char **texts = tct_onnx_alloc(o, n, sizeof *texts), *other = NULL;
    double *numbers = tct_onnx_alloc(o, n, sizeof *numbers), number = 0;
    tacit_status st = texts && numbers ? get_default(o, node, values, &other, &number) : o->error.status;

    for (size_t level = 0; level < n && !st; level++) {
        size_t k = 0;

        while (k < keys->count && !(keys->texts ? strcmp(keys->texts[k], column->texts[level]) == 0
                                                : keys->numbers[k] == column->values[level]))
            k++;
        texts[level] = values->texts && k < keys->count ? values->texts[k] : other;
        numbers[level] = values->numbers && k < keys->count ? values->numbers[k] : number;
    }
    column->texts = values->texts ? texts : NULL;
    column->values = values->texts ? NULL : numbers;
    return st;
}

tacit_status tct_onnx_recode(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    tct_source *columns;
    entries keys, values;
    tct_value value;
    tacit_status st;

    if ((st = get_table(o, node, &a)) || (st = check_categories(o, a)) || (st = get_entries(o, node, "keys", &keys)) ||
        (st = get_entries(o, node, "values", &values)) || (st = get_classes(o, node, a->text, &keys, &values)))
        return st;
    if (keys.count == 0 || keys.count != values.count)
        return tct_onnx_fail(o, "expected as many keys as values, in lists of text, int64 or float");
    if (a->text != (keys.texts != NULL))
        return tct_onnx_fail(o, "knows keys that are %s, but reads %s", keys.texts ? "texts" : "numbers",
                             a->text ? "texts" : "numbers");
    columns = tct_sources_copy(o, a->sources, NULL, a->columns);
    if (!columns)
        return o->error.status;
    for (size_t i = 0; i < a->columns && !st; i++)
        st = recode_column(o, node, &keys, &values, &columns[i]);
    value = (tct_value){.kind = TCT_WIRE, .flat = a->flat, .text = values.texts != NULL, .whole = values.whole};
    return st ? st : tct_onnx_put_columns(o, node, &value, NULL, columns, a->columns);
}

/* ---- Imputer ---- */

/* What is replaced, and by what in each column. */
static tacit_status get_replacement(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *a, double *replaced,
                                    double **by)
{
    const TctOnnx__AttributeProto *what =
        tct_onnx_attribute(node, a->whole ? "replaced_value_int64" : "replaced_value_float");
    const int64_t *whole = NULL;
    size_t count = 0;
    tacit_status st;

    if (!what || !(a->whole ? what->has_i : what->has_f))
        return tct_onnx_fail(o, "does not say which value it replaces");
    *replaced = a->whole ? (double)what->i : (double)what->f;
    if (!a->whole)
        return tct_onnx_per_column(o, node, "imputed_value_floats", a->columns, 0, by);
    if ((st = tct_onnx_ints(o, node, "imputed_value_int64s", &whole, &count)))
        return st;
    if (count != 1 && count != a->columns)
        return tct_onnx_fail(o, "imputed_value_int64s has %zu numbers, but rows have %zu", count, a->columns);
    *by = tct_onnx_alloc(o, a->columns, sizeof **by);
    for (size_t i = 0; *by && i < a->columns; i++)
        (*by)[i] = (double)whole[count == 1 ? 0 : i];
    return *by ? TACIT_OK : o->error.status;
}

/* Does a linear model or network see the same as the deployed one where a number is missing?  Here it sees `fill`. */
static tacit_status check_fill(tct_onnx *o, const tct_source *column, double by, const char **reason)
{
    const tacit_attribute *a = attribute_of(o, column);
    char *text, number[32];

    if (*reason || (float)tct_source_value(column, a->fill) == (float)by)
        return TACIT_OK;
    text = tct_onnx_alloc(o, 300, 1);
    if (!text)
        return o->error.status;
    tct_format_number(by, number, sizeof number);
    snprintf(
        text, 300,
        "the Imputer makes another number of a missing '%.60s' than the schema, which says what stands for it: let "
        "its fill be %s%s",
        a->name, number, column->steps ? " after what is done to it before" : "");
    *reason = text;
    return TACIT_OK;
}

static tacit_status impute_column(tct_onnx *o, tct_source *column, double replaced, double by, const char **reason)
{
    const tacit_attribute *a = attribute_of(o, column);
    double *values;

    if (column->values) {
        values = tct_onnx_alloc(o, a->n_levels, sizeof *values);
        for (size_t k = 0; values && k < a->n_levels; k++) {
            bool same = isnan(replaced) ? isnan(column->values[k]) : column->values[k] == replaced;

            values[k] = same ? by : column->values[k];
        }
        column->values = values;
        return values ? TACIT_OK : o->error.status;
    }
    if (!isnan(replaced))
        return tct_onnx_fail(o,
                             "replaces one number of '%.60s' by another; only missing values (NaN) are replaced: "
                             "write it as a missing cell",
                             a->name);
    if (!isnan(column->missing))
        return TACIT_OK; /* has been replaced already */
    column->missing = by;
    return check_fill(o, column, by, reason);
}

tacit_status tct_onnx_imputer(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_affine *scores;
    const char *reason = NULL;
    double replaced = 0, *by = NULL;
    tct_source *columns;
    tct_value value;
    bool fresh = true; /* nothing but raw numbers and tables: affine functions can be made anew */
    tacit_status st;

    if ((st = get_table(o, node, &a)))
        return st;
    if (a->text || a->wide)
        return tct_onnx_fail(o, "of %s is not defined; expected float or int64", a->text ? "texts" : "doubles");
    if ((st = get_replacement(o, node, a, &replaced, &by)))
        return st;
    columns = tct_sources_copy(o, a->sources, NULL, a->columns);
    if (!columns)
        return o->error.status;
    for (size_t i = 0; i < a->columns && !st; i++) {
        fresh = fresh && (columns[i].values || !columns[i].steps);
        st = impute_column(o, &columns[i], replaced, by[i], &reason);
    }
    value = *a;
    value.reason = reason ? reason : fresh ? NULL : a->reason;
    scores = reason || fresh ? NULL : a->scores;
    return st ? st : tct_onnx_put_columns(o, node, &value, scores, columns, a->columns);
}

/* ---- picking columns ---- */

/* Nothing has been done to these that only their affine functions know. */
static bool are_untouched(const tct_source *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (columns[i].steps || !isnan(columns[i].missing))
            return false;
    return true;
}

tacit_status tct_onnx_pick(tct_onnx *o, const TctOnnx__NodeProto *node)
{
    const tct_value *a = NULL;
    const tct_tensor *index = NULL;
    const tct_source *columns = NULL;
    const tct_affine *scores = NULL;
    bool gather = strcmp(o->op, "Gather") == 0;
    tct_value value;
    size_t *pick;
    tacit_status st;

    if ((st = tct_onnx_table(o, node, 0, &a)) || (st = tct_onnx_numbers(o, node, 1, &index)) ||
        (gather && (st = tct_onnx_axis(o, node, 0))))
        return st;
    if (a->deep || a->flat || index->n_dims > (gather ? 1 : 2))
        return tct_onnx_fail(o, "expected rows of columns, and a list of those to pick");
    pick = tct_onnx_alloc(o, index->count, sizeof *pick);
    if (!pick)
        return o->error.status;
    for (size_t i = 0; i < index->count; i++) {
        double at = index->numbers[i] + (index->numbers[i] < 0 && gather ? (double)a->columns : 0);

        if (!(at >= 0 && at < (double)a->columns) || at != floor(at))
            return tct_onnx_fail(o, "picks column %g of %zu", index->numbers[i], a->columns);
        pick[i] = (size_t)at;
    }
    value = *a;
    value.flat = gather && index->n_dims == 0;
    if (a->sources && !(columns = tct_sources_copy(o, a->sources, pick, index->count)))
        return o->error.status;
    if (a->scores && !(scores = tct_affine_picked(o, a->scores, pick, index->count)))
        return o->error.status;
    if (!columns)
        return tct_onnx_put_wire(o, node, &value, scores);
    if (!scores && are_untouched(columns, index->count))
        value.reason = NULL; /* that of a column which is not picked, perhaps */
    return tct_onnx_put_columns(o, node, &value, scores, columns, index->count);
}
