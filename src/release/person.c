/*
 * What is known about one person.  Inputs of unknown attributes are NaN: whoever reads them by mistake gets nothing
 * that could pass for an answer.
 */
#include "person.h"

#include <math.h>
#include <string.h>

#include "faults.h"

enum { ANSWER_FILE_LIMIT = 16 << 20 };

tacit_status tacit_person_new(tacit_person **out, const tacit_model *model, tacit_error *err)
{
    tacit_person *p = tct_calloc(1, sizeof *p);

    *out = p;
    if (!p)
        return tct_fail_memory(err);
    p->model = model;
    p->known = tct_calloc(model->schema->n_attributes, 1);
    p->unknown = tct_calloc(model->schema->n_attributes, 1);
    p->clipped = tct_calloc(model->schema->n_attributes, 1);
    p->x = tct_malloc(model->codec->n_inputs, sizeof(double));
    if (!p->known || !p->unknown || !p->clipped || !p->x) {
        tacit_person_free(p);
        *out = NULL;
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < model->codec->n_inputs; i++)
        p->x[i] = NAN;
    return TACIT_OK;
}

void tacit_person_free(tacit_person *p)
{
    if (!p)
        return;
    tct_free_wiped(p->x, p->model->codec->n_inputs * sizeof(double));
    tct_free_wiped(p->known, p->model->schema->n_attributes);
    tct_free_wiped(p->unknown, p->model->schema->n_attributes);
    tct_free_wiped(p->clipped, p->model->schema->n_attributes);
    tct_free(p);
}

void tct_person_take(tacit_person *p, size_t attribute, const double *x)
{
    const tct_domain *domain = &p->model->codec->domains[attribute];

    memcpy(p->x + domain->first, x + domain->first, domain->width * sizeof(double));
    p->known[attribute] = 1;
    p->clipped[attribute] = 0;
    p->unknown[attribute] = tct_is_missing_level(p->model->codec, attribute, x + domain->first);
}

/* The attribute was just encoded, from a cell that was missing or not, and clipped or not. */
static void mark_known(tacit_person *p, size_t attribute, bool missing, bool clipped)
{
    const tct_codec *codec = p->model->codec;

    p->known[attribute] = 1;
    p->clipped[attribute] = clipped;
    p->unknown[attribute] = missing || tct_is_missing_level(codec, attribute, p->x + codec->domains[attribute].first);
}

bool tct_person_complete(const tacit_person *p)
{
    for (size_t a = 0; a < p->model->schema->n_attributes; a++)
        if (!p->known[a])
            return false;
    return true;
}

/* One block of a CSV holds the row: encode it. */
static tacit_status person_from_block(tacit_person *p, const tct_binding *binding, tct_block *block, size_t at,
                                      tacit_error *err)
{
    const tct_codec *codec = binding->codec;

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        tct_datum value = tct_datum_at(binding->csv, block, at, binding->columns[a]);
        tct_encode_counts counts = {0};
        tacit_status st = tct_encode_datum(codec, binding->csv, a, &value, p->x + codec->domains[a].first, &counts,
                                           tct_block_row(block, at), err);

        if (st)
            return st;
        mark_known(p, a, tct_datum_missing(binding->csv, &value), counts.clipped > 0);
    }
    return TACIT_OK;
}

/* All that is wrong with the row. */
static tacit_status tell_row(const tct_binding *binding, const tct_block *block, size_t at, tacit_error *err)
{
    uint64_t number = tct_block_row(block, at);
    tct_block one = *block;
    tct_faults *faults;
    tacit_status st = tct_faults_new(&faults, binding->codec->schema->n_attributes, 0, err);

    one.cells += at * tct_csv_columns(binding->csv);
    one.rows = &number;
    one.n_rows = 1;
    if (!st) {
        tct_faults_block(faults, binding, &one, false);
        st = tct_faults_tell(faults, binding, NULL, NULL, NULL, err);
        st = st ? st : TACIT_E_INPUT;
    }
    tct_faults_free(faults);
    return st;
}

/* The same by the number of the row, which may have been left out. */
static tacit_status person_at(tacit_person *p, const tct_binding *binding, tct_block *block, size_t row,
                              tacit_error *err)
{
    for (size_t at = 0; at < block->n_rows; at++)
        if (tct_block_row(block, at) == row) {
            tacit_status st = person_from_block(p, binding, block, at, err);

            return st == TACIT_E_INPUT ? tell_row(binding, block, at, err) : st;
        }
    return tct_fail_at(err, TACIT_E_INPUT, tct_csv_path(binding->csv), row, NULL, "a bad row, which is left out");
}

tacit_status tacit_person_read_row(tacit_person **out, const tacit_model *model, const char *path,
                                   const tacit_csv_options *options, size_t row, tacit_error *err)
{
    tacit_csv_options reading;
    tct_csv *csv = NULL;
    tct_binding *binding = NULL;
    tct_block block = {0};
    tacit_person *p = NULL;
    tacit_status st = TCT_OPTIONS_TAKE(&reading, tacit_csv_options, defer_bad, options, err);

    *out = NULL;
    if (st)
        return st;
    tacit_schema_csv(model->schema, &reading);
    st = tct_csv_open(&csv, path, &reading, err);
    if (!st)
        st = tct_binding_new(&binding, model->codec, csv, false, err);
    if (!st)
        st = tacit_person_new(&p, model, err);
    while (!st) {
        st = tct_csv_next(csv, &block, err);
        if (st)
            break;
        if (block.n_rows == 0 || row == 0) {
            st = tct_fail_at(err, TACIT_E_USAGE, path, 0, NULL, "there is no row %zu", row);
            break;
        }
        if (row >= block.first_row + block.n_rows)
            continue;
        st = tct_csv_split(csv, &block, err);
        if (!st)
            st = person_at(p, binding, &block, row, err);
        break;
    }
    if (!st) {
        *out = p;
        p = NULL;
    }
    tacit_person_free(p);
    tct_block_clear(&block);
    tct_binding_free(binding);
    tct_csv_close(csv);
    return st;
}

tacit_status tacit_person_from_table(tacit_person **out, const tacit_model *model, const tacit_table *table, size_t row,
                                     tacit_error *err)
{
    tct_binding *binding = NULL;
    tacit_person *p = NULL;
    size_t b = 0;
    tacit_status st = tct_binding_new(&binding, model->codec, table->csv, false, err);

    *out = NULL;
    if (!st)
        st = tacit_person_new(&p, model, err);
    while (b < table->n_blocks &&
           (table->blocks[b].n_rows == 0 || row > tct_block_row(&table->blocks[b], table->blocks[b].n_rows - 1)))
        b++;
    if (!st && (b == table->n_blocks || row == 0))
        st = tct_fail_at(err, TACIT_E_USAGE, tct_csv_path(table->csv), 0, NULL, "there is no row %zu", row);
    if (!st)
        st = person_at(p, binding, &table->blocks[b], row, err);
    if (!st) {
        *out = p;
        p = NULL;
    }
    tacit_person_free(p);
    tct_binding_free(binding);
    return st;
}

/* A JSON value as the text of a cell; false when it is none. */
static bool json_cell(const json_t *value, char *text, size_t size)
{
    if (json_is_null(value))
        text[0] = '\0';
    else if (json_is_string(value) && json_string_length(value) < size)
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        tct_format_number(json_real_value(value), text, size);
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "true" : "false");
    else
        return false;
    return true;
}

/* Answers are not left behind in the parsed document. */
static void wipe_json(json_t *value)
{
    json_real_set(value, 0);    /* each does nothing */
    json_integer_set(value, 0); /* to other types */
    if (json_is_string(value))
        tct_wipe((char *)(uintptr_t)json_string_value(value), json_string_length(value));
}

/* Attributes from a parsed document, which is wiped and freed.  path: NULL for one from memory. */
static tacit_status take_json(tacit_person *p, json_t *json, const char *path, tacit_error *err)
{
    json_t *value;
    const char *key;
    char text[256];
    tacit_status st = TACIT_OK;

    if (!json_is_object(json))
        st = tct_fail_at(err, TACIT_E_INPUT, path, 0, NULL, "expected a JSON object of attributes and values");
    if (!st) {
        json_object_foreach(json, key, value)
        {
            tct_encode_counts counts = {0};
            size_t a;

            st = tacit_schema_lookup(p->model->schema, key, &a, err);
            if (st)
                break;
            if (!json_cell(value, text, sizeof text)) {
                st = tct_fail_at(err, TACIT_E_INPUT, path, 0, key, "expected a number, a text or null");
                break;
            }
            st = tct_encode_cell(p->model->codec, a, text, strlen(text), text[0] == '\0', false,
                                 p->x + p->model->codec->domains[a].first, &counts, path, 0, err);
            if (st)
                break;
            mark_known(p, a, text[0] == '\0', counts.clipped > 0);
        }
    }
    tct_wipe(text, sizeof text);
    json_object_foreach(json, key, value) wipe_json(value);
    json_decref(json);
    return st;
}

tacit_status tacit_person_read_json(tacit_person *p, const char *path, tacit_error *err)
{
    json_t *json = NULL;
    tacit_status st = tct_json_read(&json, path, ANSWER_FILE_LIMIT, err);

    return st ? st : take_json(p, json, path, err);
}

tacit_status tacit_person_parse_json(tacit_person *p, const char *text, size_t size, tacit_error *err)
{
    json_t *json = NULL;
    tacit_status st = size > ANSWER_FILE_LIMIT ? tct_fail(err, TACIT_E_INPUT, "the JSON text is too long")
                                               : tct_json_parse(&json, text, size, NULL, err);

    return st ? st : take_json(p, json, NULL, err);
}

tacit_status tacit_person_set(tacit_person *p, size_t attribute, const char *text, bool *clipped, tacit_error *err)
{
    const tct_domain *domain;
    tct_encode_counts counts = {0};
    double *inputs;
    tacit_status st;

    if (attribute >= p->model->schema->n_attributes)
        return tct_fail(err, TACIT_E_USAGE, "there is no attribute %zu", attribute);
    if (!text)
        return tct_fail(err, TACIT_E_USAGE, "attribute %s needs a value", p->model->schema->attributes[attribute].name);
    domain = &p->model->codec->domains[attribute];
    inputs = tct_malloc(domain->width, sizeof(double));
    if (!inputs)
        return tct_fail_memory(err);
    st = tct_encode_cell(p->model->codec, attribute, text, strlen(text), text[0] == '\0', false, inputs, &counts, NULL,
                         0, err);
    if (!st) {
        memcpy(p->x + domain->first, inputs, domain->width * sizeof(double));
        mark_known(p, attribute, text[0] == '\0', counts.clipped > 0);
        if (clipped)
            *clipped = counts.clipped > 0;
    }
    tct_free_wiped(inputs, domain->width * sizeof(double));
    return st;
}

void tacit_person_unset(tacit_person *p, size_t attribute)
{
    const tct_domain *domain;

    if (attribute >= p->model->schema->n_attributes)
        return;
    domain = &p->model->codec->domains[attribute];
    p->known[attribute] = 0;
    p->unknown[attribute] = 0;
    p->clipped[attribute] = 0;
    for (size_t i = 0; i < domain->width; i++)
        p->x[domain->first + i] = NAN;
}

bool tacit_person_knows(const tacit_person *p, size_t attribute)
{
    return attribute < p->model->schema->n_attributes && p->known[attribute];
}

bool tacit_person_unknown(const tacit_person *p, size_t attribute)
{
    return tacit_person_knows(p, attribute) && p->unknown[attribute];
}

bool tacit_person_clipped(const tacit_person *p, size_t attribute)
{
    return tacit_person_knows(p, attribute) && p->clipped[attribute];
}

void tacit_person_text(const tacit_person *p, size_t attribute, char *text, size_t size)
{
    if (!tacit_person_knows(p, attribute)) {
        if (size)
            text[0] = '\0';
        return;
    }
    tct_decode_cell(p->model->codec, attribute, p->x + p->model->codec->domains[attribute].first, text, size);
}

size_t tacit_person_label(const tacit_person *p)
{
    double scores[TCT_MAX_CLASSES];
    size_t label;

    if (!tct_person_complete(p))
        return TACIT_NONE;
    p->model->classifier->ops->scores(p->model->classifier, p->x, 1, scores);
    label = tct_label(scores, p->model->classifier->n_scores);
    tct_wipe(scores, sizeof scores);
    return label;
}
