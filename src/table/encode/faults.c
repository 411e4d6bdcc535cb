/*
 * faults.c -- looking at every cell for what is wrong with it, and telling it.
 *
 * Only files that have been found wrong come here, so every cell is looked at the plain way.
 */
#include "faults.h"

#include "codec_inside.h"
#include "csv_inside.h"

static void note(tct_fault *fault, uint64_t row, uint64_t count)
{
    if (count == 0)
        return;
    fault->first = fault->count == 0 || row < fault->first ? row : fault->first;
    fault->count += count;
}

static size_t list_size(const tct_faults *faults)
{
    return faults->n_attributes * TCT_FAULT_KINDS + faults->n_others;
}

tacit_status tct_faults_new(tct_faults **out, size_t n_attributes, size_t n_others, tacit_error *err)
{
    size_t n = n_attributes * TCT_FAULT_KINDS + n_others;

    *out = tct_calloc(1, sizeof(**out) + n * sizeof(tct_fault));
    if (!*out)
        return tct_fail_memory(err);
    (*out)->n_attributes = n_attributes;
    (*out)->n_others = n_others;
    return TACIT_OK;
}

void tct_faults_free(tct_faults *faults)
{
    tct_free(faults);
}

size_t tct_faults_size(const tct_faults *faults)
{
    return sizeof(*faults) + list_size(faults) * sizeof(tct_fault);
}

static void add_fault(tct_fault *into, const tct_fault *from)
{
    note(into, from->first, from->count);
}

void tct_faults_add(tct_faults *into, const tct_faults *from)
{
    if (from->records.count && (!into->records.count || from->records.first < into->records.first))
        into->record = from->record;
    add_fault(&into->records, &from->records);
    add_fault(&into->no_label_column, &from->no_label_column);
    add_fault(&into->no_label, &from->no_label);
    add_fault(&into->other_label, &from->other_label);
    add_fault(&into->skipped, &from->skipped);
    for (size_t i = 0; i < list_size(into); i++)
        add_fault(&into->list[i], &from->list[i]);
}

void tct_faults_records(tct_faults *faults, const tacit_error *first, uint64_t count)
{
    if (faults->records.count == 0 || first->row < faults->records.first)
        faults->record = *first;
    note(&faults->records, first->row, count);
}

void tct_faults_other(tct_faults *faults, size_t other, uint64_t row)
{
    note(&faults->list[faults->n_attributes * TCT_FAULT_KINDS + other], row, 1);
}

void tct_faults_columns(tct_faults *faults, const tct_binding *binding)
{
    for (size_t a = 0; a < faults->n_attributes; a++)
        if (binding->columns[a] == TACIT_NONE)
            faults->list[a * TCT_FAULT_KINDS] = (tct_fault){1, 0};
    if (binding->label == TACIT_NONE && binding->need_label)
        faults->no_label_column = (tct_fault){1, 0};
}

/* What becomes of one cell. */
static tct_coding try_cell(const tct_binding *binding, size_t attribute, const tct_datum *value)
{
    const tacit_attribute *a = &binding->codec->schema->attributes[attribute];
    tct_encode_counts counts = {0};
    double input;
    size_t level;

    if (a->type == TACIT_CATEGORY)
        return tct_code_datum_level(binding->codec, binding->csv, attribute, value, binding->unknown_as_missing, &level,
                                    &counts);
    if (tct_datum_missing(binding->csv, value))
        return tct_code_fill(binding->codec, attribute, &input);
    return tct_try_number(binding->csv, a, value);
}

static void check_label(tct_faults *faults, const tct_binding *binding, const tct_datum *value, uint64_t row)
{
    if (tct_datum_missing(binding->csv, value))
        note(&faults->no_label, row, binding->need_label);
    else if (tct_find_datum(tct_codec_classes(binding->codec), value) == TCT_LOOKUP_NONE)
        note(&faults->other_label, row, 1);
}

void tct_faults_block(tct_faults *faults, const tct_binding *binding, const tct_block *block, bool labels)
{
    for (size_t r = 0; r < block->n_rows; r++) {
        uint64_t number = tct_block_row(block, r);
        tct_datum value;

        for (size_t a = 0; a < faults->n_attributes; a++) {
            tct_coding outcome;

            if (binding->columns[a] == TACIT_NONE)
                continue;
            value = tct_datum_at(binding->csv, block, r, binding->columns[a]);
            outcome = try_cell(binding, a, &value);
            if (outcome != TCT_CODED)
                note(&faults->list[a * TCT_FAULT_KINDS + outcome], number, 1);
        }
        if (!labels || binding->label == TACIT_NONE)
            continue;
        value = tct_datum_at(binding->csv, block, r, binding->label);
        check_label(faults, binding, &value, number);
    }
}

/* ---- telling ---- */

/* Problems as they are found. */
typedef struct report {
    const char *path;
    tacit_error *list;
    size_t n;
} report;

/* Not the only row: say how many more there are. */
static void add_others(tacit_error *problem, uint64_t count)
{
    size_t used = strlen(problem->message);

    if (count > 1)
        snprintf(problem->message + used, sizeof(problem->message) - used, ", and so in %llu more row%s",
                 (unsigned long long)(count - 1), count == 2 ? "" : "s");
}

static void tell_label(report *to, const tct_faults *f, const tct_binding *binding)
{
    const tacit_schema *schema = binding->codec->schema;

    if (f->no_label_column.count)
        tct_binding_fail(binding->csv, "label", schema->label, &to->list[to->n++]);
    if (f->no_label.count) {
        tct_fail_at(&to->list[to->n], TACIT_E_INPUT, to->path, (size_t)f->no_label.first, schema->label,
                    "the label is missing");
        add_others(&to->list[to->n++], f->no_label.count);
    }
    if (f->other_label.count) {
        tct_fail_at(&to->list[to->n], TACIT_E_INPUT, to->path, (size_t)f->other_label.first, schema->label,
                    "not one of the %zu classes the model knows", schema->n_classes);
        add_others(&to->list[to->n++], f->other_label.count);
    }
}

static void tell_attribute(report *to, const tct_faults *f, const tct_binding *binding, size_t a)
{
    const tacit_attribute *attribute = &binding->codec->schema->attributes[a];
    const tct_fault *kinds = &f->list[a * TCT_FAULT_KINDS];

    if (kinds[0].count)
        tct_binding_fail(binding->csv, "attribute", attribute->name, &to->list[to->n++]);
    for (int outcome = TCT_CODED + 1; outcome < TCT_FAULT_KINDS; outcome++)
        if (kinds[outcome].count) {
            tct_code_fail(attribute, (tct_coding)outcome, to->path, (size_t)kinds[outcome].first, &to->list[to->n]);
            add_others(&to->list[to->n++], kinds[outcome].count);
        }
}

/* Text for a number is told once, where the column is an attribute as well. */
static bool is_told(const tct_faults *f, const tacit_schema *schema, const char *other)
{
    for (size_t a = 0; a < f->n_attributes; a++)
        if (strcmp(schema->attributes[a].name, other) == 0)
            return f->list[a * TCT_FAULT_KINDS + TCT_NOT_NUMBER].count > 0;
    return false;
}

static void tell_others(report *to, const tct_faults *f, const tct_binding *binding, const char *const *names)
{
    const tct_fault *others = f->list + f->n_attributes * TCT_FAULT_KINDS;

    for (size_t i = 0; i < f->n_others; i++) {
        if (others[i].count == 0 || is_told(f, binding->codec->schema, names[i]))
            continue;
        tct_fail_at(&to->list[to->n], TACIT_E_INPUT, to->path, (size_t)others[i].first, names[i],
                    "expected a number, to be sorted into groups");
        add_others(&to->list[to->n++], others[i].count);
    }
}

/* A single problem, text for a number: most often a marker that the model has not seen, so it is said what can be done. */
static void add_advice(tacit_error *problem, const tct_faults *f)
{
    size_t used = strlen(problem->message);
    bool text = false;

    for (size_t a = 0; a < f->n_attributes; a++)
        text = text || f->list[a * TCT_FAULT_KINDS + TCT_NOT_NUMBER].count > 0;
    if (text)
        snprintf(problem->message + used, sizeof(problem->message) - used,
                 " (if it means missing, name it in --missing; --skip-bad-rows leaves such rows out)");
}

/* At most so many problems. */
static size_t count_problems(const tct_faults *f)
{
    size_t n = 7; /* before, after, records, skipped, three of the label */

    for (size_t i = 0; i < list_size(f); i++)
        n += f->list[i].count > 0;
    return n;
}

tacit_status tct_faults_tell(const tct_faults *f, const tct_binding *binding, const char *const *others,
                             const tacit_error *before, const tacit_error *after, tacit_error *err)
{
    report to = {.path = tct_csv_path(binding->csv), .list = tct_malloc(count_problems(f), sizeof(*to.list))};
    tacit_status st = TACIT_OK;

    if (!to.list)
        return tct_fail_memory(err);
    if (before)
        to.list[to.n++] = *before;
    if (f->records.count)
        tct_csv_fail_bad(to.path, &f->record, f->records.count, &to.list[to.n++]);
    if (f->skipped.count > binding->csv->skip_bad)
        tct_csv_fail_skipped(binding->csv, f->skipped.count, f->skipped.first, &to.list[to.n++]);
    tell_label(&to, f, binding);
    for (size_t a = 0; a < f->n_attributes; a++)
        tell_attribute(&to, f, binding, a);
    tell_others(&to, f, binding, others);
    if (after)
        to.list[to.n++] = *after;
    if (to.n == 1)
        add_advice(&to.list[0], f);
    if (to.n > 0)
        st = tct_fail_list(err, to.path, to.list, to.n);
    tct_free(to.list);
    return st;
}

tacit_status tct_faults_table(const tct_binding *binding, const tacit_table *table, bool labels, tacit_error *err)
{
    tct_faults *faults;
    tacit_status st = tct_faults_new(&faults, binding->codec->schema->n_attributes, 0, err);

    if (st)
        return st;
    tct_faults_columns(faults, binding);
    for (size_t b = 0; b < table->n_blocks; b++)
        tct_faults_block(faults, binding, &table->blocks[b], labels);
    st = tct_faults_tell(faults, binding, NULL, table->problem, NULL, err);
    tct_faults_free(faults);
    return st;
}

/* Encoding is quicker than looking at every cell, and mostly all is well. */
static tacit_status try_block(const tct_binding *binding, const tct_block *block, tacit_error *err)
{
    size_t n = block->n_rows, inputs = binding->codec->n_inputs;
    double *x = tct_malloc(n * inputs, sizeof(*x));
    int32_t *labels = tct_malloc(n, sizeof(*labels));
    tct_encode_counts counts = {0};
    tacit_status st = x && labels ? tct_encode_block(binding, block, x, labels, &counts, err) : tct_fail_memory(err);

    tct_free_wiped(x, n * inputs * sizeof(*x));
    tct_free_wiped(labels, n * sizeof(*labels));
    return st;
}

tacit_status tacit_table_check(const tacit_table *table, const tacit_schema *schema, tacit_error *err)
{
    tct_codec *codec = NULL;
    tct_binding *binding = NULL;
    tacit_status st = tct_codec_new(&codec, schema, err);
    bool bad = false;

    if (!st)
        st = tct_binding_loose(&binding, codec, table->csv, true, err);
    if (!st)
        bad = binding->lacks || table->problem;
    for (size_t b = 0; b < table->n_blocks && !st && !bad; b++)
        if (table->blocks[b].n_rows > 0) {
            st = try_block(binding, &table->blocks[b], err);
            bad = st == TACIT_E_INPUT;
        }
    if (bad)
        st = tct_faults_table(binding, table, true, err);
    tct_binding_free(binding);
    tct_codec_free(codec);
    return st;
}

tacit_status tct_faults_instead(tacit_status st, const tct_binding *binding, const tacit_table *table, bool labels,
                                tacit_error *err)
{
    tacit_error all;
    tacit_status found = st == TACIT_E_INPUT ? tct_faults_table(binding, table, labels, &all) : TACIT_OK;

    if (found && err)
        *err = all;
    return found ? found : st;
}
