/*
 * provers.c -- the table of provers.
 */
#include "provers.h"

#include <string.h>

enum { MAX_ROWS = 10 };

static const tct_prover_ops *rows[MAX_ROWS] = {&tct_prover_linear, &tct_prover_network, &tct_prover_trees};
static size_t n_rows = 3;

const tct_prover_ops *tct_prover_row(const tacit_model *model)
{
    for (size_t i = 0; i < n_rows; i++)
        if (strcmp(rows[i]->kind, model->classifier->ops->kind) == 0)
            return rows[i];
    return NULL;
}

void tct_prover_add_row(const tct_prover_ops *ops)
{
    if (n_rows < MAX_ROWS)
        rows[n_rows++] = ops;
}

static tacit_status find_row(const tct_prover_ops **out, const tacit_model *model, tacit_error *err)
{
    *out = tct_prover_row(model);
    return *out ? TACIT_OK
                : tct_fail(err, TACIT_E_USAGE, "nothing can be proven about models of kind '%s'",
                           model->classifier->ops->kind);
}

tacit_status tct_prover_new(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    const tct_prover_ops *ops;
    tacit_status st = find_row(&ops, model, err);

    *out = NULL;
    return st ? st : ops->make(out, model, err);
}

void tct_prover_free(tct_prover *prover)
{
    if (prover)
        prover->ops->free(prover);
}

tacit_status tct_prover_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                               tacit_error *err)
{
    return prover->ops->decide(prover, region, budget, finding, err);
}

void tct_prover_forget(tct_prover *prover)
{
    if (prover->ops->forget)
        prover->ops->forget(prover);
}

bool tct_prover_decides_one(const tacit_model *model)
{
    const tct_prover_ops *ops = tct_prover_row(model);

    return ops && ops->decides_one(model);
}

tacit_status tct_prover_write(tct_proof *proof, bool *made, const tct_claim *claim, size_t max_leaves, tacit_error *err)
{
    const tct_prover_ops *ops;
    tacit_status st = find_row(&ops, claim->model, err);

    *made = false;
    return st ? st : ops->write(proof, made, claim, max_leaves, err);
}

tacit_status tct_certify(tct_finding *finding, const tacit_model *model, const tct_region *region, tacit_error *err)
{
    tct_prover *prover = NULL;
    tacit_status st = tct_prover_new(&prover, model, err);

    if (!st)
        st = tct_prover_decide(prover, region, 0, finding, err);
    tct_prover_free(prover);
    return st;
}

size_t tct_label_of(const tct_classifier *classifier, const double *x)
{
    double scores[TCT_MAX_CLASSES];
    size_t label;

    classifier->ops->scores(classifier, x, 1, scores);
    label = tct_label(scores, classifier->n_scores);
    tct_wipe(scores, classifier->n_scores * sizeof *scores);
    return label;
}
