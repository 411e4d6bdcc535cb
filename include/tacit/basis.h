/*
 * tacit/basis.h -- what a decision rests on where not everything is known: how likely each label is, and what is
 * believed of what is not known.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_BASIS_H
#define TACIT_BASIS_H

#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_basis tacit_basis;

/* What is believed of an attribute that is not known, given what is. */
typedef struct tacit_expectation {
    /* Numbers and integers, in their own units; NaN for categories and where only levels count. */
    double mean, deviation;
    /* Categories: the probability of each level.  Numbers that a classifier only compares: of each stretch between two
     * values it compares with.  NULL for other numbers. */
    const double *levels;
    size_t n_levels;
} tacit_expectation;

/* For what a person is known by, and for what a session was told so far.  Values that are known are no part of it, but
 * who holds the model can draw conclusions about them from it. */
TACIT_API tacit_status tacit_person_basis(tacit_basis **out, const tacit_person *person, tacit_error *err);
TACIT_API tacit_status tacit_session_basis(tacit_basis **out, const tacit_session *session, tacit_error *err);
/* Wipes. */
TACIT_API void tacit_basis_free(tacit_basis *basis);
/* How likely a label is: 1 for one that is proven.  Of networks, trees and five or more classes an estimate with a
 * standard error of at most 0.022; that of a decision may be a lower one, to be safe (tacit_decision). */
TACIT_API double tacit_basis_probability(const tacit_basis *basis, size_t label);
/* NULL where the attribute is known, which "missing" is, too. */
TACIT_API const tacit_expectation *tacit_basis_expectation(const tacit_basis *basis, size_t attribute);
/* A level, or a stretch like "from 18 to below 65", as text (always terminated). */
TACIT_API void tacit_basis_level_text(const tacit_basis *basis, size_t attribute, size_t level, char *text,
                                      size_t size);

#ifdef __cplusplus
}
#endif
#endif
