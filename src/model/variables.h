/*
 * variables.h -- what a model's Gaussian is about.
 *
 * As a rule every input is a variable.  A category with many levels has many inputs, and the covariance of all of them
 * would be larger than anything that was learnt.  A linear classifier of two classes sees of such a category only its
 * term, the weight of the level.  So from TCT_WIDE_LEVELS on the category is one variable there: that term.
 */
#ifndef TCT_VARIABLES_H
#define TCT_VARIABLES_H

#include "encode.h"

/* A category with more levels than this is one variable, where it can be. */
enum { TCT_WIDE_LEVELS = 64 };

typedef struct tct_variables {
    size_t n;        /* variables */
    size_t n_wide;   /* of them terms of categories */
    size_t *first;   /* n_attributes + 1: variables first[a] ... first[a + 1] - 1 are those of attribute a */
    size_t *input;   /* per variable: its input, or the first of its category */
    size_t *span;    /* per variable: 1, or the number of levels */
    double *weights; /* n: of the score; NULL where every input is a variable */
    double *means;   /* n; NULL likewise */
    /* By input: the level's weight (wide ones), and the mean, which is the level's share of people.  Borrowed from classifier and model. */
    const double *terms, *shares;
} tct_variables;

/* How the inputs of `codec` are variables.  terms: weights of the only score, where categories with more than
 * TCT_WIDE_LEVELS levels count by their terms; NULL: every input is a variable.  mean: of the inputs; borrowed, as terms
 * are. */
tacit_status tct_variables_new(tct_variables **out, const tct_codec *codec, const double *mean, const double *terms,
                               tacit_error *err);
void tct_variables_free(tct_variables *variables);

/* Has the codec a category that would be wide? */
bool tct_has_wide(const tct_codec *codec);
static inline bool tct_is_wide(const tct_domain *domain)
{
    return domain->kind == TCT_ONEHOT && domain->count > TCT_WIDE_LEVELS;
}

/* Means of all variables. */
static inline const double *tct_variable_means(const tct_variables *variables)
{
    return variables->means ? variables->means : variables->shares;
}

/* Value of a variable of somebody with these inputs. */
double tct_variable_value(const tct_variables *variables, size_t variable, const double *x);

/* Weights of the levels of a one-hot attribute, 0 or more and summing to 1, given the posterior means of its variables and,
 * where it is wide, the variance that its term had before anything was known. */
void tct_variable_levels(const tct_variables *variables, size_t attribute, const double *mean, double prior_variance,
                         double *levels);
/* Weights of levels given the posterior means of their inputs: clipped at 0, summing to 1. */
void tct_level_weights(const double *mean, size_t n, double *weights);

#endif
