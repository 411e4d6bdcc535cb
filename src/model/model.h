/*
 * model.h -- what the rest of Tacit may know about a classifier.
 *
 * A classifier maps d encoded inputs to scores: one score for two classes (label 1 iff score >= 0), else one per
 * class (label = the largest, ties to the lower index).  A new kind of model is one new file that fills a
 * tct_classifier_ops, and one row in the table in model.c.
 */
#ifndef TCT_MODEL_H
#define TCT_MODEL_H

#include "calibration.h"
#include "encode.h"
#include "json.h"
#include "reference.h"
#include "region.h"
#include "variables.h"

typedef struct tct_classifier tct_classifier;

enum { TCT_HIDDEN_TEXT = 128 }; /* 15 hidden layers of at most 4 digits, and commas */

typedef struct tct_classifier_ops {
    const char *kind; /* as in model files */
    /* Scores of n points, x: n x d row-major, f: n x n_scores.  This is the deployed decision: its summation order is
     * fixed, and the proofs are about these very bits. */
    void (*scores)(const tct_classifier *self, const double *x, size_t n, double *f);
    /* Gradient of every score at n points: jacobian n x n_scores x d.  NULL: it has none that tells anything. */
    void (*gradient)(const tct_classifier *self, const double *x, size_t n, double *jacobian);
    /* Lower bounds over a region, rounding of scores() included: for every point of the region, as computed by
     * scores(), label beats class c by at least lower[c]; for one score, lower[1 - label] bounds f (label 1) or -f
     * (label 0).  lower has n_classes entries, that of `label` itself is +inf.  The label is proven when every entry
     * is > 0, or = 0 where a tie goes to the label: one score, label 1; else against classes of higher index. */
    void (*margins)(const tct_classifier *self, const tct_region *region, size_t label, double *lower);
    /* The classifier as a sum of one term per input and score, for code that has closed forms for such sums: the
     * tables of extreme terms, the stages of a plan, audits in batches.  NULL, or a NULL answer: it is none. */
    const struct tct_linear *(*additive)(const tct_classifier *self);
    /* Change how attributes become inputs, where it reads them in a way of its own.  NULL: it does not. */
    tacit_status (*codec)(const tct_classifier *self, tct_codec *codec, tacit_error *err);
    /* What is said about it beside what all kinds have, into a model's info (trees, leaves, in_order, `hidden`: a text for
     * which there are TCT_HIDDEN_TEXT bytes, "" before).  NULL: nothing. */
    void (*describe)(const tct_classifier *self, tacit_model_info *info, char *hidden);
    json_t *(*to_json)(const tct_classifier *self);
    tacit_status (*from_json)(tct_classifier **out, const json_t *json, const tct_json_at *at, size_t n_inputs,
                              size_t n_classes, tacit_error *err);
    tacit_status (*copy)(tct_classifier **out, const tct_classifier *self, tacit_error *err);
    /* A copy whose only score, a log-odds, is less by this.  NULL: its score is none. */
    tacit_status (*lowered)(tct_classifier **out, const tct_classifier *self, double by, tacit_error *err);
    /* From now on proofs are about sums in the order in which scores() forms them, and no other.  NULL: it has no such
     * proofs. */
    tacit_status (*in_order)(tct_classifier *self, tacit_error *err);
    void (*free)(tct_classifier *self);
} tct_classifier_ops;

struct tct_classifier {
    const tct_classifier_ops *ops;
    size_t n_inputs, n_classes, n_scores;
};

/* Linear: scores = bias + weights x.  For code that has closed forms. */
typedef struct tct_linear {
    tct_classifier base;
    double *weights; /* n_scores x n_inputs */
    double *bias;    /* n_scores */
    /* rounding[s]: |score s as computed - exact| and every sum of the same terms in another order stays within this,
     * for all inputs in [-1, 1] (used twice where two such sums meet) */
    double *rounding;
} tct_linear;
extern const tct_classifier_ops tct_linear_ops;
/* Takes copies. */
tacit_status tct_linear_new(tct_classifier **out, size_t n_inputs, size_t n_classes, const double *weights,
                            const double *bias, tacit_error *err);
/* Inputs of a person that are not 0, ascending: with wide categories few of many. */
typedef struct tct_given {
    size_t n;
    size_t *input;
    double *value;
} tct_given;
/* The next of x[from] ... x[to - 1] that is not 0, or `to`. */
size_t tct_next_given(const double *x, size_t from, size_t to);
/* What scores() gives to the bit, where all other inputs are 0; and the lower bound of margins() of a label over a class,
 * where the region is this person alone, or the person is the worst of the region for the two. */
void tct_linear_scores_of(const tct_linear *linear, const tct_given *given, double *scores);
double tct_linear_margin_of(const tct_linear *linear, size_t label, size_t against, const tct_given *given);
/* The classifier as linear, or NULL when it is of another kind. */
const tct_linear *tct_as_linear(const tct_classifier *classifier);

/* One more kind, for those that are not built in.  Before the first model is read; up to 8. */
void tct_classifier_add_kind(const tct_classifier_ops *ops);
/* The operations of the kind called `name`; an unknown name is a usage error with a suggestion. */
tacit_status tct_classifier_kind(const tct_classifier_ops **out, const char *name, tacit_error *err);

/* The classifier as a sum of terms, or NULL when it is none. */
static inline const tct_linear *tct_additive(const tct_classifier *classifier)
{
    return classifier->ops->additive ? classifier->ops->additive(classifier) : NULL;
}

/* The codec of a schema as the classifier reads it. */
tacit_status tct_classifier_codec(tct_codec **out, const tct_classifier *classifier, const tacit_schema *schema,
                                  tacit_error *err);

/* Put in the place of *classifier, which is freed, one that decides for the second of two classes from the probability
 * `threshold` on: its score, a log-odds, is less by the threshold's own.  On failure it stays. */
tacit_status tct_classifier_threshold(tct_classifier **classifier, double threshold, tacit_error *err);

/* Inputs of attributes that are not known and have one value only (tacit_model_reads() says no): that value into x. */
void tct_model_fill_idle(const tacit_model *model, const unsigned char *known, double *x);

/* Label of one point from its scores. */
size_t tct_label(const double *scores, size_t n_scores);

/* From which delta on the entropy rule asks for less than the rule of proofs does (release/crossing.h): than it does at that
 * delta, and than it does at delta = 0. */
typedef struct tct_crossing {
    double likely, proofs;
} tct_crossing;
/* The same as a model keeps it.  It follows from the model and is found out on first use; threads that come first
 * together find out the same. */
typedef struct tct_crossing_kept {
    _Atomic bool known;
    _Atomic double likely, proofs;
} tct_crossing_kept;

struct tacit_model {
    tacit_schema *schema;
    tct_codec *codec;
    tct_classifier *classifier;
    double *mean;       /* n_inputs, of the training part */
    double *covariance; /* of its variables, variables->n x variables->n */
    tct_variables *variables;
    tacit_model_info info;
    tacit_origin told_origin; /* as in its file: older ones do not say */
    tct_reference *reference; /* NULL: not known */
    tct_crossing_kept *crossing;
    bool calibrated;
    tct_calibration calibration;
    tacit_calibration view; /* of the calibration */
    char data_hash[65], model_hash[65];
    char version[32];
    char hidden[TCT_HIDDEN_TEXT];
    bool first_order;          /* networks: what is likely by the paper's law (score_laws.h); never in files */
    struct tct_recall *proven; /* as in tct_trial_terms; else NULL */
};

/* A promise to keep: the nominal failure at which people are stopped as likely, and what follows from it. */
typedef struct tct_promise {
    double delta;    /* what was promised or, where the model is calibrated, what that takes; 0: only by proof */
    double quantile; /* Phi^-1(1 - delta); infinite for delta = 0 */
} tct_promise;
/* Stop as likely at this nominal failure. */
tct_promise tct_promise_nominal(double nominal);
/* The promise that `delta` means for this model and rule (not AUTO, except at delta = 0): the one place where a
 * calibration comes in. */
tct_promise tct_promise_of(const tacit_model *model, tacit_rule rule, double delta);

/* A copy with this calibration. */
tacit_status tct_model_with_calibration(tacit_model **out, const tacit_model *model, const tct_calibration *calibration,
                                        tacit_error *err);

/* A copy, not calibrated, of which exactly these attributes are sensitive. */
tacit_status tct_model_with_sensitive(tacit_model **out, const tacit_model *model, const size_t *sensitive, size_t n,
                                      tacit_error *err);

/* The same for one cell of an experiment. */
typedef struct tct_trial_terms {
    bool first_order;          /* networks by the paper's law */
    struct tct_recall *proven; /* borrowed: what was proven about its people (provers.h) */
    tct_crossing crossing;     /* the tables have one rule for a delta */
} tct_trial_terms;
tacit_status tct_model_for_trial(tacit_model **out, const tacit_model *model, const size_t *sensitive, size_t n,
                                 const tct_trial_terms *terms, tacit_error *err);
/* From now on the model goes by this one. */
void tct_crossing_set(const tacit_model *model, tct_crossing crossing);

/* Weights of all scores, where wide categories count by their terms (variables.h); NULL: they do not. */
const double *tct_classifier_terms(const tct_classifier *classifier);

/* Put a model together from parts it takes over (schema, classifier, mean, covariance), e.g. in tests; computes codec
 * and hash.  The parts are freed on failure too. */
tacit_status tct_model_assemble(tacit_model **out, tacit_schema *schema, tct_classifier *classifier, double *mean,
                                double *covariance, tacit_error *err);

#endif
