/*
 * model_file.c -- model files: one JSON document with schema, classifier, distribution and provenance, sealed with a
 * SHA-256.
 *
 *   { "format": "tacit-model", "version": 1, "made_by": "0.1.0", "schema": {...}, "classifier": {"kind": ..., ...},
 *     "distribution": {"mean": [...], "covariance": [[...] ...]}, "provenance": {...}, "sha256": "..." }
 *
 * Version 2 has a member "calibration" before the checksum and is written only where there is one: a program that does
 * not know it must not stop as if it were not there.  Version 3 may have one, and is written only where something is
 * said that version 2 has no place for: texts to show, what the schema is about, where not knowing is an answer.  It holds
 * the covariance of many inputs packed (packed.c).  Version 4 is as version 3, and wide categories are one variable each
 * of the covariance (variables.h).
 *
 * The checksum is taken over the text that tct_json_dump makes of the document without the key "sha256".  Reading
 * parses, takes the key out, dumps again and compares: white space may change, a number may not.  Because doubles are
 * written as the shortest text that reads back as the same double, load followed by save gives the same bytes.
 * Nothing in a file is believed: sizes, ranges and symmetry are checked even where the checksum is right.
 */
#include "model_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json_put.h"

#define FORMAT "tacit-model"
enum { PLAIN_VERSION = 1, CALIBRATED_VERSION = 2, TOLD_VERSION = 3, VERSION = 4 };
static const size_t MAX_FILE = (size_t)1 << 30;

/* ---- writing ---- */

/* The least version that has a place for everything. */
static int version_of(const tacit_model *model)
{
    if (model->variables->n_wide > 0)
        return VERSION;
    if (!tct_schema_is_plain(model->schema) || model->told_origin || model->reference)
        return TOLD_VERSION;
    return model->calibrated ? CALIBRATED_VERSION : PLAIN_VERSION;
}

static json_t *distribution_to_json(const tacit_model *model)
{
    size_t d = model->codec->n_inputs, n = model->variables->n;
    bool packed = version_of(model) >= TOLD_VERSION && n >= TCT_PACKED_INPUTS;
    json_t *json = json_object();

    if (model->variables->n_wide > 0)
        tct_put_count(&json, "terms_above", TCT_WIDE_LEVELS);
    tct_put(&json, "mean", tct_json_numbers(model->mean, d));
    tct_put(&json, "covariance",
            packed ? tct_packed_to_json(model->covariance, n) : tct_matrix_to_json(model->covariance, n, n));
    return json;
}

/* How a network was trained. */
static json_t *training_to_json(const tacit_model_info *info)
{
    json_t *json = json_object();

    tct_put_count(&json, "epochs", info->epochs);
    tct_put_count(&json, "epochs_run", info->epochs_run);
    tct_put_count(&json, "batch", info->batch);
    tct_put_number(&json, "rate", info->rate);
    tct_put_number(&json, "momentum", info->momentum);
    tct_put(&json, "adam", json_boolean(info->adam));
    tct_put_count(&json, "patience", info->patience);
    tct_put_number(&json, "loss", info->loss);
    if (info->cosine)
        tct_put(&json, "cosine", json_true());
    if (info->standardised)
        tct_put(&json, "standardised", json_true());
    if (info->l2_chosen)
        tct_put(&json, "l2_chosen", json_true());
    return json;
}

/* How trees were. */
static json_t *boosting_to_json(const tacit_model_info *info)
{
    json_t *json = json_object();

    tct_put_count(&json, "depth", info->depth);
    tct_put_number(&json, "rate", info->rate);
    return json;
}

static json_t *provenance_to_json(const tacit_model *model)
{
    const tacit_model_info *info = &model->info;
    json_t *json = json_object();
    char seed[32];

    snprintf(seed, sizeof(seed), "%llu", (unsigned long long)info->seed); /* a string: 64 bits, whoever reads it */
    if (model->told_origin) {
        tct_put_text(&json, "origin", tacit_origin_name(model->told_origin));
        tct_put_count(&json, "data_size", info->data_size);
    }
    tct_put_text(&json, "data_hash", info->data_hash);
    tct_put_count(&json, "train_rows", info->train_rows);
    tct_put_count(&json, "test_rows", info->test_rows);
    tct_put_number(&json, "train_accuracy", info->train_accuracy);
    tct_put_number(&json, "test_accuracy", info->test_accuracy);
    tct_put_text(&json, "seed", seed);
    tct_put_number(&json, "test_share", info->test_share);
    tct_put_number(&json, "l2", info->l2);
    if (info->standardised && !info->epochs)
        tct_put(&json, "standardised", json_true());
    tct_put_count(&json, "clipped", info->clipped);
    tct_put_count(&json, "missing", info->missing);
    if (info->threshold > 0)
        tct_put_number(&json, "threshold", info->threshold);
    if (info->epochs)
        tct_put(&json, "training", training_to_json(info));
    if (info->depth)
        tct_put(&json, "boosting", boosting_to_json(info));
    return json;
}

/* The document without its checksum. */
static json_t *model_to_json(const tacit_model *model)
{
    json_t *json = json_object();

    tct_put_text(&json, "format", FORMAT);
    tct_put(&json, "version", json_integer(version_of(model)));
    tct_put_text(&json, "made_by", model->version);
    tct_put(&json, "schema", tct_schema_to_json(model->schema));
    tct_put(&json, "classifier", model->classifier->ops->to_json(model->classifier));
    tct_put(&json, "distribution", distribution_to_json(model));
    tct_put(&json, "provenance", provenance_to_json(model));
    if (model->reference)
        tct_put(&json, "reference", tct_reference_to_json(model->reference));
    if (model->calibrated)
        tct_put(&json, "calibration", tct_calibration_to_json(&model->calibration));
    return json;
}

/* ---- reading ---- */

/* Format, version and checksum; takes the key "sha256" out of the document. */
static tacit_status check_seal(char hash[65], json_t *json, const tct_json_at *at, tacit_error *err)
{
    const char *format = json_string_value(json_object_get(json, "format"));
    const json_t *version = json_object_get(json, "version");
    const char *sealed = NULL;
    char written[66]; /* one longer than a hash: something behind it must not be cut off */
    tacit_status st;

    if (!format || strcmp(format, FORMAT) != 0 || !json_is_integer(version) || json_integer_value(version) < 1)
        return tct_fail_at(err, TACIT_E_INPUT, at->file, 0, NULL, "not a Tacit model file");
    if (json_integer_value(version) > VERSION)
        return tct_fail_at(err, TACIT_E_INPUT, at->file, 0, NULL,
                           "made by a newer Tacit: file version %lld, this program reads %d",
                           (long long)json_integer_value(version), VERSION);
    st = tct_json_get_string(&sealed, json, "sha256", at, err);
    if (st)
        return st;
    snprintf(written, sizeof(written), "%s", sealed);
    json_object_del(json, "sha256");
    st = tct_json_hash(hash, json, err);
    if (!st && strcmp(hash, written) != 0)
        st = tct_fail_at(err, TACIT_E_INPUT, at->file, 0, NULL,
                         "the file was changed after it was written (checksum does not match)");
    return st;
}

/* Symmetric, and no entry larger than the variances allow. */
static tacit_status check_covariance(const double *covariance, size_t d, const tct_json_at *at, tacit_error *err)
{
    for (size_t i = 0; i < d; i++) {
        if (!(covariance[i * d + i] >= 0))
            return tct_json_fail(at, "covariance", err, "expected variances of at least 0 (input %zu)", i);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < i; j++) {
            double value = covariance[i * d + j];
            double most = sqrt(covariance[i * d + i]) * sqrt(covariance[j * d + j]);
            if (value != covariance[j * d + i])
                return tct_json_fail(at, "covariance", err, "expected a symmetric matrix (inputs %zu and %zu)", j, i);
            if (!(fabs(value) <= most * (1 + 1e-9) + 1e-12))
                return tct_json_fail(at, "covariance", err,
                                     "expected a covariance matrix: inputs %zu and %zu correlate beyond 1", j, i);
        }
    }
    return TACIT_OK;
}

/* Do wide categories count by their terms?  Then *n, the number of inputs, becomes that of variables. */
static tacit_status read_terms(bool *by_terms, size_t *n, const json_t *json, bool allowed, const tct_json_at *at,
                               const tct_codec *codec, const tct_classifier *classifier, tacit_error *err)
{
    uint64_t above = 0;
    tacit_status st;

    *by_terms = json_object_get(json, "terms_above") != NULL;
    if (!*by_terms)
        return allowed ? tct_json_fail(at, "terms_above", err, "missing in a file of version %d", VERSION) : TACIT_OK;
    if (!allowed)
        return tct_json_fail(at, "terms_above", err, "not expected before version %d", VERSION);
    st = tct_json_get_count(&above, json, "terms_above", at, err);
    if (st)
        return st;
    if (above != TCT_WIDE_LEVELS || !tct_has_wide(codec) || !tct_classifier_terms(classifier))
        return tct_json_fail(at, "terms_above", err,
                             "expected %d, a category with more levels, and a linear classifier of at most %d scores",
                             TCT_WIDE_LEVELS, TCT_WIDE_LEVELS);
    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        *n -= tct_is_wide(&codec->domains[a]) ? codec->domains[a].width - tct_terms_of(classifier->n_scores) : 0;
    return TACIT_OK;
}

static tacit_status read_distribution(double **mean, double **covariance, bool *by_terms, const json_t *root,
                                      const tct_json_at *at, const tct_codec *codec, const tct_classifier *classifier,
                                      tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "distribution", 0};
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    size_t d = codec->n_inputs, n = d;
    bool packed;
    json_t *json = NULL;
    tacit_status st = tct_json_get(&json, root, "distribution", at, err);

    *mean = NULL;
    *covariance = NULL;
    if (!st)
        st = read_terms(by_terms, &n, json, version == VERSION, &inside, codec, classifier, err);
    if (st)
        return st;
    packed = version >= TOLD_VERSION && n >= TCT_PACKED_INPUTS;
    *mean = tct_malloc(d, sizeof(double));
    *covariance = tct_malloc(n * n, sizeof(double));
    if (!*mean || !*covariance)
        return tct_fail_memory(err);
    st = tct_json_get_numbers(*mean, d, json, "mean", &inside, err);
    if (!st)
        st = packed ? tct_packed_from_json(*covariance, n, json, "covariance", &inside, err)
                    : tct_matrix_from_json(*covariance, n, n, json, "covariance", &inside, err);
    if (!st)
        st = check_covariance(*covariance, n, &inside, err);
    return st;
}

static tacit_status read_classifier(tct_classifier **out, const json_t *root, const tct_json_at *at, size_t n_inputs,
                                    size_t n_classes, tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "classifier", 0};
    const tct_classifier_ops *kind = NULL;
    const char *name = NULL;
    json_t *json = NULL;
    tacit_error reason = {0};
    tacit_status st = tct_json_get(&json, root, "classifier", at, err);

    *out = NULL;
    if (!st)
        st = tct_json_get_string(&name, json, "kind", &inside, err);
    if (st)
        return st;
    st = tct_classifier_kind(&kind, name, &reason);
    if (st)
        return tct_json_fail(&inside, "kind", err, "%s", reason.message);
    return kind->from_json(out, json, &inside, n_inputs, n_classes, err);
}

/* A decimal number of 64 bits, written as a string. */
static bool parse_seed(const char *text, uint64_t *out)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return true;
}

/* A share between 0 and 1, or null for "not known". */
static tacit_status read_accuracy(double *out, const json_t *object, const char *key, const tct_json_at *at,
                                  tacit_error *err)
{
    json_t *json = NULL;
    tacit_status st = tct_json_get(&json, object, key, at, err);

    *out = NAN;
    if (st || json_is_null(json))
        return st;
    st = tct_json_get_number(out, object, key, at, err);
    if (!st && !(*out >= 0 && *out <= 1))
        st = tct_json_fail(at, key, err, "expected a number from 0 to 1, or null");
    return st;
}

static tacit_status read_size(size_t *out, const json_t *object, const char *key, const tct_json_at *at,
                              tacit_error *err)
{
    uint64_t count = 0;
    tacit_status st = tct_json_get_count(&count, object, key, at, err);

    *out = (size_t)count;
    return st;
}

/* A member that only says true, or is not there. */
static tacit_status read_mark(bool *out, const json_t *object, const char *key, const tct_json_at *at, tacit_error *err)
{
    const json_t *mark = json_object_get(object, key);

    if (mark && !json_is_true(mark))
        return tct_json_fail(at, key, err, "expected true, or nothing");
    *out = mark != NULL;
    return TACIT_OK;
}

/* The member "training", when there is one. */
static tacit_status read_training(tacit_model_info *info, const json_t *provenance, const tct_json_at *at,
                                  tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "training", 0};
    const json_t *json = json_object_get(provenance, "training");
    json_t *adam = NULL;
    tacit_status st;

    if (!json)
        return TACIT_OK;
    if ((st = read_size(&info->epochs, json, "epochs", &inside, err)) ||
        (st = read_size(&info->epochs_run, json, "epochs_run", &inside, err)) ||
        (st = read_size(&info->batch, json, "batch", &inside, err)) ||
        (st = tct_json_get_number(&info->rate, json, "rate", &inside, err)) ||
        (st = tct_json_get_number(&info->momentum, json, "momentum", &inside, err)) ||
        (st = tct_json_get(&adam, json, "adam", &inside, err)) ||
        (st = read_size(&info->patience, json, "patience", &inside, err)) ||
        (st = tct_json_get_number(&info->loss, json, "loss", &inside, err)) ||
        (st = read_mark(&info->cosine, json, "cosine", &inside, err)) ||
        (st = read_mark(&info->standardised, json, "standardised", &inside, err)) ||
        (st = read_mark(&info->l2_chosen, json, "l2_chosen", &inside, err)))
        return st;
    if (info->epochs == 0)
        return tct_json_fail(&inside, "epochs", err, "expected at least 1");
    if (!json_is_boolean(adam))
        return tct_json_fail(&inside, "adam", err, "expected true or false");
    info->adam = json_is_true(adam);
    return TACIT_OK;
}

/* The member "boosting", when there is one. */
static tacit_status read_boosting(tacit_model_info *info, const json_t *provenance, const tct_json_at *at,
                                  tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "boosting", 0};
    const json_t *json = json_object_get(provenance, "boosting");
    tacit_status st;

    if (!json)
        return TACIT_OK;
    st = read_size(&info->depth, json, "depth", &inside, err);
    if (!st && info->depth == 0)
        st = tct_json_fail(&inside, "depth", err, "expected at least 1");
    return st ? st : tct_json_get_number(&info->rate, json, "rate", &inside, err);
}

/* Who trained it, where that is said: not before version 3. */
static tacit_status read_origin(tacit_model_info *info, const json_t *root, const json_t *provenance,
                                const tct_json_at *at, tacit_error *err)
{
    const char *origin = NULL;
    tacit_status st = tct_json_optional_string(&origin, provenance, "origin", at, err);

    if (st || !origin)
        return st;
    if (json_integer_value(json_object_get(root, "version")) < TOLD_VERSION)
        return tct_json_fail(at, "origin", err, "not expected before version %d", TOLD_VERSION);
    info->origin = strcmp(origin, "trained") == 0    ? TACIT_ORIGIN_TRAINED
                   : strcmp(origin, "imported") == 0 ? TACIT_ORIGIN_IMPORTED
                                                     : TACIT_ORIGIN_UNKNOWN;
    if (info->origin == TACIT_ORIGIN_UNKNOWN)
        return tct_json_fail(at, "origin", err, "expected trained or imported");
    return tct_json_get_count(&info->data_size, provenance, "data_size", at, err);
}

/* The member "reference", when there is one. */
static tacit_status read_reference(tct_reference **out, const json_t *root, const tacit_schema *schema,
                                   const tct_json_at *at, tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "reference", 0};
    const json_t *json = json_object_get(root, "reference");

    if (!json)
        return TACIT_OK;
    if (json_integer_value(json_object_get(root, "version")) < TOLD_VERSION)
        return tct_json_fail(at, "reference", err, "not expected before version %d", TOLD_VERSION);
    return tct_reference_from_json(out, json, schema, &inside, err);
}

/* Strings of `info` are borrowed from the document. */
static tacit_status read_provenance(tacit_model_info *info, const json_t *root, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "provenance", 0};
    const char *seed = NULL;
    json_t *json = NULL;
    tacit_status st;

    if ((st = tct_json_get_string(&info->version, root, "made_by", at, err)) ||
        (st = tct_json_get(&json, root, "provenance", at, err)) ||
        (st = tct_json_get_string(&info->data_hash, json, "data_hash", &inside, err)) ||
        (st = read_size(&info->train_rows, json, "train_rows", &inside, err)) ||
        (st = read_size(&info->test_rows, json, "test_rows", &inside, err)) ||
        (st = read_accuracy(&info->train_accuracy, json, "train_accuracy", &inside, err)) ||
        (st = read_accuracy(&info->test_accuracy, json, "test_accuracy", &inside, err)) ||
        (st = tct_json_get_string(&seed, json, "seed", &inside, err)) ||
        (st = tct_json_get_number(&info->test_share, json, "test_share", &inside, err)) ||
        (st = tct_json_get_number(&info->l2, json, "l2", &inside, err)) ||
        (st = tct_json_get_count(&info->clipped, json, "clipped", &inside, err)) ||
        (st = tct_json_get_count(&info->missing, json, "missing", &inside, err)) ||
        (st = tct_json_optional_number(&info->threshold, json, "threshold", &inside, err)) ||
        (st = read_mark(&info->standardised, json, "standardised", &inside, err)) ||
        (st = read_origin(info, root, json, &inside, err)) || (st = read_training(info, json, &inside, err)) ||
        (st = read_boosting(info, json, &inside, err)))
        return st;
    if (strlen(info->version) >= sizeof(((tacit_model *)0)->version))
        return tct_json_fail(at, "made_by", err, "expected a version of at most 31 bytes");
    if (*info->data_hash && (strlen(info->data_hash) != 64 || strspn(info->data_hash, "0123456789abcdef") != 64))
        return tct_json_fail(&inside, "data_hash", err, "expected 64 hexadecimal digits");
    if (!parse_seed(seed, &info->seed))
        return tct_json_fail(&inside, "seed", err, "expected a whole number of 64 bits, as a string");
    if (!(info->test_share >= 0 && info->test_share < 1))
        return tct_json_fail(&inside, "test_share", err, "expected a number from 0 to below 1");
    if (json_object_get(json, "threshold") && !(info->threshold > 0 && info->threshold < 1))
        return tct_json_fail(&inside, "threshold", err, "expected a number above 0 and below 1");
    if (!(info->l2 >= 0))
        return tct_json_fail(&inside, "l2", err, "expected a number of at least 0");
    return TACIT_OK;
}

/* The member "calibration", which the files of version 1 do not have, those of version 2 do, and later ones may. */
static tacit_status read_calibration(tct_calibration *out, bool *calibrated, const json_t *root, const tct_json_at *at,
                                     tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "calibration", 0};
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    json_t *json = json_object_get(root, "calibration");
    tacit_status st;

    *calibrated = json || version == CALIBRATED_VERSION;
    if (!*calibrated)
        return TACIT_OK;
    if (version == PLAIN_VERSION)
        return tct_json_fail(at, "calibration", err, "not expected in a file of version %d", PLAIN_VERSION);
    st = tct_json_get(&json, root, "calibration", at, err);
    return st ? st : tct_calibration_from_json(out, json, &inside, err);
}

/* The schema; what came with version 3 is not in older files. */
static tacit_status read_schema(tacit_schema **out, const json_t *root, const tct_json_at *at, tacit_error *err)
{
    const tct_json_at inside = {at->file, at, "schema", 0};
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    json_t *json = NULL;
    tacit_status st = tct_json_get(&json, root, "schema", at, err);

    if (!st)
        st = tct_schema_from_json(out, json, &inside, err);
    if (!st && version < TOLD_VERSION && !tct_schema_is_plain(*out))
        st =
            tct_json_fail(at, "schema", err, "has texts, which are not expected in a file of version %d", (int)version);
    return st;
}

/* Everything of a sealed document. */
static tacit_status read_model(tacit_model **out, const json_t *root, const tct_json_at *at, const char *hash,
                               tacit_error *err)
{
    tacit_schema *schema = NULL;
    tct_classifier *classifier = NULL;
    double *mean = NULL, *covariance = NULL;
    tacit_model_info info = {0};
    tct_calibration calibration = {0};
    tct_reference *reference = NULL;
    bool calibrated = false, by_terms = false;
    tct_codec *codec = NULL;
    tacit_status st;

    if ((st = read_schema(&schema, root, at, err)) || (st = tct_codec_new(&codec, schema, err)) ||
        (st = read_classifier(&classifier, root, at, codec->n_inputs, schema->n_classes, err)) ||
        (st = read_distribution(&mean, &covariance, &by_terms, root, at, codec, classifier, err)) ||
        (st = read_provenance(&info, root, at, err)) ||
        (st = read_calibration(&calibration, &calibrated, root, at, err)) ||
        (st = read_reference(&reference, root, schema, at, err)))
        goto done;
    tct_codec_free(codec);
    st = tct_model_build(out, schema, classifier, mean, covariance, by_terms, &info, calibrated ? &calibration : NULL,
                         reference, hash, err); /* takes the parts over */
    tct_reference_free(reference);
    return st;
done:
    tct_codec_free(codec);
    tct_model_parts_free(schema, classifier, mean, covariance);
    return st;
}

/* ---- for the rest of the layer ---- */

json_t *tct_matrix_to_json(const double *values, size_t n_rows, size_t n_columns)
{
    json_t *rows = json_array();

    for (size_t r = 0; r < n_rows; r++)
        tct_append(&rows, tct_json_numbers(values + r * n_columns, n_columns));
    return rows;
}

tacit_status tct_matrix_from_json(double *out, size_t n_rows, size_t n_columns, const json_t *object, const char *key,
                                  const tct_json_at *at, tacit_error *err)
{
    const tct_json_at list = {.parent = at, .key = key};
    json_t *rows = NULL;
    tacit_status st = tct_json_get_array(&rows, object, key, at, err);

    if (st)
        return st;
    if (json_array_size(rows) != n_rows)
        return tct_json_fail(at, key, err, "expected %zu rows, not %zu", n_rows, json_array_size(rows));
    for (size_t r = 0; r < n_rows; r++) {
        const tct_json_at place = {.parent = &list, .index = r};
        const json_t *row = json_array_get(rows, r);
        if (!json_is_array(row) || json_array_size(row) != n_columns)
            return tct_json_fail(&place, NULL, err, "expected a list of %zu numbers", n_columns);
        for (size_t c = 0; c < n_columns; c++) {
            const tct_json_at item = {.parent = &place, .index = c};
            const json_t *number = json_array_get(row, c);
            if (!json_is_number(number))
                return tct_json_fail(&item, NULL, err, "expected a number");
            out[r * n_columns + c] = json_number_value(number); /* finite: JSON has no other */
        }
    }
    return TACIT_OK;
}

tacit_status tct_model_dump(char **out, size_t *size, char hash[65], const tacit_model *model, tacit_error *err)
{
    json_t *json = model_to_json(model);
    tacit_status st;

    if (out)
        *out = NULL;
    st = json ? tct_json_hash(hash, json, err) : tct_fail_memory(err);
    if (!st && out) {
        if (json_object_set_new(json, "sha256", json_string(hash)))
            st = tct_fail_memory(err);
        else
            st = tct_json_dump(out, size, json, err);
    }
    json_decref(json);
    return st;
}

tacit_status tct_model_parse(tacit_model **out, const char *text, size_t size, const char *file, tacit_error *err)
{
    const tct_json_at at = {file, NULL, NULL, 0};
    tacit_error reason = {0};
    json_t *json = NULL;
    char hash[65];
    tacit_status st;

    *out = NULL;
    st = tct_json_parse(&json, text, size, file, &reason);
    if (st == TACIT_E_INPUT)
        return tct_fail(err, st, "%s (not a Tacit model file, or cut off)", reason.message);
    if (st) {
        if (err)
            *err = reason;
        return st;
    }
    st = check_seal(hash, json, &at, err);
    if (!st)
        st = read_model(out, json, &at, hash, err);
    json_decref(json);
    return st;
}

/* ---- the public functions ---- */

tacit_status tacit_model_load(tacit_model **out, const char *path, tacit_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tacit_status st;

    *out = NULL;
    st = tct_file_read(&text, &size, path, MAX_FILE, err);
    if (!st)
        st = tct_model_parse(out, text, size, path, err);
    tct_free(text);
    return st;
}

tacit_status tacit_model_parse(tacit_model **out, const char *text, size_t size, tacit_error *err)
{
    return tct_model_parse(out, text, size, NULL, err);
}

tacit_status tacit_model_text(char **out, size_t *size, const tacit_model *model, tacit_error *err)
{
    char hash[65];

    return tct_model_dump(out, size, hash, model, err);
}

tacit_status tacit_model_save(const tacit_model *model, const char *path, tacit_error *err)
{
    char *text = NULL, hash[65];
    size_t size = 0;
    tacit_status st = tct_model_dump(&text, &size, hash, model, err);

    if (!st)
        st = tacit_file_write(path, text, size, err);
    tct_free(text);
    return st;
}
