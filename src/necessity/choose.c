/*
 * choose.c -- backward elimination by cross-validated log loss.
 *
 * The people who have a say are dealt into five folds, class by class.  A fit on four folds is judged by the log loss of
 * the fifth: of all attributes still there, the one without which the judges lose least goes next.  Where there are many
 * people, fewer of the five folds judge: as many as it takes for ENOUGH_JUDGES people.
 *
 * Linear models (here): the loss without each attribute is foreseen from one fit and its second derivatives, and the
 * best few are then fitted for real.  Other models (choose_shuffle.c) are trained once for every attribute left out.
 */
#include "choose.h"

#include <math.h>
#include <string.h>

#include "choose_inside.h"
#include "logit.h"

enum { VERIFIED = 3 };
static const double BIAS_PENALTY = 1e-3; /* there may be folds without one of the classes */
static const double LOOSE = 1e-6;        /* gradient per person at which a fit is good enough to be judged */

/* One fold: who learns, who judges, what was learnt so far. */
typedef struct fold {
    tct_coded_people *learners, *judges;
    tct_logit *fit;
    tct_logit *tried[VERIFIED];
} fold;

typedef struct choice {
    fold folds[TCT_FOLDS];
    size_t n_folds;
    size_t *kept, n_kept;
    size_t *others; /* room for kept less one */
    double *losses; /* per place in kept */
    double *part;   /* the same of one fold */
    double l2;
} choice;

void tct_deal_folds(unsigned char *folds, const tct_encoded_rows *part)
{
    size_t seen[TCT_MAX_CLASSES] = {0};

    for (size_t r = 0; r < part->n; r++)
        folds[r] = (unsigned char)(seen[part->labels[r]]++ % TCT_FOLDS);
}

/* How many of the folds judge. */
static size_t judging_folds(const tct_encoded_rows *part)
{
    size_t n = 1;

    while (n < TCT_FOLDS && n * (part->n / TCT_FOLDS) < TCT_ENOUGH_JUDGES)
        n++;
    return n;
}

tacit_status tct_leave_out_all(size_t *order, size_t *kept, size_t *n_kept,
                               tacit_status (*choose)(void *context, size_t *place, tacit_error *err), void *context,
                               const tct_watch *watch, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t i = 0; *n_kept > 0 && !st; i++) {
        size_t place = 0;

        if (*n_kept > 1)
            st = choose(context, &place, err);
        if (st)
            break;
        order[i] = kept[place];
        memmove(kept + place, kept + place + 1, (*n_kept - place - 1) * sizeof *kept);
        (*n_kept)--;
        st = watch->tick(watch->context, 1, err);
    }
    return st;
}

bool tct_is_logit(const tct_codec *codec, const tacit_fit_options *fit)
{
    const tct_trainer *trainer;
    size_t n_classes = codec->schema->n_classes;

    return tct_trainer_find(&trainer, fit->kind, NULL) == TACIT_OK && trainer->logit &&
           (codec->n_inputs + 1) * (n_classes == 2 ? 1 : n_classes) <= TCT_LOGIT_MOST;
}

double tct_logit_penalty(const tacit_fit_options *fit)
{
    return fit->l2 > 0 ? fit->l2 : 1;
}

static void forget_tries(choice *c)
{
    for (size_t b = 0; b < TCT_FOLDS; b++)
        for (size_t v = 0; v < VERIFIED; v++) {
            tct_logit_free(c->folds[b].tried[v]);
            c->folds[b].tried[v] = NULL;
        }
}

static void clear_choice(choice *c)
{
    forget_tries(c);
    for (size_t b = 0; b < TCT_FOLDS; b++) {
        tct_logit_free(c->folds[b].fit);
        tct_coded_people_free(c->folds[b].learners);
        tct_coded_people_free(c->folds[b].judges);
    }
    tct_free(c->kept);
    tct_free(c->others);
    tct_free(c->losses);
    tct_free(c->part);
}

static double enough(const fold *b)
{
    return LOOSE * (double)b->learners->n;
}

static tacit_status begin(choice *c, const tct_encoded_rows *part, const tct_codec *codec, const tacit_fit_options *fit,
                          tacit_error *err)
{
    size_t n = codec->schema->n_attributes;
    unsigned char *folds = tct_malloc(part->n + 1, 1);
    tacit_status st = TACIT_OK;

    c->kept = tct_malloc(n, sizeof *c->kept);
    c->others = tct_malloc(n, sizeof *c->others);
    c->losses = tct_malloc(n, sizeof *c->losses);
    c->part = tct_malloc(n, sizeof *c->part);
    if (!folds || !c->kept || !c->others || !c->losses || !c->part) {
        tct_free(folds);
        return tct_fail_memory(err);
    }
    tct_deal_folds(folds, part);
    c->l2 = tct_logit_penalty(fit);
    for (c->n_kept = 0; c->n_kept < n; c->n_kept++)
        c->kept[c->n_kept] = c->n_kept;
    c->n_folds = judging_folds(part);
    for (size_t b = 0; b < c->n_folds && !st; b++) {
        fold *now = &c->folds[b];

        if ((st = tct_coded_people_new(&now->learners, part, codec, folds, (unsigned char)b, false, err)) ||
            (st = tct_coded_people_new(&now->judges, part, codec, folds, (unsigned char)b, true, err)))
            break;
        st = tct_logit_new(&now->fit, now->learners, c->kept, n, c->l2, BIAS_PENALTY, enough(now), err);
    }
    tct_free(folds);
    return st;
}

static tacit_status foresee(choice *c, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    memset(c->losses, 0, c->n_kept * sizeof *c->losses);
    for (size_t b = 0; b < c->n_folds && !st; b++) {
        st = tct_logit_curve(c->folds[b].fit, err);
        if (!st)
            st = tct_logit_foresee(c->folds[b].fit, c->folds[b].judges, c->part, err);
        for (size_t j = 0; j < c->n_kept && !st; j++)
            c->losses[j] += c->part[j];
    }
    return st;
}

/* Everything kept but place j, into c->others. */
static void leave_out(choice *c, size_t j)
{
    memcpy(c->others, c->kept, j * sizeof *c->kept);
    memcpy(c->others + j, c->kept + j + 1, (c->n_kept - j - 1) * sizeof *c->kept);
}

/* Fit without place j for real, on every fold, as try number v. */
static tacit_status verify(choice *c, size_t j, size_t v, double *loss, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    *loss = 0;
    leave_out(c, j);
    for (size_t b = 0; b < c->n_folds && !st; b++) {
        fold *now = &c->folds[b];
        double mine = 0;

        st = tct_logit_reduce(&now->tried[v], now->fit, c->others, c->n_kept - 1, enough(now), err);
        if (!st)
            st = tct_logit_loss(&mine, now->tried[v], now->judges, err);
        *loss += mine;
    }
    return st;
}

/* The place that goes next; what was fitted without it becomes the fits. */
static tacit_status choose_next(void *context, size_t *place, tacit_error *err)
{
    choice *c = context;
    double least = INFINITY;
    size_t best = 0;
    tacit_status st = foresee(c, err);

    for (size_t v = 0; v < VERIFIED && v < c->n_kept && !st; v++) {
        double loss = 0;
        size_t j = 0;

        for (size_t k = 1; k < c->n_kept; k++)
            if (c->losses[k] < c->losses[j])
                j = k;
        c->losses[j] = INFINITY; /* looked at */
        st = verify(c, j, v, &loss, err);
        if (!st && (v == 0 || loss < least)) {
            least = loss;
            best = v;
            *place = j;
        }
    }
    for (size_t b = 0; b < c->n_folds && !st; b++) {
        fold *now = &c->folds[b];

        tct_logit_free(now->fit);
        now->fit = now->tried[best];
        now->tried[best] = NULL;
    }
    forget_tries(c);
    return st;
}

static tacit_status choose_linear(size_t *order, const tct_encoded_rows *part, const tct_codec *codec,
                                  const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err)
{
    choice c = {0};
    tacit_status st = begin(&c, part, codec, fit, err);

    if (!st)
        st = tct_leave_out_all(order, c.kept, &c.n_kept, choose_next, &c, watch, err);
    clear_choice(&c);
    return st;
}

tacit_status tct_choose_order(size_t *order, const tct_encoded_rows *part, const tct_codec *codec,
                              const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err)
{
    return (tct_is_logit(codec, fit) ? choose_linear : tct_choose_shuffling)(order, part, codec, fit, watch, err);
}
