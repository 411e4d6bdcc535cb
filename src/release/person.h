/*
 * person.h -- the inside of tacit_person: encoded inputs and which attributes they are known for.
 */
#ifndef TCT_PERSON_H
#define TCT_PERSON_H

#include "model.h"

struct tacit_person {
    const tacit_model *model; /* borrowed */
    unsigned char *known;     /* per attribute */
    unsigned char *unknown;   /* per attribute, where known: what is known is that it is not, a typical value counts */
    unsigned char *clipped;   /* per attribute, where known: it was outside its domain, the nearest end counts */
    double *x;                /* per input; meaningful where known, NaN elsewhere */
};

/* Copy one attribute's inputs from another person or from full inputs, or forget them. */
void tct_person_take(tacit_person *person, size_t attribute, const double *x);
bool tct_person_complete(const tacit_person *person);

#endif
