/*
 * One region per question.  "Everything but a" leaves one attribute open, "the answers without a" those that were never
 * asked and a.  Both are proven like any other region.
 *
 * An indispensable answer is never spare: what would prove the label without it would prove it with everything else
 * known, too.
 */
#include "dispense.h"

#include <string.h>

#include "person.h"
#include "provers.h"

struct tct_dispense {
    const tacit_model *model;
    tct_prover *prover;
    size_t n_items;       /* sensitive attributes */
    size_t *attribute;    /* of each */
    unsigned char *known; /* per attribute: a region's */
};

bool tct_dispense_may_be_open(const tacit_model *model)
{
    return !tct_prover_decides_one(model);
}

tacit_status tct_dispense_new(tct_dispense **out, const tacit_model *model, tacit_error *err)
{
    size_t n = model->schema->n_attributes;
    tct_dispense *o = tct_calloc(1, sizeof *o);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!o)
        return tct_fail_memory(err);
    o->model = model;
    o->attribute = tct_calloc(n, sizeof *o->attribute);
    o->known = tct_calloc(n, 1);
    if (!o->attribute || !o->known)
        st = tct_fail_memory(err);
    for (size_t a = 0; a < n && !st; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            o->attribute[o->n_items++] = a;
    if (!st)
        st = tct_prover_new(&o->prover, model, err);
    if (!st) {
        *out = o;
        o = NULL;
    }
    tct_dispense_free(o);
    return st;
}

void tct_dispense_free(tct_dispense *o)
{
    if (!o)
        return;
    tct_prover_free(o->prover);
    tct_free(o->attribute);
    tct_free(o->known);
    tct_free(o);
}

/* The region of o->known. */
static tacit_status decide(tct_dispense *o, const double *x, tacit_verdict *verdict, tacit_error *err)
{
    tct_region region = tct_region_of(o->model->codec, o->known, x);
    tct_finding finding = {0};
    tacit_status st = tct_prover_decide(o->prover, &region, 0, &finding, err);

    *verdict = st ? TACIT_UNDECIDED : finding.verdict;
    return st;
}

tacit_status tct_dispense_needs(tct_dispense *o, const double *x, unsigned char *needs, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    tct_prover_forget(o->prover);
    for (size_t i = 0; i < o->n_items && !st; i++) {
        tacit_verdict verdict;

        memset(o->known, 1, o->model->schema->n_attributes);
        o->known[o->attribute[i]] = 0;
        st = decide(o, x, &verdict, err);
        needs[i] = verdict == TACIT_CERTIFIED ? TACIT_NEED_NONE
                   : verdict == TACIT_REFUTED ? TACIT_NEED_INDISPENSABLE
                                              : TACIT_NEED_UNDECIDED;
    }
    return st;
}

tacit_status tct_dispense_spare(tct_dispense *o, const double *x, const size_t *asked, size_t n,
                                const unsigned char *needs, unsigned char *spare, tacit_error *err)
{
    const tacit_schema *schema = o->model->schema;
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < o->n_items && !st; i++) {
        tacit_verdict verdict;
        bool given = false;

        for (size_t a = 0; a < schema->n_attributes; a++)
            o->known[a] = schema->attributes[a].role == TACIT_PUBLIC;
        for (size_t k = 0; k < n; k++) {
            o->known[asked[k]] = 1;
            given = given || asked[k] == o->attribute[i];
        }
        o->known[o->attribute[i]] = 0;
        spare[i] = 0;
        if (!given || needs[i] != TACIT_NEED_NONE)
            continue;
        if (n == o->n_items) { /* everything else is known, and that has been looked at */
            spare[i] = 1;
            continue;
        }
        st = decide(o, x, &verdict, err);
        spare[i] = verdict == TACIT_CERTIFIED;
    }
    return st;
}

/* ---------------------------------------------------------------- public */

/* From sensitive attributes to all. */
static void spread(const tct_dispense *o, const unsigned char *found, const unsigned char *spared, tacit_need *needs,
                   bool *spare)
{
    for (size_t a = 0; a < o->model->schema->n_attributes; a++) {
        needs[a] = TACIT_NEED_NONE;
        if (spare)
            spare[a] = false;
    }
    for (size_t i = 0; i < o->n_items; i++) {
        needs[o->attribute[i]] = (tacit_need)found[i];
        if (spare)
            spare[o->attribute[i]] = spared[i];
    }
}

tacit_status tacit_needs_of(const tacit_person *person, const size_t *asked, size_t n_asked, tacit_need *needs,
                            bool *spare, tacit_error *err)
{
    const tacit_model *model = person->model;
    size_t n = model->schema->n_attributes;
    unsigned char *found = NULL;
    tct_dispense *o = NULL;
    tacit_status st = TACIT_OK;

    if (!tct_person_complete(person))
        return tct_fail(err, TACIT_E_USAGE, "what is indispensable can be said when every attribute is known");
    for (size_t i = 0; i < n_asked; i++)
        if (asked[i] >= n || model->schema->attributes[asked[i]].role != TACIT_SENSITIVE)
            return tct_fail(err, TACIT_E_USAGE, "attribute %zu is no sensitive one", asked[i]);
    found = tct_calloc(2 * n, 1); /* needs, spare */
    if (!found)
        st = tct_fail_memory(err);
    if (!st)
        st = tct_dispense_new(&o, model, err);
    if (!st)
        st = tct_dispense_needs(o, person->x, found, err);
    if (!st && spare)
        st = tct_dispense_spare(o, person->x, asked, n_asked, found, found + n, err);
    if (!st)
        spread(o, found, found + n, needs, spare);
    tct_dispense_free(o);
    tct_free_wiped(found, 2 * n);
    return st;
}
