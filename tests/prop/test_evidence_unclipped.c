/*
 * People with cells outside their domain or missing: what an audit says about the decisions they are given, against
 * everybody walked one by one and a classifier that is asked about the values as they are.  Random linear models and
 * networks, imported and not, blocks with and without such cells, several deltas and threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "auditor.h"
#include "make_model.h"
#include "scale.h"
#include "scratch.h"

static const double DELTAS[] = {0.3, 0, 0.1};
enum { N_DELTAS = 3, PEOPLE = 500 };

/* As the audit should have counted them. */
typedef struct expectation {
    uint64_t clipped, missing, unclipped, unclipped_agree;
    uint64_t agree[N_DELTAS], own[N_DELTAS], clipped_agree[N_DELTAS], clipped_own[N_DELTAS], missing_agree[N_DELTAS];
} expectation;

/* One by one, by the plain path. */
typedef struct plain {
    const tct_job *job;
    tct_plan *plan;
    const tct_stage *start;
    tct_walker *walkers[N_DELTAS];
    tct_stop stops[N_DELTAS];
    size_t *asked;
} plain;

static void plain_open(plain *p, const tct_job *job)
{
    *p = (plain){.job = job, .asked = make_model_room(job->model->schema->n_attributes + 1)};
    assert_int_equal(tct_plan_new(&p->plan, job->model, NULL), TACIT_OK);
    assert_int_equal(tct_plan_public(p->plan, &p->start, NULL), TACIT_OK);
    for (size_t i = 0; i < job->n_passes; i++)
        assert_int_equal(tct_walker_new(&p->walkers[i], p->plan, job->passes[i].rule, 1, NULL), TACIT_OK);
}

static void plain_close(plain *p)
{
    for (size_t i = 0; i < p->job->n_passes; i++)
        tct_walker_free(p->walkers[i]);
    tct_plan_free(p->plan);
    tct_free(p->asked);
}

static void plain_labels(plain *p, const double *x, size_t labels[N_DELTAS])
{
    for (size_t i = 0; i < p->job->n_passes; i++) {
        const tct_pass *pass = &p->job->passes[i];

        assert_int_equal(tct_walker_run(p->walkers[i], p->start, x, NULL, pass->promises, pass->n_promises, p->stops,
                                        p->asked, NULL),
                         TACIT_OK);
        tct_walker_next_person(p->walkers[i]);
        for (size_t k = 0; k < pass->n_promises; k++)
            labels[pass->delta_index[k]] = p->stops[k].end.label;
    }
}

static size_t label_of(const tacit_model *m, const double *x)
{
    double scores[TCT_MAX_CLASSES];

    m->classifier->ops->scores(m->classifier, x, 1, scores);
    return tct_label(scores, m->classifier->n_scores);
}

/* One cell: its text, and where it is when clipped (x) and when not (own); did it have to be clipped, is it missing? */
static void draw_cell(const tacit_model *m, size_t a, tct_random *random, tct_text *csv, double *x, double *own,
                      bool *clipped, bool *missing)
{
    const tacit_attribute *at = &m->schema->attributes[a];
    size_t first = m->codec->domains[a].first;
    double v, held, width = at->max - at->min;

    if (at->type == TACIT_CATEGORY) {
        size_t level = tct_random_below(random, at->n_levels);

        tct_text_printf(csv, "%s,", at->levels[level]);
        tct_codec_value(m->codec, a, level, x + first);
        tct_codec_value(m->codec, a, level, own + first);
        return;
    }
    v = at->min + (double)tct_random_below(random, (uint64_t)width + 1);
    if (tct_random_below(random, 20) == 0)
        v += tct_random_below(random, 2) ? width + 1 : -width - 3;
    *missing = tct_random_below(random, 25) == 0;
    held = *missing ? at->fill : v < at->min ? at->min : v > at->max ? at->max : v;
    *clipped = !*missing && held != v;
    if (*missing)
        tct_text_append(csv, ",", 1);
    else
        tct_text_printf(csv, "%.17g,", v);
    x[first] = own[first] = width > 0 ? 2 * ((held - at->min) / width) - 1 : 0;
    if (width > 0 && !*missing)
        own[first] = 2 * ((v - at->min) / width) - 1;
}

static void expect(expectation *e, const size_t labels[N_DELTAS], size_t full, size_t own, bool clipped, bool missing)
{
    e->clipped += clipped;
    e->missing += missing;
    e->unclipped_agree += clipped && own == full;
    for (size_t i = 0; i < N_DELTAS; i++) {
        e->agree[i] += labels[i] == full;
        e->own[i] += labels[i] == own;
        e->clipped_agree[i] += clipped && labels[i] == full;
        e->clipped_own[i] += clipped && labels[i] == own;
        e->missing_agree[i] += missing && labels[i] == full;
    }
}

/* Everybody into a file. */
static void draw_people(const tacit_model *m, tct_random *random, tct_text *csv, expectation *e, plain *p)
{
    double *x = make_model_room(m->codec->n_inputs), *own = make_model_room(m->codec->n_inputs);
    size_t n = m->schema->n_attributes;

    for (size_t a = 0; a < n; a++)
        tct_text_printf(csv, "%s,", m->schema->attributes[a].name);
    tct_text_printf(csv, "end\n");
    for (size_t r = 0; r < PEOPLE; r++) {
        size_t labels[N_DELTAS];
        bool clipped = false, missing = false;

        for (size_t a = 0; a < n; a++) {
            bool is_clipped = false, is_missing = false;

            draw_cell(m, a, random, csv, x, own, &is_clipped, &is_missing);
            clipped = clipped || is_clipped;
            missing = missing || is_missing;
        }
        tct_text_printf(csv, "e\n");
        plain_labels(p, x, labels);
        expect(e, labels, label_of(m, x), label_of(m, own), clipped, missing);
    }
    assert_false(csv->failed);
    tct_free(x);
    tct_free(own);
}

static void compare(const tacit_audit *audit, const expectation *e, bool imported)
{
    const tacit_audit_summary *s = tacit_audit_summary_get(audit);

    assert_int_equal(s->people, PEOPLE);
    assert_int_equal(s->people_clipped, e->clipped);
    assert_int_equal(s->people_missing, e->missing);
    assert_int_equal(s->unclipped, imported ? e->clipped : 0);
    assert_int_equal(s->unclipped_agree, imported ? e->unclipped_agree : 0);
    assert_true(s->clipped_shown == (e->clipped >= 20 && (e->clipped == PEOPLE || PEOPLE - e->clipped >= 20)));
    for (size_t i = 0; i < N_DELTAS; i++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, i);

        assert_int_equal(r->agree, e->agree[i]);
        assert_int_equal(r->clipped_agree, e->clipped_agree[i]);
        assert_int_equal(r->missing_agree, e->missing_agree[i]);
        assert_int_equal(r->clipped_own, imported ? e->clipped_own[i] : 0);
        if (imported)
            assert_true(r->fidelity_unclipped == (double)e->own[i] / PEOPLE);
        else
            assert_true(isnan(r->fidelity_unclipped));
    }
}

/* Returns how many decisions at all deltas are not the classifier's own. */
static uint64_t check_model(tacit_model *m, uint64_t seed, tacit_rule rule)
{
    bool imported = seed % 3 > 0;
    tacit_audit_options options = {
        .deltas = DELTAS, .n_deltas = N_DELTAS, .rule = rule, .seed = 1, .no_opt = seed % 2, .no_needs = seed % 5 == 0};
    expectation e = {0};
    tct_text csv = {0};
    tct_random random;
    tct_job *job;
    plain p;
    const char *path;
    uint64_t others = 0;

    m->info.origin = imported ? TACIT_ORIGIN_IMPORTED : TACIT_ORIGIN_TRAINED;
    tct_random_seed(&random, seed, 40);
    assert_int_equal(tct_job_new(&job, m, &options, NULL), TACIT_OK);
    plain_open(&p, job);
    draw_people(m, &random, &csv, &e, &p);
    path = scratch_bytes(csv.bytes, csv.size);
    for (size_t threads = 1; threads <= 2; threads++) {
        tacit_audit *audit;

        options.threads = threads;
        options.group = threads == 2 ? "end" : NULL;
        assert_int_equal(tacit_audit_csv(&audit, m, path, NULL, &options, NULL), TACIT_OK);
        compare(audit, &e, imported);
        tacit_audit_free(audit);
    }
    for (size_t i = 0; i < N_DELTAS; i++)
        others += PEOPLE - e.own[i];
    plain_close(&p);
    tct_job_free(job);
    tct_text_free(&csv);
    tacit_model_free(m);
    return others;
}

static void unclipped__equals_everybody_one_by_one_linear(void **state)
{
    uint64_t others = 0;

    (void)state;
    for (uint64_t seed = 0; seed < scaled(60); seed++)
        others += check_model(make_linear_model(seed, 2 + seed % 5, 2 + seed % 2, seed % 4 > 0), seed,
                              seed % 7 == 3 ? TACIT_RULE_ENTROPY : TACIT_RULE_AUTO);
    assert_true(others > 0);
}

static void unclipped__equals_everybody_one_by_one_networks(void **state)
{
    uint64_t others = 0;

    (void)state;
    for (uint64_t seed = 0; seed < scaled(12); seed++)
        others += check_model(make_mlp_model(seed, 3, 2 + seed % 2, seed % 2, 1, 4), seed, TACIT_RULE_AUTO);
    assert_true(others > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unclipped__equals_everybody_one_by_one_linear),
        cmocka_unit_test(unclipped__equals_everybody_one_by_one_networks),
    };

    return cmocka_run_group_tests_name("evidence_unclipped", tests, NULL, NULL);
}
