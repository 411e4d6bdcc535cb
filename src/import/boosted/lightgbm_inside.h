/*
 * lightgbm_inside.h -- what the two halves of the reader of LightGBM's model files share.
 */
#ifndef TCT_LIGHTGBM_INSIDE_H
#define TCT_LIGHTGBM_INSIDE_H

#include "raw_trees.h"

/* Some bytes of the file: a line's value, or the lines of a part. */
typedef struct tct_lg_span {
    const char *at, *end;
} tct_lg_span;

/* A file being read. */
typedef struct tct_lg_reader {
    tct_raw_trees *raw;
    const char *file;
    size_t per_round;     /* trees of a round */
    size_t most;          /* nodes in all; some tests need more than one */
    unsigned char *parts; /* per feature, see lightgbm_tree.c */
    tacit_error *err;
} tct_lg_reader;

tacit_status tct_lg_refuse(const tct_lg_reader *r, const char *why);
/* The value of the first line "KEY=..." of a part; false: there is none. */
bool tct_lg_find(tct_lg_span part, const char *key, tct_lg_span *value);
/* The next word of a value; false: there is none. */
bool tct_lg_next_word(tct_lg_span *value, tct_lg_span *word);
bool tct_lg_number(tct_lg_span word, double *out);
/* A whole number from 0 to below 2^31. */
bool tct_lg_count(tct_lg_span word, size_t *out);

/* Add the tree that a part describes, which is the k-th of the file. */
tacit_status tct_lg_read_tree(tct_lg_reader *r, tct_lg_span part, size_t k);

#endif
