/*
 * onnx_inside.h -- what the files that read ONNX share.
 *
 * A graph is walked once, from front to back, and every name in it gets a value:
 *
 *   TCT_TENSOR  a constant
 *   TCT_WIRE    numbers per person, each an affine function of the outputs of one ReLU layer, or of the encoded inputs;
 *               up to the first layer also columns, each a function of one attribute, to the bit
 *   TCT_HEAD    what a sigmoid, softmax or normaliser made of a wire: good for comparing, not for calculating with
 *   TCT_LABEL   the class that belongs to the largest of some scores
 *   TCT_MAP     scores with the names of their classes
 *
 * Affine operators are carried out on the functions, so scalings, chains of layers without ReLU and the way from
 * encoded to raw values need no layer of their own.  Everything allocated lives until the walk ends.
 */
#ifndef TCT_ONNX_INSIDE_H
#define TCT_ONNX_INSIDE_H

#include "lookup.h"
#include "model.h"
#include "onnx.pb-c.h"
#include "raw_trees.h"

/* Limits, each with its error. */
enum {
    TCT_ONNX_NODES = 4096,
    TCT_ONNX_DIMS = 8,         /* dimensions of a tensor */
    TCT_ONNX_BYTES = 1 << 30,  /* memory for decoding, and as much again for folding */
    TCT_ONNX_NUMBERS = 1 << 27 /* numbers of a tensor */
};
#define TCT_ONNX_WORK ((uint64_t)1 << 33) /* multiplications for folding */

/* Types of numbers, by the format's numbers. */
enum { TCT_ONNX_FLOAT = 1, TCT_ONNX_INT32 = 6, TCT_ONNX_INT64 = 7, TCT_ONNX_STRING = 8, TCT_ONNX_DOUBLE = 11 };

typedef struct tct_tensor {
    int32_t type;
    size_t n_dims, dims[TCT_ONNX_DIMS];
    size_t count;       /* product of the dims, at least 1 */
    double *numbers;    /* finite; NULL for text */
    const char **texts; /* NULL for numbers */
} tct_tensor;

typedef struct tct_affine tct_affine;

/* What affine functions are functions of. */
typedef struct tct_base {
    const tct_affine *of; /* ReLUs of these; NULL: the encoded inputs */
    size_t width;
    size_t depth; /* ReLU layers up to here */
} tct_base;

/* `width` affine functions of a base.  Row i is scale[i] * base[from + i] + bias[i] when there is a scale, else
 * weights[i] . base + bias[i]. */
struct tct_affine {
    const tct_base *base;
    size_t width;
    double *scale;
    size_t from;
    double *weights; /* width x base->width, row-major */
    double *bias;
};

/* What a pipeline does with a number, one step after the other. */
typedef struct tct_step {
    const struct tct_step *before;
    char op;     /* + - * / with `number` on the right; ~ for number - x; = for nothing but rounding */
    bool single; /* in single precision, else double */
    double number;
} tct_step;

/* What a pipeline has made of one attribute. */
typedef struct tct_source {
    size_t attribute;
    const double *values;     /* categories: what each level counts as, NaN where it counts as missing; ... */
    const char *const *texts; /* ... or as which text */
    bool single;              /* numbers: the raw value is rounded to single precision first, ... */
    const tct_step *steps;    /* ... then these are done to it, the last one here; NULL: none */
    double missing;           /* numbers: what a missing value has become; NaN: still missing */
} tct_source;

typedef enum tct_value_kind { TCT_TENSOR, TCT_WIRE, TCT_HEAD, TCT_LABEL, TCT_MAP } tct_value_kind;

typedef struct tct_value {
    tct_value_kind kind;
    const tct_tensor *tensor; /* TCT_TENSOR */
    const tct_affine *scores; /* all others, but for trees; NULL: `reason` says why there are none */
    const char *reason;
    const tct_source *sources;  /* TCT_WIRE: as many as columns; NULL: not functions of one attribute each */
    const tct_raw_trees *trees; /* TCT_HEAD, TCT_LABEL, TCT_MAP: in place of scores */
    size_t columns;             /* numbers per person.  Usually scores->width; 2 for 1 - p and p of one score */
    bool flat;                  /* one number per person without a dimension of its own */
    bool whole;                 /* TCT_WIRE: of an integer type, not to be calculated with */
    bool text;                  /* TCT_WIRE: of texts */
    bool wide;                  /* TCT_WIRE: of doubles */
    size_t deep;         /* TCT_WIRE: the last of three dimensions, [people, columns / deep, deep]; 0: there are two */
    bool sigmoid;        /* TCT_HEAD: a sigmoid of every score, nothing more */
    bool rest;           /* TCT_HEAD: one minus that */
    const char *made_by; /* TCT_HEAD: the operator ... */
    size_t made_at;      /* ... and its node, for messages */
    const char *const *names; /* TCT_LABEL, TCT_MAP: of the classes, as many as columns; NULL: not said */
} tct_value;

/* A walk. */
typedef struct tct_onnx {
    const char *file;
    tacit_error error; /* the one that ended the walk */
    const tct_codec *codec;
    const tct_affine *inputs; /* the raw values, of the encoded inputs */
    tct_raw_trees trees;      /* of the one ensemble there may be */
    const char *transform;    /* what it does to the sums of two classes with weights of one; else NULL */
    double threshold;         /* the probability to decide at; NaN: the usual */
    const TctOnnx__GraphProto *graph;
    int64_t opset; /* of the standard operators */
    size_t batch;  /* people at a time, where the file fixes it; else 0 */
    size_t node;   /* being read, from 1; 0: none */
    const char *op;
    tct_lookup names;
    const tct_value **values; /* by index in names */
    size_t room;
    void *blocks; /* all memory of the walk */
    size_t used;
    uint64_t work;
} tct_onnx;

/* ---- onnx_tensor.c: memory, constants, attributes ---- */

/* Zeroed, until the walk ends; NULL when there is no more, with the error set. */
void *tct_onnx_alloc(tct_onnx *o, size_t count, size_t size);
void tct_onnx_release(tct_onnx *o);
/* "FILE: node 3 (Gemm): ...". */
tacit_status tct_onnx_fail(tct_onnx *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "[2, 3]", into a buffer that has room for it. */
enum { TCT_ONNX_SHAPE = 200 };
const char *tct_onnx_shape(const tct_tensor *tensor, char text[TCT_ONNX_SHAPE]);
/* The name of a type of numbers. */
const char *tct_onnx_type(int32_t type);

/* A constant; `what` and `name` are for messages. */
tacit_status tct_onnx_tensor(tct_onnx *o, const tct_tensor **out, const TctOnnx__TensorProto *proto, const char *what,
                             const char *name);

/* Attributes of the node.  An absent one leaves *out alone, one without a value of this type is an error. */
tacit_status tct_onnx_int(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, int64_t *out);
tacit_status tct_onnx_float(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, double *out);
tacit_status tct_onnx_text(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const char **out);
/* Lists; absent: NULL and 0. */
tacit_status tct_onnx_floats(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, double **out,
                             size_t *count);
tacit_status tct_onnx_ints(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const int64_t **out,
                           size_t *count);
/* A list of numbers, some of which may not be finite, under `name`, or as a tensor of doubles under `name`_as_tensor. */
tacit_status tct_onnx_any_numbers(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, const double **out,
                                  size_t *count, bool *doubles);
/* A list of names under whichever of the three attributes is there (each may be NULL). */
tacit_status tct_onnx_names(tct_onnx *o, const TctOnnx__NodeProto *node, const char *texts, const char *ints,
                            const char *floats, const char *const **out, size_t *count);
const TctOnnx__AttributeProto *tct_onnx_attribute(const TctOnnx__NodeProto *node, const char *name);
/* A whole or other number as text. */
const char *tct_onnx_number_text(tct_onnx *o, double number);

/* ---- onnx_affine.c: affine functions; NULL when memory or work is used up, with the error set ---- */

tct_affine *tct_affine_of_base(tct_onnx *o, const tct_base *base, size_t from, size_t width);
/* factor[i] * a[i] + shift[i]; a NULL factor is 1, a NULL shift 0. */
const tct_affine *tct_affine_scaled(tct_onnx *o, const tct_affine *a, const double *factor, const double *shift);
/* Row j is sum_i matrix[i * row + j * column] a[i] + bias[j], for j < width; a NULL bias is 0. */
const tct_affine *tct_affine_product(tct_onnx *o, const tct_affine *a, const double *matrix, size_t row, size_t column,
                                     size_t width, const double *bias);
/* a + sign * b, of the same base and width. */
const tct_affine *tct_affine_sum(tct_onnx *o, const tct_affine *a, const tct_affine *b, double sign);
/* Rows pick[0], pick[1], ... */
const tct_affine *tct_affine_picked(tct_onnx *o, const tct_affine *a, const size_t *pick, size_t count);
/* `width` functions that are all 0, to be filled in. */
tct_affine *tct_affine_zero(tct_onnx *o, const tct_base *base, size_t width);
/* The same two functions over one base, where they came out of different layers. */
bool tct_affine_meet(tct_onnx *o, const tct_affine **a, const tct_affine **b);
/* One after the other, of the same base. */
const tct_affine *tct_affine_joined(tct_onnx *o, const tct_affine *const *parts, size_t count);
/* ReLU. */
const tct_affine *tct_affine_relu(tct_onnx *o, const tct_affine *a);
/* The weights in full: width x base->width. */
const double *tct_affine_weights(tct_onnx *o, const tct_affine *a);

/* ---- onnx_inputs.c: what the graph reads ---- */

tacit_status tct_onnx_inputs(tct_onnx *o);
/* The raw values as functions of the encoded inputs (o->inputs), whoever reads them. */
tacit_status tct_onnx_raw_inputs(tct_onnx *o);

/* ---- onnx_columns.c: columns, each a function of one attribute; NULL when memory is used up, with the error set ---- */

/* A column with one more step. */
bool tct_source_step(tct_onnx *o, tct_source *column, char op, bool single, double number);
/* Round to single precision. */
bool tct_source_to_single(tct_onnx *o, tct_source *column);
/* What a number that is not missing becomes. */
double tct_source_value(const tct_source *column, double raw);
/* -1: it falls where the number rises, 1: it does not; 0: it is constant. */
int tct_source_slope(const tct_source *column);
/* A copy of some columns, all of them if pick is NULL. */
tct_source *tct_sources_copy(tct_onnx *o, const tct_source *columns, const size_t *pick, size_t count);
/* Columns of categories as affine functions of the encoded inputs.  Where they are none, *out is NULL and *reason says
 * why. */
tacit_status tct_sources_affine(tct_onnx *o, const tct_source *columns, size_t count, const tct_affine **out,
                                const char **reason);
/* Put columns, and the affine functions that they are, into a value; `scores` NULL: look for them, categories only. */
tacit_status tct_onnx_put_columns(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *like,
                                  const tct_affine *scores, const tct_source *columns, size_t count);

/* ---- onnx_ops.c, onnx_head.c, onnx_pipeline.c, onnx_layers.c, onnx_trees.c: operators ---- */

/* Carries out one node: reads its inputs (all known), gives values to its outputs. */
typedef tacit_status tct_onnx_operator(tct_onnx *o, const TctOnnx__NodeProto *node);

tct_onnx_operator tct_onnx_gemm, tct_onnx_matmul, tct_onnx_arithmetic, tct_onnx_relu, tct_onnx_flatten,
    tct_onnx_reshape, tct_onnx_identity, tct_onnx_cast, tct_onnx_concat, tct_onnx_constant, tct_onnx_scaler;
tct_onnx_operator tct_onnx_sigmoid, tct_onnx_softmax, tct_onnx_argmax, tct_onnx_linear_classifier, tct_onnx_normalizer,
    tct_onnx_zipmap, tct_onnx_label_encoder, tct_onnx_feature_extractor;
tct_onnx_operator tct_onnx_one_hot, tct_onnx_recode, tct_onnx_imputer, tct_onnx_vectorizer, tct_onnx_pick,
    tct_onnx_squeeze, tct_onnx_unsqueeze;
tct_onnx_operator tct_onnx_batch_normalization, tct_onnx_leaky_relu, tct_onnx_clip;
tct_onnx_operator tct_onnx_tree_ensemble;

/* Is the largest of an ensemble's probabilities that of the class which it gives?  If not, an error. */
tacit_status tct_onnx_trees_argmax(tct_onnx *o, const tct_value *head);
/* The ensemble with its classes in the order of the schema's: class c of these is column[c]. */
tacit_status tct_onnx_trees_arrange(tct_onnx *o, const size_t *column);
/* Two classes: decide for the second from this probability on. */
tacit_status tct_onnx_trees_threshold(tct_onnx *o);

/* ---- onnx.c: the end of a walk ---- */

/* column[c]: which of the answer's columns belongs to class c of the schema. */
tacit_status tct_onnx_match_classes(tct_onnx *o, const tct_value *answer, size_t column[TCT_MAX_CLASSES]);
/* The linear classifier or network whose scores these are, arranged by the classes of the schema. */
tacit_status tct_onnx_build(tct_onnx *o, tct_classifier **out, const tct_affine *scores, const size_t *column);

/* Input `index` of a node; NULL when it is left out. */
const tct_value *tct_onnx_input(const tct_onnx *o, const TctOnnx__NodeProto *node, size_t index);
/* Give output `index` of a node its value (copied); one that has no name is not wanted. */
tacit_status tct_onnx_output(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value *value);
/* Give a new name its value (copied). */
tacit_status tct_onnx_define(tct_onnx *o, const char *name, const tct_value *value);

/* Input `index` as a constant of numbers. */
tacit_status tct_onnx_numbers(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_tensor **out);
/* The numbers of an attribute, one or one per column, in full; `otherwise` where it is absent. */
tacit_status tct_onnx_per_column(tct_onnx *o, const TctOnnx__NodeProto *node, const char *name, size_t columns,
                                 double otherwise, double **out);
/* Output 0 is a wire like `like` with other functions, or the error that these could not be made. */
tacit_status tct_onnx_put_wire(tct_onnx *o, const TctOnnx__NodeProto *node, const tct_value *like,
                               const tct_affine *scores);
/* Input `index` as rows of anything that comes from the graph's inputs: numbers or texts, with scores or without. */
tacit_status tct_onnx_table(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out);
/* Input `index` as numbers per person; anything else is an error. */
tacit_status tct_onnx_features(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out);
/* The same in rows, not one number per person without a dimension of its own. */
tacit_status tct_onnx_rows(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out);
/* tct_onnx_features, and of a type to calculate with: for operators that do not turn integers into floats themselves.
 * */
tacit_status tct_onnx_wire(tct_onnx *o, const TctOnnx__NodeProto *node, size_t index, const tct_value **out);
/* An axis must be the second of two dimensions; `axis` is the default. */
tacit_status tct_onnx_axis(tct_onnx *o, const TctOnnx__NodeProto *node, int64_t axis);

#endif
