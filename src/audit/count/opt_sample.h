/*
 * opt_sample.h -- smallest core sets, counted of everybody or of a sample that shrinks while people come.
 *
 * An audit streams: it learns at its end how many people there are.  So everybody has an octave, the number of leading
 * zero bits of a hash: half of all people have 0, a quarter 1 and so on, and those of octave k and above are a random
 * sample of 2^-k.  Counts are kept by octave.  In the end k is the smallest number with people <= TCT_OPT_PEOPLE 2^k; it
 * follows from the number of people alone, whoever counted whom.  Who knows on the way that there are n people at least
 * passes over octaves below k(n): they will not count.
 */
#ifndef TCT_OPT_SAMPLE_H
#define TCT_OPT_SAMPLE_H

#include "base.h"

/* People of whom everybody's set is looked for, and half of those in a sample at least, about; octaves told apart. */
enum { TCT_OPT_PEOPLE = 4096, TCT_OCTAVES = 32 };

typedef struct tct_opt_counts {
    uint64_t inexact;    /* people with a search that was cut short */
    uint64_t slack;      /* by how many members smallest sets may be smaller than those found, added up */
    uint64_t *histogram; /* n_sensitive + 1 */
    uint64_t *members;   /* n_sensitive: members of cheapest core sets */
} tct_opt_counts;

tacit_status tct_opt_counts_new(tct_opt_counts *out, size_t n_sensitive, tacit_error *err);
void tct_opt_counts_clear(tct_opt_counts *counts);
void tct_opt_counts_merge(tct_opt_counts *into, const tct_opt_counts *from, size_t n_sensitive);

/* How many they are about. */
uint64_t tct_opt_counted(const tct_opt_counts *counts, size_t n_sensitive);

/* Of a person: by row and inputs, so that neither the same row of many files nor people who are alike go together. */
size_t tct_opt_octave(uint64_t row, const double *person, size_t n_inputs);
/* The lowest octave that counts with so many people. */
size_t tct_opt_level(uint64_t people);
/* What counts with so many people, of TCT_OCTAVES counts. */
void tct_opt_pick(tct_opt_counts *out, const tct_opt_counts *octaves, uint64_t people, size_t n_sensitive);

#endif
