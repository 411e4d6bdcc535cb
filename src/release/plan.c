/*
 * The trees of stages.  A stage is a pure function of the sequence of attributes that led to it (one rank-one update per
 * input from its parent), so a session that builds its own plan and an audit that shares one see the same bits.
 */
#include "plan.h"

#include <string.h>

#include "score_laws.h"

/* Of the tree: usually, and where a single stage is large, as with categories of a thousand levels, so many of them;
 * a stage that does not fit is worked out again for everybody who comes by. */
static const size_t DEFAULT_LIMIT = (size_t)64 << 20, LARGEST_LIMIT = (size_t)512 << 20;
enum { STAGES_TO_KEEP = 6 };

/* Public attributes that come one by one make one start each; with these, several people may be on their way. */
enum { MAX_STARTS = 64 };

struct tct_plan {
    const tacit_model *model;
    const tct_linear *linear; /* sums of terms; NULL: they are none */
    tct_extremes *extremes;   /* of those */
    /* Of the score law; NULL: nothing to prepare. */
    tacit_status (*prepare)(tct_belief *belief, const tacit_model *model, size_t width, tacit_error *err);
    tct_stage *starts[MAX_STARTS]; /* the one asked for last comes first */
    size_t n_starts;
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
    tct_linear_proof_free(stage->linear_proof);
    tct_free(stage->tau2);
    tct_free(stage);
}

static size_t stage_bytes(const tct_stage *stage, const tct_plan *plan)
{
    size_t n = plan->model->schema->n_attributes, classes = plan->model->classifier->n_classes;

    return sizeof *stage + n * (1 + sizeof(tct_stage *) + sizeof(double)) + classes * classes * sizeof(double) +
           tct_belief_bytes(stage->belief) + (stage->law ? tct_law_bytes(stage->law, stage->belief) : 0);
}

/* Fill in what follows from stage->known and stage->belief. */
static tacit_status stage_finish(tct_stage *stage, tct_plan *plan, tacit_error *err)
{
    size_t n = plan->model->schema->n_attributes;
    tacit_status st;

    stage->children = tct_calloc(n, sizeof(tct_stage *));
    if (!stage->children)
        return tct_fail_memory(err);
    if (plan->prepare) {
        st = plan->prepare(stage->belief, plan->model,
                           stage->attribute == TACIT_NONE ? 0 : plan->model->codec->domains[stage->attribute].width,
                           err);
        if (st)
            return st;
    }
    if (!plan->linear)
        return TACIT_OK;
    st = tct_law_linear(&stage->law, stage->belief, plan->linear, err);
    if (!st)
        st = tct_linear_proof_new(&stage->linear_proof, plan->extremes, stage->known, err);
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

/* The stage with this belief (taken over, freed on failure) in which `before` and `attribute` are known; NULL and
 * TACIT_NONE: nothing. */
static tacit_status stage_new(tct_stage **out, tct_plan *plan, tct_belief *belief, const unsigned char *before,
                              size_t attribute, tacit_error *err)
{
    size_t n = plan->model->schema->n_attributes;
    tct_stage *stage = tct_calloc(1, sizeof *stage);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!stage) {
        tct_belief_free(belief);
        return tct_fail_memory(err);
    }
    stage->belief = belief;
    stage->attribute = attribute;
    stage->known = tct_calloc(n, 1);
    if (!stage->known) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t a = 0; a < n; a++) {
        stage->known[a] = (before && before[a]) || a == attribute;
        stage->n_unknown += !stage->known[a];
    }
    st = stage_finish(stage, plan, err);
    if (!st) {
        *out = stage;
        stage = NULL;
    }
done:
    stage_free(stage, n);
    return st;
}

static size_t default_limit(const tacit_model *model)
{
    size_t d = model->variables->n, some = STAGES_TO_KEEP * d * d * sizeof(double);

    return some < DEFAULT_LIMIT ? DEFAULT_LIMIT : some < LARGEST_LIMIT ? some : LARGEST_LIMIT;
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
    plan->limit = default_limit(model);
    plan->linear = tct_additive(model->classifier);
    plan->prepare = tct_score_law_row(model)->prepare;
    for (size_t a = 0; a < model->schema->n_attributes; a++)
        if (model->variables->first[a + 1] - model->variables->first[a] > width)
            width = model->variables->first[a + 1] - model->variables->first[a];
    plan->scratch = tct_malloc(width * (width + 3), sizeof(double));
    if (!plan->scratch) {
        st = tct_fail_memory(err);
        goto done;
    }
    if (plan->linear)
        st = tct_extremes_new(&plan->extremes, plan->linear, model->codec, err);
    if (!st) {
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
    tct_plan_forget(plan, NULL, NULL);
    for (size_t i = 0; i < plan->n_starts; i++)
        stage_free(plan->starts[i], plan->model->schema->n_attributes);
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

size_t tct_plan_limit(tct_plan *plan, size_t bytes)
{
    size_t before = plan->limit;

    plan->limit = bytes;
    return before;
}

/* Is this the start with exactly these attributes? */
static bool starts_with(const tct_stage *stage, const unsigned char *known, size_t n)
{
    for (size_t a = 0; a < n; a++)
        if (stage->known[a] != (known && known[a]))
            return false;
    return true;
}

/* Make room for one more start that takes so many bytes. */
static void drop_starts(tct_plan *plan, size_t bytes)
{
    while (plan->n_starts == MAX_STARTS || (plan->n_starts > 0 && plan->bytes + bytes > plan->limit)) {
        tct_stage *last = plan->starts[--plan->n_starts];

        plan->bytes -= last->bytes;
        stage_free(last, plan->model->schema->n_attributes);
    }
}

static void put_first(tct_plan *plan, tct_stage *start, size_t from)
{
    memmove(plan->starts + 1, plan->starts, from * sizeof(plan->starts[0]));
    plan->starts[0] = start;
}

tacit_status tct_plan_start(tct_plan *plan, const unsigned char *known, const tct_stage **out, tacit_error *err)
{
    size_t n = plan->model->schema->n_attributes;
    tct_belief *belief = NULL;
    tct_stage *made = NULL;
    tacit_status st;

    for (size_t i = 0; i < plan->n_starts; i++)
        if (starts_with(plan->starts[i], known, n)) {
            put_first(plan, plan->starts[i], i);
            *out = plan->starts[0];
            return TACIT_OK;
        }
    *out = NULL;
    tct_plan_forget(plan, NULL, NULL);
    st = tct_belief_start(&belief, plan->model, known, err);
    if (!st)
        st = stage_new(&made, plan, belief, known, TACIT_NONE, err);
    if (st)
        return st;
    made->start = made;
    made->bytes = stage_bytes(made, plan);
    drop_starts(plan, made->bytes);
    put_first(plan, made, plan->n_starts++);
    plan->bytes += made->bytes;
    *out = made;
    return TACIT_OK;
}

tacit_status tct_plan_public(tct_plan *plan, const tct_stage **out, tacit_error *err)
{
    const tacit_schema *schema = plan->model->schema;
    unsigned char known[TCT_MAX_ATTRIBUTES];

    for (size_t a = 0; a < schema->n_attributes; a++)
        known[a] = schema->attributes[a].role == TACIT_PUBLIC;
    return tct_plan_start(plan, known, out, err);
}

static void grow(tct_plan *plan, tct_stage *start, size_t bytes)
{
    start->bytes += bytes;
    plan->bytes += bytes;
}

tacit_status tct_plan_step(tct_plan *plan, const tct_stage *stage, size_t attribute, const tct_stage **out,
                           tacit_error *err)
{
    tct_stage *made = stage->children[attribute];
    tct_belief *belief;
    tacit_status st;

    *out = made;
    if (made)
        return TACIT_OK;
    st = tct_belief_reveal(&belief, stage->belief, plan->model, attribute, err);
    if (!st)
        st = stage_new(&made, plan, belief, stage->known, attribute, err);
    if (st)
        return st;
    *out = made;
    made->start = stage->start;
    /* What rules have kept in a stage of the tree since it was made. */
    if (!plan->loose && stage->law)
        grow(plan, stage->start, tct_answer_entropies_grown(stage->law->answer_entropies));
    if (plan->loose || plan->bytes + stage_bytes(made, plan) > plan->limit) {
        /* A loose stage may hang below another loose one, so the tree must not point at it. */
        made->next_loose = plan->loose;
        plan->loose = made;
        return TACIT_OK;
    }
    grow(plan, stage->start, stage_bytes(made, plan));
    stage->children[attribute] = made;
    return TACIT_OK;
}

const tct_stage *tct_plan_mark(const tct_plan *plan)
{
    return plan->loose;
}

void tct_plan_forget(tct_plan *plan, const tct_stage *mark, const tct_stage *keep)
{
    tct_stage *kept = NULL;

    while (plan->loose && plan->loose != mark) {
        tct_stage *stage = plan->loose;

        plan->loose = stage->next_loose;
        if (stage == keep)
            kept = stage;
        else
            stage_free(stage, plan->model->schema->n_attributes);
    }
    if (kept) {
        kept->next_loose = plan->loose;
        plan->loose = kept;
    }
}
