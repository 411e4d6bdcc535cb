/*
 * batch_choose_loops.h -- the loops of batch_choose.c for one level of simd_levels.h.
 */

#define search NAMED(search)
#define largest_lane NAMED(largest_lane)
#define add_products NAMED(add_products)
#define means_of NAMED(means_of)
#define find_scores NAMED(find_scores)
#define find_margins NAMED(find_margins)
#define is_hopeless NAMED(is_hopeless)
#define find_mass NAMED(find_mass)
#define find_place NAMED(find_place)
#define chance_of_input NAMED(chance_of_input)
#define chance_of_levels NAMED(chance_of_levels)
#define consider_chance NAMED(consider_chance)
#define search_by_stop NAMED(search_by_stop)
#define term_of_levels NAMED(term_of_levels)
#define find_gain NAMED(find_gain)
#define search_by_margin NAMED(search_by_margin)
#define conclude NAMED(conclude)

/* What is found out about a few people, option by option. */
typedef struct search {
    lanes now[2];          /* certified margin of label 0 and 1 */
    lanes nearest;         /* how near a threshold came to an end of its domain */
    lanes likeliest, best; /* chance; chance per cost */
    lanes low, high;       /* bounds of the best */
    lanes second;          /* upper bound of all others */
    lanes found;           /* the best option */
    lanes gain, by_margin; /* the best gain and its option */
} search;

/* ---------------------------------------------------------------- lanes */

INLINED double largest_lane(const lanes *v)
{
    double largest = (*v)[0];

    for (size_t p = 1; p < LANES; p++)
        largest = (*v)[p] > largest ? (*v)[p] : largest;
    return largest;
}

/* ---------------------------------------------------------------- means and margins */

/* out[p] = start + sum_i coefficient[i * step] values[i][p] for the first n people, i ascending. */
INLINED void add_products(double *out, double start, const double *coefficient, size_t step, const tct_handful *b,
                          const tct_sheet *sheet, size_t n)
{
    size_t m = sheet->stage->belief->n_known, at = 0;

    for (; at + SUMS * LANES <= n; at += SUMS * LANES) {
        lanes sum[SUMS];

        for (size_t k = 0; k < SUMS; k++)
            sum[k] = ALL(start);
        for (size_t i = 0; i < m; i++)
            for (size_t k = 0; k < SUMS; k++)
                sum[k] += LOAD(b->values[i] + at + k * LANES) * coefficient[i * step];
        for (size_t k = 0; k < SUMS; k++)
            STORE(out + at + k * LANES, sum[k]);
    }
    for (; at < n; at += LANES) {
        lanes sum = ALL(start);

        for (size_t i = 0; i < m; i++)
            sum += LOAD(b->values[i] + at) * coefficient[i * step];
        STORE(out + at, sum);
    }
}

/* The means of an option's inputs for the first n people. */
INLINED const double *means_of(tct_handful *b, const tct_sheet *sheet, size_t option, size_t n)
{
    const tct_option *o = &sheet->options[option];
    const tct_belief *belief = sheet->stage->belief;
    size_t end = o->at + (o->kind == TCT_ONEHOT ? o->count : 1);

    for (size_t u = o->at; u < end && !b->have[option]; u++)
        add_products(b->mean + u * TCT_HANDFUL, belief->offset[u], belief->map + u, belief->n_unknown, b, sheet, n);
    b->have[option] = 1;
    return b->mean + o->at * TCT_HANDFUL;
}

INLINED void find_scores(tct_handful *b, const tct_sheet *sheet, size_t n)
{
    add_products(b->score, sheet->stage->law->offset[0], sheet->stage->law->map, 1, b, sheet, n);
}

/* As margin_now() adds them up: the options are the unknown attributes, in their order. */
INLINED void find_margins(search *s, const tct_handful *b, const tct_sheet *sheet, size_t at)
{
    lanes one = LOAD(b->partial + at), zero = -one;

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
INLINED bool is_hopeless(const double *top, const tct_option *o)
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
INLINED void find_mass(lanes *mass, lanes *tail, const lanes *z)
{
    lanes zero = {0}, x = MAGNITUDE(*z), square, q;

    x = SELECT(x > TAIL_END, zero + TAIL_END, x);
    square = x * x;
    q = (2.673751994e-04 + -1.660187785e-05 * x) + 3.263612208e-07 * square;
    q = (-9.607754728e-03 + -9.379291714e-04 * x) + q * square;
    q = (1.000000282 + -2.494080955e-02 * x) + q * square;
    q *= q;
    q *= q;
    q *= q;
    q *= q;
    *tail = q * q * 0.5;
    *mass = SELECT(*z < zero, *tail, 1 - *tail);
}

/* Where a threshold lies: outside of the domain it is infinitely far from the mean. */
INLINED void find_place(lanes *z, search *s, const tct_option *o, const lanes *threshold, const masks *always,
                        const masks *never)
{
    lanes zero = {0}, near = MAGNITUDE(MAGNITUDE(*threshold) - o->high);

    s->nearest = SELECT(near < s->nearest, near, s->nearest);
    *z = SELECT(*always, zero + INFINITY, *z);
    *z = SELECT(*never, zero - INFINITY, *z);
}

/* One input.  A larger answer helps the margin of one label, which is settled from `rise` on, and harms that of the
 * other, which is settled up to `fall`.  Their places add up to the same for everybody. */
INLINED void chance_of_input(lanes *chance, lanes *error, search *s, const tct_option *o, const lanes *mean)
{
    bool rising = o->per_weight > 0;
    double up = fabs(o->per_weight);
    lanes zero = {0}, one = zero + 1, rise, fall, z_rise, z_fall, mass, tail;
    masks always, never;

    *chance = zero;
    *error = zero;
    if (o->per_weight == 0) { /* no answer changes anything */
        *chance = SELECT(o->worst[0] - s->now[0] > zero, zero, one);
        *chance += SELECT(o->worst[1] - s->now[1] > zero, zero, one);
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
        z_rise = SELECT(z_rise > z_fall, z_rise, z_fall);
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
INLINED void chance_of_levels(lanes *chance, const search *s, const tct_option *o, const double *means)
{
    lanes zero = {0}, one = zero + 1, share = zero, sum = zero, count = zero;
    size_t l = 0;

    do {
        lanes mean = LOAD(means + l * TCT_HANDFUL), weight = SELECT(mean > zero, mean, zero), labels;

        labels = SELECT(s->now[0] + -o->weights[l] - o->worst[0] >= zero, one, zero);
        labels += SELECT(s->now[1] + o->weights[l] - o->worst[1] >= zero, one, zero);
        share += labels * weight;
        sum += weight;
        count += labels;
    } while (++l < o->count);
    share = SELECT(sum > zero, share, count);
    *chance = share / SELECT(sum > zero, sum, ALL((double)o->count));
}

/* One more option.  means: of its inputs. */
INLINED void consider_chance(search *s, const tct_option *o, size_t option, const double *means)
{
    lanes zero = {0}, chance = zero, error = zero + LEAST_ERROR, mean = LOAD(means), score, low, high, beaten;
    masks better;

    if (o->kind == TCT_ONEHOT)
        chance_of_levels(&chance, s, o, means);
    else
        chance_of_input(&chance, &error, s, o, &mean);
    s->likeliest = SELECT(chance > s->likeliest, chance, s->likeliest);
    score = chance * o->per_cost;
    low = (chance - error) * o->per_cost;
    high = (chance + error) * o->per_cost;
    better = score > s->best;
    beaten = SELECT(better, s->high, high);
    s->second = SELECT(beaten > s->second, beaten, s->second);
    s->found = SELECT(better, ALL((double)option), s->found);
    s->low = SELECT(better, low, s->low);
    s->high = SELECT(better, high, s->high);
    s->best = SELECT(better, score, s->best);
}

/* True: for somebody no chance is worth leading, or only just. */
INLINED bool search_by_stop(search *all, tct_handful *b, const tct_sheet *sheet, size_t n)
{
    lanes zero = {0}, top[2] = {zero - INFINITY, zero - INFINITY}, least = zero + 2;
    double largest[2];

    for (size_t e = 0; e * LANES < n; e++) {
        search *s = &all[e];

        find_margins(s, b, sheet, e * LANES);
        top[0] = SELECT(s->now[0] > top[0], s->now[0], top[0]);
        top[1] = SELECT(s->now[1] > top[1], s->now[1], top[1]);
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
        for (size_t e = 0; e * LANES < n; e++)
            consider_chance(&all[e], &sheet->options[i], i, means + e * LANES);
    }
    for (size_t e = 0; e * LANES < n; e++)
        least = SELECT(all[e].likeliest < least, all[e].likeliest, least);
    least = -least;
    return -largest_lane(&least) < LEAD + CAUTION;
}

/* ---------------------------------------------------------------- margins */

/* The expected term of a one-hot attribute for the score. */
INLINED void term_of_levels(lanes *term, const tct_option *o, const double *means)
{
    lanes zero = {0}, sum = zero;

    *term = zero;
    for (size_t l = 0; l < o->count; l++) {
        lanes mean = LOAD(means + l * TCT_HANDFUL);

        sum += SELECT(mean > zero, mean, zero);
    }
    for (size_t l = 0; l < o->count; l++) {
        lanes mean = LOAD(means + l * TCT_HANDFUL), weight = SELECT(mean > zero, mean, zero);

        *term += SELECT(sum > zero, weight / sum, zero + 1.0 / (double)o->count) * o->weights[l];
    }
}

/* By how much an option is expected to raise the margin of the likelier label, per cost, to the bit. */
INLINED void find_gain(lanes *gain, const tct_option *o, const double *means, const double *score)
{
    lanes zero = {0}, label = LOAD(score), term = LOAD(means);

    if (o->kind == TCT_ONEHOT) {
        term_of_levels(&term, o, means);
    } else {
        term = SELECT(term < o->low, zero + o->low, term);
        term = SELECT(term > o->high, zero + o->high, term) * o->weights[0];
    }
    *gain = SELECT(label >= zero, term - o->worst[1], -term - o->worst[0]);
    if (o->cost != 1)
        *gain /= o->cost;
}

/* The option with the largest gain, the first of several. */
INLINED void search_by_margin(search *all, tct_handful *b, const tct_sheet *sheet, size_t n)
{
    const double *means = means_of(b, sheet, sheet->leader, n);
    lanes zero = {0}, least = zero + INFINITY, gain;
    double enough;

    for (size_t at = 0; at < n; at += LANES) {
        find_gain(&gain, &sheet->options[sheet->leader], means + at, b->score + at);
        least = SELECT(gain < least, gain, least);
        all[at / LANES].by_margin = zero;
        all[at / LANES].gain = zero - INFINITY;
    }
    least = -least;
    enough = -largest_lane(&least);
    for (size_t i = 0; i < sheet->n_options; i++) {
        if (sheet->options[i].most < enough)
            continue;
        means = means_of(b, sheet, i, n);
        for (size_t at = 0; at < n; at += LANES) {
            search *s = &all[at / LANES];

            find_gain(&gain, &sheet->options[i], means + at, b->score + at);
            s->by_margin = SELECT(gain > s->gain, ALL((double)i), s->by_margin);
            s->gain = SELECT(gain > s->gain, gain, s->gain);
        }
    }
}

/* ---------------------------------------------------------------- the rules */

/* What the rule says about a few people after both searches. */
INLINED void conclude(lanes *option, const search *s)
{
    lanes zero = {0}, unknown = zero - 1, found = SELECT(s->low > s->second, s->found, unknown);

    *option = SELECT(s->likeliest < LEAD - CAUTION, s->by_margin, unknown);
    *option = SELECT(s->likeliest > LEAD + CAUTION, found, *option);
    *option = SELECT(s->nearest < BORDER, unknown, *option);
}

LEVEL static void NAMED(choose)(tct_handful *b, const tct_sheet *sheet, tacit_rule rule, bool want_option,
                                bool want_score, size_t n)
{
    bool by_margin = want_option;
    search all[TCT_HANDFUL / LANES];

    memset(b->have, 0, sheet->n_options);
    if (want_option && rule == TACIT_RULE_STOP)
        by_margin = search_by_stop(all, b, sheet, n);
    if (want_score || by_margin)
        find_scores(b, sheet, n);
    for (size_t e = 0; want_option && !by_margin && e * LANES < n; e++)
        all[e].by_margin = (lanes){0}; /* of nobody */
    if (by_margin)
        search_by_margin(all, b, sheet, n);
    for (size_t at = 0; want_option && at < n; at += LANES) {
        lanes option = all[at / LANES].by_margin;

        if (rule == TACIT_RULE_STOP)
            conclude(&option, &all[at / LANES]);
        STORE(b->option + at, option);
    }
}
