/*
 * train.h -- training: classifiers of each kind from points, and models from people.
 */
#ifndef TCT_TRAIN_H
#define TCT_TRAIN_H

#include "encoded.h"
#include "mlp.h"
#include "spread.h"

/* Train a linear classifier on n points (inputs one after the other, x[i * stride + r]) with class indices.
 * objective: sum of log losses + l2/2 |weights|^2, biases free of penalty, the weights per spread; NULL: of the inputs as
 * they are.  Deterministic. */
tacit_status tct_train_logistic(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                                size_t n_inputs, size_t n_classes, double l2, const tct_input_spread *spread,
                                size_t threads, tacit_progress progress, void *context, tacit_error *err);

/* Points of which some inputs are kept as levels: category k has the inputs first[k] ... first[k] + count[k] - 1, of which
 * that of its level is 1 and all others are 0. */
typedef struct tct_levelled {
    const double *x;      /* column c of point r: x[c * n + r] */
    const size_t *inputs; /* n_columns: the input that each column is; NULL: that of its own number */
    size_t n, n_columns, n_inputs;
    size_t n_categories;
    const size_t *first;
    const uint16_t *const *levels; /* n_categories */
    const int32_t *labels;
    const tct_input_spread *spread; /* as in tct_train_logistic */
} tct_levelled;
/* The same for them. */
tacit_status tct_train_logistic_levelled(tct_classifier **out, const tct_levelled *points, size_t n_classes, double l2,
                                         size_t threads, tacit_progress progress, void *context, tacit_error *err);

/* How to train. */
typedef struct tct_mlp_options {
    const size_t *hidden; /* sizes of the hidden layers */
    size_t n_hidden;
    size_t epochs, batch;  /* at least 1 */
    double rate, momentum; /* rate > 0, momentum in [0, 1) */
    bool adam;             /* needs momentum 0 */
    double l2;             /* objective: sum of log losses + l2/2 |weights|^2, biases free of penalty */
    size_t patience;       /* stop after so many epochs without improvement of the training loss; 0 = never */
    uint64_t seed;
    const tct_mlp *start; /* first weights, of the shape asked for; NULL: drawn (He) */
    bool in_order;        /* go through the points in the order given instead of a new one in every epoch */
    /* Train on inputs moved to mean 0 and divided by sqrt(variance + narrow^2), and give the network back in the inputs
     * as they were.  The penalty is on the weights that are trained.  An input that never varies gets no weight.  Not
     * with `start`. */
    bool standardise;
    double narrow; /* 0 or more */
    bool cosine;   /* the rate falls to 0 along half a cosine; else it stays */
} tct_mlp_options;

/* How it went. */
typedef struct tct_mlp_outcome {
    size_t epochs; /* gone through */
    double loss;   /* mean log loss while going through the points for the last time */
} tct_mlp_outcome;

/* Mini-batch SGD on cross-entropy (logistic for two classes, softmax for more).  x and labels as in
 * tct_train_logistic.  One thread; the same seed gives the same bits on any machine of one kind.  outcome may be NULL. */
tacit_status tct_train_mlp(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                           size_t n_inputs, size_t n_classes, const tct_mlp_options *options, tct_mlp_outcome *outcome,
                           tacit_progress progress, void *context, tacit_error *err);
/* The same with the penalty that does best on points left out (options->l2 does not matter), which goes to *l2.  threads:
 * 0 = all cores; the result does not depend on it. */
tacit_status tct_train_mlp_chosen(tct_classifier **out, double *l2, const double *x, size_t stride,
                                  const int32_t *labels, size_t n, size_t n_inputs, size_t n_classes,
                                  const tct_mlp_options *options, size_t threads, tct_mlp_outcome *outcome,
                                  tacit_progress progress, void *context, tacit_error *err);

/* A caller's options into ours (see tct_options_take). */
tacit_status tct_fit_options_take(tacit_fit_options *own, const tacit_fit_options *options, tacit_error *err);

/* What the inputs of points are: those of some attributes of a codec, one attribute after the other. */
typedef struct tct_inputs {
    size_t n; /* inputs */
    const tct_codec *codec;
    const size_t *attributes; /* NULL: all of them */
    size_t n_attributes;
} tct_inputs;

/* Boosted trees: so many rounds, in each of which every score gets a tree of at most this depth, shrunk by a rate.  l2 is
 * added to the curvatures of a leaf.  Two classes: the label is 1 iff the log-odds are at least `cut`. */
typedef struct tct_trees_options {
    size_t rounds, depth, threads; /* at least 1; threads: 0 = all cores, and the result does not depend on it */
    double rate, l2, cut;
} tct_trees_options;
/* Numbers must be read by cells; the classifier has their cuts.  Deterministic. */
tacit_status tct_train_trees(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                             const tct_inputs *inputs, size_t n_classes, const tct_trees_options *options,
                             tacit_progress progress, void *context, tacit_error *err);
/* Cells by which to read the numbers of a table while trees are trained on its training part. */
tacit_status tct_boost_cells(tct_codec *codec, const tacit_table *table, const tacit_fit_options *options,
                             tacit_error *err);
/* Forget those cuts that no tree asks for. */
tacit_status tct_trees_forget_cuts(tct_classifier *classifier, tacit_error *err);

/* Trains a classifier of one kind on n points (as in tct_train_logistic).  `options` as given by the user; what it came to
 * goes into `info` (l2, and what else the kind has). */
typedef tacit_status tct_train(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                               const tct_inputs *inputs, size_t n_classes, const tacit_fit_options *options,
                               tacit_model_info *info, tacit_error *err);
typedef tacit_status tct_train_compact(tct_classifier **out, const tct_encoded *people, size_t n_classes,
                                       const tacit_fit_options *options, tacit_model_info *info, tacit_error *err);

/* A kind that can be trained. */
typedef struct tct_trainer {
    const tct_classifier_ops *kind;
    tct_train *train;
    bool layers, trees; /* what it is made of */
    /* The same on people of whom levels were kept.  NULL: it needs their inputs. */
    tct_train_compact *compact;
    /* It is logistic regression: src/necessity knows how to go from a fit to one with fewer attributes. */
    bool logit;
    /* Let a codec read a table as this kind does while it learns.  NULL: as any codec does. */
    tacit_status (*read)(tct_codec *codec, const tacit_table *table, const tacit_fit_options *options,
                         tacit_error *err);
    /* Reduce what was trained to how it will read people from then on: the cells of read() become fewer.  NULL: it reads
     * them as it did. */
    tacit_status (*reduce)(tct_classifier *classifier, tacit_error *err);
} tct_trainer;

/* Log losses of m points, added up, from their scores; row s of z at z + s * stride (a row alone: two classes).  The
 * scores become residuals, the derivatives of the losses. */
double tct_log_losses(const int32_t *labels, size_t m, size_t n_scores, double *z, size_t stride);

/* How the kind called `name` is trained (NULL: the usual kind); an unknown name is a usage error with a suggestion. */
tacit_status tct_trainer_find(const tct_trainer **out, const char *name, tacit_error *err);
/* The codec by which people are to be read for a fit with these options (kind, test_share, seed). */
tacit_status tct_fit_codec(tct_codec **out, const tacit_schema *schema, const tacit_table *table,
                           const tacit_fit_options *options, tacit_error *err);

/* Give what a fit's options leave open ("mlp" only: hidden, epochs, batch, rate) the paper's value. */
void tct_fit_fill_paper(tacit_fit_options *options);
/* tacit_fit for people who are encoded already, by a codec of tct_fit_codec.  Afterwards they are as the model reads
 * them. */
tacit_status tct_fit_encoded(tacit_model **out, tct_encoded *people, const tacit_schema *schema,
                             const tacit_fit_options *options, tacit_error *err);

#endif
