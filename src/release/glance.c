/*
 * glance.c -- a plan and a walker for a single look.
 */
#include "glance.h"

#include "person.h"

tacit_status tct_glance_at(tct_glance *out, const tacit_person *person, uint64_t seed, tacit_error *err)
{
    tct_promise none = tct_promise_of(person->model, TACIT_RULE_AUTO, 0);
    tacit_status st;

    *out = (tct_glance){0};
    st = tct_plan_new(&out->plan, person->model, err);
    if (!st)
        st = tct_plan_start(out->plan, person->known, &out->stage, err);
    if (!st)
        st = tct_walker_new(&out->walker, out->plan, TACIT_RULE_ENTROPY, seed, err);
    if (!st)
        st = tct_walker_look(out->walker, out->stage, person->x, &none, &out->look, err);
    if (!st)
        tct_walker_tell(out->walker, &out->look);
    return st;
}

void tct_glance_end(tct_glance *g)
{
    tct_walker_free(g->walker);
    tct_plan_free(g->plan);
}
