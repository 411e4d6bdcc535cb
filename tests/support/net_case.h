/*
 * net_case.h -- small random networks with a question each, for testing proofs about them, and slow ways to judge the
 * answers.
 *
 *   net_case c;
 *   net_case_make(&c, seed);             a model, a person, which attributes are known
 *   ... c.model, net_case_region(&c) ...
 *   net_case_free(&c);
 *
 * The bias of the scores is chosen so that the smallest margin over the region is often near zero, at zero up to
 * rounding, or at it exactly: there a proof that forgets something shows.
 */
#ifndef TEST_NET_CASE_H
#define TEST_NET_CASE_H

#include <float.h>
#include <math.h>

#include "make_model.h"

enum { NET_CASE_ATTRIBUTES = 8, NET_CASE_INPUTS = NET_CASE_ATTRIBUTES * MAKE_MODEL_LEVELS, NET_CASE_CLASSES = 4 };

typedef struct net_case {
    tacit_model *model;
    tct_random random;
    double x[NET_CASE_INPUTS]; /* the person */
    unsigned char known[NET_CASE_ATTRIBUTES];
    size_t n_attributes;
} net_case;

static inline tct_region net_case_region(const net_case *c)
{
    return tct_region_of(c->model->codec, c->known, c->x);
}

static inline size_t net_case_label(const net_case *c, const double *x)
{
    double f[NET_CASE_CLASSES];

    c->model->classifier->ops->scores(c->model->classifier, x, 1, f);
    return tct_label(f, c->model->classifier->n_scores);
}

/* Lead of `label` over class `other`, of the computed scores.  Exact: the difference of two doubles of similar size
 * fits into a long double, or is far from 0. */
static inline long double net_case_margin(const net_case *c, const double *x, size_t label, size_t other)
{
    double f[NET_CASE_CLASSES];

    c->model->classifier->ops->scores(c->model->classifier, x, 1, f);
    if (c->model->classifier->n_scores == 1)
        return label == 1 ? f[0] : -(long double)f[0];
    return (long double)f[label] - f[other];
}

/* A completion of what is known: uniform, or ends of ranges. */
static inline void net_case_complete(net_case *c, double *x)
{
    bool ends = tct_random_below(&c->random, 3) == 0;

    memcpy(x, c->x, c->model->codec->n_inputs * sizeof(double));
    for (size_t a = 0; a < c->n_attributes; a++) {
        double u = tct_random_uniform(&c->random);

        if (!c->known[a])
            make_value(c->model->codec, a, ends ? (u < 0.5 ? 0 : 1) : u, x);
    }
}

/* Weights of one network.  style 0, 1: any numbers; 2: small whole numbers; 3: tenths, whose sums cancel up to
 * rounding. */
static inline double net_case_weight(tct_random *random, uint64_t style, double scale)
{
    if (style == 2)
        return (double)tct_random_below(random, 5) - 2;
    if (style == 3)
        return ((double)tct_random_below(random, 9) - 4) / 10;
    return tct_random_below(random, 12) ? scale * tct_random_normal(random) : 0;
}

/* The numbers of a network while it is being made. */
typedef struct net_case_layers {
    size_t n_layers, n_classes, sizes[5];
    double *weights[4], *bias[4];
} net_case_layers;

static inline tct_classifier *net_case_classifier(const net_case_layers *net)
{
    tct_classifier *classifier = NULL;
    tacit_error err = {0};

    make_model_check(tct_mlp_new(&classifier, net->n_classes, net->n_layers, net->sizes,
                                 (const double *const *)net->weights, (const double *const *)net->bias, &err),
                     &err);
    return classifier;
}

/* One to three hidden layers of two to eight neurons, sometimes none. */
static inline void net_case_draw(net_case_layers *net, size_t n_inputs, size_t n_classes, tct_random *random)
{
    uint64_t style = tct_random_below(random, 4);

    memset(net, 0, sizeof(*net));
    net->n_classes = n_classes;
    net->n_layers = 1 + (tct_random_below(random, 16) ? 1 + tct_random_below(random, 3) : 0);
    net->sizes[0] = n_inputs;
    for (size_t l = 1; l < net->n_layers; l++)
        net->sizes[l] = 2 + tct_random_below(random, 7);
    net->sizes[net->n_layers] = n_classes == 2 ? 1 : n_classes;
    for (size_t l = 0; l < net->n_layers; l++) {
        size_t n_in = net->sizes[l], n_out = net->sizes[l + 1];
        double scale = sqrt(2 / (double)n_in) * (style == 1 ? 2 : 1);

        net->weights[l] = make_model_room(n_in * n_out);
        net->bias[l] = make_model_room(n_out);
        for (size_t i = 0; i < n_in * n_out; i++)
            net->weights[l][i] = net_case_weight(random, style, scale);
        for (size_t i = 0; i < n_out; i++)
            net->bias[l][i] = net_case_weight(random, style, 0.3);
    }
}

/* Shift the last biases so that the smallest margin seen over the region is about `share` of its spread; `nudge` ulps
 * away from that when share is 0. */
static inline void net_case_aim(net_case *c, double *bias, double share, int nudge)
{
    const tct_classifier *classifier = c->model->classifier;
    size_t label = net_case_label(c, c->x);
    double x[NET_CASE_INPUTS];
    long double least[NET_CASE_CLASSES], most[NET_CASE_CLASSES];

    for (size_t k = 0; k < NET_CASE_CLASSES; k++) {
        least[k] = INFINITY;
        most[k] = -INFINITY;
    }
    for (size_t r = 0; r < 64; r++) {
        net_case_complete(c, x);
        for (size_t k = 0; k < classifier->n_classes; k++) {
            long double m = net_case_margin(c, x, label, k);

            least[k] = fminl(least[k], m);
            most[k] = fmaxl(most[k], m);
        }
    }
    for (size_t k = 0; k < classifier->n_classes; k++) {
        double shift = (double)(share * (most[k] - least[k]) - least[k]);
        size_t s = classifier->n_scores == 1 ? 0 : k;

        if (k == label)
            continue;
        bias[s] += classifier->n_scores == 1 && label == 1 ? shift : -shift;
        for (int i = 0; i < nudge; i++)
            bias[s] = tct_up(bias[s]);
        for (int i = 0; i > nudge; i--)
            bias[s] = tct_down(bias[s]);
    }
}

/* Somebody, of whom one to six attributes are unknown. */
static inline void net_case_person(net_case *c)
{
    size_t want = 1 + tct_random_below(&c->random, 6);

    draw_person(c->model, &c->random, c->x);
    for (size_t a = 0; a < c->n_attributes; a++) {
        c->known[a] = tct_random_below(&c->random, c->n_attributes - a) >= want;
        want -= !c->known[a] && want > 0;
    }
}

static inline void net_case_make(net_case *c, uint64_t seed)
{
    static const double shares[] = {0, 0, 0, 0.01, 0.05, 0.2, 0.5, -0.02};
    net_case_layers net;
    size_t n_classes, d;
    tct_codec *codec = NULL;
    tacit_error err = {0};
    tacit_schema *schema;
    double share;
    int nudge;

    memset(c, 0, sizeof(*c));
    tct_random_seed(&c->random, seed, 99);
    c->n_attributes = 1 + tct_random_below(&c->random, NET_CASE_ATTRIBUTES);
    n_classes = 2 + tct_random_below(&c->random, NET_CASE_CLASSES - 1);
    schema = make_schema(c->n_attributes, n_classes, true, &c->random);
    make_model_check(tct_codec_new(&codec, schema, &err), &err);
    d = codec->n_inputs;
    tct_codec_free(codec);
    net_case_draw(&net, d, n_classes, &c->random);
    make_model_check(tct_model_assemble(&c->model, schema, net_case_classifier(&net), make_model_room(d),
                                        make_model_room(d * d), &err),
                     &err);
    net_case_person(c);
    share = shares[tct_random_below(&c->random, 8)];
    nudge = (int)tct_random_below(&c->random, 5) - 2;
    net_case_aim(c, net.bias[net.n_layers - 1], share, nudge);
    c->model->classifier->ops->free(c->model->classifier);
    c->model->classifier = net_case_classifier(&net);
    for (size_t l = 0; l < net.n_layers; l++) {
        tct_free(net.weights[l]);
        tct_free(net.bias[l]);
    }
}

static inline void net_case_free(net_case *c)
{
    tacit_model_free(c->model);
}

#endif
