/*
 * One trial: train a model on one split, then for every size release the drawn attributes by every method, for everybody
 * held out.
 *
 * The attributes are put in a random order once per repetition, the same for every kind of model, and S is the first
 * |S| of them: so sizes grow by one attribute at a time, and differences between sizes are not differences between
 * draws.  What was proven about people at one size is kept for the others (provers.h), where they come to stand again.  The
 * walks are those of an audit.  Where our rule and law are the paper's (linear models, delta > 0), one pass serves both
 * methods.  The paper takes networks for linear around a person, so its method does here.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "auditor.h"
#include "experiment.h"
#include "grid.h"
#include "play.h"
#include "recall.h"
#include "score_laws.h"
#include "train.h"

static const uint64_t DRAW_STREAM = 0x5ca1ab1e; /* of random numbers: apart from those of splitting and training */
static const double GRID_STEP = 0.2;            /* the paper's */
static const uint64_t MOST_GRID_POINTS = 1000000;

/* What the methods see of one cell while it runs. */
typedef struct cell_run {
    const tacit_experiment *experiment;
    const tacit_model *model;    /* the trial's, with the roles of this cell */
    const tacit_model *as_paper; /* the same with the paper's law */
    const tct_trial_watch *watch;
    const tct_encoded_rows *people;
    size_t n_inputs;
    bool linear;
    tct_recall *proven; /* shared by all cells */
} cell_run;

/* Seconds of work of this thread. */
static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---------------------------------------------------------------- room */

static void free_tallies(tct_tally **tallies, size_t n)
{
    for (size_t i = 0; tallies && i < n; i++)
        tct_tally_free(tallies[i]);
    tct_free(tallies);
}

static tacit_status new_tallies(tct_tally ***out, size_t n, size_t size, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *out = tct_calloc(n, sizeof **out);
    if (!*out)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n && !st; i++)
        st = tct_tally_new(&(*out)[i], size, err);
    return st;
}

static tacit_status init_cell(tct_draw *cell, const tacit_experiment *e, size_t size, tacit_error *err)
{
    tacit_status st;

    cell->size = size;
    cell->sensitive = tct_calloc(size, sizeof *cell->sensitive);
    cell->opt_histogram = tct_calloc(size + 1, sizeof *cell->opt_histogram);
    cell->opt_members = tct_calloc(size, sizeof *cell->opt_members);
    if (!cell->sensitive || !cell->opt_histogram || !cell->opt_members)
        return tct_fail_memory(err);
    st = tct_census_new(&cell->census, size, err);
    if (!st && e->methods[TACIT_METHOD_PAPER])
        st = new_tallies(&cell->paper, e->n_deltas, size, err);
    if (!st && e->methods[TACIT_METHOD_TACIT])
        st = new_tallies(&cell->tacit, e->n_deltas, size, err);
    return st;
}

tacit_status tct_trial_init(tct_trial *trial, const tacit_experiment *e, size_t kind, size_t rep, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    memset(trial, 0, sizeof *trial);
    trial->kind = kind;
    trial->rep = rep;
    trial->cells = tct_calloc(e->n_sizes, sizeof *trial->cells);
    if (!trial->cells)
        return tct_fail_memory(err);
    for (size_t i = 0; i < e->n_sizes && !st; i++)
        st = init_cell(&trial->cells[i], e, e->sizes[i], err);
    if (st)
        tct_trial_clear(trial, e);
    return st;
}

void tct_trial_clear(tct_trial *trial, const tacit_experiment *e)
{
    for (size_t i = 0; trial->cells && i < e->n_sizes; i++) {
        tct_draw *cell = &trial->cells[i];

        tct_free(cell->sensitive);
        tct_free(cell->opt_histogram);
        tct_free(cell->opt_members);
        tct_census_free(cell->census);
        free_tallies(cell->paper, e->n_deltas);
        free_tallies(cell->tacit, e->n_deltas);
    }
    tct_free(trial->cells);
    trial->cells = NULL;
    trial->done = false;
}

/* ---------------------------------------------------------------- who is asked for what */

static int compare_indices(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return x < y ? -1 : x > y;
}

static void gather(const cell_run *run, const tct_encoded_rows *part, size_t person, double *x)
{
    for (size_t i = 0; i < run->n_inputs; i++)
        x[i] = part->x[i * part->n + person];
}

/* ---------------------------------------------------------------- the methods */

/* One pass over people by our rule, or by the paper's.  tallies[i] gets the counts of deltas[i]. */
static tacit_status release(const cell_run *run, const tct_encoded_rows *people, tacit_method method,
                            const double *deltas, size_t n, tct_tally *const *tallies, tacit_error *err)
{
    bool paper = method == TACIT_METHOD_PAPER;

    return tct_play(paper ? run->as_paper : run->model, people, paper ? TACIT_RULE_ENTROPY : TACIT_RULE_AUTO, deltas, n,
                    tallies, run->watch->tick, run->watch->context, err);
}

/* The deltas for which our way is not the paper's, in places[]; the others share the paper's pass if there is one. */
static size_t own_deltas(const cell_run *run, const tct_draw *cell, double *deltas, size_t *places)
{
    const tacit_experiment *e = run->experiment;
    bool same_law = tct_score_law_row(run->model) == tct_score_law_row(run->as_paper);
    size_t n = 0;

    for (size_t i = 0; i < e->n_deltas; i++) {
        if (cell->paper && same_law &&
            tct_rule_for(TACIT_RULE_AUTO, e->deltas[i], NULL, TCT_USUAL_CROSSING) == TACIT_RULE_ENTROPY) {
            tct_tally_merge(cell->tacit[i], cell->paper[i]);
            continue;
        }
        deltas[n] = e->deltas[i];
        places[n++] = i;
    }
    return n;
}

static tacit_status run_tacit(const cell_run *run, tct_draw *cell, tacit_error *err)
{
    size_t most = run->experiment->n_deltas, n;
    double *deltas = tct_calloc(most, sizeof *deltas);
    size_t *places = tct_calloc(most, sizeof *places);
    tct_tally **own = tct_calloc(most, sizeof(tct_tally *));
    tacit_status st = TACIT_OK;

    if (!deltas || !places || !own) {
        st = tct_fail_memory(err);
        goto done;
    }
    n = own_deltas(run, cell, deltas, places);
    for (size_t i = 0; i < n; i++)
        own[i] = cell->tacit[places[i]];
    if (n > 0)
        st = release(run, run->people, TACIT_METHOD_TACIT, deltas, n, own, err);
done:
    tct_free(deltas);
    tct_free(places);
    tct_free(own);
    return st;
}

/* Who is right when everything is asked: needed once, whichever methods run. */
static void count_census(const cell_run *run, tct_census *census)
{
    const tct_classifier *classifier = run->model->classifier;
    double x[TCT_MAX_INPUTS], scores[TCT_MAX_CLASSES];

    for (size_t r = 0; r < run->people->n; r++) {
        gather(run, run->people, r, x);
        classifier->ops->scores(classifier, x, 1, scores);
        census->people++;
        census->labelled += run->people->labels[r] >= 0;
        census->baseline_correct += run->people->labels[r] == (int32_t)tct_label(scores, classifier->n_scores);
    }
    tct_wipe(x, sizeof x);
    tct_wipe(scores, sizeof scores);
}

/* Attributes asked for at delta = 0 by people of a sample. */
static tacit_status asked_by(const cell_run *run, const tct_encoded_rows *sample, tacit_method method, size_t size,
                             uint64_t *asked, tacit_error *err)
{
    const double exact = 0;
    tct_tally *tally = NULL;
    tacit_status st = tct_tally_new(&tally, size, err);

    if (!st)
        st = release(run, sample, method, &exact, 1, &tally, err);
    for (size_t i = 0; i < size && !st; i++)
        *asked += tally->asked[i];
    tct_tally_free(tally);
    return st;
}

/* What the rules asked the people of Opt for: of a sample, walked once more; of everybody, counted already. */
static tacit_status compare_with_opt(const cell_run *run, tct_draw *cell, const tct_encoded_rows *sample,
                                     tacit_error *err)
{
    const tacit_experiment *e = run->experiment;
    tacit_status st = TACIT_OK;

    if (sample->n < run->people->n) {
        if (cell->paper)
            st = asked_by(run, sample, TACIT_METHOD_PAPER, cell->size, &cell->opt_paper_asked, err);
        if (cell->tacit && !st)
            st = asked_by(run, sample, TACIT_METHOD_TACIT, cell->size, &cell->opt_tacit_asked, err);
        return st;
    }
    for (size_t i = 0; i < e->n_deltas; i++)
        for (size_t a = 0; a < cell->size && !(e->deltas[i] > 0); a++) {
            cell->opt_paper_asked += cell->paper ? cell->paper[i]->asked[a] : 0;
            cell->opt_tacit_asked += cell->tacit ? cell->tacit[i]->asked[a] : 0;
        }
    return TACIT_OK;
}

static tacit_status run_opt(const cell_run *run, tct_draw *cell, const tct_encoded_rows *sample, tacit_error *err)
{
    size_t *members = tct_calloc(run->model->schema->n_attributes, sizeof *members);
    double *x = tct_calloc(run->n_inputs, sizeof *x);
    tct_plan *plan = NULL;
    tct_smallest_set *smallest = NULL;
    tacit_status st = members && x ? tct_plan_new(&plan, run->model, err) : tct_fail_memory(err);

    if (!st)
        st = tct_smallest_set_new(&smallest, run->model, tct_plan_extremes(plan), err);
    for (size_t r = 0; r < sample->n && !st; r++) {
        size_t n = 0;
        bool exact;

        gather(run, sample, r, x);
        st = tct_smallest_set_find(smallest, x, false, members, &n, &exact, err);
        if (!st && r % 64 == 63)
            st = run->watch->tick(run->watch->context, err);
        if (st)
            break;
        cell->opt_people++;
        cell->opt_histogram[n]++;
        cell->opt_inexact += !exact;
        for (size_t i = 0; i < n; i++) {
            const size_t *place = bsearch(&members[i], cell->sensitive, cell->size, sizeof *members, compare_indices);

            cell->opt_members[place - cell->sensitive]++;
        }
    }
    tct_smallest_set_free(smallest);
    tct_plan_free(plan);
    tct_free_wiped(x, run->n_inputs * sizeof *x);
    tct_free_wiped(members, run->model->schema->n_attributes * sizeof *members);
    return st;
}

/* ---------------------------------------------------------------- the grid beside the proof */

/* One person's questionnaire by our rule, both tests at every stage of it. */
typedef struct journey {
    const cell_run *run;
    tct_walker *walker;
    tct_prover *prover;
    const tct_stage *start;
    unsigned char *known;
    size_t *asked;
    double *x;
} journey;

static tacit_status compare_tests(journey *j, tct_grid_count *count, bool *believed, tacit_error *err)
{
    const tacit_model *model = j->run->model;
    tct_region region = tct_region_of(model->codec, j->known, j->x);
    tct_finding finding = {0};
    tct_grid_finding grid = {0};
    double scores[TCT_MAX_CLASSES];
    tacit_status st = tct_prover_decide(j->prover, &region, 0, &finding, err);

    if (!st)
        st = tct_grid_decide(model, &region, GRID_STEP, MOST_GRID_POINTS, &grid, err);
    if (st || !grid.complete)
        return st;
    count->stages++;
    count->points += grid.points;
    count->certified += finding.verdict == TACIT_CERTIFIED;
    count->refuted += finding.verdict == TACIT_REFUTED;
    count->undecided += finding.verdict == TACIT_UNDECIDED;
    count->missed += grid.constant && finding.verdict == TACIT_REFUTED;
    if (!grid.constant || *believed)
        return TACIT_OK;
    *believed = true;
    if (finding.verdict == TACIT_CERTIFIED)
        return TACIT_OK;
    model->classifier->ops->scores(model->classifier, j->x, 1, scores);
    count->hasty++;
    count->misled += grid.label != tct_label(scores, model->classifier->n_scores);
    return TACIT_OK;
}

static tacit_status compare_journey(journey *j, tct_grid_count *count, tacit_error *err)
{
    const tct_promise exact = tct_promise_of(j->run->model, TACIT_RULE_AUTO, 0);
    const tacit_schema *schema = j->run->model->schema;
    bool believed = false;
    tct_stop stop;
    tacit_status st = tct_walker_run(j->walker, j->start, j->x, NULL, &exact, 1, &stop, j->asked, err);

    tct_walker_next_person(j->walker);
    tct_prover_forget(j->prover);
    memcpy(j->known, j->start->known, schema->n_attributes);
    for (size_t k = 0; k <= stop.end.asked && k < j->start->n_unknown && !st; k++) {
        if (k > 0)
            j->known[j->asked[k - 1]] = 1;
        st = compare_tests(j, count, &believed, err);
    }
    count->people += !st;
    return st;
}

static tacit_status run_grid(const cell_run *run, tct_draw *cell, const tct_encoded_rows *sample, tacit_error *err)
{
    size_t n = run->model->schema->n_attributes;
    journey j = {.run = run};
    tct_plan *plan = NULL;
    tacit_status st;

    j.known = tct_calloc(n, 1);
    j.asked = tct_calloc(n, sizeof *j.asked);
    j.x = tct_calloc(run->n_inputs, sizeof *j.x);
    st = j.known && j.asked && j.x ? tct_plan_new(&plan, run->model, err) : tct_fail_memory(err);
    if (!st)
        st = tct_plan_public(plan, &j.start, err);
    if (!st)
        st = tct_walker_new(&j.walker, plan, TACIT_RULE_STOP, 0, err);
    if (!st)
        st = tct_prover_new(&j.prover, run->model, err);
    for (size_t r = 0; r < sample->n && !st; r++) {
        gather(run, sample, r, j.x);
        st = compare_journey(&j, &cell->grid, err);
        if (!st)
            st = run->watch->tick(run->watch->context, err);
    }
    tct_prover_free(j.prover);
    tct_walker_free(j.walker);
    tct_plan_free(plan);
    tct_free(j.known);
    tct_free_wiped(j.asked, n * sizeof *j.asked);
    tct_free_wiped(j.x, run->n_inputs * sizeof *j.x);
    return st;
}

/* ---------------------------------------------------------------- cells and trials */

static tacit_status run_samples(const cell_run *run, tct_draw *cell, tacit_error *err)
{
    const tacit_experiment *e = run->experiment;
    tct_encoded_rows sample = {0};
    double start = seconds_now();
    tacit_status st = TACIT_OK;

    if (e->methods[TACIT_METHOD_OPT]) {
        st = tct_people_sample(&sample, run->people, NULL, run->n_inputs, run->linear ? 0 : e->opt_people, err);
        if (!st)
            st = run_opt(run, cell, &sample, err);
        cell->seconds.opt = seconds_now() - start;
        if (!st)
            st = compare_with_opt(run, cell, &sample, err);
        tct_people_clear(&sample, run->n_inputs);
    }
    if (!st && !run->linear && e->grid_people > 0) {
        start = seconds_now();
        st = tct_people_sample(&sample, run->people, NULL, run->n_inputs, e->grid_people, err);
        if (!st)
            st = run_grid(run, cell, &sample, err);
        tct_people_clear(&sample, run->n_inputs);
        cell->seconds.grid = seconds_now() - start;
    }
    return st;
}

/* Every method on one cell; run->model has its roles. */
static tacit_status run_methods(const cell_run *run, tct_draw *cell, tacit_error *err)
{
    const tacit_experiment *e = run->experiment;
    double start = seconds_now();
    tacit_status st = TACIT_OK;

    if (cell->paper)
        st = release(run, run->people, TACIT_METHOD_PAPER, e->deltas, e->n_deltas, cell->paper, err);
    cell->seconds.paper = seconds_now() - start;
    start = seconds_now();
    if (cell->tacit && !st)
        st = run_tacit(run, cell, err);
    cell->seconds.tacit = seconds_now() - start;
    if (!st)
        count_census(run, cell->census);
    return st ? st : run_samples(run, cell, err);
}

/* The first attributes of the order are sensitive. */
static tacit_status run_cell(cell_run run, const tacit_model *trained, tct_draw *cell, const size_t *order,
                             tacit_error *err)
{
    tct_trial_terms terms = {.proven = run.proven, .crossing = TCT_USUAL_CROSSING};
    tacit_model *model = NULL, *as_paper = NULL;
    tacit_status st;

    memcpy(cell->sensitive, order, cell->size * sizeof *order);
    qsort(cell->sensitive, cell->size, sizeof *order, compare_indices);
    st = tct_model_for_trial(&model, trained, cell->sensitive, cell->size, &terms, err);
    terms.first_order = true;
    if (!st)
        st = tct_model_for_trial(&as_paper, trained, cell->sensitive, cell->size, &terms, err);
    run.model = model;
    run.as_paper = as_paper;
    if (!st)
        st = run_methods(&run, cell, err);
    tacit_model_free(model);
    tacit_model_free(as_paper);
    return st;
}

tacit_status tct_trial_run(tct_trial *trial, const tacit_experiment *e, const tacit_table *table,
                           const tct_trial_watch *watch, tacit_error *err)
{
    tacit_fit_options fit = e->fit;
    size_t n = e->schema->n_attributes, *order = tct_calloc(n, sizeof *order);
    tct_encoded *people = NULL;
    tct_codec *codec = NULL;
    cell_run run = {.experiment = e, .watch = watch};
    tacit_model *model = NULL;
    double start = seconds_now();
    tacit_status st = order ? TACIT_OK : tct_fail_memory(err);

    fit.kind = e->kinds.items[trial->kind];
    fit.rate = tacit_fit_has_trees(fit.kind) ? e->trees_rate : fit.rate;
    fit.seed = e->seed + trial->rep;
    fit.test_share = e->test_share;
    fit.threads = 1;
    if (st || (st = tct_fit_codec(&codec, e->schema, table, &fit, err)) ||
        (st = tct_encoded_new(&people, table, codec, fit.test_share, fit.seed, 1, err)) ||
        (st = tct_fit_encoded(&model, people, e->schema, &fit, err)))
        goto done;
    trial->inputs = people->d;
    trial->fit_seconds = seconds_now() - start;
    run.people = &people->test;
    run.n_inputs = people->d;
    run.linear = tct_additive(model->classifier) != NULL;
    tct_random_order(order, n, fit.seed, DRAW_STREAM);
    st = tct_proven_new(&run.proven, model, err);
    for (size_t i = 0; i < e->n_sizes && !st; i++) {
        st = run_cell(run, model, &trial->cells[i], order, err);
        if (!st)
            st = watch->cell_done(watch->context, err);
    }
    trial->done = !st;
done:
    tct_recall_free(run.proven);
    tacit_model_free(model);
    tct_encoded_free(people);
    tct_codec_free(codec);
    tct_free(order);
    return st;
}
