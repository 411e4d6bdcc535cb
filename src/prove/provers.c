/*
 * provers.c -- the table of provers.
 */
#include "provers.h"

#include <string.h>

#include "recall.h"

enum { MAX_ROWS = 12, PROVEN_ROOM = 1 << 26 }; /* the latter in bytes, about */

static const tct_prover_ops *rows[MAX_ROWS] = {&tct_prover_linear, &tct_prover_network,
                                               &tct_prover_trees}; /* then NULL */

const tct_prover_ops *tct_prover_row(const tacit_model *model)
{
    for (size_t i = 0; i < MAX_ROWS && rows[i]; i++)
        if (strcmp(rows[i]->kind, model->classifier->ops->kind) == 0)
            return rows[i];
    return NULL;
}

void tct_prover_add_row(const tct_prover_ops *ops)
{
    size_t n = 0;

    while (n < MAX_ROWS && rows[n])
        n++;
    if (n < MAX_ROWS)
        rows[n] = ops;
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

/* What experiments remember of a region: facts, which hold whoever found them. */
typedef struct proven_before {
    tacit_verdict verdict; /* not TACIT_UNDECIDED */
    size_t label;
} proven_before;

tacit_status tct_proven_new(tct_recall **out, const tacit_model *model, tacit_error *err)
{
    return tct_recall_new(out, model->codec, sizeof(proven_before), PROVEN_ROOM, err);
}

tacit_status tct_prover_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                               tacit_error *err)
{
    bool usual = budget == 0 && !region->low && !prover->ops->skip; /* else what it keeps must follow every step */
    tct_recall *proven = usual ? prover->model->proven : NULL;
    proven_before *before = proven ? tct_recall_find(proven, region->known, region->x) : NULL;
    bool witness = finding->witness[0] || finding->witness[1];
    tacit_status st;

    if (before && (before->verdict == TACIT_CERTIFIED || !witness)) {
        finding->verdict = before->verdict;
        finding->label = before->label;
        finding->nodes = 0;
        return TACIT_OK;
    }
    st = prover->ops->decide(prover, region, budget, finding, err);
    if (proven && !before && !st && finding->verdict != TACIT_UNDECIDED)
        *(proven_before *)tct_recall_place(proven) = (proven_before){finding->verdict, finding->label};
    return st;
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
