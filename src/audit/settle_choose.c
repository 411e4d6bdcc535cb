/*
 * The margin and stop rules (src/infer/rule_margin.c) for many people at one stage, two classes, one score.
 *
 * Everything but the normal distribution is computed as there, term by term in the same order; so choices by margin are
 * the same to the bit.  Of a chance to stop only bounds are computed.  The tail of the normal distribution beyond z is
 *
 *     1 / (2 p(z)^32)      p of degree 7, for 0 <= z <= 6.5 within 1.6e-5 of the tail (fitted by least squares)
 *
 * and divisions are products with reciprocals.  Where the bounds say which candidate leads, it is the one that the rule
 * itself finds.  Where they do not, or the likeliest chance is too close to the 5 % of the rule, or an end of a range
 * too close to an end of the domain (there the chance jumps), the person is left to the rule.
 *
 * Eight people at a time, everything about them in registers.
 */
#include "settle_inside.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

#define LEAD 0.05         /* of tct_choose_by_stop */
#define TAIL_END 6.5      /* tails further out are taken for that one */
#define TAIL_ERROR 4e-5   /* relative, twice what was measured and more */
#define LEAST_ERROR 1e-10 /* of a chance: tails beyond TAIL_END, roundings */
#define CAUTION 1e-4      /* more than the error of any chance */
#define UNWORTHY -2.0     /* Phi of this, twice, is less than LEAD: no chance that counts when costs are equal */
#define BORDER 1e-11      /* more than twice the error of a threshold that lies in a domain */
#define LEAST_SPREAD 1e-4 /* of an input; below, thresholds are not exact enough */
#define LEAST_WEIGHT 1e-100

void tct_sheet_fill(tct_sheet *sheet, const tct_stage *stage, const tacit_model *model, const tct_extremes *e)
{
    const tacit_schema *schema = model->schema;
    const tct_belief *b = stage->belief;

    sheet->stage = stage;
    sheet->n_options = 0;
    sheet->plain = false;
    sheet->unworthy = UNWORTHY;
    for (size_t a = 0; a < schema->n_attributes; a++) {
        const tct_domain *domain = &model->codec->domains[a];
        tct_option *o = &sheet->options[sheet->n_options];
        double w = e->weights[tct_pair(e, 1, 0) * model->codec->n_inputs + domain->first], deviation;

        if (stage->known[a] || schema->attributes[a].role != TACIT_SENSITIVE)
            continue;
        *o = (tct_option){.attribute = a,
                          .at = tct_belief_position(b, domain->first),
                          .kind = domain->kind,
                          .count = domain->count,
                          .weights = e->linear->weights + domain->first,
                          .worst = {e->worst[tct_pair(e, 0, 1) * e->n_attributes + a],
                                    e->worst[tct_pair(e, 1, 0) * e->n_attributes + a]},
                          .cost = schema->attributes[a].cost,
                          .per_cost = 1 / schema->attributes[a].cost};
        if (o->cost != sheet->options[0].cost)
            sheet->unworthy = -INFINITY;
        sheet->n_options++;
        if (domain->kind == TCT_ONEHOT)
            continue;
        tct_codec_range(model->codec, a, &o->low, &o->high);
        deviation = sqrt(b->cov[o->at * b->n_unknown + o->at]);
        o->per_deviation = 1 / deviation;
        o->per_weight = w != 0 ? 1 / w : 0;
        sheet->plain =
            sheet->plain || (o->low < o->high && !(deviation > LEAST_SPREAD)) || (w != 0 && !(fabs(w) > LEAST_WEIGHT));
    }
}

/* What is found out about eight people, option by option. */
typedef struct search {
    tct_eight now[2];          /* certified margin of label 0 and 1 */
    tct_eight nearest;         /* how near a threshold came to an end of its domain */
    tct_eight likeliest, best; /* chance; chance per cost */
    tct_eight low, high;       /* bounds of the best */
    tct_eight second;          /* upper bound of all others */
    tct_eight found;           /* the best option */
} search;

/* ---------------------------------------------------------------- means and margins */

/* Four at a time: out[j][p] = start[j] + sum_i coefficient[i * step + j] values[i][p], i ascending. */
TCT_LANES_BODY void find_means(double *out, const tct_belief *b, const double *const *values, size_t at)
{
    size_t n = b->n_unknown, u = 0;

    for (; u + 4 <= n; u += 4) {
        const double *map = b->map + u;
        tct_eight m0 = TCT_ALL(b->offset[u]), m1 = TCT_ALL(b->offset[u + 1]), m2 = TCT_ALL(b->offset[u + 2]),
                  m3 = TCT_ALL(b->offset[u + 3]);

        for (size_t i = 0; i < b->n_known; i++, map += n) {
            tct_eight v = TCT_LOAD(values[i] + at);

            m0 += v * map[0];
            m1 += v * map[1];
            m2 += v * map[2];
            m3 += v * map[3];
        }
        TCT_STORE(out + u * TCT_EIGHT, m0);
        TCT_STORE(out + (u + 1) * TCT_EIGHT, m1);
        TCT_STORE(out + (u + 2) * TCT_EIGHT, m2);
        TCT_STORE(out + (u + 3) * TCT_EIGHT, m3);
    }
    for (; u < n; u++) {
        tct_eight m = TCT_ALL(b->offset[u]);

        for (size_t i = 0; i < b->n_known; i++)
            m += TCT_LOAD(values[i] + at) * b->map[i * n + u];
        TCT_STORE(out + u * TCT_EIGHT, m);
    }
}

TCT_LANES_BODY void find_score(tct_bench *b, const tct_sheet *sheet, size_t at)
{
    const tct_law *law = sheet->stage->law;
    tct_eight score = TCT_ALL(law->offset[0]);

    for (size_t i = 0; i < sheet->stage->belief->n_known; i++)
        score += TCT_LOAD(b->values[i] + at) * law->map[i];
    TCT_STORE(b->score + at, score);
}

/* As margin_now() adds them up. */
TCT_LANES_BODY void find_margins(search *s, const tct_bench *b, const tct_stage *stage, const tct_extremes *e,
                                 size_t at)
{
    const double *worst0 = e->worst + tct_pair(e, 0, 1) * e->n_attributes;
    const double *worst1 = e->worst + tct_pair(e, 1, 0) * e->n_attributes;

    s->now[1] = TCT_LOAD(b->partial + at);
    s->now[0] = -s->now[1];
    for (size_t a = 0; a < e->n_attributes; a++)
        if (!stage->known[a]) {
            s->now[0] += worst0[a];
            s->now[1] += worst1[a];
        }
}

/* ---------------------------------------------------------------- chances */

/* Is any lane of a comparison's result set? */
TCT_LANES_BODY bool any_lane(const tct_eight_mask *mask)
{
    tct_eight_mask m = *mask;

    m |= __builtin_shufflevector(m, m, 4, 5, 6, 7, 0, 1, 2, 3);
    m |= __builtin_shufflevector(m, m, 2, 3, 0, 1, 6, 7, 4, 5);
    return (m[0] | m[1]) != 0;
}

/* *out: 1 / (2 tail beyond |z|). */
TCT_LANES_BODY void find_tail(tct_eight *out, const tct_eight *z)
{
    tct_eight zero = {0}, x = TCT_MAGNITUDE(*z), p;

    x = TCT_SELECT(x > TAIL_END, zero + TAIL_END, x);
    p = 1.725253042e-07 * x + -2.535969333e-06;
    p = p * x + 3.429551258e-05;
    p = p * x + -1.208471425e-04;
    p = p * x + 1.450556763e-03;
    p = p * x + 1.021564685e-02;
    p = p * x + 2.494497233e-02;
    p = p * x + 9.999995199e-01;
    p *= p;
    p *= p;
    p *= p;
    p *= p;
    *out = p * p;
}

/* One input.  A larger answer helps the margin of one label, which is settled from `rise` on, and harms that of the
 * other, which is settled up to `fall`.  Where both are further from the mean than `unworthy` deviations for everybody,
 * the chance is taken for 0. */
TCT_LANES_BODY void chance_of_input(tct_eight *chance, tct_eight *error, search *s, const tct_option *o,
                                    const tct_eight *mean, double unworthy)
{
    bool rising = o->per_weight > 0;
    double up = fabs(o->per_weight);
    tct_eight zero = {0}, one = zero + 1, rise, fall, near, z_rise, z_fall, tail_rise, tail_fall, both, mass;
    tct_eight_mask worthwhile;

    *chance = zero;
    *error = zero;
    if (o->per_weight == 0) { /* no answer changes anything */
        *chance = TCT_SELECT(o->worst[0] - s->now[0] > zero, zero, one);
        *chance += TCT_SELECT(o->worst[1] - s->now[1] > zero, zero, one);
        return;
    }
    rise = (o->worst[rising] - s->now[rising]) * up;
    fall = (s->now[!rising] - o->worst[!rising]) * up;
    near = TCT_MAGNITUDE((rise - o->low) * (rise - o->high));
    s->nearest = TCT_SELECT(near < s->nearest, near, s->nearest);
    near = TCT_MAGNITUDE((fall - o->low) * (fall - o->high));
    s->nearest = TCT_SELECT(near < s->nearest, near, s->nearest);
    z_rise = (*mean - rise) * o->per_deviation;
    z_fall = (fall - *mean) * o->per_deviation;
    mass = TCT_SELECT(rise <= o->high, z_rise, zero - INFINITY);
    both = TCT_SELECT(fall >= o->low, z_fall, zero - INFINITY);
    worthwhile = TCT_SELECT(mass > both, mass, both) > unworthy;
    if (!any_lane(&worthwhile))
        return;
    find_tail(&tail_rise, &z_rise);
    find_tail(&tail_fall, &z_fall);
    both = 0.5 / (tail_rise * tail_fall);
    *error = both * tail_rise; /* now the tails themselves */
    tail_rise = both * tail_fall;
    tail_fall = *error;
    *error = (tail_rise + tail_fall) * TAIL_ERROR + LEAST_ERROR;
    mass = TCT_SELECT(z_rise < zero, tail_rise, 1 - tail_rise);
    mass = TCT_SELECT(rise <= o->low, one, mass);
    *chance = TCT_SELECT(rise > o->high, zero, mass);
    mass = TCT_SELECT(z_fall < zero, tail_fall, 1 - tail_fall);
    mass = TCT_SELECT(fall >= o->high, one, mass);
    *chance += TCT_SELECT(fall < o->low, zero, mass);
}

/* One-hot: the share of the levels, by weight, that settle it.  Weights: means clipped at 0, summing to 1. */
TCT_LANES_BODY void chance_of_levels(tct_eight *chance, const search *s, const tct_option *o, const double *means)
{
    tct_eight zero = {0}, one = zero + 1, share = zero, sum = zero, count = zero;

    for (size_t l = 0; l < o->count; l++) {
        tct_eight mean = TCT_LOAD(means + l * TCT_EIGHT), weight = TCT_SELECT(mean > zero, mean, zero), labels;

        labels = TCT_SELECT(s->now[0] + -o->weights[l] - o->worst[0] >= zero, one, zero);
        labels += TCT_SELECT(s->now[1] + o->weights[l] - o->worst[1] >= zero, one, zero);
        share += labels * weight;
        sum += weight;
        count += labels;
    }
    *chance = TCT_SELECT(sum > zero, share / sum, count / (double)o->count);
}

TCT_LANES_BODY void search_by_stop(search *s, const tct_bench *b, const tct_sheet *sheet)
{
    tct_eight zero = {0}, chance = zero, error = zero, mean, score, low, high, beaten;

    s->likeliest = s->found = zero;
    s->nearest = zero + 1;
    s->best = s->low = s->high = s->second = zero - 1;
    for (size_t i = 0; i < sheet->n_options; i++) {
        const tct_option *o = &sheet->options[i];
        tct_eight_mask better;

        mean = TCT_LOAD(b->mean + o->at * TCT_EIGHT);
        if (o->kind == TCT_ONEHOT) {
            chance_of_levels(&chance, s, o, b->mean + o->at * TCT_EIGHT);
            error = zero + LEAST_ERROR;
        } else {
            chance_of_input(&chance, &error, s, o, &mean, sheet->unworthy);
        }
        s->likeliest = TCT_SELECT(chance > s->likeliest, chance, s->likeliest);
        score = chance * o->per_cost;
        low = (chance - error) * o->per_cost;
        high = (chance + error) * o->per_cost;
        better = score > s->best;
        beaten = TCT_SELECT(better, s->high, high);
        s->second = TCT_SELECT(beaten > s->second, beaten, s->second);
        s->found = TCT_SELECT(better, TCT_ALL((double)i), s->found);
        s->low = TCT_SELECT(better, low, s->low);
        s->high = TCT_SELECT(better, high, s->high);
        s->best = TCT_SELECT(better, score, s->best);
    }
}

/* ---------------------------------------------------------------- margins */

/* The expected term of a one-hot attribute for the score. */
TCT_LANES_BODY void term_of_levels(tct_eight *term, const tct_option *o, const double *means)
{
    tct_eight zero = {0}, sum = zero;

    *term = zero;
    for (size_t l = 0; l < o->count; l++) {
        tct_eight mean = TCT_LOAD(means + l * TCT_EIGHT);

        sum += TCT_SELECT(mean > zero, mean, zero);
    }
    for (size_t l = 0; l < o->count; l++) {
        tct_eight mean = TCT_LOAD(means + l * TCT_EIGHT), weight = TCT_SELECT(mean > zero, mean, zero);

        *term += TCT_SELECT(sum > zero, weight / sum, zero + 1.0 / (double)o->count) * o->weights[l];
    }
}

/* The option that is expected to raise the margin of the likelier label most, to the bit. */
TCT_LANES_BODY void search_by_margin(tct_eight *found, const tct_bench *b, const tct_sheet *sheet, size_t at)
{
    tct_eight zero = {0}, best = zero - INFINITY, label = TCT_LOAD(b->score + at), term, gain;

    *found = zero;
    for (size_t i = 0; i < sheet->n_options; i++) {
        const tct_option *o = &sheet->options[i];

        if (o->kind == TCT_ONEHOT) {
            term_of_levels(&term, o, b->mean + o->at * TCT_EIGHT);
        } else {
            term = TCT_LOAD(b->mean + o->at * TCT_EIGHT);
            term = TCT_SELECT(term < o->low, zero + o->low, term);
            term = TCT_SELECT(term > o->high, zero + o->high, term) * o->weights[0];
        }
        gain = TCT_SELECT(label >= zero, term - o->worst[1], -term - o->worst[0]);
        if (o->cost != 1)
            gain /= o->cost;
        *found = TCT_SELECT(gain > best, TCT_ALL((double)i), *found);
        best = TCT_SELECT(gain > best, gain, best);
    }
}

/* ---------------------------------------------------------------- the rules */

TCT_LANES_BODY void choose_eight(tct_bench *b, const tct_sheet *sheet, const tct_extremes *e, tacit_rule rule,
                                 size_t at)
{
    tct_eight zero = {0}, unknown = zero - 1, by_margin = zero, option;
    tct_eight_mask unlikely = zero == zero;
    search s;

    find_means(b->mean, sheet->stage->belief, b->values, at);
    if (rule == TACIT_RULE_STOP) {
        find_margins(&s, b, sheet->stage, e, at);
        search_by_stop(&s, b, sheet);
        unlikely = s.likeliest < LEAD + CAUTION;
    }
    if (any_lane(&unlikely))
        search_by_margin(&by_margin, b, sheet, at);
    option = by_margin;
    if (rule == TACIT_RULE_STOP) {
        option = TCT_SELECT(s.likeliest < LEAD - CAUTION, by_margin, unknown);
        s.found = TCT_SELECT(s.low > s.second, s.found, unknown);
        option = TCT_SELECT(s.likeliest > LEAD + CAUTION, s.found, option);
        option = TCT_SELECT(s.nearest < BORDER, unknown, option);
    }
    TCT_STORE(b->option + at, option);
}

TCT_LANES_BODY void choose_body(tct_bench *b, const tct_sheet *sheet, const tct_extremes *e, tacit_rule rule,
                                bool only_score, size_t n)
{
    for (size_t at = 0; at < n; at += TCT_EIGHT) {
        find_score(b, sheet, at);
        if (!only_score)
            choose_eight(b, sheet, e, rule, at);
    }
}

TCT_LANES_FUNCTION(choose_lanes, choose_body,
                   (tct_bench * b, const tct_sheet *sheet, const tct_extremes *e, tacit_rule rule, bool only_score,
                    size_t n),
                   (b, sheet, e, rule, only_score, n))

void tct_bench_choose(tct_bench *b, const tct_sheet *sheet, const tct_extremes *e, tacit_rule rule, bool only_score,
                      size_t n)
{
    choose_lanes(b, sheet, e, rule, only_score, n);
}
