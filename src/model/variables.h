/*
 * variables.h -- what a model's Gaussian is about.
 *
 * As a rule every input is a variable.  A category with many levels has many inputs, and the covariance of all of them
 * would be larger than anything that was learnt.  A linear classifier of two classes sees of such a category only its
 * term, the weight of the level.  So from TCT_WIDE_LEVELS on the category is one variable there: that term.
 *
 * With more classes a level has a weight for every score, and what is decided depends on differences of scores only.  There
 * the category is one variable less than there are scores: how far the weights of each are above those of the last one.
 */
#ifndef TCT_VARIABLES_H
#define TCT_VARIABLES_H

#include "arena.h"
#include "encode.h"

/* A category with more levels than this counts by its terms, where it can: with no more classes than this. */
enum { TCT_WIDE_LEVELS = 64 };

typedef struct tct_variables {
    tct_arena arena; /* all arrays but those borrowed */
    size_t n;        /* variables */
    size_t n_inputs;
    size_t n_wide;  /* variables that are terms of categories, and ... */
    size_t n_terms; /* ... how many a category has */
    size_t *first;  /* n_attributes + 1: variables first[a] ... first[a + 1] - 1 are those of attribute a */
    size_t *input;  /* per variable: its input, or the first of its category */
    size_t *span;   /* per variable: 1, or the number of levels */
    size_t *which;  /* per variable: the term that it is, of its category's */
    double *
        weights; /* n_scores x n, of scores that may all be off by the same number; NULL where every input is a variable */
    double *means; /* n; NULL likewise */
    /* More than one score: n_terms x n_inputs each; NULL elsewhere. */
    double *contrasts; /* terms of levels */
    double *slopes;    /* what moves a level's share by itself, per move of the mean term */
    /* Levels of about the same terms are a group: at most TCT_WIDE_LEVELS of them, the numbers from 0 on.  By input: the
     * group of the level; and n_terms x n_inputs: at a category's first inputs, its groups' mean terms. */
    uint16_t *group;
    double *centres;
    /* n_terms x n_inputs: terms of levels (wide categories); n_inputs: the mean, which is the level's share of people.
     * Borrowed from classifier and model, but for contrasts. */
    const double *terms, *shares;
} tct_variables;

/* How the inputs of `codec` are variables.  weights: of the scores, n_scores x n_inputs, where categories with more than
 * TCT_WIDE_LEVELS levels count by their terms; NULL: every input is a variable.  mean: of the inputs; borrowed, as weights
 * are. */
tacit_status tct_variables_new(tct_variables **out, const tct_codec *codec, const double *mean, const double *weights,
                               size_t n_scores, tacit_error *err);
void tct_variables_free(tct_variables *variables);

/* Has the codec a category that would be wide? */
bool tct_has_wide(const tct_codec *codec);
static inline bool tct_is_wide(const tct_domain *domain)
{
    return domain->kind == TCT_ONEHOT && domain->count > TCT_WIDE_LEVELS;
}

/* How many variables a wide category is. */
static inline size_t tct_terms_of(size_t n_scores)
{
    return n_scores > 1 ? n_scores - 1 : 1;
}
/* Term number `which` of a level; weights: its inputs' first, n_inputs from score to score. */
static inline double tct_level_term(const double *weights, size_t n_scores, size_t n_inputs, size_t which)
{
    return n_scores > 1 ? weights[which * n_inputs] - weights[(n_scores - 1) * n_inputs] : weights[0];
}
/* Terms of the levels, of a variable that is a category's. */
static inline const double *tct_variable_terms(const tct_variables *variables, size_t variable)
{
    return variables->terms + variables->which[variable] * variables->n_inputs + variables->input[variable];
}

/* Mean terms of the groups, likewise. */
static inline const double *tct_variable_centres(const tct_variables *variables, size_t variable)
{
    return variables->centres + variables->which[variable] * variables->n_inputs + variables->input[variable];
}

/* Means of all variables. */
static inline const double *tct_variable_means(const tct_variables *variables)
{
    return variables->means ? variables->means : variables->shares;
}

/* Value of a variable of somebody with these inputs. */
double tct_variable_value(const tct_variables *variables, size_t variable, const double *x);

/* Weights of the levels of a one-hot attribute, 0 or more and summing to 1, given the posterior means of its variables and,
 * where it is one term, the variance that this had before anything was known. */
void tct_variable_levels(const tct_variables *variables, size_t attribute, const double *mean, double prior_variance,
                         double *levels);
/* Weights of levels given the posterior means of their inputs: clipped at 0, summing to 1. */
void tct_level_weights(const double *mean, size_t n, double *weights);

#endif
