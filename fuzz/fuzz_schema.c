/*
 * fuzz_schema.c -- any bytes as a schema file.
 *
 * A schema that is accepted writes a text that reads back to the same text, and its codec is consistent: every value
 * of a finite domain, decoded and encoded again, gives the same bits; ends of a range are encoded as its ends.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "encode.h"
#include "schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static char *write_text(const tacit_schema *schema)
{
    json_t *json = tct_schema_to_file_json(schema);
    char *text = NULL;
    size_t size;

    require(json && tct_json_dump(&text, &size, json, NULL) == TACIT_OK);
    json_decref(json);
    return text;
}

static tacit_schema *read_text(const char *text, size_t size)
{
    tct_json_at at = {.file = "schema.json"};
    tacit_schema *schema = NULL;
    tacit_error err = {0};
    json_t *json = NULL;

    if (tct_json_parse(&json, text, size, at.file, &err) == TACIT_OK)
        tct_schema_from_json(&schema, json, &at, &err);
    require(schema || err.message[0] != '\0');
    json_decref(json);
    return schema;
}

/* Text of inputs, encoded again: the same inputs. */
static void check_round_trip(const tct_codec *codec, size_t attribute, const double *inputs, double *again)
{
    tct_encode_counts counts = {0};
    char text[256];

    tct_decode_cell(codec, attribute, inputs, text, sizeof(text));
    require(tct_encode_cell(codec, attribute, text, strlen(text), false, false, again, &counts, NULL, 0, NULL) ==
            TACIT_OK);
    require(memcmp(inputs, again, codec->domains[attribute].width * sizeof(*inputs)) == 0);
    require(counts.clipped == 0);
}

static void check_domain(const tct_codec *codec, size_t attribute, double *inputs, double *again)
{
    const tct_domain *domain = &codec->domains[attribute];
    tct_encode_counts counts = {0};
    double fill[TCT_MAX_LEVELS];

    if (domain->kind == TCT_BOX) {
        double low, high;

        tct_codec_range(codec, attribute, &low, &high);
        require(tct_encode_cell(codec, attribute, "-1e308", 6, false, false, inputs, &counts, NULL, 0, NULL) ==
                TACIT_OK);
        require(inputs[0] == low || inputs[0] == high || codec->schema->attributes[attribute].min <= -1e308);
    } else {
        for (size_t k = 0; k < domain->count; k += 1 + domain->count / 50) {
            tct_codec_value(codec, attribute, k, inputs);
            check_round_trip(codec, attribute, inputs, again);
        }
    }
    if (tct_encode_cell(codec, attribute, "", 0, true, false, fill, &counts, NULL, 0, NULL) == TACIT_OK)
        for (size_t i = 0; i < domain->width; i++)
            require(fill[i] >= -1 && fill[i] <= 1);
}

static void check_codec(const tacit_schema *schema)
{
    double inputs[TCT_MAX_LEVELS], again[TCT_MAX_LEVELS];
    tct_codec *codec = NULL;

    require(tct_codec_new(&codec, schema, NULL) == TACIT_OK);
    for (size_t a = 0; a < schema->n_attributes; a++)
        check_domain(codec, a, inputs, again);
    tct_codec_free(codec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_schema *schema = read_text((const char *)data, size), *again, *copy = NULL;
    char *first, *second, *third;

    if (!schema)
        return 0;
    first = write_text(schema);
    again = read_text(first, strlen(first));
    require(again != NULL && tct_schema_copy(&copy, schema, NULL) == TACIT_OK);
    second = write_text(again);
    third = write_text(copy);
    require(strcmp(first, second) == 0 && strcmp(first, third) == 0);
    check_codec(schema);
    tct_free(first);
    tct_free(second);
    tct_free(third);
    tacit_schema_free(schema);
    tacit_schema_free(again);
    tacit_schema_free(copy);
    return 0;
}
