/*
 * rules.h -- which attribute to ask for next.
 *
 * A rule sees what is known about a person, and nothing else: the belief and the law for the set of known
 * attributes, and the known values.  A new rule is one function and one row in the table in rules.c.
 */
#ifndef TCT_RULES_H
#define TCT_RULES_H

#include "extremes.h"
#include "law.h"
#include "many_classes.h"

typedef struct tct_view tct_view;

/* How the rules are carried out under one score law (score_laws.h): the candidate to ask for, of at least two; the
 * lowest index among equals. */
typedef struct tct_rule_ways {
    size_t (*entropy)(const tct_view *view, double *scratch);
    size_t (*montecarlo)(const tct_view *view, double *scratch);
    size_t (*margin)(const tct_view *view, double *scratch);
    size_t (*stop)(const tct_view *view, double *scratch);
} tct_rule_ways;

/* What is known of an answer before it is given. */
typedef enum tct_answer { TCT_ANSWER_UNKNOWN, TCT_ANSWER_SETTLES, TCT_ANSWER_OPEN } tct_answer;

/* How hard to try to find out, the cheapest first: with people who may refute it; by searches with it put in. */
typedef enum tct_effort { TCT_FEW_PEOPLE, TCT_MORE_PEOPLE, TCT_SHORT_SEARCH, TCT_LONG_SEARCH, TCT_EFFORTS } tct_effort;

/* What a prover can tell about answers before they are given. */
typedef struct tct_foresight {
    /* Bound the leads of a label for all answers to all questions.  Returns the bound without any answer, at most 0. */
    double (*begin)(void *context, size_t label);
    /* By value of an attribute (index of its grid or levels): bound of the lead with that value known; 0: proven. */
    const double *(*slices)(void *context, size_t attribute);
    /* Is it worth while to search with an answer put in? */
    bool (*searches)(void *context);
    /* Is the decision settled once an attribute has a value?  As far as is found with such an effort. */
    tct_answer (*answer)(void *context, size_t attribute, size_t value, tct_effort effort);
} tct_foresight;

struct tct_view {
    const tacit_model *model;
    const tct_rule_ways *ways;
    const tct_belief *belief;
    /* Posterior means and variances of the belief's unknown variables where they are kept for the person (follow.h), and
     * some of these are known by now; NULL: the belief tells. */
    const double *means, *variances;
    const tct_law *stage_law;     /* of the stage; NULL: there is none */
    void *state;                  /* of the score law */
    const tct_law *law;           /* of the stage, or around this person */
    const double *scores;         /* mean scores, n_scores */
    const double *tau2;           /* per attribute, one score only */
    const tct_extremes *extremes; /* linear classifiers, else NULL */
    /* Classifiers that are not linear: the belief once `attribute` is known too, NULL on lack of memory; and a local
     * law to work with. */
    const tct_belief *(*after)(void *context, size_t attribute);
    const tct_foresight *foresight; /* NULL: there is none */
    void *context;                  /* of both */
    tct_law *local;
    struct tct_around *around; /* networks: the person as tct_around_law left it (first_layer.h); NULL: the plain way */
    const unsigned char *known; /* per attribute */
    const double *x;            /* read at known inputs only */
    const double *partial;      /* linear: bias plus the terms of the known inputs, per score */
    const tct_noise *noise;
    const size_t *candidates; /* attributes that may be asked, ascending, at least one */
    size_t n_candidates;
    uint64_t seed;
    double needed; /* a probability below this need not be told exactly; 0: it must */
};

typedef struct tct_rule_ops {
    /* The candidate to ask for; the lowest index among equals. */
    size_t (*choose)(const tct_view *view, double *scratch);
} tct_rule_ops;

bool tct_rule_exists(tacit_rule rule);
/* `rule` is not TACIT_RULE_AUTO. */
const tct_rule_ops *tct_rule_get(tacit_rule rule);
/* Is it one of the rules for decisions that must be proven? */
bool tct_rule_proves(const tct_rule_ops *rule);
/* The usual crossing, where none is found out for the model (release/crossing.h).  Promises stricter than this one are kept by
 * proof where people are drawn: 2,048 of them, all alike, cannot tell less.  A person is then asked in the order of delta = 0, so
 * never for more. */
#define TCT_STRICT 0.00225
#define TCT_USUAL_CROSSING ((tct_crossing){TCT_STRICT, 0})
/* What AUTO means for this delta and model (NULL: one that is not calibrated); other rules stay as they are: entropy from the
 * crossing on, before it the rule that is best at proofs. */
tacit_rule tct_rule_for(tacit_rule rule, double delta, const tacit_model *model, tct_crossing crossing);
/* Doubles of scratch any rule needs. */
size_t tct_rule_scratch(const tacit_model *model);

/* Sums of terms: expected entropy of the label after learning `attribute`, by quadrature, and by `samples` draws.
 * Exposed for tests and comparison. */
double tct_expected_entropy(const tct_view *view, size_t attribute, double *scratch);
double tct_sampled_entropy(const tct_view *view, size_t attribute, size_t samples, double *scratch);

enum { TCT_MONTECARLO_SAMPLES = 1000 };

#endif
