/*
 * The margin and stop rules (src/infer/rules/rule_margin.c) for many people at one stage, two classes, one score.
 *
 * Everything but the normal distribution is computed as there, term by term in the same order; so choices by margin are
 * the same to the bit.  Of a chance to stop only bounds are computed.  The tail of the normal distribution beyond z is
 *
 *     q(z)^32 / 2          q of degree 6, for 0 <= z <= 6.5 within 9.1e-6 of the tail (fitted, least largest error)
 *
 * and divisions are products with reciprocals.  Where the bounds say which candidate leads, it is the one that the rule
 * itself finds.  Where they do not, or the likeliest chance is too close to the 5 % of the rule, or an end of a range
 * too close to an end of the domain (there the chance jumps), the person is left to the rule.
 *
 * Eight people at a time, candidate by candidate for all of a bench, so that the processor has several eights in its
 * hands.  Most candidates need no look at all: with no answer can they settle anything for the one on the bench who is
 * closest, or no answer gains as much as the leading candidate is expected to.  Rounding keeps order, so both are
 * exact.  Posterior means are computed where somebody asks for them.
 */
#include "batch_walk_inside.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

#define LEAD 0.05         /* of tct_choose_by_stop */
#define TAIL_END 6.5      /* tails further out are taken for that one */
#define TAIL_ERROR 2e-5   /* relative, twice what was measured and more */
#define LEAST_ERROR 1e-10 /* of a chance: tails beyond TAIL_END, roundings */
#define ALONE -13.1       /* if two places add up to less, one of them is beyond -TAIL_END */
#define CAUTION 1e-4      /* more than the error of any chance */
#define BORDER 1e-11      /* more than twice the error of a threshold that lies in a domain */
#define LEAST_SPREAD 1e-4 /* of an input; below, thresholds are not exact enough */
#define LEAST_WEIGHT 1e-100

/* The most that an answer can gain for either label, and a little more for rounding; needs o->low and o->high. */
static double most_gain(const tct_option *o)
{
    double terms[2] = {o->low, o->high}, most = -INFINITY, sizes = 0;

    for (size_t i = 0; i < 2; i++) {
        double term = o->kind == TCT_ONEHOT ? terms[i] : terms[i] * o->weights[0];

        most = fmax(most, fmax(term - o->worst[1], -term - o->worst[0]));
        sizes += fabs(term);
    }
    return (most + 1e-9 * (sizes + fabs(o->worst[0]) + fabs(o->worst[1]))) / o->cost;
}

/* The margins of both labels add up to the range of what is not known, taken off; so do the places of both thresholds,
 * but for the option's own range.  ALONE leaves room for the rounding of the difference. */
static void find_alone(const tct_sheet *sheet)
{
    double all = 0;

    for (size_t i = 0; i < sheet->n_options; i++)
        all += sheet->options[i].worst[0] + sheet->options[i].worst[1];
    for (size_t i = 0; i < sheet->n_options; i++) {
        tct_option *o = &sheet->options[i];
        double others = all - (o->worst[0] + o->worst[1]);

        o->alone = others * fabs(o->per_weight) * o->per_deviation < ALONE;
    }
}

void tct_sheet_fill(tct_sheet *sheet, const tct_stage *stage, const tacit_model *model, const tct_extremes *e)
{
    const tacit_schema *schema = model->schema;
    const tct_belief *b = stage->belief;

    sheet->stage = stage;
    sheet->n_options = 0;
    sheet->plain = false;
    sheet->leader = 0;
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
        sheet->n_options++;
        if (domain->kind == TCT_ONEHOT) {
            o->low = o->high = o->weights[0];
            for (size_t l = 1; l < o->count; l++) {
                o->low = fmin(o->low, o->weights[l]);
                o->high = fmax(o->high, o->weights[l]);
            }
        } else {
            tct_codec_range(model->codec, a, &o->low, &o->high);
        }
        o->most = most_gain(o);
        if (o->most > sheet->options[sheet->leader].most)
            sheet->leader = sheet->n_options - 1;
        if (domain->kind == TCT_ONEHOT)
            continue;
        deviation = sqrt(b->cov[o->at * b->n_unknown + o->at]);
        o->per_deviation = 1 / deviation;
        o->per_weight = w != 0 ? 1 / w : 0;
        sheet->plain =
            sheet->plain || (o->low < o->high && !(deviation > LEAST_SPREAD)) || (w != 0 && !(fabs(w) > LEAST_WEIGHT));
    }
    find_alone(sheet);
}

enum { EIGHTS = TCT_SEATS / TCT_EIGHT };

/* What is found out about eight people, option by option. */
typedef struct search {
    tct_eight now[2];          /* certified margin of label 0 and 1 */
    tct_eight nearest;         /* how near a threshold came to an end of its domain */
    tct_eight likeliest, best; /* chance; chance per cost */
    tct_eight low, high;       /* bounds of the best */
    tct_eight second;          /* upper bound of all others */
    tct_eight found;           /* the best option */
    tct_eight gain, by_margin; /* the best gain and its option */
} search;

/* ---------------------------------------------------------------- lanes */

TCT_INLINED double largest_lane(const tct_eight *v)
{
    tct_eight a = *v, b = __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3);

    a = TCT_SELECT(a > b, a, b);
    b = __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5);
    a = TCT_SELECT(a > b, a, b);
    return a[0] > a[1] ? a[0] : a[1];
}

/* ---------------------------------------------------------------- means and margins */

/* out[p] = start + sum_i coefficient[i * step] values[i][p] for the first n people, i ascending. */
TCT_INLINED void add_products(double *out, double start, const double *coefficient, size_t step, const tct_bench *b,
                              const tct_sheet *sheet, size_t n)
{
    size_t m = sheet->stage->belief->n_known, at = 0;

    for (; at + 4 * TCT_EIGHT <= n; at += 4 * TCT_EIGHT) {
        tct_eight s0 = TCT_ALL(start), s1 = s0, s2 = s0, s3 = s0;

        for (size_t i = 0; i < m; i++) {
            const double *v = b->values[i] + at;
            double c = coefficient[i * step];

            s0 += TCT_LOAD(v) * c;
            s1 += TCT_LOAD(v + TCT_EIGHT) * c;
            s2 += TCT_LOAD(v + 2 * TCT_EIGHT) * c;
            s3 += TCT_LOAD(v + 3 * TCT_EIGHT) * c;
        }
        TCT_STORE(out + at, s0);
        TCT_STORE(out + at + TCT_EIGHT, s1);
        TCT_STORE(out + at + 2 * TCT_EIGHT, s2);
        TCT_STORE(out + at + 3 * TCT_EIGHT, s3);
    }
    for (; at < n; at += TCT_EIGHT) {
        tct_eight sum = TCT_ALL(start);

        for (size_t i = 0; i < m; i++)
            sum += TCT_LOAD(b->values[i] + at) * coefficient[i * step];
        TCT_STORE(out + at, sum);
    }
}

/* The means of an option's inputs for the first n people. */
TCT_INLINED const double *means_of(tct_bench *b, const tct_sheet *sheet, size_t option, size_t n)
{
    const tct_option *o = &sheet->options[option];
    const tct_belief *belief = sheet->stage->belief;
    size_t end = o->at + (o->kind == TCT_ONEHOT ? o->count : 1);

    for (size_t u = o->at; u < end && !b->have[option]; u++)
        add_products(b->mean + u * TCT_SEATS, belief->offset[u], belief->map + u, belief->n_unknown, b, sheet, n);
    b->have[option] = 1;
    return b->mean + o->at * TCT_SEATS;
}

TCT_INLINED void find_scores(tct_bench *b, const tct_sheet *sheet, size_t n)
{
    add_products(b->score, sheet->stage->law->offset[0], sheet->stage->law->map, 1, b, sheet, n);
}

/* As margin_now() adds them up: the options are the unknown attributes, in their order. */
TCT_INLINED void find_margins(search *s, const tct_bench *b, const tct_sheet *sheet, size_t at)
{
    tct_eight one = TCT_LOAD(b->partial + at), zero = -one;

    for (size_t i = 0; i < sheet->n_options; i++) {
        zero += sheet->options[i].worst[0];
        one += sheet->options[i].worst[1];
    }
    s->now[0] = zero;
    s->now[1] = one;
}

/* ---------------------------------------------------------------- chances */

/* Is there no answer to this option that settles it for anybody?  top: the largest margins.  What is beyond an end of
 * the domain here is beyond it for the rule as well, which divides by the weight: the product of a weight and its
 * rounded reciprocal is at most 1 + 2^-53, which rounds to 1. */
TCT_INLINED bool is_hopeless(const double *top, const tct_option *o)
{
    bool rising = o->per_weight > 0;
    double up = fabs(o->per_weight);

    if (o->kind == TCT_ONEHOT)
        return top[0] + -o->low - o->worst[0] < 0 && top[1] + o->high - o->worst[1] < 0;
    if (o->per_weight == 0)
        return o->worst[0] - top[0] > 0 && o->worst[1] - top[1] > 0;
    return (o->worst[rising] - top[rising]) * up > o->high && (top[!rising] - o->worst[!rising]) * up < o->low;
}

/* *mass: Phi(z) for any z; *tail: that beyond |z|. */
TCT_INLINED void find_mass(tct_eight *mass, tct_eight *tail, const tct_eight *z)
{
    tct_eight zero = {0}, x = TCT_MAGNITUDE(*z), square, q;

    x = TCT_SELECT(x > TAIL_END, zero + TAIL_END, x);
    square = x * x;
    q = (2.673751994e-04 + -1.660187785e-05 * x) + 3.263612208e-07 * square;
    q = (-9.607754728e-03 + -9.379291714e-04 * x) + q * square;
    q = (1.000000282 + -2.494080955e-02 * x) + q * square;
    q *= q;
    q *= q;
    q *= q;
    q *= q;
    *tail = q * q * 0.5;
    *mass = TCT_SELECT(*z < zero, *tail, 1 - *tail);
}

/* Where a threshold lies: outside of the domain it is infinitely far from the mean. */
TCT_INLINED void find_place(tct_eight *z, search *s, const tct_option *o, const tct_eight *threshold,
                            const tct_eight_mask *always, const tct_eight_mask *never)
{
    tct_eight zero = {0}, near = TCT_MAGNITUDE(TCT_MAGNITUDE(*threshold) - o->high);

    s->nearest = TCT_SELECT(near < s->nearest, near, s->nearest);
    *z = TCT_SELECT(*always, zero + INFINITY, *z);
    *z = TCT_SELECT(*never, zero - INFINITY, *z);
}

/* One input.  A larger answer helps the margin of one label, which is settled from `rise` on, and harms that of the
 * other, which is settled up to `fall`.  Their places add up to the same for everybody. */
TCT_INLINED void chance_of_input(tct_eight *chance, tct_eight *error, search *s, const tct_option *o,
                                 const tct_eight *mean)
{
    bool rising = o->per_weight > 0;
    double up = fabs(o->per_weight);
    tct_eight zero = {0}, one = zero + 1, rise, fall, z_rise, z_fall, mass, tail;
    tct_eight_mask always, never;

    *chance = zero;
    *error = zero;
    if (o->per_weight == 0) { /* no answer changes anything */
        *chance = TCT_SELECT(o->worst[0] - s->now[0] > zero, zero, one);
        *chance += TCT_SELECT(o->worst[1] - s->now[1] > zero, zero, one);
        return;
    }
    rise = (o->worst[rising] - s->now[rising]) * up;
    fall = (s->now[!rising] - o->worst[!rising]) * up;
    z_rise = (*mean - rise) * o->per_deviation;
    z_fall = (fall - *mean) * o->per_deviation;
    always = rise <= o->low;
    never = rise > o->high;
    find_place(&z_rise, s, o, &rise, &always, &never);
    always = fall >= o->high;
    never = fall < o->low;
    find_place(&z_fall, s, o, &fall, &always, &never);
    if (o->alone) {
        z_rise = TCT_SELECT(z_rise > z_fall, z_rise, z_fall);
        find_mass(chance, &tail, &z_rise);
        *error = tail * TAIL_ERROR + LEAST_ERROR;
        return;
    }
    find_mass(chance, &tail, &z_rise);
    *error = tail * TAIL_ERROR + LEAST_ERROR;
    find_mass(&mass, &tail, &z_fall);
    *chance += mass;
    *error += tail * TAIL_ERROR;
}

/* One-hot: the share of the levels, by weight, that settle it.  Weights: means clipped at 0, summing to 1.  There is a
 * level at least, and the compiler should know: else it takes the comparison after the loop lane by lane. */
TCT_INLINED void chance_of_levels(tct_eight *chance, const search *s, const tct_option *o, const double *means)
{
    tct_eight zero = {0}, one = zero + 1, share = zero, sum = zero, count = zero;
    size_t l = 0;

    do {
        tct_eight mean = TCT_LOAD(means + l * TCT_SEATS), weight = TCT_SELECT(mean > zero, mean, zero), labels;

        labels = TCT_SELECT(s->now[0] + -o->weights[l] - o->worst[0] >= zero, one, zero);
        labels += TCT_SELECT(s->now[1] + o->weights[l] - o->worst[1] >= zero, one, zero);
        share += labels * weight;
        sum += weight;
        count += labels;
    } while (++l < o->count);
    share = TCT_SELECT(sum > zero, share, count);
    *chance = share / TCT_SELECT(sum > zero, sum, TCT_ALL((double)o->count));
}

/* One more option.  means: of its inputs. */
TCT_INLINED void consider_chance(search *s, const tct_option *o, size_t option, const double *means)
{
    tct_eight zero = {0}, chance = zero, error = zero + LEAST_ERROR, mean = TCT_LOAD(means), score, low, high, beaten;
    tct_eight_mask better;

    if (o->kind == TCT_ONEHOT)
        chance_of_levels(&chance, s, o, means);
    else
        chance_of_input(&chance, &error, s, o, &mean);
    s->likeliest = TCT_SELECT(chance > s->likeliest, chance, s->likeliest);
    score = chance * o->per_cost;
    low = (chance - error) * o->per_cost;
    high = (chance + error) * o->per_cost;
    better = score > s->best;
    beaten = TCT_SELECT(better, s->high, high);
    s->second = TCT_SELECT(beaten > s->second, beaten, s->second);
    s->found = TCT_SELECT(better, TCT_ALL((double)option), s->found);
    s->low = TCT_SELECT(better, low, s->low);
    s->high = TCT_SELECT(better, high, s->high);
    s->best = TCT_SELECT(better, score, s->best);
}

/* True: for somebody no chance is worth leading, or only just. */
TCT_INLINED bool search_by_stop(search *all, tct_bench *b, const tct_sheet *sheet, size_t n)
{
    tct_eight zero = {0}, top[2] = {zero - INFINITY, zero - INFINITY}, least = zero + 2;
    double largest[2];

    for (size_t e = 0; e * TCT_EIGHT < n; e++) {
        search *s = &all[e];

        find_margins(s, b, sheet, e * TCT_EIGHT);
        top[0] = TCT_SELECT(s->now[0] > top[0], s->now[0], top[0]);
        top[1] = TCT_SELECT(s->now[1] > top[1], s->now[1], top[1]);
        s->likeliest = s->found = zero;
        s->nearest = zero + 1;
        s->best = s->low = s->high = s->second = zero - 1;
    }
    largest[0] = largest_lane(&top[0]);
    largest[1] = largest_lane(&top[1]);
    for (size_t i = 0; i < sheet->n_options; i++) {
        const double *means;

        if (is_hopeless(largest, &sheet->options[i]))
            continue;
        means = means_of(b, sheet, i, n);
        for (size_t e = 0; e * TCT_EIGHT < n; e++)
            consider_chance(&all[e], &sheet->options[i], i, means + e * TCT_EIGHT);
    }
    for (size_t e = 0; e * TCT_EIGHT < n; e++)
        least = TCT_SELECT(all[e].likeliest < least, all[e].likeliest, least);
    least = -least;
    return -largest_lane(&least) < LEAD + CAUTION;
}

/* ---------------------------------------------------------------- margins */

/* The expected term of a one-hot attribute for the score. */
TCT_INLINED void term_of_levels(tct_eight *term, const tct_option *o, const double *means)
{
    tct_eight zero = {0}, sum = zero;

    *term = zero;
    for (size_t l = 0; l < o->count; l++) {
        tct_eight mean = TCT_LOAD(means + l * TCT_SEATS);

        sum += TCT_SELECT(mean > zero, mean, zero);
    }
    for (size_t l = 0; l < o->count; l++) {
        tct_eight mean = TCT_LOAD(means + l * TCT_SEATS), weight = TCT_SELECT(mean > zero, mean, zero);

        *term += TCT_SELECT(sum > zero, weight / sum, zero + 1.0 / (double)o->count) * o->weights[l];
    }
}

/* By how much an option is expected to raise the margin of the likelier label, per cost, to the bit. */
TCT_INLINED void find_gain(tct_eight *gain, const tct_option *o, const double *means, const double *score)
{
    tct_eight zero = {0}, label = TCT_LOAD(score), term = TCT_LOAD(means);

    if (o->kind == TCT_ONEHOT) {
        term_of_levels(&term, o, means);
    } else {
        term = TCT_SELECT(term < o->low, zero + o->low, term);
        term = TCT_SELECT(term > o->high, zero + o->high, term) * o->weights[0];
    }
    *gain = TCT_SELECT(label >= zero, term - o->worst[1], -term - o->worst[0]);
    if (o->cost != 1)
        *gain /= o->cost;
}

/* The option with the largest gain, the first of several. */
TCT_INLINED void search_by_margin(search *all, tct_bench *b, const tct_sheet *sheet, size_t n)
{
    const double *means = means_of(b, sheet, sheet->leader, n);
    tct_eight zero = {0}, least = zero + INFINITY, gain;
    double enough;

    for (size_t at = 0; at < n; at += TCT_EIGHT) {
        find_gain(&gain, &sheet->options[sheet->leader], means + at, b->score + at);
        least = TCT_SELECT(gain < least, gain, least);
        all[at / TCT_EIGHT].by_margin = zero;
        all[at / TCT_EIGHT].gain = zero - INFINITY;
    }
    least = -least;
    enough = -largest_lane(&least);
    for (size_t i = 0; i < sheet->n_options; i++) {
        if (sheet->options[i].most < enough)
            continue;
        means = means_of(b, sheet, i, n);
        for (size_t at = 0; at < n; at += TCT_EIGHT) {
            search *s = &all[at / TCT_EIGHT];

            find_gain(&gain, &sheet->options[i], means + at, b->score + at);
            s->by_margin = TCT_SELECT(gain > s->gain, TCT_ALL((double)i), s->by_margin);
            s->gain = TCT_SELECT(gain > s->gain, gain, s->gain);
        }
    }
}

/* ---------------------------------------------------------------- the rules */

/* What the rule says about eight people after both searches. */
TCT_INLINED void conclude(tct_eight *option, const search *s)
{
    tct_eight zero = {0}, unknown = zero - 1, found = TCT_SELECT(s->low > s->second, s->found, unknown);

    *option = TCT_SELECT(s->likeliest < LEAD - CAUTION, s->by_margin, unknown);
    *option = TCT_SELECT(s->likeliest > LEAD + CAUTION, found, *option);
    *option = TCT_SELECT(s->nearest < BORDER, unknown, *option);
}

TCT_INLINED void choose_body(tct_bench *b, const tct_sheet *sheet, tacit_rule rule, bool want_option, bool want_score,
                             size_t n)
{
    bool by_margin = want_option;
    search all[EIGHTS];

    memset(b->have, 0, sheet->n_options);
    if (want_option && rule == TACIT_RULE_STOP)
        by_margin = search_by_stop(all, b, sheet, n);
    if (want_score || by_margin)
        find_scores(b, sheet, n);
    for (size_t e = 0; want_option && !by_margin && e * TCT_EIGHT < n; e++)
        all[e].by_margin = (tct_eight){0}; /* of nobody */
    if (by_margin)
        search_by_margin(all, b, sheet, n);
    for (size_t at = 0; want_option && at < n; at += TCT_EIGHT) {
        tct_eight option = all[at / TCT_EIGHT].by_margin;

        if (rule == TACIT_RULE_STOP)
            conclude(&option, &all[at / TCT_EIGHT]);
        TCT_STORE(b->option + at, option);
    }
}

TCT_SIMD_FUNCTION(void, choose_lanes, choose_body,
                  (tct_bench * b, const tct_sheet *sheet, tacit_rule rule, bool want_option, bool want_score, size_t n),
                  (b, sheet, rule, want_option, want_score, n))

void tct_bench_choose(tct_bench *b, const tct_sheet *sheet, tacit_rule rule, bool want_option, bool want_score,
                      size_t n)
{
    choose_lanes(b, sheet, rule, want_option, want_score, n);
}
