/*
 * leaves.c -- the table of leaves.
 */
#include "leaves.h"

#include <string.h>

enum { MAX_ROWS = 12 };

static const tct_leaf_ops *rows[MAX_ROWS] = {&tct_leaf_linear, &tct_leaf_network, &tct_leaf_trees}; /* then NULL */

const tct_leaf_ops *tct_leaf_row(const tacit_model *model)
{
    for (size_t i = 0; i < MAX_ROWS && rows[i]; i++)
        if (strcmp(rows[i]->kind, model->classifier->ops->kind) == 0)
            return rows[i];
    return NULL;
}

bool tct_leaf_proof_exists(const char *proof)
{
    for (size_t i = 0; i < MAX_ROWS && rows[i]; i++)
        if (strcmp(rows[i]->proof, proof) == 0)
            return true;
    return false;
}

void tct_leaf_add_row(const tct_leaf_ops *ops)
{
    size_t n = 0;

    while (n < MAX_ROWS && rows[n])
        n++;
    if (n < MAX_ROWS)
        rows[n] = ops;
}
