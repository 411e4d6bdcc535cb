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
 * A vector of people at a time, candidate by candidate for all of a handful, so that the processor has several vectors in
 * its hands.  Most candidates need no look at all: with no answer can they settle anything for the one of the handful who is
 * closest, or no answer gains as much as the leading candidate is expected to.  Rounding keeps order, so both are
 * exact.  Posterior means are computed where somebody asks for them.
 */
#include "batch_walk_inside.h"

#include <math.h>
#include <string.h>

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
                          .at = tct_belief_at(b, a),
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

#define LOOPS "batch_choose_loops.h"
#include "simd_levels.h"

void tct_handful_choose(tct_handful *b, const tct_sheet *sheet, tacit_rule rule, bool want_option, bool want_score,
                        size_t n)
{
    TCT_SIMD_PICK(choose)(b, sheet, rule, want_option, want_score, n);
}
