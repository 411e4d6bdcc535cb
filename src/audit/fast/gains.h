/*
 * gains.h -- what each answer adds to the margin of many people: two classes, one score, linear.
 *
 * With everything known a person's margin is m >= 0.  Not knowing attribute a costs at most its gain, the term at its
 * value less the least term (METHOD.md, section 12).  So a is indispensable when the gain exceeds m, and an answer is
 * spare when the gain does not exceed what is left of m without everything that was not asked.  Figures nearer to zero
 * than rounding are left to the plain way, src/release/dispense.c, with which all counts agree.
 */
#ifndef TCT_GAINS_H
#define TCT_GAINS_H

#include "arena.h"
#include "chain.h"

typedef struct tct_gains {
    const tct_extremes *extremes;
    tct_arena arena;
    unsigned char *sensitive; /* per attribute */
    size_t n_items;           /* sensitive attributes, in schema order */
    double zone;              /* a margin nearer to 0 than this is left to the plain way */
    double *gain;             /* n_items x TCT_TILE */
    double margin[TCT_TILE];  /* with everything known; infinite for nobody */
    double deficit[TCT_TILE]; /* what is missing to a proof by what is public */
    double *few;              /* n_inputs x TCT_EIGHT: people who do not fill a row of lanes */
    double *spare, *others;   /* n_items x TCT_EIGHT: counts per lane */
    uint64_t *lost, *may_be;  /* n_items */
} tct_gains;

/* NULL in *out when the model is of another kind.  Borrows both. */
tacit_status tct_gains_new(tct_gains **out, const tacit_model *model, const tct_extremes *extremes, tacit_error *err);
void tct_gains_free(tct_gains *gains); /* wipes */

/* n <= TCT_TILE people: input i of person p at x[i * stride + p]; full[n]: labels with everything known. */
void tct_gains_fill(tct_gains *gains, const double *x, size_t stride, size_t n, const uint8_t *full);
/* For whom each attribute is indispensable, added to indispensable[n_items].  False, and nothing is added, when somebody
 * is left to the plain way. */
bool tct_gains_needs(const tct_gains *gains, size_t n, uint64_t *indispensable);
/* The same per person, when it was true: bit i of bits[p] for item i < 64.  bits has room for a multiple of 8 people. */
void tct_gains_need_bits(const tct_gains *gains, size_t n, uint64_t *bits);
/* Which answers are spare, of people whose decisions are proven by what they were asked for: bit i % 64 of word i / 64 of
 * asked[p], `words` each; none: nobody.  Added to spare[] and others[] per attribute (others, NULL when not wanted: an
 * answer that could only be spared for other questions) and *people, those with a spare answer.  False as above.
 * bits, NULL when not wanted: both per person as above, others from bits[TCT_TILE] on. */
bool tct_gains_spare(tct_gains *gains, size_t n, const uint64_t *asked, size_t words, uint64_t *spare, uint64_t *others,
                     uint64_t *people, uint64_t *bits);
/* The margin, and all gains, of person p alone. */
double tct_gains_person(const tct_gains *gains, const double *x, size_t stride, size_t p, uint8_t label, double *gain);

#endif
