/*
 * import.c -- a model around a classifier that was trained elsewhere.
 *
 * The schema says what the classifier's inputs mean and within which domains proofs will hold; the table is needed for
 * the distribution of the inputs and to see how good the classifier is on the values as Tacit encodes them (those
 * outside their domain are moved to its end before the classifier sees them).
 */
#include "encoded.h"
#include "onnx.h"

enum { FILE_LIMIT = 256 << 20 }; /* bytes of an ONNX file */

/* name: of the file, for messages. */
static tacit_status import_bytes(tacit_model **out, const char *bytes, size_t size, const char *name,
                                 const tacit_table *table, const tacit_schema *schema,
                                 const tacit_import_options *given, tacit_error *err)
{
    const tacit_model_info info = {.origin = TACIT_ORIGIN_IMPORTED}; /* of its training nothing is known */
    tct_classifier *classifier = NULL;
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    tacit_import_options opt;
    tacit_status st = TCT_OPTIONS_TAKE(&opt, tacit_import_options, threads, given, err);

    if (st)
        return st;
    if ((st = tct_codec_new(&codec, schema, err)) ||
        (st = tct_onnx_parse(&classifier, bytes, size, name, codec, err)) ||
        (st = tct_encoded_new(&people, table, codec, opt.test_share, opt.seed, opt.threads, err)))
        goto done;
    people->with_reference = true;
    st = tct_encoded_model(out, people, schema, classifier, &info, opt.threads, err);
    classifier = NULL; /* taken over */
done:
    if (classifier)
        classifier->ops->free(classifier);
    tct_encoded_free(people);
    tct_codec_free(codec);
    return st;
}

tacit_status tacit_import(tacit_model **out, const char *onnx_path, const tacit_table *table,
                          const tacit_schema *schema, const tacit_import_options *opt, tacit_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    tacit_status st;

    *out = NULL;
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes");
    st = tct_file_read(&bytes, &size, onnx_path, FILE_LIMIT, err);
    if (!st)
        st = import_bytes(out, bytes, size, onnx_path, table, schema, opt, err);
    tct_free(bytes);
    return st;
}

tacit_status tacit_import_parse(tacit_model **out, const void *bytes, size_t size, const tacit_table *table,
                                const tacit_schema *schema, const tacit_import_options *opt, tacit_error *err)
{
    *out = NULL;
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes");
    if (size > FILE_LIMIT)
        return tct_fail(err, TACIT_E_INPUT, "the ONNX data is too long");
    return import_bytes(out, bytes, size, "ONNX data", table, schema, opt, err);
}
