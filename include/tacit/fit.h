/*
 * tacit/fit.h -- training.  Part of tacit.h, which says what holds everywhere; in the
 * library tacit-train.
 */
#ifndef TACIT_FIT_H
#define TACIT_FIT_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_fit_options {
    size_t size;      /* see tacit.h */
    const char *kind; /* "logistic" (NULL: the same), "mlp", a ReLU network, or "trees", boosted */
    /* Weight of the squared penalty, objective = sum of log losses + l2/2 |w|^2; 0 means for "logistic" 1, on weights per
     * usual spread of their input (docs/METHOD.md, section 25; not if `paper`), 1 for the leaves of "trees", and for "mlp"
     * the one that does best on rows left out for the purpose. */
    double l2;
    double test_share; /* as in tacit_infer_options; must agree with the schema's */
    uint64_t seed;     /* of the split; for "mlp" also of the first weights and of the order of the rows */
    size_t threads;    /* 0 = all cores; the result does not depend on it */
    tacit_progress progress;
    void *progress_context;
    /* "mlp" only, mini-batch gradient descent; 0 and NULL mean the usual: docs/METHOD.md, section 25. */
    const char *hidden; /* sizes of the hidden layers, comma-separated; NULL means "10,10", "" none */
    size_t epochs;      /* times through the training part; 0 means what makes 4000 steps, at least 10 */
    size_t batch;       /* rows that make one step; 0 means a hundredth of the training part, from 32 to 128 */
    double rate;        /* length of a step, at first: it falls to 0; 0 means 0.01.  "trees": see there */
    double momentum;    /* at least 0, below 1; above 0 it takes the place of Adam's rule */
    bool adam;          /* steps by Adam's rule: so it is without momentum, unless `paper`; not with momentum */
    size_t patience;    /* stop after so many epochs without improvement of the training loss; 0 means never */
    /* Train as the paper does: plain descent at a rate that stays, on inputs as they are.  What is left open means 300
     * epochs, batches of 32, rate 0.001, no momentum, not Adam, no penalty. */
    bool paper;
    /* Two classes: the second is given from this probability on, above 0 and below 1; 0 means one half. */
    double threshold;
    /* "trees" only: trees of each score (one, or as many as classes where these are more than two), 0 means 100; and
     * their depth, up to 16, 0 means 4.  `rate` is the share of each tree that counts, up to 1; 0 means 0.1. */
    size_t trees, depth;
    uint64_t reserved[5]; /* 0: room to grow, since other options hold these */
} tacit_fit_options;

/* Names of the kinds that can be trained, NULL at the end. */
TACIT_API extern const char *const tacit_fit_kinds[];
/* Is it made of layers, and so takes `hidden` and the other options of descent?  False for an unknown name. */
TACIT_API bool tacit_fit_has_layers(const char *kind);
/* Is it made of trees, and so takes `trees` and `depth`?  False for an unknown name. */
TACIT_API bool tacit_fit_has_trees(const char *kind);

/* Train on a table.  Deterministic: the same table, schema and options give the same bytes. */
TACIT_API tacit_status tacit_fit(tacit_model **out, const tacit_table *table, const tacit_schema *schema,
                                 const tacit_fit_options *options, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
