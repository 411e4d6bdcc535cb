/*
 * choose_shuffle.c -- the order for models that take long to train.
 *
 * One model is trained on four folds with the attributes still there.  What an attribute is worth to it is what the
 * fifth fold loses when the attribute's values are handed round among its people: the rest of each person stays as it
 * is.  The attribute worth least goes, and the next model is trained without it, so that others can take its place.
 */
#include <math.h>
#include <string.h>

#include "choose_inside.h"

static const uint64_t SHUFFLE_STREAM = 0xdea1;

typedef struct choice {
    const tct_encoded_rows *part;
    const tct_codec *codec;
    const tacit_fit_options *fit;
    const tct_watch *watch;
    size_t *kept, n_kept;
    size_t *learners, n_learners, *judges, n_judges; /* rows */
    size_t *given;                                   /* per judge: whose value it gets */
    size_t *columns;
} choice;

static void clear_choice(choice *c)
{
    tct_free(c->kept);
    tct_free(c->learners);
    tct_free(c->judges);
    tct_free(c->given);
    tct_free(c->columns);
}

static tacit_status begin(choice *c, tacit_error *err)
{
    size_t n = c->codec->schema->n_attributes, people = c->part->n;
    unsigned char *folds = tct_malloc(people + 1, 1);

    c->kept = tct_malloc(n, sizeof *c->kept);
    c->learners = tct_malloc(people + 1, sizeof *c->learners);
    c->judges = tct_malloc(people + 1, sizeof *c->judges);
    c->given = tct_malloc(people + 1, sizeof *c->given);
    c->columns = tct_malloc(c->codec->n_inputs + 1, sizeof *c->columns);
    if (!folds || !c->kept || !c->learners || !c->judges || !c->given || !c->columns) {
        tct_free(folds);
        return tct_fail_memory(err);
    }
    tct_deal_folds(folds, c->part);
    for (size_t r = 0; r < people; r++)
        if (folds[r] == TCT_FOLDS - 1) /* the last fold: whoever is alone of a class learns */
            c->judges[c->n_judges++] = r;
        else
            c->learners[c->n_learners++] = r;
    for (c->n_kept = 0; c->n_kept < n; c->n_kept++)
        c->kept[c->n_kept] = c->n_kept;
    tct_random_order(c->given, c->n_judges, c->fit->seed, SHUFFLE_STREAM);
    tct_free(folds);
    return TACIT_OK;
}

/* Loss of the judges when input columns [from, to) are handed round. */
static tacit_status shuffled_loss(double *loss, const choice *c, const tct_classifier *classifier,
                                  const tct_encoded_rows *judges, size_t d, size_t from, size_t to, tacit_error *err)
{
    size_t n = judges->n;
    tct_encoded_rows other = {.n = n, .labels = judges->labels, .x = tct_malloc(n * d + 1, sizeof(double))};
    tacit_status st;

    if (!other.x)
        return tct_fail_memory(err);
    memcpy(other.x, judges->x, n * d * sizeof(double));
    for (size_t i = from; i < to; i++)
        for (size_t r = 0; r < n; r++)
            other.x[i * n + r] = judges->x[i * n + c->given[r]];
    st = tct_judge(loss, NULL, classifier, &other, err);
    tct_free_wiped(other.x, n * d * sizeof(double));
    return st;
}

/* The place worth least to a classifier of the attributes kept. */
static tacit_status find_least(size_t *place, const choice *c, const tct_classifier *classifier,
                               const tct_encoded_rows *judges, size_t d, tacit_error *err)
{
    double least = INFINITY;
    size_t from = 0;
    tacit_status st = TACIT_OK;

    *place = c->n_kept - 1;
    for (size_t j = 0; j < c->n_kept && !st; j++) {
        size_t to = from + c->codec->domains[c->kept[j]].width;
        double loss = 0;

        st = shuffled_loss(&loss, c, classifier, judges, d, from, to, err);
        if (!st && loss < least) {
            least = loss;
            *place = j;
        }
        from = to;
    }
    return st;
}

static tacit_status choose_next(void *context, size_t *place, tacit_error *err)
{
    const choice *c = context;
    size_t d = tct_inputs_of(c->columns, c->codec, c->kept, c->n_kept);
    const tct_inputs inputs = {d, c->codec, c->kept, c->n_kept};
    tct_classifier *classifier = NULL;
    tct_encoded_rows learners = {0}, judges = {0};
    tacit_status st = tct_people_take(&learners, c->part, c->columns, d, c->learners, c->n_learners, err);

    if (!st)
        st = tct_people_take(&judges, c->part, c->columns, d, c->judges, c->n_judges, err);
    if (!st)
        st = tct_train_part(&classifier, &learners, &inputs, c->codec->schema->n_classes, c->fit, c->watch, err);
    if (!st)
        st = find_least(place, c, classifier, &judges, d, err);
    if (classifier)
        classifier->ops->free(classifier);
    tct_people_clear(&learners, d);
    tct_people_clear(&judges, d);
    return st;
}

tacit_status tct_choose_shuffling(size_t *order, const tct_encoded_rows *part, const tct_codec *codec,
                                  const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err)
{
    choice c = {.part = part, .codec = codec, .fit = fit, .watch = watch};
    tacit_status st = begin(&c, err);

    if (!st)
        st = tct_leave_out_all(order, c.kept, &c.n_kept, choose_next, &c, watch, err);
    clear_choice(&c);
    return st;
}
