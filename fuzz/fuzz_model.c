/*
 * fuzz_model.c -- any bytes as a model file.
 *
 * The checksum would stop almost everything at the door, so the bytes are read twice: as they are, and once more with
 * the right checksum put under them.  A model that gets through must be sound: it saves and loads to the same bytes,
 * scores are finite, the bounds over everybody hold for the people tried, and a calibration makes sense.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

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
        double low, high;
        if (domain->kind == TCT_BOX) {
            tct_codec_range(codec, a, &low, &high);
            x[domain->first] = last ? high : low;
        } else {
            tct_codec_value(codec, a, last ? domain->count - 1 : 0, x + domain->first);
        }
    }
}

static void check_decisions(const tacit_model *model)
{
    const tct_classifier *c = model->classifier;
    unsigned char *known = calloc(model->schema->n_attributes, 1);
    double *x = calloc(c->n_inputs, sizeof(double)), *f = calloc(c->n_scores, sizeof(double));
    double *lower = calloc(c->n_classes, sizeof(double));
    tct_region region = tct_region_of(model->codec, known, x);

    require(known && x && f && lower);
    for (int last = 0; last < 2; last++) {
        corner(model->codec, last, x);
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
    free(known);
    free(x);
    free(f);
    free(lower);
}

/* Bounds are shares, and a smaller delta never tolerates more. */
static void check_calibration(const tacit_model *model)
{
    double before = 0;

    for (size_t k = 0; model->calibrated && k < TCT_LEVELS; k++) {
        const tacit_calibration_row *row = &model->calibration.rows[k];

        require(row->bound >= 0 && row->bound <= 1 && row->delta >= row->bound && row->delta <= 1);
        require(row->stopped == 0 || row->bound * (double)row->stopped >= (double)row->failed);
        for (size_t m = 0; m < TACIT_MARGINS; m++)
            require(row->marginal_bound[m] >= 0 && row->marginal_bound[m] <= 1);
    }
    for (double delta = 1e-6; model->calibrated && delta < 0.5; delta *= 2) {
        double nominal = tct_calibration_nominal(&model->calibration, delta);

        require(nominal >= before);
        before = nominal;
    }
}

static void check_model(const char *bytes, size_t size)
{
    tacit_model *model = NULL, *again = NULL;
    char *first = NULL, *second = NULL, hash[65];
    size_t first_size = 0, second_size = 0;
    tacit_error err;

    if (tct_model_parse(&model, bytes, size, "fuzz.tacit", &err)) {
        require(model == NULL && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
        return;
    }
    require(tct_model_dump(&first, &first_size, hash, model, &err) == TACIT_OK);
    require(tct_model_parse(&again, first, first_size, "again.tacit", &err) == TACIT_OK);
    require(tct_model_dump(&second, &second_size, hash, again, &err) == TACIT_OK);
    require(first_size == second_size && memcmp(first, second, first_size) == 0);
    check_decisions(model);
    check_calibration(model);
    tct_free(first);
    tct_free(second);
    tacit_model_free(again);
    tacit_model_free(model);
}

/* The same document with the checksum it should have; NULL when it is no JSON object. */
static char *reseal(const char *bytes, size_t size, size_t *sealed_size)
{
    json_t *json = NULL;
    tct_hash *hash = NULL;
    char *text = NULL, hex[65];

    if (tct_json_parse(&json, bytes, size, "fuzz.tacit", NULL))
        return NULL;
    json_object_del(json, "sha256");
    if (json_is_object(json) && tct_json_dump(&text, sealed_size, json, NULL) == TACIT_OK &&
        tct_hash_new(&hash, NULL) == TACIT_OK) {
        tct_hash_add(hash, text, *sealed_size);
        tct_hash_finish(hash, hex);
        tct_free(text);
        text = NULL;
        require(json_object_set_new(json, "sha256", json_string(hex)) == 0);
        require(tct_json_dump(&text, sealed_size, json, NULL) == TACIT_OK);
    }
    json_decref(json);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sealed_size = 0;
    char *sealed;

    check_model((const char *)data, size);
    sealed = reseal((const char *)data, size, &sealed_size);
    if (sealed)
        check_model(sealed, sealed_size);
    tct_free(sealed);
    return 0;
}
