/*
 * stumps.h -- a third kind of classifier, for tests only: sums of decision stumps.
 *
 * It follows the recipe of CONTRIBUTING.md for a kind of classifier, and nothing of it is known to the library: a row
 * each in the tables of classifiers, provers and leaves.  It has no gradient, so what is likely is known by drawing.
 *
 *   stumps_register();                                    once
 *   tacit_model *m = make_stump_model(seed, 5, 3, 12);    five attributes, three classes, twelve stumps a score
 *
 * A stump adds `below` to a score where its input is at most `at`, and `above` elsewhere.  All numbers are small whole
 * ones, so sums are exact.
 */
#ifndef TEST_STUMPS_H
#define TEST_STUMPS_H

#include "checker.h"
#include "leaves.h"
#include "make_model.h"
#include "provers.h"

typedef struct stump {
    size_t input;
    double at, below, above;
} stump;

typedef struct stumps {
    tct_classifier base;
    size_t n; /* per score */
    stump *all;
} stumps;

extern const tct_classifier_ops stumps_ops;

static inline double stump_value(const stump *s, double input)
{
    return input <= s->at ? s->below : s->above;
}

static inline void stumps_scores(const tct_classifier *self, const double *x, size_t n, double *f)
{
    const stumps *m = (const stumps *)self;

    for (size_t r = 0; r < n; r++)
        for (size_t s = 0; s < self->n_scores; s++) {
            double sum = 0;

            for (size_t i = 0; i < m->n; i++)
                sum += stump_value(&m->all[s * m->n + i], x[r * self->n_inputs + m->all[s * m->n + i].input]);
            f[r * self->n_scores + s] = sum;
        }
}

/* What an attribute adds to the lead of a label over a class when its inputs are v; one score: class is not read. */
static inline double stumps_term(const stumps *m, const tct_domain *domain, size_t label, size_t against,
                                 const double *v)
{
    double sum = 0;

    for (size_t s = 0; s < m->base.n_scores; s++) {
        double sign = m->base.n_scores == 1 ? (label ? 1 : -1) : (s == label) - (double)(s == against);

        for (size_t i = 0; i < m->n && sign != 0; i++) {
            const stump *t = &m->all[s * m->n + i];

            if (t->input >= domain->first && t->input < domain->first + domain->width)
                sum += sign * stump_value(t, v[t->input - domain->first]);
        }
    }
    return sum;
}

/* The worst value of one attribute in a region: of a number, one of its ends or just above a threshold. */
static inline double stumps_worst(const stumps *m, const tct_region *region, size_t a, size_t label, size_t against,
                                  double *worst)
{
    const tct_domain *domain = &region->codec->domains[a];
    double least = INFINITY, from, to, first, last;

    if (region->known[a]) {
        memcpy(worst, region->x + domain->first, domain->width * sizeof(double));
        return stumps_term(m, domain, label, against, worst);
    }
    if (domain->kind == TCT_BOX) {
        tct_region_range(region, a, &from, &to);
        for (size_t i = 0; i <= m->n * m->base.n_scores; i++) {
            double v = i < m->n * m->base.n_scores ? nextafter(m->all[i].at, INFINITY) : from, term;

            v = fmin(fmax(v, from), to);
            term = stumps_term(m, domain, label, against, &v);
            if (term < least) {
                least = term;
                *worst = v;
            }
        }
        return least;
    }
    first = 0;
    last = (double)(domain->count - 1);
    if (domain->kind == TCT_GRID)
        tct_region_indices(region, a, &first, &last);
    for (size_t k = (size_t)first; k <= (size_t)last; k++) {
        double v[MAKE_MODEL_LEVELS], term;

        if (domain->kind == TCT_ONEHOT && !tct_region_has_level(region, a, k))
            continue;
        tct_codec_value(region->codec, a, k, v);
        term = stumps_term(m, domain, label, against, v);
        if (term < least) {
            least = term;
            memcpy(worst, v, domain->width * sizeof(double));
        }
    }
    return least;
}

static inline void stumps_margins(const tct_classifier *self, const tct_region *region, size_t label, double *lower)
{
    double v[MAKE_MODEL_LEVELS];

    for (size_t c = 0; c < self->n_classes; c++) {
        lower[c] = c == label ? INFINITY : 0;
        for (size_t a = 0; a < region->codec->schema->n_attributes && c != label; a++)
            lower[c] += stumps_worst((const stumps *)self, region, a, label, c, v);
    }
}

static inline tct_classifier *stumps_new(size_t n_inputs, size_t n_classes, size_t n)
{
    stumps *m = tct_calloc(1, sizeof *m);

    m->base = (tct_classifier){&stumps_ops, n_inputs, n_classes, n_classes == 2 ? 1 : n_classes};
    m->n = n;
    m->all = tct_calloc(n * m->base.n_scores, sizeof *m->all);
    return &m->base;
}

static inline json_t *stumps_to_json(const tct_classifier *self)
{
    const stumps *m = (const stumps *)self;
    json_t *list = json_array(), *json = json_object();

    for (size_t i = 0; i < m->n * self->n_scores; i++) {
        const stump *s = &m->all[i];

        json_array_append_new(list, json_pack("[I, f, f, f]", (json_int_t)s->input, s->at, s->below, s->above));
    }
    json_object_set_new(json, "kind", json_string("stumps"));
    json_object_set_new(json, "stumps", list);
    return json;
}

static inline tacit_status stumps_from_json(tct_classifier **out, const json_t *json, const tct_json_at *at,
                                            size_t n_inputs, size_t n_classes, tacit_error *err)
{
    const json_t *list = json_object_get(json, "stumps");
    size_t n_scores = n_classes == 2 ? 1 : n_classes;
    stumps *m;

    (void)at;
    (void)err;
    *out = stumps_new(n_inputs, n_classes, json_array_size(list) / n_scores);
    m = (stumps *)*out;
    for (size_t i = 0; i < m->n * n_scores; i++) {
        const json_t *row = json_array_get(list, i);

        m->all[i] =
            (stump){(size_t)json_integer_value(json_array_get(row, 0)), json_number_value(json_array_get(row, 1)),
                    json_number_value(json_array_get(row, 2)), json_number_value(json_array_get(row, 3))};
    }
    return TACIT_OK;
}

static inline tacit_status stumps_copy(tct_classifier **out, const tct_classifier *self, tacit_error *err)
{
    const stumps *m = (const stumps *)self;

    (void)err;
    *out = stumps_new(self->n_inputs, self->n_classes, m->n);
    memcpy(((stumps *)*out)->all, m->all, m->n * self->n_scores * sizeof *m->all);
    return TACIT_OK;
}

static inline void stumps_free(tct_classifier *self)
{
    if (self)
        tct_free(((stumps *)self)->all);
    tct_free(self);
}

const tct_classifier_ops stumps_ops = {.kind = "stumps",
                                       .scores = stumps_scores,
                                       .margins = stumps_margins,
                                       .to_json = stumps_to_json,
                                       .from_json = stumps_from_json,
                                       .copy = stumps_copy,
                                       .free = stumps_free};

/* ---- the prover ---- */

extern const tct_prover_ops stumps_prover;

static inline tacit_status stumps_prover_make(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    (void)err;
    *out = tct_calloc(1, sizeof **out);
    **out = (tct_prover){&stumps_prover, model};
    return TACIT_OK;
}

static inline void stumps_prover_free(tct_prover *prover)
{
    tct_free(prover);
}

static inline bool stumps_win(const tct_classifier *c, size_t label, size_t against, double lead)
{
    return (c->n_scores == 1 ? label == 1 : label < against) ? lead >= 0 : lead > 0;
}

static inline double stumps_completion(const tacit_model *m, const tct_region *region, size_t label, size_t against,
                                       double *x)
{
    double lead = 0;

    for (size_t a = 0; a < m->schema->n_attributes; a++)
        lead += stumps_worst((const stumps *)m->classifier, region, a, label, against, x + m->codec->domains[a].first);
    return lead;
}

static inline tacit_status stumps_decide(tct_prover *prover, const tct_region *region, uint64_t budget,
                                         tct_finding *finding, tacit_error *err)
{
    const tacit_model *m = prover->model;
    double *x[2] = {make_model_room(m->codec->n_inputs), make_model_room(m->codec->n_inputs)};
    size_t label;

    (void)budget;
    (void)err;
    stumps_completion(m, region, 0, 1, x[0]);
    label = tct_label_of(m->classifier, x[0]);
    finding->verdict = TACIT_CERTIFIED;
    finding->label = label;
    finding->nodes = 1;
    for (size_t c = 0; c < m->classifier->n_classes && finding->verdict == TACIT_CERTIFIED; c++) {
        if (c == label || stumps_win(m->classifier, label, c, stumps_completion(m, region, label, c, x[1])))
            continue;
        finding->verdict = TACIT_REFUTED;
        finding->label = TACIT_NONE;
        for (size_t w = 0; w < 2; w++)
            if (finding->witness[w])
                memcpy(finding->witness[w], x[w], m->codec->n_inputs * sizeof(double));
    }
    tct_free(x[0]);
    tct_free(x[1]);
    return TACIT_OK;
}

static inline bool stumps_decides_one(const tacit_model *model)
{
    (void)model;
    return true;
}

static inline tacit_status stumps_write(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves,
                                        tacit_error *err)
{
    tacit_status st = tct_check_whole(claim, err);

    (void)max_leaves;
    *made = !st;
    return st == TACIT_E_INPUT ? TACIT_OK : st ? st : tct_proof_add_leaf(proof, err);
}

const tct_prover_ops stumps_prover = {.kind = "stumps",
                                      .make = stumps_prover_make,
                                      .free = stumps_prover_free,
                                      .decide = stumps_decide,
                                      .decides_one = stumps_decides_one,
                                      .write = stumps_write};

/* ---- the leaf: every combination of values on either side of every threshold ---- */

extern const tct_leaf_ops stumps_leaf;

static inline tacit_status stumps_leaf_make(tct_leaf **out, const tct_claim *claim, tacit_error *err)
{
    (void)err;
    *out = tct_calloc(1, sizeof **out);
    **out = (tct_leaf){&stumps_leaf, claim, TACIT_NONE};
    return TACIT_OK;
}

static inline void stumps_leaf_free(tct_leaf *leaf)
{
    tct_free(leaf);
}

/* Values of attribute a that can matter, one after the other; returns how many, v NULL: only count. */
static inline size_t stumps_values(const tct_leaf *leaf, const tct_region *part, size_t a, size_t pick, double *v)
{
    const stumps *m = (const stumps *)leaf->claim->model->classifier;
    const tct_domain *domain = &part->codec->domains[a];
    double from, to;
    size_t n = 0;

    if (part->known[a]) {
        memcpy(v, part->x + domain->first, domain->width * sizeof(double));
        return 1;
    }
    if (domain->kind != TCT_BOX) {
        double first = 0, last = (double)(domain->count - 1);

        if (domain->kind == TCT_GRID)
            tct_region_indices(part, a, &first, &last);
        for (size_t k = (size_t)first; k <= (size_t)last; k++)
            if (domain->kind == TCT_GRID || tct_region_has_level(part, a, k)) {
                if (n++ == pick)
                    tct_codec_value(part->codec, a, k, v);
            }
        return n;
    }
    tct_region_range(part, a, &from, &to);
    if (n++ == pick)
        *v = from;
    for (size_t i = 0; i < m->n * m->base.n_scores; i++)
        if (m->all[i].input == domain->first && m->all[i].at >= from && m->all[i].at < to && n++ == pick)
            *v = nextafter(m->all[i].at, INFINITY);
    return n;
}

static inline bool stumps_hold(tct_leaf *leaf, const tct_region *part)
{
    const tacit_model *model = leaf->claim->model;
    size_t n = model->schema->n_attributes, digit[16] = {0}, a;
    double *x = make_model_room(model->codec->n_inputs);
    bool holds = true;

    do {
        for (a = 0; a < n; a++)
            stumps_values(leaf, part, a, digit[a], x + model->codec->domains[a].first);
        holds = tct_label_of(model->classifier, x) == leaf->claim->label;
        for (a = 0; a < n; a++) {
            if (++digit[a] < stumps_values(leaf, part, a, SIZE_MAX, x + model->codec->domains[a].first))
                break;
            digit[a] = 0;
        }
    } while (holds && a < n);
    tct_free(x);
    return holds;
}

const tct_leaf_ops stumps_leaf = {.kind = "stumps",
                                  .proof = "stumps",
                                  .whole = true,
                                  .make = stumps_leaf_make,
                                  .free = stumps_leaf_free,
                                  .holds = stumps_hold};

static inline void stumps_register(void)
{
    tct_classifier_add_kind(&stumps_ops);
    tct_prover_add_row(&stumps_prover);
    tct_leaf_add_row(&stumps_leaf);
}

/* ---- models ---- */

static inline tacit_model *make_stump_model(uint64_t seed, size_t n_attributes, size_t n_classes, size_t n)
{
    tct_random random;
    tacit_error err = {0};
    tct_codec *codec = NULL;
    tacit_model *model = NULL;
    tacit_schema *schema;
    tct_classifier *classifier;
    double *mean, *covariance;
    stumps *m;

    tct_random_seed(&random, seed, 88);
    schema = make_schema(n_attributes, n_classes, true, &random);
    make_model_check(tct_codec_new(&codec, schema, &err), &err);
    classifier = stumps_new(codec->n_inputs, n_classes, n);
    m = (stumps *)classifier;
    for (size_t i = 0; i < n * classifier->n_scores; i++)
        m->all[i] = (stump){tct_random_below(&random, codec->n_inputs), 1.6 * tct_random_uniform(&random) - 0.8,
                            (double)tct_random_below(&random, 7) - 3, (double)tct_random_below(&random, 7) - 3};
    mean = make_model_room(codec->n_inputs);
    covariance = make_model_room(codec->n_inputs * codec->n_inputs);
    make_moments(codec, &random, mean, covariance);
    make_model_check(tct_model_assemble(&model, schema, classifier, mean, covariance, &err), &err);
    tct_codec_free(codec);
    return model;
}

/* A linear model, a network or stumps, by the seed. */
static inline tacit_model *make_model_of_some_kind(uint64_t seed, size_t attributes, size_t classes)
{
    switch (seed % 3) {
    case 0:
        return make_linear_model(seed, attributes, classes, true);
    case 1:
        return make_mlp_model(seed, attributes, classes, true, 1, 5);
    default:
        return make_stump_model(seed, attributes, classes, 8);
    }
}

#endif
