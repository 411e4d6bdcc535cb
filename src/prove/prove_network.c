/*
 * prove_network.c -- the prover of networks: the verifier decides (verifier.h), and proofs are written by dividing the
 * region until the checker's own bounds hold (prover.h).
 *
 * The verifier allows for more rounding than there is: one count of roundings for all rows.  The checker's bounds follow
 * each sum, and plain intervals need no allowance at all.  So where the verifier gave up because a margin was within its
 * allowance, a short proof is tried before anything is left undecided.
 */
#include "prover.h"
#include "verifier.h"

enum { SHORT_PROOF = 64 }; /* leaves */

typedef struct network_prover {
    tct_prover base;
    tct_verifier *verifier;
} network_prover;

static void network_free(tct_prover *prover)
{
    tct_verifier_free(((network_prover *)prover)->verifier);
    tct_free(prover);
}

static tacit_status network_make(tct_prover **out, const tacit_model *model, tacit_error *err)
{
    network_prover *p = tct_calloc(1, sizeof *p);
    tacit_status st;

    *out = NULL;
    if (!p)
        return tct_fail_memory(err);
    p->base = (tct_prover){&tct_prover_network, model};
    st = tct_verifier_new(&p->verifier, model, err);
    if (st)
        network_free(&p->base);
    else
        *out = &p->base;
    return st;
}

static tacit_status network_decide(tct_prover *prover, const tct_region *region, uint64_t budget, tct_finding *finding,
                                   tacit_error *err)
{
    const tct_verifier *verifier = ((network_prover *)prover)->verifier;
    tacit_status st = tct_verifier_decide(((network_prover *)prover)->verifier, region, budget, finding, err);
    size_t label = tct_verifier_within_rounding(verifier);
    tct_claim claim = {prover->model, *region, label};
    tct_proof proof = {0};
    bool made = false;

    if (st || finding->verdict != TACIT_UNDECIDED || label == TACIT_NONE)
        return st;
    st = tct_prove(&proof, &made, &claim, SHORT_PROOF, err);
    tct_proof_clear(&proof);
    if (!st && made) {
        finding->verdict = TACIT_CERTIFIED;
        finding->label = label;
    }
    return st;
}

static void network_forget(tct_prover *prover)
{
    tct_verifier_forget(((network_prover *)prover)->verifier);
}

/* Margins within rounding of zero stay open. */
static bool network_decides_one(const tacit_model *model)
{
    (void)model;
    return false;
}

const tct_prover_ops tct_prover_network = {.kind = "mlp",
                                           .make = network_make,
                                           .free = network_free,
                                           .decide = network_decide,
                                           .forget = network_forget,
                                           .decides_one = network_decides_one,
                                           .write = tct_prove};
