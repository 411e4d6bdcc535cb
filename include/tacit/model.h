/*
 * tacit/model.h -- models and their files.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_MODEL_H
#define TACIT_MODEL_H

#include "schema.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_model tacit_model;

/* Told about progress now and then, from one thread at a time.  total may be 0 (unknown).  Return false to stop. */
typedef bool (*tacit_progress)(void *context, uint64_t done, uint64_t total);

/* Who trained a classifier. */
typedef enum tacit_origin {
    TACIT_ORIGIN_UNKNOWN = 0,
    TACIT_ORIGIN_TRAINED = 1, /* tacit_fit, on the training part of its file */
    TACIT_ORIGIN_IMPORTED = 2 /* somebody else, on people nobody here knows */
} tacit_origin;
/* "trained", "imported", "unknown". */
TACIT_API const char *tacit_origin_name(tacit_origin origin);

/* Is a classifier better than always giving the most frequent class? */
typedef enum tacit_usefulness {
    TACIT_USE_UNKNOWN = 0,   /* no outcome is known */
    TACIT_USE_BETTER = 1,    /* the interval of its gain lies above 0 */
    TACIT_USE_NOT_SHOWN = 2, /* it was right more often here, by no more than chance may do */
    TACIT_USE_NO_BETTER = 3  /* it was not right more often */
} tacit_usefulness;
/* "better", "not shown", "no better"; NULL when unknown. */
TACIT_API const char *tacit_usefulness_name(tacit_usefulness state);

/* A classifier with everything known, against the known outcomes of some people.  Intervals are at 95 %. */
typedef struct tacit_baseline {
    uint64_t people;                              /* whose outcome is known */
    size_t majority_class;                        /* the most frequent outcome; TACIT_NONE: none is known */
    double accuracy, accuracy_low, accuracy_high; /* NaN when none is known, as all below */
    double majority_accuracy;                     /* of always giving the majority class */
    double gain, gain_low, gain_high;             /* accuracy less that; paired: the same people */
    tacit_usefulness state;
} tacit_baseline;

/* Where a model comes from and how good it is. */
typedef struct tacit_model_info {
    const char *kind; /* "logistic", "mlp", "trees" */
    size_t inputs;    /* numbers the classifier reads */
    size_t scores;    /* 1 for two classes, else one per class */
    size_t train_rows, test_rows;
    double train_accuracy, test_accuracy; /* test: NaN when nothing was held out */
    double test_share;
    uint64_t seed;
    double l2;
    uint64_t clipped, missing; /* training file: cells clipped into their domain, cells missing */
    tacit_origin origin;
    const char *data_hash; /* SHA-256 of the training file, hex; imported: of the file its distribution is from */
    uint64_t data_size;    /* bytes of that file, 0: not known */
    tacit_baseline train_baseline, test_baseline; /* against known outcomes; unknown for files of older versions */
    bool has_reference;                           /* knows how its training people were spread */
    const char *model_hash;                       /* SHA-256 over everything in the model file, hex */
    const char *version;                          /* of the Tacit that made it */
    const char *hidden;                           /* "mlp": sizes of the hidden layers, "10,10"; else "" */
    size_t trees, leaves;                         /* "trees": how many, and their leaves in all; else 0 */
    /* "mlp": how it was trained, as in tacit_fit_options; epochs = 0 when that is not known. */
    size_t epochs, batch, patience;
    double rate, momentum;
    bool adam;
    size_t epochs_run; /* less than epochs when patience ended it */
    double loss;       /* mean log loss while going through the training part for the last time */
    bool cosine;       /* the rate fell to 0 along half a cosine */
    /* Inputs were standardised in training ("logistic": the penalty is on weights per usual spread of their input); the
     * weights are for inputs as they are. */
    bool standardised;
    bool l2_chosen;   /* l2 was found out on rows left out */
    bool additive;    /* scores are sums of one term per input: whatever is asked about a person is answered quickly */
    double threshold; /* two classes: the second is given from this probability on; 0: the usual, one half */
    size_t variables; /* numbers whose covariance it knows: its inputs, or less where categories have many levels */
    size_t depth;     /* "trees" trained here, at `rate`: the most that was allowed; 0: not known */
    bool in_order;    /* "trees": certain means for sums in the order of the trees; else in whatever order */
} tacit_model_info;

TACIT_API tacit_status tacit_model_load(tacit_model **out, const char *path, tacit_error *err);
TACIT_API tacit_status tacit_model_save(const tacit_model *model, const char *path, tacit_error *err);
/* The same from and to memory: the bytes of a model file.  Free with tacit_text_free. */
TACIT_API tacit_status tacit_model_parse(tacit_model **out, const char *text, size_t size, tacit_error *err);
TACIT_API tacit_status tacit_model_text(char **out, size_t *size, const tacit_model *model, tacit_error *err);
/* A copy with other roles (see tacit_schema_set_roles): roles are a matter of who asks, not of training.  A calibration
 * is about the roles it was made with: where they change, the copy has none. */
TACIT_API tacit_status tacit_model_with_roles(tacit_model **out, const tacit_model *model, const char *sensitive,
                                              const char *public_, tacit_error *err);
TACIT_API void tacit_model_free(tacit_model *model);
TACIT_API const tacit_schema *tacit_model_schema(const tacit_model *model);
TACIT_API const tacit_model_info *tacit_model_info_get(const tacit_model *model);
/* Can this attribute matter?  false: it has one value only, or none that the classifier tells apart.  Then nobody is
 * asked for it, be it public or sensitive. */
TACIT_API bool tacit_model_reads(const tacit_model *model, size_t attribute);

/* One level of a calibration: the policy that stops people as likely at a nominal probability of `confidence`.  People
 * of margin 0 are those whom half the nominal failure would have asked more, people of margin 1 those whom an eighth
 * would have. */
enum { TACIT_MARGINS = 2 };
typedef struct tacit_calibration_row {
    double confidence;
    uint64_t stopped, failed; /* people stopped as likely; those of them whose label is not the one with everything
                                 known */
    double bound;             /* upper confidence bound for the share that fails */
    uint64_t marginal[TACIT_MARGINS], marginal_failed[TACIT_MARGINS]; /* the same for those on the margins */
    double marginal_bound[TACIT_MARGINS];
    double delta; /* the least delta that this level keeps; 1: none */
} tacit_calibration_row;

/* What was observed on people the model was not trained on (docs/METHOD.md, section 20).  All bounds hold together with
 * probability 1 - alpha. */
typedef struct tacit_calibration {
    uint64_t people;
    double alpha;
    const char *data_hash; /* SHA-256 of their file, hex; that of the training file when they were held out of it */
    size_t n_rows;         /* levels, from the loosest to the strictest */
    const tacit_calibration_row *rows;
} tacit_calibration;

/* NULL when the model is not calibrated. */
TACIT_API const tacit_calibration *tacit_model_calibration(const tacit_model *model);

/* Does the model see the numbers of an attribute as they are given?  Then none is moved to the end of its domain, and not
 * knowing, where that is an answer, counts as such, not as a typical value.  So it is with trees; categories: false. */
TACIT_API bool tacit_model_as_given(const tacit_model *model, size_t attribute);

typedef struct tacit_label_options {
    size_t size;             /* see tacit.h */
    size_t threads;          /* 0 = all cores; the result does not depend on it */
    bool unknown_as_missing; /* a category value outside its domain counts as missing instead of an error */
} tacit_label_options;

/* What the model says about everybody in a table with everything known, as an audit counts it: the class of each, and the
 * scores behind it (tacit_model_info.scores each: for two classes one, the second is given where it is at least 0; else one
 * per class, the largest wins, the first of several).  labels and scores have room for tacit_table_rows people; either may
 * be NULL.  A label column need not be there. */
TACIT_API tacit_status tacit_model_labels(const tacit_model *model, const tacit_table *table,
                                          const tacit_label_options *options, uint8_t *labels, double *scores,
                                          tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
