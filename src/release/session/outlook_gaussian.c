/*
 * outlook_gaussian.c -- what lies ahead of a session with two classes and nothing but proofs, without drawing anybody.
 *
 * The decision is open while the score of what is known lies between the two ends beyond which the rest cannot turn it.
 * That score is a sum of terms of which the Gaussian tells mean and variance, so the chance that it has reached one of
 * the ends after some more answers follows; and a proof, once found, holds for good.  What is taken for granted is the
 * order of questions: on the way to either label, what is expected to bring it nearest comes first, per unit of cost,
 * whatever is answered in between.
 *
 * A network is taken for linear, with its slopes at the posterior mean.  It is not, and proofs take more than that; so
 * what the unknown attributes can do to it is taken to be SLACK times as much.
 */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "law.h"
#include "num.h"
#include "posteriors.h"
#include "session.h"

enum { FAR = 4, STEPS = 32 }; /* standard deviations that count; steps in each */

static const double RARE = 0.01; /* a chance below this is none */
static const double SLACK = 1.3; /* fits networks of 10-10 neurons on loans, bank and insurance */

/* Where a session stands. */
typedef struct position {
    const tacit_session *session;
    const tct_stage *stage;
    const double *weights;  /* of the score, per input */
    const double *worst[2]; /* per attribute: what it adds to the margins of labels 0 and 1 at worst */
    size_t n_attributes;
    double *mean;  /* per unknown variable: posterior means, moved into their domains */
    double *term;  /* per unknown attribute: what it then adds to the score */
    size_t *place; /* per unknown attribute: where its variables are among the unknown ones */
    double score;  /* of what is known */
    double sigma;  /* of the whole score */
} position;

/* The way to one label. */
typedef struct path {
    const position *from;
    size_t label;
    double *gain; /* per attribute: what it brings, per unit of cost; negative: it is not to be asked for any more */
    double *with; /* per unknown variable: its covariance with the terms that were answered */
    size_t n_unknown;        /* attributes */
    bool closed;             /* hardly anybody goes this way */
    double margin, variance; /* of the label: what is known and answered, and the worst of the rest */
} path;

/* The normal distribution at the ends of equal steps from -FAR to FAR. */
static struct {
    pthread_once_t once;
    double at[2 * FAR * STEPS + 1];
} normal = {.once = PTHREAD_ONCE_INIT};

static void make_normal(void)
{
    for (int i = 0; i <= 2 * FAR * STEPS; i++)
        normal.at[i] = tct_normal_cdf((double)i / STEPS - FAR);
}

/* The normal distribution, as far as it matters here: between two steps a straight line, never off by more than
 * 0.00003. */
static double probability(double z)
{
    double place = (z + FAR) * STEPS;
    size_t i = (size_t)fmin(fmax(place, 0), 2 * FAR * STEPS - 1);

    if (!(z > -FAR && z < FAR))
        return z > 0;
    return normal.at[i] + (place - (double)i) * (normal.at[i + 1] - normal.at[i]);
}

static double sign_of(size_t label)
{
    return label == 1 ? 1 : -1;
}

/* What an attribute adds to the label's margin at worst. */
static double worst_term(const position *p, size_t label, size_t attribute)
{
    return p->worst[label][attribute];
}

/* Is the category one variable, its term? */
static bool is_term(const position *p, size_t attribute)
{
    return p->session->model->variables->span[p->session->model->variables->first[attribute]] > 1;
}

/* Shares of the levels of a category; of one that is not a term, mean holds them already. */
static const double *levels_of(const position *p, size_t attribute, double room[TCT_MAX_LEVELS])
{
    if (!is_term(p, attribute))
        return p->mean + p->place[attribute];
    tct_belief_levels(p->session->model, attribute, p->mean + p->place[attribute], room);
    return room;
}

/* Move the means of an attribute into its domain; its term there. */
static double expect(const position *p, size_t attribute)
{
    const tct_codec *codec = p->session->model->codec;
    const tct_domain *domain = &codec->domains[attribute];
    double *mean = p->mean + p->place[attribute], term = 0, low, high, room[TCT_MAX_LEVELS];

    if (is_term(p, attribute)) {
        const double *levels = levels_of(p, attribute, room);

        for (size_t l = 0; l < domain->count; l++)
            term += p->weights[domain->first + l] * levels[l];
        return term;
    }
    if (domain->kind == TCT_ONEHOT) {
        tct_level_weights(mean, domain->count, mean);
    } else {
        tct_codec_range(codec, attribute, &low, &high);
        *mean = fmin(fmax(*mean, low), high);
    }
    for (size_t i = 0; i < domain->width; i++)
        term += p->weights[domain->first + i] * mean[i];
    return term;
}

/* Means, places and terms of what is unknown. */
static void look_ahead(position *p)
{
    const size_t *first = p->session->model->variables->first;

    for (size_t a = 0, at = 0; a < p->n_attributes; a++)
        if (!p->stage->known[a]) { /* unknown variables are in the order of the attributes */
            p->place[a] = at;
            p->term[a] = expect(p, a);
            at += first[a + 1] - first[a];
        }
}

/* A linear model: what is known adds up. */
static void stand_linear(position *p)
{
    const tct_linear *linear = tct_additive(p->session->model->classifier);
    const tct_belief *b = p->stage->belief;

    p->score = linear->bias[0];
    for (size_t i = 0; i < b->n_known; i++)
        p->score += p->weights[b->known[i]] * p->session->person->x[b->known[i]];
}

/* A network: its slopes at the posterior mean, and what is left of its score there without the unknown terms.  point:
 * room for all inputs. */
static void stand_network(position *p, double *point, double *weights)
{
    const tct_classifier *network = p->session->model->classifier;
    const tct_belief *b = p->stage->belief;
    double variance = 0;

    for (size_t i = 0; i < b->n_known; i++)
        point[b->known[i]] = p->session->person->x[b->known[i]];
    for (size_t u = 0; u < b->n_unknown; u++)
        point[b->unknown[u]] = p->mean[u];
    network->ops->scores(network, point, 1, &p->score);
    network->ops->gradient(network, point, 1, weights);
    p->weights = weights;
    for (size_t u = 0; u < b->n_unknown; u++) {
        double w = weights[b->unknown[u]], with = 0;

        for (size_t v = 0; v < b->n_unknown; v++)
            with += b->cov[u * b->n_unknown + v] * weights[b->unknown[v]];
        variance += w * with;
        p->score -= w * p->mean[u];
    }
    p->sigma = sqrt(fmax(variance, 0));
}

/* The smallest term of an attribute of a network for the label's margin. */
static double find_worst(const position *p, size_t label, size_t attribute)
{
    const tct_codec *codec = p->session->model->codec;
    const tct_domain *domain = &codec->domains[attribute];
    const double *w = p->weights + domain->first;
    double sign = sign_of(label), expected = sign * p->term[attribute], worst = INFINITY, low, high;

    if (domain->kind == TCT_ONEHOT) {
        for (size_t l = 0; l < domain->count; l++)
            worst = fmin(worst, sign * w[l]);
    } else {
        tct_codec_range(codec, attribute, &low, &high);
        worst = fmin(sign * *w * low, sign * *w * high);
    }
    return expected + SLACK * (worst - expected);
}

/* How likely the label is in the end. */
static double chance_of(const position *p, size_t label)
{
    double mean = p->score;

    for (size_t a = 0; a < p->n_attributes; a++)
        mean += p->stage->known[a] ? 0 : p->term[a];
    mean *= sign_of(label);
    return p->sigma > 0 ? probability(mean / p->sigma) : mean >= 0;
}

/* How likely one answer proves the label: level by level, or by a Gaussian cut off at the ends of the domain. */
static double chance_at_once(const path *way, size_t attribute)
{
    const position *p = way->from;
    const tct_codec *codec = p->session->model->codec;
    const tct_domain *domain = &codec->domains[attribute];
    size_t at = p->place[attribute];
    double missing = worst_term(p, way->label, attribute) - way->margin, chance = 0, low, high, deviation, bound;
    double w = sign_of(way->label) * p->weights[domain->first];

    if (domain->kind == TCT_ONEHOT) {
        double room[TCT_MAX_LEVELS];
        const double *levels = levels_of(p, attribute, room);

        for (size_t l = 0; l < domain->count; l++)
            if (sign_of(way->label) * p->weights[domain->first + l] >= missing)
                chance += levels[l];
        return chance;
    }
    if (w == 0)
        return missing <= 0;
    tct_codec_range(codec, attribute, &low, &high);
    bound = missing / w;
    if (w > 0 ? bound <= low : bound >= high)
        return 1;
    if (w > 0 ? bound > high : bound < low)
        return 0;
    deviation = sqrt(fmax(p->stage->belief->cov[at * (p->stage->belief->n_unknown + 1)], 0));
    if (!(deviation > 0))
        return w * p->mean[at] >= missing;
    return probability((p->mean[at] - bound) / (w > 0 ? deviation : -deviation));
}

/* An attribute is answered: its term instead of the worst. */
static void answer(path *way, size_t attribute)
{
    const position *p = way->from;
    const tct_variables *variables = p->session->model->variables;
    const double *rows = p->stage->belief->cov;
    size_t at = p->place[attribute], n = p->stage->belief->n_unknown, first = variables->first[attribute];

    for (size_t i = 0; i < variables->first[attribute + 1] - first; i++) {
        const double *row = rows + (at + i) * n;
        double *with = way->with, w = is_term(p, attribute) ? 1 : p->weights[variables->input[first + i]];

        way->variance += w * (2 * with[at + i] + w * row[at + i]);
        for (size_t u = 0; u < n; u++)
            with[u] += w * row[u];
    }
    way->margin += sign_of(way->label) * p->term[attribute] - worst_term(p, way->label, attribute);
    way->gain[attribute] = -1;
    way->n_unknown--;
}

/* How likely the label is proven by now. */
static double chance(const path *way)
{
    return way->variance > 0 ? probability(way->margin / sqrt(way->variance)) : way->margin >= 0;
}

/* What brings the label nearest, TACIT_NONE when nothing is left to ask. */
static size_t find_next(const path *way)
{
    size_t best = TACIT_NONE;
    double most = -1;

    for (size_t a = 0; a < way->from->n_attributes; a++)
        if (way->gain[a] > most) {
            most = way->gain[a];
            best = a;
        }
    return best;
}

/* The first steps, which are the same for both labels: the public attributes that are still open, or `next`; the number
 * of public ones. */
static size_t set_out(path *way, size_t next)
{
    const position *p = way->from;
    const tacit_session *s = p->session;
    const tacit_attribute *attributes = s->model->schema->attributes;
    size_t passed = 0;

    for (size_t a = 0; a < p->n_attributes; a++) {
        way->gain[a] = -1;
        if (p->stage->known[a] || s->refused[a])
            continue;
        if (a != next && !tacit_model_reads(s->model, a)) { /* as good as known */
            way->n_unknown--;
            continue;
        }
        if (attributes[a].role == TACIT_PUBLIC) {
            answer(way, a);
            passed++;
        } else {
            double gain = sign_of(way->label) * p->term[a] - worst_term(p, way->label, a);

            way->gain[a] = fmax(gain, 0) / attributes[a].cost; /* rounding may leave less than nothing */
        }
    }
    if (passed == 0)
        answer(way, next);
    return passed;
}

/* How likely the decision is still open. */
static double chance_open(const path ways[2])
{
    double proven = 0;

    if (ways[0].n_unknown == 0)
        return 0;
    for (size_t label = 0; label < 2; label++)
        proven += ways[label].closed ? 0 : chance(&ways[label]);
    return proven > 1 - RARE ? 0 : 1 - proven;
}

/* One more question on the way to each label; false when there is none left. */
static bool ask_next(path ways[2])
{
    for (size_t label = 0; label < 2; label++) {
        size_t next = ways[label].closed ? TACIT_NONE : find_next(&ways[label]);

        if (next == TACIT_NONE && !ways[label].closed)
            return false;
        if (next != TACIT_NONE)
            answer(&ways[label], next);
        else
            ways[label].n_unknown--;
    }
    return true;
}

static void expect_questions(path ways[2], size_t next, tacit_outlook *out)
{
    double at_once = fmin(chance_at_once(&ways[0], next) + chance_at_once(&ways[1], next), 1), open;
    size_t passed = set_out(&ways[0], next);

    set_out(&ways[1], next);
    open = ways[0].n_unknown == 0 ? 0 : passed > 1 ? chance_open(ways) : 1 - at_once;
    out->about = passed == 0;
    out->settles = passed > 1 ? 0 : 1 - open;
    while (open > 0) {
        double before = open;

        if (!ask_next(ways))
            break;
        out->about += before;
        open = fmin(before, chance_open(ways));
    }
}

bool tct_outlook_gaussian_applies(const tacit_session *s)
{
    const tct_classifier *classifier = s->model->classifier;

    return tct_posterior_row(s->model)->gaussian && classifier->n_scores == 1 && classifier->ops->gradient &&
           !(s->promise.delta > 0);
}

static void look_around_linear(position *p)
{
    const tct_extremes *e = tct_plan_extremes(p->session->plan);

    p->weights = e->linear->weights;
    p->worst[0] = e->worst + tct_pair(e, 0, 1) * e->n_attributes;
    p->worst[1] = e->worst + tct_pair(e, 1, 0) * e->n_attributes;
    p->sigma = p->stage->law->sigma;
    stand_linear(p);
    look_ahead(p);
}

/* room: two doubles for every input and every attribute. */
static void look_around_network(position *p, double *room)
{
    size_t d = p->session->model->codec->n_inputs;

    stand_network(p, room, room + d);
    look_ahead(p);
    for (size_t label = 0; label < 2; label++) {
        double *worst = room + 2 * d + label * p->n_attributes;

        p->worst[label] = worst;
        for (size_t a = 0; a < p->n_attributes; a++)
            worst[a] = p->stage->known[a] ? 0 : find_worst(p, label, a);
    }
}

/* The way to a label before anything is asked. */
static path begin_path(const position *p, size_t label, double *with, double *gain)
{
    path way = {.from = p,
                .label = label,
                .gain = gain,
                .with = with,
                .n_unknown = p->stage->n_unknown,
                .closed = chance_of(p, label) < RARE,
                .margin = sign_of(label) * p->score};

    memset(with, 0, p->stage->belief->n_unknown * sizeof *with);
    for (size_t a = 0; a < p->n_attributes; a++)
        way.margin += p->stage->known[a] ? 0 : worst_term(p, label, a);
    return way;
}

tacit_status tct_outlook_gaussian(tacit_session *s, const tct_stage *stage, size_t next, tacit_outlook *out,
                                  tacit_error *err)
{
    size_t n = stage->belief->n_unknown, attributes = s->model->schema->n_attributes;
    size_t room = tct_additive(s->model->classifier) ? 0 : 2 * (s->model->codec->n_inputs + attributes);
    size_t doubles = 3 * n + 3 * attributes + room;
    size_t bytes = doubles * sizeof(double) + attributes * sizeof(size_t);
    position here = {.session = s, .stage = stage, .n_attributes = attributes};
    path ways[2];
    double *with, *gains;

    pthread_once(&normal.once, make_normal);
    here.mean = tct_malloc(bytes, 1);
    if (!here.mean)
        return tct_fail_memory(err);
    with = here.mean + n;
    here.term = with + 2 * n;
    gains = here.term + attributes;
    here.place = (size_t *)(here.mean + doubles);
    tct_belief_mean(stage->belief, s->person->x, here.mean);
    if (room > 0)
        look_around_network(&here, gains + 2 * attributes);
    else
        look_around_linear(&here);
    for (size_t label = 0; label < 2; label++)
        ways[label] = begin_path(&here, label, with + label * n, gains + label * attributes);
    expect_questions(ways, next, out);
    tct_free_wiped(here.mean, bytes);
    return TACIT_OK;
}
