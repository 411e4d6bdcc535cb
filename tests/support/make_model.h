/*
 * make_model.h -- random but valid models and people for property tests.
 *
 *   tacit_model *m = make_linear_model(seed, 6, 3, true);   six attributes, three classes, categories too
 *   tacit_model *m = make_mlp_model(seed, 6, 3, true, 2, 8);   the same with two hidden layers of eight neurons
 *   tct_random random;
 *   tct_random_seed(&random, seed, 1);
 *   double *x = ...;                                        m->codec->n_inputs numbers
 *   draw_person(m, &random, x);                             anybody the encoding can produce
 *   draw_typical_person(m, &random, x);                     somebody from the distribution the model was given
 *
 * The same arguments give the same model.  A failure is a broken test set-up: the program stops with the reason.
 */
#ifndef TEST_MAKE_MODEL_H
#define TEST_MAKE_MODEL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "encode.h"
#include "mlp.h"
#include "model.h"
#include "num.h"
#include "schema.h"

enum { MAKE_MODEL_PEOPLE = 200, MAKE_MODEL_LEVELS = 5 };

static inline void make_model_check(tacit_status st, const tacit_error *err)
{
    if (st) {
        fprintf(stderr, "make_model.h: %s\n", err->message);
        abort();
    }
}

static inline void *make_model_room(size_t count)
{
    double *room = tct_calloc(count, sizeof(double));

    if (!room)
        abort();
    return room;
}

/* One attribute of a random kind.  Numbers: any range, sometimes a single value; integers: 1 to 9 values; categories:
 * 2 to 5 levels, one-hot or ordinal. */
static inline void make_attribute(tacit_schema *schema, size_t index, bool categories, tct_random *random)
{
    static const char *const levels[MAKE_MODEL_LEVELS] = {"ash", "birch", "cedar", "elm", "oak"};
    static const double costs[] = {1, 1, 1, 2, 0.5};
    tacit_error err = {0};
    char name[32];
    tacit_attribute a = {.name = name, .missing_level = TACIT_NONE};
    uint64_t kind = tct_random_below(random, categories ? 4 : 2);

    snprintf(name, sizeof(name), "a%zu", index);
    a.role = tct_random_below(random, 10) < 7 ? TACIT_SENSITIVE : TACIT_PUBLIC;
    a.cost = costs[tct_random_below(random, 5)];
    if (kind == 0) {
        a.type = TACIT_NUMBER;
        a.min = (double)tct_random_below(random, 100) - 50;
        a.max = a.min + (tct_random_below(random, 20) ? 1 + (double)tct_random_below(random, 100) : 0);
        a.fill = (a.min + a.max) / 2;
    } else if (kind == 1) {
        a.type = TACIT_INTEGER;
        a.min = (double)tct_random_below(random, 20) - 10;
        a.max = a.min + (double)tct_random_below(random, 9);
        a.fill = a.min;
    } else {
        a.type = TACIT_CATEGORY;
        a.encoding = kind == 2 ? TACIT_ORDINAL : TACIT_ONEHOT;
        a.levels = levels;
        a.n_levels = 2 + tct_random_below(random, MAKE_MODEL_LEVELS - 1);
    }
    make_model_check(tct_schema_add(schema, &a, &err), &err);
}

/* Not knowing becomes an answer wherever a value can stand for it. */
static inline void allow_missing(const tacit_model *model)
{
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        tacit_attribute *attribute = &model->schema->attributes[a];

        attribute->missing_is_value = attribute->type != TACIT_CATEGORY || attribute->missing_level != TACIT_NONE;
    }
}

static inline tacit_schema *make_schema(size_t n_attributes, size_t n_classes, bool categories, tct_random *random)
{
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));
    const char *classes[TCT_MAX_CLASSES];
    char names[TCT_MAX_CLASSES][8];
    tacit_error err = {0};

    if (!schema || n_attributes == 0 || n_classes < 2 || n_classes > TCT_MAX_CLASSES)
        abort();
    for (size_t i = 0; i < n_attributes; i++)
        make_attribute(schema, i, categories, random);
    schema->attributes[tct_random_below(random, n_attributes)].role = TACIT_SENSITIVE; /* somebody must be asked */
    for (size_t c = 0; c < n_classes; c++) {
        snprintf(names[c], sizeof(names[c]), "%zu", c);
        classes[c] = names[c];
    }
    schema->label = tct_strdup("label");
    make_model_check(schema->label ? TACIT_OK : tct_fail_memory(&err), &err);
    make_model_check(tct_schema_copy_texts(&schema->classes, classes, n_classes, &err), &err);
    schema->n_classes = n_classes;
    return schema;
}

/* Inputs of one attribute at `u` in (0, 1) of its domain. */
static inline void make_value(const tct_codec *codec, size_t attribute, double u, double *x)
{
    const tct_domain *domain = &codec->domains[attribute];
    double low, high;
    size_t k;

    if (domain->kind == TCT_BOX) {
        tct_codec_range(codec, attribute, &low, &high);
        x[domain->first] = low + u * (high - low);
        return;
    }
    k = (size_t)(u * (double)domain->count);
    tct_codec_value(codec, attribute, k < domain->count ? k : domain->count - 1, x + domain->first);
}

/* People whose attributes share a common cause, so that inputs correlate. */
static inline void make_typical_person(const tct_codec *codec, tct_random *random, double *x)
{
    double cause = tct_random_normal(random);

    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        double share = 0.9 * (double)((a * 7 + 3) % 11) / 10 - 0.45; /* from -0.45 to 0.45, fixed per attribute */
        make_value(codec, a, tct_normal_cdf(2 * share * cause + 0.7 * tct_random_normal(random)), x);
    }
}

/* Mean and covariance of a sample of typical people. */
static inline void make_moments(const tct_codec *codec, tct_random *random, double *mean, double *covariance)
{
    size_t d = codec->n_inputs;
    double *people = make_model_room(d * MAKE_MODEL_PEOPLE), *x = make_model_room(d);

    for (size_t r = 0; r < MAKE_MODEL_PEOPLE; r++) {
        make_typical_person(codec, random, x);
        for (size_t i = 0; i < d; i++)
            people[i * MAKE_MODEL_PEOPLE + r] = x[i];
    }
    tct_moments(people, MAKE_MODEL_PEOPLE, MAKE_MODEL_PEOPLE, d, mean, covariance, 1);
    tct_free(people);
    tct_free(x);
}

/* A weight: usually anything, sometimes 0, sometimes a small whole number (so that ties happen). */
static inline double make_weight(tct_random *random)
{
    uint64_t kind = tct_random_below(random, 10);

    if (kind == 0)
        return 0;
    if (kind == 1)
        return (double)tct_random_below(random, 5) - 2;
    return tct_random_normal(random);
}

static inline tacit_model *make_linear_model(uint64_t seed, size_t n_attributes, size_t n_classes, bool categories)
{
    tct_random random;
    tacit_error err = {0};
    tct_codec *codec = NULL;
    tct_classifier *classifier = NULL;
    tacit_model *model = NULL;
    tacit_schema *schema;
    double *weights, *bias, *mean, *covariance;
    size_t n_scores = n_classes == 2 ? 1 : n_classes, d;

    tct_random_seed(&random, seed, 77);
    schema = make_schema(n_attributes, n_classes, categories, &random);
    make_model_check(tct_codec_new(&codec, schema, &err), &err);
    d = codec->n_inputs;
    weights = make_model_room(n_scores * d);
    bias = make_model_room(n_scores);
    mean = make_model_room(d);
    covariance = make_model_room(d * d);
    for (size_t i = 0; i < n_scores * d; i++)
        weights[i] = make_weight(&random);
    for (size_t s = 0; s < n_scores; s++)
        bias[s] = make_weight(&random);
    make_moments(codec, &random, mean, covariance);
    make_model_check(tct_linear_new(&classifier, d, n_classes, weights, bias, &err), &err);
    make_model_check(tct_model_assemble(&model, schema, classifier, mean, covariance, &err), &err);
    tct_codec_free(codec);
    tct_free(weights);
    tct_free(bias);
    return model;
}

/* Layers of a random network: every fifth seed with small whole numbers throughout (ties, neurons exactly at zero), the
 * others with weights of the size that keeps values near 1. */
static inline void make_layers(uint64_t seed, size_t n_layers, const size_t *sizes, double **weights, double **bias,
                               tct_random *random)
{
    bool whole = seed % 5 == 0;

    for (size_t l = 0; l < n_layers; l++) {
        double scale = sqrt(2 / (double)sizes[l]);
        weights[l] = make_model_room(sizes[l + 1] * sizes[l]);
        bias[l] = make_model_room(sizes[l + 1]);
        for (size_t i = 0; i < sizes[l + 1] * sizes[l]; i++)
            weights[l][i] = whole ? (double)tct_random_below(random, 5) - 2 : scale * make_weight(random);
        for (size_t j = 0; j < sizes[l + 1]; j++)
            bias[l][j] = whole ? (double)tct_random_below(random, 3) - 1 : 0.3 * make_weight(random);
    }
}

/* Shift the last biases so that every score is about 0 on average: both signs, and every class, happen. */
static inline void make_balance(const tct_codec *codec, const tct_classifier *draft, uint64_t seed, double *bias,
                                tct_random *random)
{
    double *x = make_model_room(codec->n_inputs), *f = make_model_room(draft->n_scores);
    double *mean = make_model_room(draft->n_scores);

    for (size_t r = 0; r < MAKE_MODEL_PEOPLE; r++) {
        make_typical_person(codec, random, x);
        draft->ops->scores(draft, x, 1, f);
        for (size_t s = 0; s < draft->n_scores; s++)
            mean[s] += f[s] / MAKE_MODEL_PEOPLE;
    }
    for (size_t s = 0; s < draft->n_scores; s++)
        bias[s] -= seed % 5 == 0 ? round(mean[s]) : mean[s];
    tct_free(x);
    tct_free(f);
    tct_free(mean);
}

/* A ReLU network; n_hidden_layers may be 0. */
static inline tacit_model *make_mlp_model(uint64_t seed, size_t n_attributes, size_t n_classes, bool categories,
                                          size_t n_hidden_layers, size_t width)
{
    size_t sizes[TCT_MAX_LAYERS + 1], n_layers = n_hidden_layers + 1, d;
    double *weights[TCT_MAX_LAYERS] = {NULL}, *bias[TCT_MAX_LAYERS] = {NULL}, *mean, *covariance;
    tct_random random;
    tacit_error err = {0};
    tct_codec *codec = NULL;
    tct_classifier *draft = NULL, *classifier = NULL;
    tacit_model *model = NULL;
    tacit_schema *schema;

    tct_random_seed(&random, seed, 78);
    schema = make_schema(n_attributes, n_classes, categories, &random);
    make_model_check(tct_codec_new(&codec, schema, &err), &err);
    d = codec->n_inputs;
    if (n_layers > TCT_MAX_LAYERS)
        abort();
    sizes[0] = d;
    for (size_t l = 1; l < n_layers; l++)
        sizes[l] = width;
    sizes[n_layers] = n_classes == 2 ? 1 : n_classes;
    make_layers(seed, n_layers, sizes, weights, bias, &random);
    make_model_check(tct_mlp_new(&draft, n_classes, n_layers, sizes, (const double *const *)weights,
                                 (const double *const *)bias, &err),
                     &err);
    make_balance(codec, draft, seed, bias[n_layers - 1], &random);
    make_model_check(tct_mlp_new(&classifier, n_classes, n_layers, sizes, (const double *const *)weights,
                                 (const double *const *)bias, &err),
                     &err);
    mean = make_model_room(d);
    covariance = make_model_room(d * d);
    make_moments(codec, &random, mean, covariance);
    make_model_check(tct_model_assemble(&model, schema, classifier, mean, covariance, &err), &err);
    draft->ops->free(draft);
    for (size_t l = 0; l < n_layers; l++) {
        tct_free(weights[l]);
        tct_free(bias[l]);
    }
    tct_codec_free(codec);
    return model;
}

/* Anybody in the domain, attributes independent, ends of ranges often. */
static inline void draw_person(const tacit_model *model, tct_random *random, double *x)
{
    for (size_t a = 0; a < model->schema->n_attributes; a++) {
        uint64_t kind = tct_random_below(random, 8);
        double u = tct_random_uniform(random);
        make_value(model->codec, a, kind == 0 ? 0 : kind == 1 ? 1 : u, x);
    }
}

/* Somebody from the distribution that gave the model its mean and covariance. */
static inline void draw_typical_person(const tacit_model *model, tct_random *random, double *x)
{
    make_typical_person(model->codec, random, x);
}

#endif
