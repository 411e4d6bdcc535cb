/*
 * score_laws.c -- the table of score laws.
 */
#include "score_laws.h"

#include <string.h>

enum { MAX_ROWS = 12 };

static const tct_score_law_ops *rows[MAX_ROWS] = {&tct_scores_linear, &tct_scores_network, &tct_scores_drawn,
                                                  &tct_scores_sampled}; /* then NULL */

const tct_score_law_ops *tct_score_law_row(const tacit_model *model)
{
    size_t i = 0;

    while (!rows[i]->applies(model)) /* the last row always does */
        i++;
    return rows[i];
}

const tct_linear *tct_linear_law(const tacit_model *model)
{
    return tct_score_law_row(model) == &tct_scores_linear ? tct_additive(model->classifier) : NULL;
}

void tct_score_law_add_row(const tct_score_law_ops *ops)
{
    if (rows[MAX_ROWS - 1])
        return;
    memmove(rows + 1, rows, (MAX_ROWS - 1) * sizeof rows[0]);
    rows[0] = ops;
}
