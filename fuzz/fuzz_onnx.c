/*
 * fuzz_onnx.c -- any bytes as an ONNX file, for a schema of two numbers and for two mixed ones.
 *
 * A network or ensemble that gets through must be sound: it fits the schema, scores are finite at the corners of the domain, the
 * bounds over everybody hold there, and it can be written to a model file and read back to the same scores.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"
#include "onnx_tests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

/* Everybody at the first (or last) value of each domain. */
static void corner(const tct_codec *codec, int last, double *x)
{
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        const tct_domain *domain = &codec->domains[a];
        if (domain->kind == TCT_BOX)
            x[domain->first] = last ? 1 : -1;
        else
            tct_codec_value(codec, a, last ? domain->count - 1 : 0, x + domain->first);
    }
}

static void check_decisions(const tct_classifier *c, const tct_codec *codec)
{
    unsigned char known[8] = {0};
    double x[8], f[8], lower[8];
    tct_region region = tct_region_of(codec, known, x);

    require(c->n_inputs == codec->n_inputs && c->n_inputs <= 8 && c->n_classes == codec->schema->n_classes);
    require(c->n_scores == (c->n_classes == 2 ? 1 : c->n_classes));
    for (int last = 0; last < 2; last++) {
        corner(codec, last, x);
        c->ops->scores(c, x, 1, f);
        for (size_t s = 0; s < c->n_scores; s++)
            require(isfinite(f[s]));
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            for (size_t other = 0; other < c->n_classes; other++) {
                if (other == label)
                    continue;
                if (c->n_scores == 1)
                    require(lower[other] <= (label == 1 ? f[0] : -f[0]));
                else
                    require(lower[other] <= (long double)f[label] - f[other]);
            }
        }
    }
}

static void check_round_trip(const tct_classifier *c, const tct_codec *codec)
{
    const tct_json_at at = {"fuzz.tacit", NULL, NULL, 0};
    json_t *json = c->ops->to_json(c);
    tct_classifier *again = NULL;
    double x[8], f[8], g[8];
    tacit_error err;

    require(json != NULL);
    require(c->ops->from_json(&again, json, &at, c->n_inputs, c->n_classes, &err) == TACIT_OK);
    corner(codec, 1, x);
    c->ops->scores(c, x, 1, f);
    again->ops->scores(again, x, 1, g);
    require(memcmp(f, g, c->n_scores * sizeof(double)) == 0);
    again->ops->free(again);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tct_codec *codecs[3];
    static const char *const schemas[3] = {TWO, MIXED_TWO, MIXED_THREE};

    for (size_t k = 0; k < 3; k++) {
        tct_classifier *c = NULL;
        tct_codec *own = NULL; /* as the classifier reads attributes */
        tacit_error err;

        if (!codecs[k])
            codecs[k] = make_codec(schemas[k]);
        if (tct_onnx_parse(&c, data, size, "fuzz.onnx", codecs[k], NULL, NAN, &err)) {
            require(c == NULL && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
            continue;
        }
        require(tct_classifier_codec(&own, c, codecs[k]->schema, &err) == TACIT_OK);
        check_decisions(c, own);
        check_round_trip(c, own);
        tct_codec_free(own);
        c->ops->free(c);
    }
    return 0;
}
