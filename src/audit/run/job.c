/*
 * What all workers of an audit share: checked once, and the deltas that share a rule put together.
 */
#include "auditor.h"

#include "crossing.h"

static tacit_status add_promise(tct_job *job, tacit_rule rule, double delta, size_t delta_index, tacit_error *err)
{
    tct_pass *pass = NULL;

    for (size_t i = 0; i < job->n_passes; i++)
        if (job->passes[i].rule == rule)
            pass = &job->passes[i];
    if (!pass) {
        pass = &job->passes[job->n_passes++];
        pass->rule = rule;
        pass->promises = tct_calloc(job->n_deltas, sizeof *pass->promises);
        pass->delta_index = tct_calloc(job->n_deltas, sizeof *pass->delta_index);
        if (!pass->promises || !pass->delta_index)
            return tct_fail_memory(err);
    }
    pass->promises[pass->n_promises] = tct_promise_of(job->model, rule, delta);
    pass->delta_index[pass->n_promises++] = delta_index;
    return TACIT_OK;
}

tacit_status tct_job_new(tct_job **out, const tacit_model *model, const tacit_audit_options *options, tacit_error *err)
{
    const tacit_schema *schema = model->schema;
    tct_job *job = NULL;
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (options->n_deltas == 0)
        return tct_fail(err, TACIT_E_USAGE, "an audit needs at least one delta");
    for (size_t i = 0; i < options->n_deltas; i++)
        if (!(options->deltas[i] >= 0 && options->deltas[i] < 0.5))
            return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
    if (!(options->opt_share >= 0 && options->opt_share <= 1))
        return tct_fail(err, TACIT_E_USAGE, "the share of people for Opt is a number above 0, up to 1");
    if (!tct_rule_exists(options->rule))
        return tct_fail(err, TACIT_E_USAGE, "there is no rule %d", (int)options->rule);
    job = tct_calloc(1, sizeof *job);
    if (!job)
        return tct_fail_memory(err);
    job->model = model;
    job->options = options;
    job->n_deltas = options->n_deltas;
    job->want_rows = options->rows_path || options->keep_rows;
    job->opt_share = options->opt_share == 0 || tct_additive(model->classifier) ? 1 : options->opt_share;
    job->opt_sampled =
        options->opt_share == 0 && !options->no_opt && !job->want_rows && !tct_additive(model->classifier);
    job->equal_costs = true;
    job->passes = tct_calloc(options->n_deltas, sizeof *job->passes);
    job->sensitive = tct_calloc(schema->n_attributes, sizeof *job->sensitive);
    job->position = tct_calloc(schema->n_attributes, sizeof *job->position);
    if (!job->passes || !job->sensitive || !job->position) {
        st = tct_fail_memory(err);
        goto done;
    }
    for (size_t a = 0; a < schema->n_attributes; a++)
        if (schema->attributes[a].role == TACIT_SENSITIVE) {
            job->position[a] = job->n_sensitive;
            job->sensitive[job->n_sensitive++] = a;
            job->equal_costs =
                job->equal_costs && schema->attributes[a].cost == schema->attributes[job->sensitive[0]].cost;
        }
    for (size_t i = 0; i < options->n_deltas && !st; i++) {
        tacit_rule rule;

        st = tct_rule_at(&rule, options->rule, options->deltas[i], model, err);
        if (!st)
            st = add_promise(job, rule, options->deltas[i], i, err);
    }
    if (!st) {
        *out = job;
        job = NULL;
    }
done:
    tct_job_free(job);
    return st;
}

void tct_job_free(tct_job *job)
{
    if (!job)
        return;
    for (size_t i = 0; job->passes && i < job->n_passes; i++) {
        tct_free(job->passes[i].promises);
        tct_free(job->passes[i].delta_index);
    }
    tct_free(job->passes);
    tct_free(job->sensitive);
    tct_free(job->position);
    tct_free(job);
}
