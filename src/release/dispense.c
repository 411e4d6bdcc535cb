/*
 * One region per question.  "Everything but a" leaves one attribute free, "the answers without a" those that were never
 * asked and a.  Both are proven like any other region: by the classifier's own bounds, rounding included, or by the
 * verifier of networks.
 *
 * A linear classifier with one score leaves nothing open where one attribute is free.  scores() adds its terms one after
 * the other, and rounding is monotone, so the score as computed is a monotone function of every single term; one input
 * moves its term from end to end, a one-hot attribute from level to level.  So the attribute's worst value gives the
 * worst score *as computed*, and evaluating that one completion decides.
 *
 * An indispensable answer is never spare: what would prove the label without it would prove it with everything else
 * known, too.
 */
#include "dispense.h"

#include <string.h>

#include "person.h"
#include "verifier.h"

struct tct_dispense {
    const tacit_model *model;
    const tct_extremes *extremes; /* NULL: not linear */
    tct_verifier *verifier;       /* then there is this */
    size_t n_items;               /* sensitive attributes */
    size_t *attribute;            /* of each */
    unsigned char *known;         /* per attribute: a region's */
    double *point;                /* n_inputs: a completion */
    double *witness[2];           /* the same, of the verifier */
};

bool tct_dispense_may_be_open(const tacit_model *model)
{
    return !tct_as_linear(model->classifier) || model->classifier->n_scores > 1;
}

tacit_status tct_dispense_new(tct_dispense **out, const tacit_model *model, const tct_extremes *extremes,
                              tacit_error *err)
{
    size_t n = model->schema->n_attributes, d = model->codec->n_inputs;
    tct_dispense *o = tct_calloc(1, sizeof *o);
    tacit_status st = TACIT_OK;

    *out = NULL;
    if (!o)
        return tct_fail_memory(err);
    o->model = model;
    o->extremes = extremes;
    o->attribute = tct_calloc(n, sizeof *o->attribute);
    o->known = tct_calloc(n, 1);
    o->point = tct_calloc(d, sizeof *o->point);
    o->witness[0] = tct_calloc(d, sizeof(double));
    o->witness[1] = tct_calloc(d, sizeof(double));
    if (!o->attribute || !o->known || !o->point || !o->witness[0] || !o->witness[1])
        st = tct_fail_memory(err);
    for (size_t a = 0; a < n && !st; a++)
        if (model->schema->attributes[a].role == TACIT_SENSITIVE)
            o->attribute[o->n_items++] = a;
    if (!st && !extremes)
        st = tct_verifier_new(&o->verifier, model, err);
    if (!st) {
        *out = o;
        o = NULL;
    }
    tct_dispense_free(o);
    return st;
}

void tct_dispense_free(tct_dispense *o)
{
    size_t size;

    if (!o)
        return;
    size = o->model->codec->n_inputs * sizeof(double);
    tct_verifier_free(o->verifier);
    tct_free(o->attribute);
    tct_free(o->known);
    tct_free_wiped(o->point, size);
    tct_free_wiped(o->witness[0], size);
    tct_free_wiped(o->witness[1], size);
    tct_free(o);
}

static size_t label_of(const tct_dispense *o, const double *x)
{
    const tct_classifier *classifier = o->model->classifier;
    double scores[TCT_MAX_CLASSES];
    size_t label;

    classifier->ops->scores(classifier, x, 1, scores);
    label = tct_label(scores, classifier->n_scores);
    tct_wipe(scores, classifier->n_scores * sizeof *scores);
    return label;
}

/* ---------------------------------------------------------------- linear */

/* Is the label, that of a member, proven over the region? */
static bool is_proven(const tct_dispense *o, const double *x, size_t label)
{
    const tct_classifier *classifier = o->model->classifier;
    tct_region region = {o->model->codec, o->known, x};
    double lower[TCT_MAX_CLASSES];
    bool proven = true;

    classifier->ops->margins(classifier, &region, label, lower);
    for (size_t c = 0; c < classifier->n_classes; c++)
        proven = proven && (c == label || tct_wins(o->extremes, label, c, lower[c]));
    tct_wipe(lower, sizeof lower);
    return proven;
}

/* Attribute `a` of the completion at the value that is worst for label against class. */
static void put_worst(const tct_dispense *o, size_t a, size_t label, size_t against)
{
    const tct_extremes *e = o->extremes;
    const tct_domain *domain = &e->codec->domains[a];
    const double *w = e->weights + tct_pair(e, label, against) * e->linear->base.n_inputs + domain->first;
    size_t worst = 0;
    double low, high;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t l = 1; l < domain->count; l++)
            worst = w[l] < w[worst] ? l : worst;
        tct_codec_value(e->codec, a, worst, o->point + domain->first);
        return;
    }
    tct_codec_range(e->codec, a, &low, &high);
    o->point[domain->first] = w[0] * low <= w[0] * high ? low : high;
}

/* Everything but `a` known: evaluate the worst values first, then prove. */
static tacit_need linear_need(const tct_dispense *o, const double *x, size_t a, size_t label)
{
    const tct_domain *domain = &o->model->codec->domains[a];
    const tct_classifier *classifier = o->model->classifier;
    bool changed = false, proven;

    memcpy(o->point, x, o->model->codec->n_inputs * sizeof *x);
    for (size_t c = 0; c < classifier->n_classes && !changed; c++) {
        if (c == label)
            continue;
        put_worst(o, a, label, c);
        changed = label_of(o, o->point) != label;
    }
    tct_wipe(o->point + domain->first, domain->width * sizeof *o->point);
    if (changed)
        return TACIT_NEED_INDISPENSABLE;
    if (classifier->n_scores == 1)
        return TACIT_NEED_NONE;
    memset(o->known, 1, o->model->schema->n_attributes);
    o->known[a] = 0;
    proven = is_proven(o, x, label);
    return proven ? TACIT_NEED_NONE : TACIT_NEED_UNDECIDED;
}

/* ---------------------------------------------------------------- networks */

static tacit_status decide(tct_dispense *o, const double *x, tacit_verdict *verdict, tacit_error *err)
{
    tct_region region = {o->model->codec, o->known, x};
    tct_finding finding = {.witness = {o->witness[0], o->witness[1]}};
    tacit_status st = tct_verifier_decide(o->verifier, &region, 0, &finding, err);

    *verdict = finding.verdict;
    return st;
}

/* ---------------------------------------------------------------- both */

static tacit_status find_need(tct_dispense *o, const double *x, size_t a, size_t label, tacit_need *need,
                              tacit_error *err)
{
    tacit_verdict verdict;
    tacit_status st;

    if (o->extremes) {
        *need = linear_need(o, x, a, label);
        return TACIT_OK;
    }
    memset(o->known, 1, o->model->schema->n_attributes);
    o->known[a] = 0;
    st = decide(o, x, &verdict, err);
    *need = verdict == TACIT_CERTIFIED ? TACIT_NEED_NONE
            : verdict == TACIT_REFUTED ? TACIT_NEED_INDISPENSABLE
                                       : TACIT_NEED_UNDECIDED;
    return st;
}

tacit_status tct_dispense_needs(tct_dispense *o, const double *x, unsigned char *needs, tacit_error *err)
{
    size_t label = label_of(o, x);
    tacit_status st = TACIT_OK;

    if (o->verifier)
        tct_verifier_forget(o->verifier);
    for (size_t i = 0; i < o->n_items && !st; i++) {
        tacit_need need = TACIT_NEED_UNDECIDED;

        st = find_need(o, x, o->attribute[i], label, &need, err);
        needs[i] = (unsigned char)need;
    }
    return st;
}

tacit_status tct_dispense_spare(tct_dispense *o, const double *x, const size_t *asked, size_t n,
                                const unsigned char *needs, unsigned char *spare, tacit_error *err)
{
    const tacit_schema *schema = o->model->schema;
    size_t label = label_of(o, x);
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < o->n_items && !st; i++) {
        tacit_verdict verdict = TACIT_UNDECIDED;
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
        if (o->verifier)
            st = decide(o, x, &verdict, err);
        spare[i] = o->verifier ? verdict == TACIT_CERTIFIED : is_proven(o, x, label);
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
    const tct_linear *linear = tct_as_linear(model->classifier);
    unsigned char *found = NULL;
    tct_extremes *extremes = NULL;
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
    if (!st && linear)
        st = tct_extremes_new(&extremes, linear, model->codec, err);
    if (!st)
        st = tct_dispense_new(&o, model, extremes, err);
    if (!st)
        st = tct_dispense_needs(o, person->x, found, err);
    if (!st && spare)
        st = tct_dispense_spare(o, person->x, asked, n_asked, found, found + n, err);
    if (!st)
        spread(o, found, found + n, needs, spare);
    tct_dispense_free(o);
    tct_extremes_free(extremes);
    tct_free_wiped(found, 2 * n);
    return st;
}
