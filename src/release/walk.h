/*
 * walk.h -- one person's way through the protocol.
 *
 * At every stage: look whether the decision is settled; if not, let the rule choose an attribute, learn it, go on.  A
 * session takes these steps one at a time with a person at the other end; an audit takes them in a row with the
 * values at hand, of which it reads only what has been asked for.
 */
#ifndef TCT_WALK_H
#define TCT_WALK_H

#include "ending.h"
#include "plan.h"
#include "provers.h"

/* What can be said at a stage, knowing the values so far. */
typedef struct tct_look {
    tacit_settled settled;
    size_t label;
    double probability;
} tct_look;

typedef struct tct_walker tct_walker;
/* Walks by `rule` (not AUTO) on `plan`, which it borrows. */
tacit_status tct_walker_new(tct_walker **out, tct_plan *plan, tacit_rule rule, uint64_t seed, tacit_error *err);
void tct_walker_free(tct_walker *walker); /* wipes */

/* Is it settled?  Order: everything known, proven, likely (delta > 0); else TACIT_OPEN with the most likely label. */
tacit_status tct_walker_look(tct_walker *walker, const tct_stage *stage, const double *x, const tct_promise *promise,
                             tct_look *look, tacit_error *err);
/* Probabilities of all labels, p[n_classes], right after that look. */
void tct_walker_shares(const tct_walker *walker, const tct_look *look, double *p);
/* The same for the label of an open look: from five classes on its probability is on the safe side, for promises, and may be far
 * below that. */
void tct_walker_tell(const tct_walker *walker, tct_look *look);
/* The same as a look where it does not matter whether anything is settled: open, with the most likely label.  Not
 * everything is known. */
void tct_walker_guess(tct_walker *walker, const tct_stage *stage, const double *x, tct_look *look);
/* The attribute to ask for; refused (NULL: none) marks attributes that cannot be had.  Public attributes are no
 * candidates.  TACIT_NONE when nothing can be asked. */
size_t tct_walker_choose(tct_walker *walker, const tct_stage *stage, const double *x, const unsigned char *refused);

/* Look and, while it is open, choose: in one go, since both begin alike.  *next (NULL: do not choose): TACIT_NONE when it is settled, or
 * when nothing can be asked.  brief: the probability may be NaN, and the label of an open look any, where the promise needs
 * neither. */
tacit_status tct_walker_stand(tct_walker *walker, const tct_stage *stage, const double *x, const tct_promise *promise,
                              const unsigned char *refused, bool brief, tct_look *look, size_t *next, tacit_error *err);
/* From now on proofs may take so much work (as in tct_prover_decide), and looks are rough (score_laws.h): for people who were made
 * up.  0: the usual. */
void tct_walker_budget(tct_walker *walker, uint64_t budget);

/* A whole walk for one or more promises, asked[] filled in order.  stops[i]: where promise i was kept.  Promises may
 * come in any order.  Probabilities are NaN where no promise needed them. */
typedef struct tct_stop {
    tct_ending end;
    double probability;
} tct_stop;
tacit_status tct_walker_run(tct_walker *walker, const tct_stage *from, const double *x, const unsigned char *refused,
                            const tct_promise *promises, size_t n_promises, tct_stop *stops, size_t *asked,
                            tacit_error *err);

/* Tests: from now on a plain way. */
typedef enum tct_plain_way {
    TCT_PLAIN_LOOKS, /* every candidate is looked at after every answer (follow.h) */
    TCT_PLAIN_STAGES /* by stages alone */
} tct_plain_way;
void tct_walker_plain(tct_walker *walker, tct_plain_way way);
/* Forget what was kept about this person (completions seen), but for what tct_walker_run found by the values known so far
 * (alike.h): before the next one. */
void tct_walker_next_person(tct_walker *walker);
/* The same, wipe what was computed about this person, and go on by this rule (not AUTO) and seed. */
void tct_walker_restart(tct_walker *walker, tacit_rule rule, uint64_t seed);

#endif
