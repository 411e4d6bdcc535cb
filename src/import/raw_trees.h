/*
 * raw_trees.h -- an ensemble of trees as a library writes it down: over features, with thresholds, before it is known
 * what they mean.
 *
 * Readers of formats fill a tct_raw_trees; tct_raw_fit puts it over the attributes of a schema.  Every numeric test is
 * brought to "value < threshold goes left" in the precision in which the library compares.
 */
#ifndef TCT_RAW_TREES_H
#define TCT_RAW_TREES_H

#include "trees.h"

typedef struct tct_raw_node {
    int32_t feature; /* -1: a leaf */
    uint32_t left, right;
    double number;       /* threshold, or the value of a leaf */
    double rival;        /* a leaf's value for the rival, where there is one */
    size_t first, count; /* codes[first ... first + count - 1]: categories that go ... */
    bool categorical;
    bool set_left; /* ... left, else right */
    bool by_level; /* the codes are places of levels in the schema, whatever these count as */
    bool missing_left;
} tct_raw_node;

/* What a level of a category counts as, where the file says so. */
typedef struct tct_raw_level {
    size_t feature;
    char *name;
    double value;
} tct_raw_level;

typedef struct tct_raw_trees {
    const char *file; /* for messages */
    bool single;      /* sums, and comparisons unless ... */
    bool wide;        /* ... numbers are compared as doubles */
    size_t n_features, n_classes;
    char **names;  /* of the features; NULL: the file does not say */
    bool *worded;  /* of the features: it takes texts as they are; NULL: none does.  Without names: any */
    double *start; /* one per score */
    double cut, slack;
    tct_rival rival;
    bool no_negatives; /* a category below 0 is none; else what is behind the point is cut off, and -0.5 is 0 */
    bool matched;      /* the classes are those of the schema, in its order */
    /* trees in the order in which they are added up; each has its root as first node */
    size_t n_trees, n_nodes, n_codes, trees_room, nodes_room, codes_room;
    size_t *roots;
    uint16_t *scores;
    tct_raw_node *nodes; /* left and right count from the root */
    uint32_t *codes;
    /* names of levels, in any order; a level of such a feature that is not there counts as NaN */
    tct_raw_level *levels;
    size_t n_levels, levels_room;
} tct_raw_trees;

tacit_status tct_raw_begin_tree(tct_raw_trees *raw, size_t score, tacit_error *err);
tacit_status tct_raw_add_node(tct_raw_trees *raw, const tct_raw_node *node, tacit_error *err);
/* The node that is added next becomes a child of this one. */
void tct_raw_child(tct_raw_trees *raw, size_t node, size_t root, bool right);
tacit_status tct_raw_add_code(tct_raw_trees *raw, uint32_t code, tacit_error *err);
/* The name is copied. */
tacit_status tct_raw_add_level(tct_raw_trees *raw, size_t feature, const char *name, double value, tacit_error *err);
void tct_raw_clear(tct_raw_trees *raw);

/* A schema for a table whose columns are the features: those of their names, or all but the label in order.  What else
 * is in the table is left out, and so is the one column that `infer` may drop; it names the label. */
tacit_status tct_raw_schema(tacit_schema **out, const tct_raw_trees *raw, const tacit_table *table,
                            const tacit_infer_options *infer, tacit_error *err);
/* The ensemble over the attributes of a schema.  A number or integer is the feature of its name.  A category is the
 * feature of its name, where level k counts as the number that it spells if all levels are numbers, else as k; or it is
 * one 0 or 1 for each level, called NAME_LEVEL or NAME=LEVEL.  Without names the features are the attributes in their
 * order, as many as inputs or as attributes.  Which numbers may be missing is seen from the table, if there is one. */
tacit_status tct_raw_fit(tct_classifier **out, const tct_raw_trees *raw, const tacit_schema *schema,
                         const tacit_table *table, tacit_error *err);

/* Do no two features have one name, and is none the label (NULL: not looked at)? */
tacit_status tct_raw_check_names(const tct_raw_trees *raw, const char *label, tacit_error *err);
/* Is it known what the levels of a schema count as that was made of the columns?  Not where they are texts, the model
 * reads one number for them, and the file does not say which. */
tacit_status tct_raw_check_levels(const tct_raw_trees *raw, const tacit_schema *schema, tacit_error *err);

/* What the file says that the levels of a feature count as; false: nothing. */
bool tct_raw_level_values(const tct_raw_trees *raw, size_t feature, const tacit_attribute *a, double *values);

/* To single precision; false where that depends on how it is done, or is not finite. */
bool tct_raw_single(double v, double *out);
/* The least number of a precision at which `says` is true; it must be false at `low`, true at `high` and change once. */
double tct_raw_least(bool single, double low, double high, bool (*says)(double, const void *), const void *context);

#endif
