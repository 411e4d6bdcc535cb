/*
 * basis.c -- what a decision rests on: probabilities of all labels, and what is believed of what is not known.
 *
 * Labels are as likely as the score law says that decides about stopping, so what is told here is what was acted upon.
 * What is believed of attributes is the Gaussian given what is known: the mean and the deviation of a number, before it
 * is clipped into its domain; of a grid, the probability that its value is the nearest one; of a one-hot category, the
 * weights by which levels are drawn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "cells.h"
#include "num.h"
#include "posteriors.h"
#include "glance.h"
#include "session.h"

struct tacit_basis {
    const tacit_model *model; /* borrowed */
    tct_arena arena;
    double *p;            /* per class */
    unsigned char *known; /* per attribute */
    tacit_expectation *expectations;
    double *levels; /* of all attributes, one after the other */
    size_t n_levels;
};

/* Values of an attribute that are told one by one; 0: there are none. */
static size_t count_levels(const tacit_model *model, size_t attribute)
{
    const tct_domain *domain = &model->codec->domains[attribute];
    bool category = model->schema->attributes[attribute].type == TACIT_CATEGORY;

    return category || tct_codec_cells(model->codec, attribute) ? domain->count : 0;
}

void tacit_basis_free(tacit_basis *b)
{
    if (!b)
        return;
    tct_arena_clear(&b->arena);
    tct_free(b);
}

static tacit_status basis_new(tacit_basis **out, const tacit_model *model, tacit_error *err)
{
    size_t n = model->schema->n_attributes, used = 0;
    tacit_basis *b = tct_calloc(1, sizeof *b);

    *out = NULL;
    if (!b)
        return tct_fail_memory(err);
    b->model = model;
    for (size_t a = 0; a < n; a++)
        b->n_levels += count_levels(model, a);
    b->p = tct_take(&b->arena, model->classifier->n_classes, sizeof *b->p);
    b->known = tct_take(&b->arena, n, 1);
    b->expectations = tct_take(&b->arena, n, sizeof *b->expectations);
    b->levels = tct_take(&b->arena, b->n_levels + 1, sizeof *b->levels);
    if (b->arena.failed) {
        tacit_basis_free(b);
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < b->n_levels; i++)
        b->levels[i] = NAN;
    for (size_t a = 0; a < n; a++) {
        size_t count = count_levels(model, a);

        b->expectations[a] = (tacit_expectation){NAN, NAN, count ? b->levels + used : NULL, count};
        used += count;
    }
    *out = b;
    return TACIT_OK;
}

/* Each value of a grid, when the nearest one is taken. */
static void spread_over_grid(double mean, double deviation, size_t count, double *levels)
{
    double steps = (double)(count - 1) / 2, at = (mean + 1) * steps, width = deviation * steps, below = 0;

    for (size_t k = 0; k < count; k++) {
        double end = (double)k + 0.5 - at;
        double so_far = k + 1 == count ? 1 : width > 0 ? tct_normal_cdf(end / width) : end > 0;

        levels[k] = so_far - below;
        below = so_far;
    }
}

static void expect(tacit_basis *b, const tct_belief *belief, const double *mean, size_t attribute)
{
    const tct_domain *domain = &b->model->codec->domains[attribute];
    const tacit_attribute *schema = &b->model->schema->attributes[attribute];
    tacit_expectation *e = &b->expectations[attribute];
    double *levels = e->levels ? b->levels + (e->levels - b->levels) : NULL, half = (schema->max - schema->min) / 2;
    size_t at = tct_belief_at(belief, attribute);
    double deviation = sqrt(fmax(belief->cov[at * belief->n_unknown + at], 0));

    if (domain->kind == TCT_ONEHOT) {
        tct_belief_levels(b->model, attribute, mean + at, levels);
    } else if (levels) {
        spread_over_grid(mean[at], deviation, domain->count, levels);
    } else {
        e->mean = schema->min + (mean[at] + 1) * half;
        e->deviation = deviation * half;
    }
}

static tacit_status expect_all(tacit_basis *b, const tct_belief *belief, const double *x, tacit_error *err)
{
    double *mean = tct_calloc(belief->n_unknown + 1, sizeof *mean);

    if (!mean)
        return tct_fail_memory(err);
    tct_belief_mean(belief, x, mean);
    for (size_t a = 0; a < b->model->schema->n_attributes; a++)
        if (!b->known[a])
            expect(b, belief, mean, a);
    tct_free_wiped(mean, (belief->n_unknown + 1) * sizeof *mean);
    return TACIT_OK;
}

/* seed: of people who are drawn. */
static tacit_status fill(tacit_basis *b, const tacit_person *person, uint64_t seed, tacit_error *err)
{
    tct_glance glance;
    tacit_status st = tct_glance_at(&glance, person, seed, err);

    memcpy(b->known, person->known, b->model->schema->n_attributes);
    if (!st) {
        tct_walker_shares(glance.walker, &glance.look, b->p);
        if (tct_posterior_row(b->model)->gaussian) /* of others no more is known than how to draw people */
            st = expect_all(b, glance.stage->belief, person->x, err);
    }
    tct_glance_end(&glance);
    return st;
}

static tacit_status make(tacit_basis **out, const tacit_person *person, uint64_t seed, tacit_error *err)
{
    tacit_status st = basis_new(out, person->model, err);

    if (!st)
        st = fill(*out, person, seed, err);
    if (st) {
        tacit_basis_free(*out);
        *out = NULL;
    }
    return st;
}

tacit_status tacit_person_basis(tacit_basis **out, const tacit_person *person, tacit_error *err)
{
    return make(out, person, 0, err);
}

tacit_status tacit_session_basis(tacit_basis **out, const tacit_session *session, tacit_error *err)
{
    tacit_status st = tct_session_refuse_narrowed(session, "what a decision rests on", err);

    *out = NULL;
    return st ? st : make(out, session->person, session->options.seed, err);
}

double tacit_basis_probability(const tacit_basis *b, size_t label)
{
    return label < b->model->classifier->n_classes ? b->p[label] : NAN;
}

const tacit_expectation *tacit_basis_expectation(const tacit_basis *b, size_t attribute)
{
    return b->known[attribute] ? NULL : &b->expectations[attribute];
}

void tacit_basis_level_text(const tacit_basis *b, size_t attribute, size_t level, char *text, size_t size)
{
    const struct tct_cells *cells = tct_codec_cells(b->model->codec, attribute);

    if (cells)
        tct_cell_text(cells, level, text, size);
    else
        snprintf(text, size, "%s", b->model->schema->attributes[attribute].levels[level]);
}
