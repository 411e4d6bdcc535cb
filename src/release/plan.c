/*
 * The tree of stages.  A stage is a pure function of the sequence of attributes that led to it (one rank-one update per
 * input from its parent), so a session that builds its own plan and an audit that shares one see the same bits.
 */
#include "plan.h"

static const size_t DEFAULT_LIMIT = (size_t)64 << 20;

struct tct_plan {
    const tacit_model *model;
    const tct_linear *linear;
    tct_extremes *extremes;
    tct_stage *root;
    tct_stage *loose;
    double *scratch; /* of tct_tau2 */
    size_t bytes, limit;
};

static void stage_free(tct_stage *stage, size_t n_attributes)
{
    if (!stage)
        return;
    if (stage->children)
        for (size_t a = 0; a < n_attributes; a++)
            stage_free(stage->children[a], n_attributes);
    tct_free(stage->children);
    tct_free(stage->known);
    tct_belief_free(stage->belief);
    tct_law_free(stage->law);
    tct_frame_free(stage->frame);
    tct_free(stage->tau2);
    tct_free(stage);
}

static size_t stage_bytes(const tct_stage *stage, const tct_plan *plan)
{
    size_t n = plan->extremes->n_attributes, classes = plan->extremes->n_classes;

    return sizeof *stage + n * (1 + sizeof(tct_stage *) + sizeof(double)) + classes * classes * sizeof(double) +
           tct_belief_bytes(stage->belief) + tct_law_bytes(stage->law, stage->belief);
}

/* Fill in what follows from stage->known and stage->belief. */
static tacit_status stage_finish(tct_stage *stage, tct_plan *plan, tacit_error *err)
{
    size_t n = plan->model->schema->n_attributes;
    tacit_status st;

    stage->children = tct_calloc(n, sizeof(tct_stage *));
    if (!stage->children)
        return tct_fail_memory(err);
    st = tct_law_linear(&stage->law, stage->belief, plan->linear, err);
    if (!st)
        st = tct_frame_new(&stage->frame, plan->extremes, stage->known, err);
    if (st || plan->linear->base.n_scores != 1)
        return st;
    stage->tau2 = tct_calloc(n, sizeof(double));
    if (!stage->tau2)
        return tct_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        if (!stage->known[a])
            stage->tau2[a] = tct_tau2(stage->law, stage->belief, plan->model, a, plan->scratch);
    return TACIT_OK;
}

static tacit_status stage_new(tct_stage **out, tct_plan *plan, const tct_stage *parent, size_t attribute,
                              tacit_error *err)
{
    size_t n = plan->model->schema->n_attributes;
    tct_stage *stage = tct_calloc(1, sizeof *stage);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!stage)
        return tct_fail_memory(err);
    stage->parent = parent;
    stage->attribute = attribute;
    stage->known = tct_calloc(n, 1);
    if (!stage->known) {
        st = tct_fail_memory(err);
        goto done;
    }
    if (parent) {
        for (size_t a = 0; a < n; a++)
            stage->known[a] = parent->known[a] || a == attribute;
        stage->n_unknown = parent->n_unknown - 1;
        st = tct_belief_reveal(&stage->belief, parent->belief, plan->model, attribute, err);
    } else {
        stage->n_unknown = n;
        st = tct_belief_prior(&stage->belief, plan->model, err);
    }
    if (!st)
        st = stage_finish(stage, plan, err);
    if (!st) {
        *out = stage;
        stage = NULL;
    }
done:
    stage_free(stage, n);
    return st;
}

tacit_status tct_plan_new(tct_plan **out, const tacit_model *model, tacit_error *err)
{
    tct_plan *plan = tct_calloc(1, sizeof *plan);
    size_t width = 1;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!plan)
        return tct_fail_memory(err);
    plan->model = model;
    plan->limit = DEFAULT_LIMIT;
    plan->linear = tct_as_linear(model->classifier);
    if (!plan->linear) {
        st = tct_fail(err, TACIT_E_INTERNAL, "no protocol for models of kind '%s'", model->classifier->ops->kind);
        goto done;
    }
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        width = model->codec->domains[a].width > width ? model->codec->domains[a].width : width;
    plan->scratch = tct_malloc(width * (width + 3), sizeof(double));
    if (!plan->scratch) {
        st = tct_fail_memory(err);
        goto done;
    }
    st = tct_extremes_new(&plan->extremes, plan->linear, model->codec, err);
    if (!st)
        st = stage_new(&plan->root, plan, NULL, TACIT_NONE, err);
    if (!st) {
        plan->bytes = stage_bytes(plan->root, plan);
        *out = plan;
        plan = NULL;
    }
done:
    tct_plan_free(plan);
    return st;
}

void tct_plan_free(tct_plan *plan)
{
    if (!plan)
        return;
    tct_plan_forget(plan);
    stage_free(plan->root, plan->model->schema->n_attributes);
    tct_extremes_free(plan->extremes);
    tct_free(plan->scratch);
    tct_free(plan);
}

const tacit_model *tct_plan_model(const tct_plan *plan)
{
    return plan->model;
}

const tct_extremes *tct_plan_extremes(const tct_plan *plan)
{
    return plan->extremes;
}

void tct_plan_limit(tct_plan *plan, size_t bytes)
{
    plan->limit = bytes;
}

const tct_stage *tct_plan_root(const tct_plan *plan)
{
    return plan->root;
}

tacit_status tct_plan_step(tct_plan *plan, const tct_stage *stage, size_t attribute, const tct_stage **out,
                           tacit_error *err)
{
    tct_stage *made = stage->children[attribute];
    tacit_status st;

    *out = made;
    if (made)
        return TACIT_OK;
    st = stage_new(&made, plan, stage, attribute, err);
    if (st)
        return st;
    *out = made;
    if (plan->loose || plan->bytes + stage_bytes(made, plan) > plan->limit) {
        /* A loose stage may hang below another loose one, so the tree must not point at it. */
        made->next_loose = plan->loose;
        plan->loose = made;
        return TACIT_OK;
    }
    plan->bytes += stage_bytes(made, plan);
    stage->children[attribute] = made;
    return TACIT_OK;
}

tacit_status tct_plan_public(tct_plan *plan, const tct_stage **out, tacit_error *err)
{
    const tacit_schema *schema = plan->model->schema;
    const tct_stage *stage = plan->root;

    for (size_t a = 0; a < schema->n_attributes; a++)
        if (schema->attributes[a].role == TACIT_PUBLIC) {
            tacit_status st = tct_plan_step(plan, stage, a, &stage, err);

            if (st)
                return st;
        }
    *out = stage;
    return TACIT_OK;
}

void tct_plan_forget(tct_plan *plan)
{
    while (plan->loose) {
        tct_stage *stage = plan->loose;

        plan->loose = stage->next_loose;
        stage_free(stage, plan->model->schema->n_attributes);
    }
}
