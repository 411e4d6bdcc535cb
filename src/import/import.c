/*
 * import.c -- a model around a classifier that was trained elsewhere.
 *
 * What a file is, is seen from its content.  The schema says what the classifier's inputs mean and, for networks, within
 * which domains proofs will hold; ensembles of trees need none where the table has a column for every feature.  The
 * table is needed for the distribution of the inputs and to see how good the classifier is on the values as Tacit reads
 * them.
 */
#include <math.h>
#include <string.h>

#include "catboost.h"
#include "csv_inside.h"
#include "described.h"
#include "encoded.h"
#include "lightgbm.h"
#include "onnx.h"
#include "predictions.h"
#include "other_files.h"
#include "schema.h"
#include "ubjson.h"
#include "xgboost.h"

enum { FILE_LIMIT = 1 << 30 }; /* bytes of a file */

/* A file being imported. */
typedef struct importing {
    const char *path; /* or what to call it */
    const char *bytes;
    size_t size;
    const tacit_table *table;
    const tacit_schema *schema; /* given, or own */
    tacit_schema *own;
    const tacit_import_options *options;
    double threshold; /* NaN: the usual */
    tct_classifier *classifier;
} importing;

/* A schema for what trees read is found out where none is given; described: of the classifier of this document. */
static tacit_status find_schema(importing *im, const tct_raw_trees *raw, const json_t *described, tacit_error *err)
{
    const char *label = im->options->label, *predictions = im->options->predictions;
    bool is_label = label && predictions && strcmp(label, predictions) == 0;
    const tacit_infer_options infer = {.label = im->options->label,
                                       .sensitive = im->options->sensitive,
                                       .public_ = im->options->public_,
                                       .drop = is_label ? NULL : im->options->predictions,
                                       .test_share = im->options->test_share,
                                       .seed = im->options->seed};
    tacit_status st = TACIT_OK;

    if (!im->schema && !im->options->label)
        return tct_fail(err, TACIT_E_USAGE, "say which column is the label, or give a schema");
    if (!im->schema) {
        st = described ? tct_described_schema(&im->own, described, im->path, im->table, &infer, err)
                       : tct_raw_schema(&im->own, raw, im->table, &infer, err);
        im->schema = im->own;
    }
    return st;
}

/* Nobody said what the texts of a column count as, unless labels are compared afterwards. */
static tacit_status check_levels(const importing *im, const tct_raw_trees *raw, tacit_error *err)
{
    return im->own && !im->options->predictions ? tct_raw_check_levels(raw, im->own, err) : TACIT_OK;
}

/* Trees over features become trees over attributes. */
static tacit_status fit_trees(importing *im, const tct_raw_trees *raw, tacit_error *err)
{
    tacit_status st = tct_raw_check_names(raw, im->options->label, err);

    if (!st)
        st = find_schema(im, raw, NULL, err);
    if (!st)
        st = tct_raw_fit(&im->classifier, raw, im->schema, im->table, err);
    return st ? st : check_levels(im, raw, err);
}

/* The length of a whole number that may be too long for a JSON reader, its sign included, at the start of some text;
 * 0: there is none. */
static size_t long_number(const char *text, size_t size)
{
    size_t sign = size > 0 && text[0] == '-', n = sign;

    while (n < size && text[n] >= '0' && text[n] <= '9')
        n++;
    return n - sign >= 19 && (n == size || !strchr(".eE", text[n])) ? n : 0;
}

/* XGBoost writes NaN and Infinity where JSON has no number (for thresholds of categories, which have none), CatBoost
 * whole numbers of 64 bits for limits: outside texts they become empty lists, which take no more room and are no numbers
 * either. */
static void blank_words(char *bytes, size_t size)
{
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    bool text = false;

    for (size_t i = 0; i < size; i++) {
        size_t n = 0;

        if (text && bytes[i] == '\\')
            i++;
        else if (bytes[i] == '"')
            text = !text;
        else if (!text && (i == 0 || !strchr("0123456789.eE+-", bytes[i - 1])))
            n = long_number(bytes + i, size - i);
        for (size_t w = 0; !text && w < 3 && n == 0 && i < size; w++)
            if (i + strlen(words[w]) <= size && memcmp(bytes + i, words[w], strlen(words[w])) == 0)
                n = strlen(words[w]);
        if (n > 0) {
            memset(bytes + i, ' ', n);
            memcpy(bytes + i, "[]", 2);
        }
    }
}

/* From a copy: the bytes may be the caller's. */
static tacit_status parse_text(json_t **root, const importing *im, tacit_error *err)
{
    char *bytes = tct_malloc(im->size + 1, 1);
    tacit_status st;

    if (!bytes)
        return tct_fail_memory(err);
    memcpy(bytes, im->bytes, im->size);
    blank_words(bytes, im->size);
    st = tct_json_parse(root, bytes, im->size, im->path, err);
    tct_free(bytes);
    return st;
}

static tacit_status read_described(importing *im, const json_t *root, tacit_error *err)
{
    tct_codec *codec = NULL;
    tacit_status st = find_schema(im, NULL, root, err);

    if (!st)
        st = tct_codec_new(&codec, im->schema, err);
    if (!st)
        st = tct_described_read(&im->classifier, root, im->path, codec, im->table, im->threshold, err);
    tct_codec_free(codec);
    return st;
}

static tacit_status read_json(importing *im, tacit_error *err)
{
    tct_raw_trees raw = {0};
    json_t *root = NULL;
    tacit_status st = tct_ubjson_looks_like(im->bytes, im->size)
                          ? tct_ubjson_parse(&root, im->bytes, im->size, im->path, err)
                          : parse_text(&root, im, err);

    if (st)
        return st;
    if (json_object_get(root, "learner")) {
        st = tct_xgboost_read(&raw, root, im->path, im->threshold, err);
        if (!st)
            st = fit_trees(im, &raw, err);
    } else if (tct_described_looks_like(root)) {
        st = read_described(im, root, err);
    } else if (tct_catboost_looks_like(root)) {
        st = tct_catboost_read(&raw, root, im->path, im->threshold, err);
        if (!st)
            st = fit_trees(im, &raw, err);
    } else {
        st = tct_fail_at(err, TACIT_E_INPUT, im->path, 0, NULL, "%s", tct_other_json(root));
    }
    tct_raw_clear(&raw);
    json_decref(root);
    return st;
}

static tacit_status read_lightgbm(importing *im, tacit_error *err)
{
    tct_raw_trees raw = {0};
    tacit_status st = tct_lightgbm_read(&raw, im->bytes, im->size, im->path, im->table, im->threshold, err);

    if (!st)
        st = fit_trees(im, &raw, err);
    tct_raw_clear(&raw);
    return st;
}

static tacit_status read_onnx(importing *im, tacit_error *err)
{
    tct_raw_trees columns = {0};
    tct_codec *codec = NULL;
    bool trees = false;
    tacit_status st = TACIT_OK;

    if (!im->schema) {
        st = tct_onnx_columns(&columns, &trees, im->bytes, im->size, im->path, err);
        if (!st)
            st = trees ? find_schema(im, &columns, NULL, err)
                       : tct_fail_at(err, TACIT_E_USAGE, im->path, 0, NULL,
                                     "an ONNX file needs a schema that says what its inputs are, unless it holds "
                                     "trees (TreeEnsembleClassifier)");
    }
    if (!st)
        st = check_levels(im, &columns, err);
    tct_raw_clear(&columns);
    if (st)
        return st;
    st = tct_codec_new(&codec, im->schema, err);
    if (!st)
        st = tct_onnx_parse(&im->classifier, im->bytes, im->size, im->path, codec, im->table, im->threshold, err);
    if (!st && !isnan(im->threshold) && im->classifier->ops->lowered) /* trees have it in their cut */
        st = tct_classifier_threshold(&im->classifier, im->threshold, err);
    tct_codec_free(codec);
    return st;
}

static tacit_status read_classifier(importing *im, tacit_error *err)
{
    const char *other = tct_other_file(im->bytes, im->size);
    size_t blank = 0;

    while (blank < im->size && strchr(" \t\r\n", im->bytes[blank]) && im->bytes[blank])
        blank++;
    if (other)
        return tct_fail_at(err, TACIT_E_INPUT, im->path, 0, NULL, "%s", other);
    if (blank < im->size && (im->bytes[blank] == '{' || im->bytes[blank] == '['))
        return read_json(im, err);
    if (tct_lightgbm_looks_like(im->bytes, im->size))
        return read_lightgbm(im, err);
    return read_onnx(im, err);
}

static tacit_status keep_order(tct_classifier *classifier, tacit_error *err)
{
    if (!classifier->ops->in_order)
        return tct_fail(err, TACIT_E_USAGE, "proofs for one order of adding up are for trees, not for %s models",
                        classifier->ops->kind);
    return classifier->ops->in_order(classifier, err);
}

/* im: what it is made from. */
static tacit_status import_bytes(tacit_model **out, importing *im, const tacit_import_options *given, tacit_error *err)
{
    tacit_model_info info = {.origin = TACIT_ORIGIN_IMPORTED}; /* of its training nothing is known */
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_import_options options;
    uint64_t compared = 0;
    tacit_status st = TCT_OPTIONS_TAKE(&options, tacit_import_options, in_order, given, err);

    if (!st && im->schema && im->schema->n_attributes == 0)
        st = tct_fail(err, TACIT_E_INPUT, "the schema has no attributes");
    if (!st && options.predictions && tct_csv_find(im->table->csv, options.predictions) == TACIT_NONE)
        st = tct_binding_fail(im->table->csv, "predictions", options.predictions, err);
    if (!st && options.threshold != 0 && !(options.threshold > 0 && options.threshold < 1))
        st = tct_fail(err, TACIT_E_USAGE, "a threshold is a probability above 0 and below 1");
    im->options = &options;
    im->threshold = options.threshold > 0 ? options.threshold : NAN;
    info.threshold = options.threshold > 0 ? options.threshold : 0;
    if (st || (st = read_classifier(im, err)) || (options.in_order && (st = keep_order(im->classifier, err))) ||
        (st = tct_classifier_codec(&codec, im->classifier, im->schema, err)) ||
        (st = (tct_classifier_terms(im->classifier) ? tct_encoded_new_compact : tct_encoded_new)(
             &people, im->table, codec, options.test_share, options.seed, options.threads, err)))
        goto done;
    people->with_reference = true;
    st = tct_encoded_model(out, people, im->schema, im->classifier, &info, options.threads, err);
    im->classifier = NULL; /* taken over */
    if (!st && options.predictions) {
        st = tct_predictions_check(&compared, *out, im->table, options.predictions, im->threshold, err);
        if (st) {
            tacit_model_free(*out);
            *out = NULL;
        }
    }
done:
    if (im->classifier)
        im->classifier->ops->free(im->classifier);
    tct_encoded_free(people);
    tct_codec_free(codec);
    tacit_schema_free(im->own);
    im->options = NULL;
    return st;
}

tacit_status tacit_import(tacit_model **out, const char *path, const tacit_table *table, const tacit_schema *schema,
                          const tacit_import_options *options, tacit_error *err)
{
    importing im = {.path = path, .table = table, .schema = schema};
    char *bytes = NULL;
    tacit_status st = tct_file_read(&bytes, &im.size, path, FILE_LIMIT, err);

    *out = NULL;
    im.bytes = bytes;
    if (!st)
        st = import_bytes(out, &im, options, err);
    tct_free(bytes);
    return st;
}

tacit_status tacit_import_parse(tacit_model **out, const void *bytes, size_t size, const tacit_table *table,
                                const tacit_schema *schema, const tacit_import_options *options, tacit_error *err)
{
    importing im = {.path = "model", .bytes = bytes, .size = size, .table = table, .schema = schema};

    *out = NULL;
    if (size > FILE_LIMIT)
        return tct_fail(err, TACIT_E_INPUT, "the model is too long");
    return import_bytes(out, &im, options, err);
}
