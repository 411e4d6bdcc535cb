/*
 * onnx_tests.h -- what the tests of ONNX files share: two schemas, and parsing a network that a test wrote.
 *
 * Include after <cmocka.h> and make_onnx.h.
 */
#ifndef TEST_ONNX_TESTS_H
#define TEST_ONNX_TESTS_H

#include <math.h>
#include <stdio.h>

#include "json.h"
#include "model.h"
#include "onnx.h"
#include "schema.h"

/* Two numbers a in [0, 10] and b in [-2, 2]; classes no, yes. */
static const char TWO[] =
    "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", \"classes\": [\"no\", \"yes\"]}, "
    "\"attributes\": [{\"name\": \"a\", \"type\": \"number\", \"min\": 0, \"max\": 10}, "
    "{\"name\": \"b\", \"type\": \"number\", \"min\": -2, \"max\": 2}]}";
/* An integer, an ordinal and a one-hot category: 1 + 1 + 3 inputs; classes ant, bee, cat (two of them: no, yes). */
#define MIXED_ATTRIBUTES                                                                                               \
    "\"attributes\": [{\"name\": \"age\", \"type\": \"integer\", \"min\": 18, \"max\": 78}, "                          \
    "{\"name\": \"grade\", \"type\": \"category\", \"encoding\": \"ordinal\", \"levels\": [\"low\", \"middle\", "      \
    "\"high\"]}, {\"name\": \"city\", \"type\": \"category\", \"levels\": [\"oslo\", \"paris\", \"rome\"]}]}"
static const char MIXED_THREE[] = "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", "
                                  "\"classes\": [\"ant\", \"bee\", \"cat\"]}, " MIXED_ATTRIBUTES;
static const char MIXED_TWO[] = "{\"format\": \"tacit-schema\", \"version\": 1, \"label\": {\"name\": \"y\", "
                                "\"classes\": [\"no\", \"yes\"]}, " MIXED_ATTRIBUTES;

static inline tct_codec *make_codec(const char *text)
{
    const tct_json_at at = {"test.json", NULL, NULL, 0};
    tacit_schema *schema = NULL;
    tct_codec *codec = NULL;
    json_t *json = NULL;
    tacit_error err = {0};

    if (tct_json_parse(&json, text, strlen(text), "test.json", &err) ||
        tct_schema_from_json(&schema, json, &at, &err) || tct_codec_new(&codec, schema, &err)) {
        fprintf(stderr, "onnx_tests.h: %s\n", err.message);
        abort();
    }
    json_decref(json);
    return codec;
}

/* And the schema behind it. */
static inline void free_codec(tct_codec *codec)
{
    tacit_schema *schema = (tacit_schema *)(uintptr_t)codec->schema;

    tct_codec_free(codec);
    tacit_schema_free(schema);
}

#endif
