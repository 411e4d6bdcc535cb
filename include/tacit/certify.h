/*
 * tacit/certify.h -- is the decision settled by what is known?.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_CERTIFY_H
#define TACIT_CERTIFY_H

#include "person.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tacit_verdict {
    TACIT_UNDECIDED = 0, /* could not be proven either way within rounding or work budget: not safe to stop */
    TACIT_CERTIFIED = 1, /* every completion has the label */
    TACIT_REFUTED = 2    /* two completions get different labels, both evaluated */
} tacit_verdict;

typedef struct tacit_certificate {
    tacit_verdict verdict;
    size_t label;   /* TACIT_CERTIFIED: the label */
    uint64_t nodes; /* work done: bound evaluations */
    double seconds;
    double probability;       /* of the most likely label under the model's distribution ... */
    size_t likely_label;      /* ... and that label */
    tacit_person *witness[2]; /* TACIT_REFUTED: two completions with different labels; else NULL */
} tacit_certificate;

/* Is the label the same whatever the attributes that `person` does not know? */
TACIT_API tacit_status tacit_certify(tacit_certificate *out, const tacit_person *person, tacit_error *err);
/* Frees the witnesses, not the struct. */
TACIT_API void tacit_certificate_clear(tacit_certificate *certificate);

/* What the paper's grid test says to the same question.  It proves nothing: between two points of the grid the label
 * may change, and points at values that no integer or ordinal category has count too.  For comparison only. */
typedef struct tacit_grid {
    bool complete;   /* false: more than 10^8 points, nothing is said */
    bool constant;   /* all points have the same label ... */
    size_t label;    /* ... which is this one; TACIT_NONE otherwise */
    uint64_t points; /* evaluated; it stops at the first one with another label */
    double seconds;
} tacit_grid;

/* round(1 / step) evenly spaced values of each number, integer and ordinal category that `person` does not know, both
 * ends among them; all levels of the other categories.  0 < step <= 0.5; the paper takes 0.2. */
TACIT_API tacit_status tacit_certify_grid(tacit_grid *out, const tacit_person *person, double step, tacit_error *err);

/* The smallest set of sensitive attributes that settles the decision of a fully known person (delta = 0),
 * public attributes known: a yardstick, not a protocol, since it looks at all values.  by_cost: smallest total
 * cost instead of smallest number.  `members` has room for all attributes. */
TACIT_API tacit_status tacit_smallest_core(const tacit_person *person, bool by_cost, size_t *members, size_t *n_members,
                                           tacit_error *err);
/* The same, and how many members, or how much cost, every such set has at least.  The search has a budget: where it is
 * used up, or a smaller set could not be decided, *least is below what was found. */
TACIT_API tacit_status tacit_smallest_core_least(const tacit_person *person, bool by_cost, size_t *members,
                                                 size_t *n_members, double *least, tacit_error *err);

/* Does the decision about a fully known person depend on an attribute, once everything else is known? */
typedef enum tacit_need {
    TACIT_NEED_NONE = 0,          /* no: proven, the label is the same for each of its values */
    TACIT_NEED_INDISPENSABLE = 1, /* yes: some value of it gives another label */
    TACIT_NEED_UNDECIDED = 2      /* neither could be shown; never so for linear models of two classes */
} tacit_need;
/* What a fully known person could have kept.  asked[n_asked]: the sensitive attributes asked for, in any order.  needs
 * and spare have room for all attributes; public ones get TACIT_NEED_NONE and false.  spare (NULL: not wanted): the
 * decision stays proven without this answer, the others given.  It is meant for decisions that the answers prove, and
 * false for all if they do not. */
TACIT_API tacit_status tacit_needs_of(const tacit_person *person, const size_t *asked, size_t n_asked,
                                      tacit_need *needs, bool *spare, tacit_error *err);

/* What would change the decision of a fully known person: the nearest value of one attribute alone that
 * gives another label. */
typedef struct tacit_change {
    bool possible;
    size_t label;    /* the other label */
    char value[128]; /* nearest such value: "at least 5400", "at most 3", "single" */
} tacit_change;
TACIT_API tacit_status tacit_change_of(const tacit_person *person, size_t attribute, tacit_change *out,
                                       tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
