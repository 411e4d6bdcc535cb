/*
 * onnx_inputs.c -- what the inputs of a graph are: which attributes of the schema, and how these are written down.
 *
 * By name: every input is one column and called like an attribute, as pipelines over tables are exported.  Else in order,
 * one input after the other: as many columns as the schema makes inputs (a 0 or 1 for each level of a one-hot category,
 * the place of an ordinal one's), or as it has attributes (a category as it stands in a table).
 */
#include "onnx_inside.h"

#include <math.h>

/* How columns are laid out. */
typedef enum layout { BY_NAME, BY_INPUT, BY_ATTRIBUTE } layout;

/* One of the graph's inputs. */
typedef struct reading {
    const char *name;
    int32_t type;
    size_t width; /* 0: the file does not say */
} reading;

static bool is_whole(int32_t type)
{
    return type == TCT_ONNX_INT32 || type == TCT_ONNX_INT64;
}

/* Type and number of columns of an input.  Sets the batch. */
static tacit_status read_input(tct_onnx *o, const TctOnnx__ValueInfoProto *input, reading *r)
{
    const TctOnnx__TensorTypeProto *tensor = input->type ? input->type->tensor_type : NULL;
    const TctOnnx__TensorShapeProto *shape = tensor ? tensor->shape : NULL;

    *r = (reading){.name = input->name, .type = tensor && tensor->has_elem_type ? tensor->elem_type : 0};
    if (r->type != TCT_ONNX_FLOAT && r->type != TCT_ONNX_DOUBLE && r->type != TCT_ONNX_STRING && !is_whole(r->type))
        return tct_onnx_fail(o, "input '%.60s' is %s; float, double, int32, int64 and string are read", input->name,
                             tct_onnx_type(r->type));
    if (!shape)
        return TACIT_OK;
    if (shape->n_dim != 2)
        return tct_onnx_fail(o, "input '%.60s' has %zu dimension%s; expected rows of numbers, that is 2", input->name,
                             shape->n_dim, shape->n_dim == 1 ? "" : "s");
    for (size_t k = 0; k < 2; k++) {
        const TctOnnx__DimensionProto *dim = shape->dim[k];
        if (!dim->has_dim_value || dim->dim_value == 0) /* 0: some exporters' "any" */
            continue;
        if (dim->dim_value < 0 || dim->dim_value > TCT_MAX_INPUTS)
            return tct_onnx_fail(o, "input '%.60s': dimension %zu is %lld, expected 1 to %d", input->name, k + 1,
                                 (long long)dim->dim_value, TCT_MAX_INPUTS);
        *(k == 0 ? &o->batch : &r->width) = (size_t)dim->dim_value;
    }
    return TACIT_OK;
}

/* From encoded to raw: raw = scale * x + shift, for the inputs of one attribute. */
static void set_raw(const tct_codec *codec, size_t attribute, tct_affine *all)
{
    const tct_domain *domain = &codec->domains[attribute];
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    bool number = a->type != TACIT_CATEGORY;
    double min = number ? a->min : 0, max = number ? a->max : (double)domain->count - 1;

    if (domain->kind == TCT_ONEHOT)
        return; /* 0 and 1 as they are */
    all->scale[domain->first] = max / 2 - min / 2;
    all->bias[domain->first] = max / 2 + min / 2;
}

static size_t find_attribute(const tacit_schema *schema, const char *name)
{
    for (size_t a = 0; a < schema->n_attributes; a++)
        if (strcmp(schema->attributes[a].name, name) == 0)
            return a;
    return TACIT_NONE;
}

/* ---- columns ---- */

/* The numbers that levels spell if all of them do, else their places; or, with `level`, whether it is that one. */
static double *level_values(tct_onnx *o, const tacit_attribute *a, size_t level, bool places)
{
    double *values = tct_onnx_alloc(o, a->n_levels, sizeof *values);
    bool numbers = !places;

    for (size_t k = 0; values && k < a->n_levels && numbers; k++)
        numbers = k == a->missing_level || tct_parse_number(a->levels[k], strlen(a->levels[k]), &values[k]);
    for (size_t k = 0; values && k < a->n_levels; k++) {
        if (level != TACIT_NONE)
            values[k] = k == level;
        else if (!numbers)
            values[k] = (double)k;
        if (level == TACIT_NONE && !places && k == a->missing_level)
            values[k] = NAN;
    }
    return values;
}

/* Levels that count as numbers, in the type that they come in as. */
static tacit_status check_levels(tct_onnx *o, const reading *r, const tacit_attribute *a, double *values)
{
    for (size_t k = 0; k < a->n_levels; k++) {
        if (is_whole(r->type) && !isnan(values[k]) && values[k] != floor(values[k]))
            return tct_onnx_fail(o, "input '%.60s' reads whole numbers, but '%.60s' is a level of '%s'", r->name,
                                 a->levels[k], a->name);
        if (r->type == TCT_ONNX_FLOAT)
            values[k] = (double)(float)values[k];
    }
    return TACIT_OK;
}

/* An attribute as a column of a table; `level`: one of its 0s and 1s, or TACIT_NONE. */
static tacit_status make_column(tct_onnx *o, const reading *r, size_t attribute, size_t level, bool places,
                                tct_source *out)
{
    const tacit_attribute *a = &o->codec->schema->attributes[attribute];

    *out = (tct_source){.attribute = attribute, .missing = NAN};
    if (a->type == TACIT_CATEGORY && r->type == TCT_ONNX_STRING) {
        out->texts = a->levels;
        return TACIT_OK;
    }
    if (a->type == TACIT_CATEGORY) {
        double *values = level_values(o, a, level, places);

        out->values = values;
        return values ? check_levels(o, r, a, values) : o->error.status;
    }
    if (r->type == TCT_ONNX_STRING)
        return tct_onnx_fail(o, "input '%.60s' reads texts, but attribute '%s' is no category", r->name, a->name);
    if (is_whole(r->type) && a->type == TACIT_NUMBER)
        return tct_onnx_fail(o, "input '%.60s' reads whole numbers, but attribute '%s' is a number", r->name, a->name);
    out->single = r->type == TCT_ONNX_FLOAT;
    return TACIT_OK;
}

static tct_value value_of(const reading *r, size_t width)
{
    return (tct_value){.kind = TCT_WIRE,
                       .columns = width,
                       .whole = is_whole(r->type),
                       .text = r->type == TCT_ONNX_STRING,
                       .wide = r->type == TCT_ONNX_DOUBLE};
}

/* Inputs `from` and on of the schema. */
static tacit_status define_by_input(tct_onnx *o, const reading *r, size_t from, size_t width)
{
    const tct_codec *codec = o->codec;
    tct_value value = value_of(r, width);
    tct_affine *scores = tct_affine_of_base(o, o->inputs->base, from, width);
    tct_source *columns = tct_onnx_alloc(o, width, sizeof *columns);
    tacit_status st = TACIT_OK;

    if (!scores || !columns)
        return o->error.status;
    for (size_t a = 0; a < codec->schema->n_attributes && !st; a++) {
        const tct_domain *domain = &codec->domains[a];
        bool one_hot = domain->kind == TCT_ONEHOT;

        for (size_t k = 0; k < (one_hot ? domain->count : 1) && !st; k++)
            if (domain->first + k >= from && domain->first + k < from + width)
                st = make_column(o, r, a, one_hot ? k : TACIT_NONE, true, &columns[domain->first + k - from]);
    }
    if (st)
        return st;
    memcpy(scores->scale, o->inputs->scale + from, width * sizeof(double));
    memcpy(scores->bias, o->inputs->bias + from, width * sizeof(double));
    value.scores = scores;
    value.sources = columns;
    return tct_onnx_define(o, r->name, &value);
}

/* Attributes `from` and on of the schema. */
static tacit_status define_by_attribute(tct_onnx *o, const reading *r, size_t from, size_t width)
{
    tct_value value = value_of(r, width);
    tct_source *columns = tct_onnx_alloc(o, width, sizeof *columns);
    tacit_status st = columns ? TACIT_OK : o->error.status;

    for (size_t i = 0; i < width && !st; i++)
        st = make_column(o, r, from + i, TACIT_NONE, false, &columns[i]);
    value.sources = columns;
    if (!st)
        st = tct_sources_affine(o, columns, width, &value.scores, &value.reason);
    return st ? st : tct_onnx_define(o, r->name, &value);
}

/* ---- all inputs ---- */

static tacit_status read_inputs(tct_onnx *o, reading *readings, size_t *n)
{
    size_t n_unknown = 0;

    *n = 0;
    for (size_t i = 0; i < o->graph->n_input; i++) {
        const TctOnnx__ValueInfoProto *input = o->graph->input[i];
        tacit_status st;

        if (!input->name || !*input->name)
            return tct_onnx_fail(o, "input %zu has no name", i + 1);
        if (tct_lookup_find(&o->names, input->name, strlen(input->name)) < o->graph->n_initializer)
            continue; /* old files list their constants as inputs too */
        if ((st = read_input(o, input, &readings[*n])))
            return st;
        n_unknown += readings[*n].width == 0;
        ++*n;
        if (n_unknown && *n > 1)
            return tct_onnx_fail(o, "input '%.60s': with several inputs, each must say how many columns it has",
                                 input->name);
    }
    return TACIT_OK;
}

static tacit_status find_layout(tct_onnx *o, reading *readings, size_t n, layout *out)
{
    size_t d = o->codec->n_inputs, total = 0;
    bool named = n > 0, text = false;

    if (n == 1 && readings[0].width == 0)
        readings[0].width = readings[0].type == TCT_ONNX_STRING ? o->codec->schema->n_attributes : d;
    for (size_t i = 0; i < n; i++) {
        total += readings[i].width;
        text = text || readings[i].type == TCT_ONNX_STRING;
        named = named && readings[i].width == 1 && find_attribute(o->codec->schema, readings[i].name) != TACIT_NONE;
    }
    *out = named ? BY_NAME : total == d && !text ? BY_INPUT : BY_ATTRIBUTE;
    if (*out == BY_ATTRIBUTE && total != o->codec->schema->n_attributes)
        return tct_onnx_fail(o,
                             "the model reads %zu numbers, but the schema makes %zu: one of every number, integer and "
                             "ordinal category, one of every level of a one-hot category",
                             total, d);
    return TACIT_OK;
}

tacit_status tct_onnx_raw_inputs(tct_onnx *o)
{
    tct_base *base = tct_onnx_alloc(o, 1, sizeof(*base));
    tct_affine *all = NULL;

    if (base) {
        base->width = o->codec->n_inputs;
        all = tct_affine_of_base(o, base, 0, base->width);
    }
    if (!all)
        return o->error.status;
    for (size_t a = 0; a < o->codec->schema->n_attributes; a++)
        set_raw(o->codec, a, all);
    o->inputs = all;
    return TACIT_OK;
}

tacit_status tct_onnx_inputs(tct_onnx *o)
{
    reading *readings = tct_onnx_alloc(o, o->graph->n_input + 1, sizeof *readings);
    size_t from = 0, n = 0;
    layout how = BY_INPUT;
    tacit_status st = readings ? tct_onnx_raw_inputs(o) : o->error.status;

    if (st || (st = read_inputs(o, readings, &n)) || (st = find_layout(o, readings, n, &how)))
        return st;
    for (size_t i = 0; i < n && !st; i++) {
        const reading *r = &readings[i];

        if (how == BY_NAME)
            st = define_by_attribute(o, r, find_attribute(o->codec->schema, r->name), 1);
        else
            st = how == BY_INPUT ? define_by_input(o, r, from, r->width) : define_by_attribute(o, r, from, r->width);
        from += r->width;
    }
    return st;
}
