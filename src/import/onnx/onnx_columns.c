/*
 * onnx_columns.c -- what a pipeline makes of one attribute, column by column, until a model reads it.
 *
 * Trees compare, so they need the number that they will see to the bit, and it is kept as the steps that the deployed
 * program takes, each in its precision: a threshold on the last of them can then be carried back to the raw value
 * exactly, because rounding keeps the order of numbers.  A category has few levels, so whatever is done to it is a table.
 *
 * Linear models and networks read affine functions of the encoded inputs.  A table is one where the attribute is one-hot,
 * or where its levels count as numbers that are equally far apart.
 */
#include "onnx_inside.h"

#include <math.h>

/* ---- steps ---- */

static double take_step(const tct_step *step, double x)
{
    double number = step->number;

    if (step->single) {
        float a = (float)x, b = (float)number;

        switch (step->op) {
        case '+':
            return (double)(a + b);
        case '-':
            return (double)(a - b);
        case '*':
            return (double)(a * b);
        case '/':
            return (double)(a / b);
        case '~':
            return (double)(b - a);
        default:
            return (double)a;
        }
    }
    switch (step->op) {
    case '+':
        return x + number;
    case '-':
        return x - number;
    case '*':
        return x * number;
    case '/':
        return x / number;
    case '~':
        return number - x;
    default:
        return x;
    }
}

static double take_steps(const tct_step *last, double x)
{
    return last ? take_step(last, take_steps(last->before, x)) : x;
}

double tct_source_value(const tct_source *column, double raw)
{
    return take_steps(column->steps, column->single ? (double)(float)raw : raw);
}

int tct_source_slope(const tct_source *column)
{
    int slope = 1;

    for (const tct_step *s = column->steps; s; s = s->before) {
        if (s->op == '~')
            slope = -slope;
        if (s->op == '*' || s->op == '/')
            slope *= (s->number > 0) - (s->number < 0);
    }
    return slope;
}

bool tct_source_step(tct_onnx *o, tct_source *column, char op, bool single, double number)
{
    tct_step *step;
    double *values;

    if (!column->values) {
        step = tct_onnx_alloc(o, 1, sizeof *step);
        if (!step)
            return false;
        *step = (tct_step){column->steps, op, single, number};
        column->steps = step;
        column->missing = take_step(step, column->missing);
        return true;
    }
    size_t n = o->codec->schema->attributes[column->attribute].n_levels;
    values = tct_onnx_alloc(o, n, sizeof *values);
    if (!values)
        return false;
    for (size_t k = 0; k < n; k++)
        values[k] = take_step(&(tct_step){NULL, op, single, number}, column->values[k]);
    column->values = values;
    return true;
}

bool tct_source_to_single(tct_onnx *o, tct_source *column)
{
    if (!column->values && !column->steps) {
        column->single = true;
        column->missing = (double)(float)column->missing;
        return true;
    }
    return tct_source_step(o, column, '=', true, 0);
}

tct_source *tct_sources_copy(tct_onnx *o, const tct_source *columns, const size_t *pick, size_t count)
{
    tct_source *copy = tct_onnx_alloc(o, count, sizeof *copy);

    for (size_t i = 0; copy && i < count; i++)
        copy[i] = columns[pick ? pick[i] : i];
    return copy;
}

/* ---- as affine functions ---- */

/* Numbers that are equally far apart: value k is *first + k * *each, to the bit. */
static bool is_even(const double *values, size_t n, double *first, double *each)
{
    *first = values[0];
    *each = n > 1 ? values[1] - values[0] : 0;
    for (size_t k = 0; k < n; k++)
        if (values[k] != *first + (double)k * *each)
            return false;
    return true;
}

static bool are_finite(const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

/* "attribute 'NAME' ...", for as long as the walk. */
static const char *say_why(tct_onnx *o, const tacit_attribute *a, const char *why)
{
    size_t size = strlen(a->name) + strlen(why) + 16;
    char *text = tct_onnx_alloc(o, size, 1);

    if (text)
        snprintf(text, size, "attribute '%.60s' %s", a->name, why);
    return text;
}

/* Row i of the functions; *why: NULL, or what is in the way. */
static void add_category(const tct_onnx *o, const tct_source *column, tct_affine *to, size_t i, const char **why)
{
    const tacit_attribute *a = &o->codec->schema->attributes[column->attribute];
    const tct_domain *domain = &o->codec->domains[column->attribute];
    double *row = to->weights + i * to->base->width, first, each;

    if (!are_finite(column->values, a->n_levels)) {
        *why = "counts as missing for some of its levels, and an Imputer must come first";
    } else if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < a->n_levels; k++)
            row[domain->first + k] = column->values[k];
    } else if (is_even(column->values, a->n_levels, &first, &each)) {
        row[domain->first] = each * o->inputs->scale[domain->first];
        to->bias[i] = first + each * o->inputs->bias[domain->first];
    } else {
        *why = "is ordinal in the schema, but the pipeline makes numbers of its levels that are not equally far apart: "
               "let its encoding be onehot";
    }
}

tacit_status tct_sources_affine(tct_onnx *o, const tct_source *columns, size_t count, const tct_affine **out,
                                const char **reason)
{
    tct_affine *made = tct_affine_zero(o, o->inputs->base, count);
    const char *why = NULL;

    *out = NULL;
    *reason = NULL;
    for (size_t i = 0; made && i < count && !why; i++) {
        const tacit_attribute *a = &o->codec->schema->attributes[columns[i].attribute];
        size_t at = o->codec->domains[columns[i].attribute].first;

        if (columns[i].values) {
            add_category(o, &columns[i], made, i, &why);
        } else if (columns[i].texts) {
            why = "is still a text: a OneHotEncoder or LabelEncoder must come first";
        } else { /* the raw value, as yet */
            made->weights[i * made->base->width + at] = o->inputs->scale[at];
            made->bias[i] = o->inputs->bias[at];
        }
        if (why)
            *reason = say_why(o, a, why);
    }
    if (!made || (why && !*reason))
        return o->error.status;
    *out = why ? NULL : made;
    return TACIT_OK;
}

tacit_status tct_onnx_put_columns(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *like,
                                  const tct_affine *scores, const tct_source *columns, size_t count)
{
    tct_value value = *like;
    tacit_status st;

    value.sources = columns;
    value.columns = count;
    value.scores = scores;
    if (!columns)
        return o->error.status;
    if (!scores && !like->reason) {
        st = tct_sources_affine(o, columns, count, &value.scores, &value.reason);
        if (st)
            return st;
    }
    return tct_onnx_output(o, node, 0, &value);
}
