/*
 * net_draws.h -- people like this one and the labels that a network gives them, many at a time.
 *
 * The same as tct_draws_likely (draws.h) for networks and the Gaussian posterior, other people: the random numbers
 * behind them are drawn once, and every stage makes its people from the same ones.
 */
#ifndef TCT_NET_DRAWS_H
#define TCT_NET_DRAWS_H

#include "belief.h"
#include "netline.h"
#include "netquick.h"

enum { TCT_NET_DRAWS = 2048 };

/* An attribute that is not known. */
typedef struct tct_net_unknown {
    size_t attribute, first, at, width; /* first of its inputs, and where that is among the unknown ones */
    tct_kind kind;
    double low, high; /* what a single input may be */
    double steps;     /* between its values, if it is a grid; else 0 */
    double deviation; /* of a single input, given the unknown ones before it */
} tct_net_unknown;

typedef struct tct_net_draws {
    const tacit_model *model;
    tct_netline *line;
    tct_netquick *quick;
    double *noise;  /* n_inputs x TCT_NET_DRAWS: normal, or uniform for the first input of a category */
    double *values; /* n_inputs x TCT_NET_DRAWS: at the first input of an unknown attribute its input, or its level */
    uint8_t *label; /* TCT_NET_DRAWS */
    tct_net_unknown *unknown;
    size_t n_unknown, n_inputs; /* attributes, inputs not known */
    double *mean;               /* n_inputs: posterior means */
    double *shares;             /* n_inputs x n_inputs: see find_shares */
    double *start;              /* n_inputs: expected where all unknown inputs before them are 0 */
    double *point, *base;       /* what is known, else 0; the first layer there */
    double *room;               /* expected inputs of a few people, and their values so far; or their inputs */
    tct_quick_term *terms;      /* n_unknown */
    float *rough;               /* n_unknown x TCT_QUICK: their values in single precision */
    size_t *inputs;             /* n_inputs: those not known */
    bool plain;                 /* person by person, for tests */
    bool have_noise, used;
    uint64_t seed; /* of the noise */
} tct_net_draws;

/* *out stays NULL for classifiers that are no networks.  plain: one person after the other; the same bits. */
tacit_status tct_net_draws_new(tct_net_draws **out, const tacit_model *model, bool plain, tacit_error *err);
void tct_net_draws_free(tct_net_draws *draws); /* wipes */
void tct_net_draws_wipe(tct_net_draws *draws);

/* Values and labels of TCT_NET_DRAWS people who are known at x, where `known` says, and drawn by the belief elsewhere. */
void tct_net_draws_likely(tct_net_draws *draws, const tct_belief *belief, const unsigned char *known, const double *x,
                          uint64_t seed);

#endif
