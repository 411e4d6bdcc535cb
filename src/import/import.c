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

tacit_status tacit_import(tacit_model **out, const char *onnx_path, const tacit_table *table,
                          const tacit_schema *schema, const tacit_import_options *opt, tacit_error *err)
{
    const tacit_import_options usual = {0};
    const tacit_model_info info = {.origin = TACIT_ORIGIN_IMPORTED}; /* of its training nothing is known */
    tct_classifier *classifier = NULL;
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    char *bytes = NULL;
    size_t size = 0;
    tacit_status st;

    *out = NULL;
    opt = opt ? opt : &usual;
    if (schema->n_attributes == 0)
        return tct_fail(err, TACIT_E_INPUT, "the schema has no attributes");
    if ((st = tct_codec_new(&codec, schema, err)) || (st = tct_file_read(&bytes, &size, onnx_path, FILE_LIMIT, err)) ||
        (st = tct_onnx_parse(&classifier, bytes, size, onnx_path, codec, err)) ||
        (st = tct_encoded_new(&people, table, codec, opt->test_share, opt->seed, opt->threads, err)))
        goto done;
    people->with_reference = true;
    st = tct_encoded_model(out, people, schema, classifier, &info, opt->threads, err);
    classifier = NULL; /* taken over */
done:
    if (classifier)
        classifier->ops->free(classifier);
    tct_encoded_free(people);
    tct_codec_free(codec);
    tct_free(bytes);
    return st;
}
