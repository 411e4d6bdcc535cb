/*
 * The verifier of networks against slow and independent ways to know: every completion of discrete regions, exact
 * minima along lines, thousands of random completions.  TACIT_TEST_SCALE=10 asks more than 10^5 questions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdalign.h>

#include "provers.h"
#include "net_case.h"
#include "netbounds_inside.h"
#include "scale.h"
#include "verifier.h"

enum {
    QUESTIONS = 4,      /* per network */
    COMPLETIONS = 2000, /* random ones against every certificate */
    MAX_POINTS = 4096,  /* discrete regions up to this size are tried in full */
    MAX_KINKS = 2000,
    MAX_HIDDEN = 32
};

static size_t asked, certified, refuted, undecided, tried_in_full, exact_lines;

/* ---- the network in long double, along a line ---- */

/* Pre-activations of layer `l` (scores for the last one) at x, ideal up to long double. */
static void ideal_layer(const tct_mlp *mlp, const long double *x, size_t l, long double *z)
{
    long double in[NET_CASE_INPUTS], out[NET_CASE_INPUTS];

    memcpy(in, x, mlp->sizes[0] * sizeof *in);
    for (size_t k = 0; k <= l; k++) {
        for (size_t j = 0; j < mlp->sizes[k + 1]; j++) {
            out[j] = mlp->bias[k][j];
            for (size_t i = 0; i < mlp->sizes[k]; i++)
                out[j] += (long double)mlp->weights[k][j * mlp->sizes[k] + i] * in[i];
        }
        for (size_t j = 0; j < mlp->sizes[k + 1]; j++)
            in[j] = out[j] > 0 ? out[j] : 0;
    }
    memcpy(z, out, mlp->sizes[l + 1] * sizeof *z);
}

static void point_on_line(const double *from, const double *to, long double t, size_t d, long double *x)
{
    for (size_t i = 0; i < d; i++)
        x[i] = from[i] + t * ((long double)to[i] - from[i]);
}

static int compare_numbers(const void *a, const void *b)
{
    long double x = *(const long double *)a, y = *(const long double *)b;

    return (x > y) - (x < y);
}

/* All t in [0, 1] where a neuron changes its phase between two points, the ends included: between them everything is
 * linear. */
static size_t find_kinks(const tct_mlp *mlp, const double *from, const double *to, long double *kinks)
{
    size_t n = 2;

    kinks[0] = 0;
    kinks[1] = 1;
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        long double before[MAX_HIDDEN], here[MAX_HIDDEN], x[NET_CASE_INPUTS];
        size_t old = n;

        for (size_t k = 0; k < old; k++) {
            point_on_line(from, to, kinks[k], mlp->sizes[0], x);
            ideal_layer(mlp, x, l, here);
            for (size_t j = 0; k > 0 && j < mlp->sizes[l + 1]; j++)
                if ((before[j] < 0) != (here[j] < 0) && n < MAX_KINKS)
                    kinks[n++] = kinks[k - 1] + (kinks[k] - kinks[k - 1]) * before[j] / (before[j] - here[j]);
            memcpy(before, here, sizeof before);
        }
        qsort(kinks, n, sizeof *kinks, compare_numbers);
    }
    assert_true(n < MAX_KINKS);
    return n;
}

/* Smallest lead of `label` over any other class along a line, ideal; *at: where. */
static long double least_on_line(const net_case *c, const double *from, const double *to, size_t label, long double *at)
{
    const tct_mlp *mlp = tct_as_mlp(c->model->classifier);
    long double kinks[MAX_KINKS], x[NET_CASE_INPUTS], f[MAX_HIDDEN], least = INFINITY;
    size_t n = find_kinks(mlp, from, to, kinks);

    for (size_t k = 0; k < n; k++) {
        point_on_line(from, to, kinks[k], mlp->sizes[0], x);
        ideal_layer(mlp, x, mlp->n_layers - 1, f);
        for (size_t j = 0; j < mlp->base.n_classes; j++) {
            long double m = mlp->base.n_scores > 1 ? f[label] - f[j] : label == 1 ? f[0] : -f[0];

            if (j != label && m < least) {
                least = m;
                *at = kinks[k];
            }
        }
    }
    return least;
}

/* ---- judging answers ---- */

static void check_in_domain(const net_case *c, const double *x)
{
    for (size_t a = 0; a < c->n_attributes; a++) {
        const tct_domain *domain = &c->model->codec->domains[a];
        double value[MAKE_MODEL_LEVELS], low, high;
        bool found = false;

        if (c->known[a])
            assert_memory_equal(x + domain->first, c->x + domain->first, domain->width * sizeof(double));
        for (size_t k = 0; k < domain->count && !found; k++) {
            tct_codec_value(c->model->codec, a, k, value);
            found = memcmp(value, x + domain->first, domain->width * sizeof(double)) == 0;
        }
        if (domain->kind == TCT_BOX) {
            tct_codec_range(c->model->codec, a, &low, &high);
            found = x[domain->first] >= low && x[domain->first] <= high;
        }
        assert_true(found || c->known[a]);
    }
}

/* Try hard to contradict a certificate: along a line, the places where an ideal network is least, in doubles. */
static void attack_along(net_case *c, size_t label, const double *from, const double *to, double *best)
{
    size_t d = c->model->codec->n_inputs;
    long double at = 0;

    least_on_line(c, from, to, label, &at);
    for (size_t i = 0; i < d; i++)
        best[i] = (double)fminl(fmaxl(from[i] + at * ((long double)to[i] - from[i]), -1), 1);
    assert_int_equal(net_case_label(c, best), label);
}

/* Minimise exactly along one interval after the other. */
static void descend(net_case *c, size_t label)
{
    double x[NET_CASE_INPUTS], from[NET_CASE_INPUTS], to[NET_CASE_INPUTS];

    net_case_complete(c, x);
    for (size_t round = 0; round < 2; round++) {
        for (size_t a = 0; a < c->n_attributes; a++) {
            const tct_domain *domain = &c->model->codec->domains[a];

            if (c->known[a] || domain->kind != TCT_BOX)
                continue;
            memcpy(from, x, sizeof from);
            memcpy(to, x, sizeof to);
            tct_codec_range(c->model->codec, a, &from[domain->first], &to[domain->first]);
            attack_along(c, label, from, to, x);
        }
    }
}

static void check_certificate(net_case *c, size_t label)
{
    double x[NET_CASE_INPUTS], lower[NET_CASE_CLASSES];
    tct_region region = net_case_region(c);

    tct_netbounds_margins(c->model->classifier, &region, label, lower);
    for (size_t k = 0; k < COMPLETIONS; k++) {
        net_case_complete(c, x);
        assert_int_equal(net_case_label(c, x), label);
        for (size_t j = 0; k < 50 && j < c->model->classifier->n_classes; j++)
            assert_true(j == label || net_case_margin(c, x, label, j) >= lower[j]);
    }
    for (size_t k = 0; k < 3; k++)
        descend(c, label);
}

/* Number of combinations of the unknown attributes other than intervals, and of intervals. */
static size_t count_points(const net_case *c, size_t *intervals)
{
    size_t n = 1;

    *intervals = 0;
    for (size_t a = 0; a < c->n_attributes; a++) {
        double low = 0, high = 0;

        if (c->known[a])
            continue;
        if (c->model->codec->domains[a].kind == TCT_BOX) {
            tct_codec_range(c->model->codec, a, &low, &high);
            *intervals += low < high;
        } else {
            n *= c->model->codec->domains[a].count;
        }
    }
    return n;
}

/* Combination number k; intervals at their low and high ends. */
static void put_points(const net_case *c, size_t k, double *low, double *high)
{
    memcpy(low, c->x, sizeof c->x);
    memcpy(high, c->x, sizeof c->x);
    for (size_t a = 0; a < c->n_attributes; a++) {
        const tct_domain *domain = &c->model->codec->domains[a];

        if (c->known[a])
            continue;
        if (domain->kind == TCT_BOX) {
            tct_codec_range(c->model->codec, a, &low[domain->first], &high[domain->first]);
            continue;
        }
        tct_codec_value(c->model->codec, a, k % domain->count, low + domain->first);
        tct_codec_value(c->model->codec, a, k % domain->count, high + domain->first);
        k /= domain->count;
    }
}

/* A region without intervals: the verdict must be the truth. */
static void check_in_full(const net_case *c, const tct_finding *finding, size_t n)
{
    double x[NET_CASE_INPUTS], same[NET_CASE_INPUTS];
    size_t label = TACIT_NONE;
    bool constant = true;

    for (size_t k = 0; k < n && constant; k++) {
        put_points(c, k, x, same);
        constant = label == TACIT_NONE || net_case_label(c, x) == label;
        label = net_case_label(c, x);
    }
    assert_int_equal(finding->verdict, constant ? TACIT_CERTIFIED : TACIT_REFUTED);
    tried_in_full++;
}

/* A region with one interval: the verdict must be the truth, unless the least margin is within rounding of zero. */
static void check_lines(const net_case *c, const tct_finding *finding, size_t n)
{
    double low[NET_CASE_INPUTS], high[NET_CASE_INPUTS];
    long double least = INFINITY, at;
    size_t label;

    put_points(c, 0, low, high);
    label = net_case_label(c, low);
    for (size_t k = 0; k < n; k++) {
        put_points(c, k, low, high);
        least = fminl(least, least_on_line(c, low, high, label, &at));
    }
    if (least > 1e-10L)
        assert_int_equal(finding->verdict, TACIT_CERTIFIED);
    if (least < -1e-10L)
        assert_int_equal(finding->verdict, TACIT_REFUTED);
    exact_lines++;
}

static tct_finding decide(net_case *c, tct_verifier *verifier, uint64_t budget)
{
    static double witness[2][NET_CASE_INPUTS];
    tct_finding finding = {.witness = {witness[0], witness[1]}};
    tct_region region = net_case_region(c);
    size_t intervals, n = count_points(c, &intervals);

    assert_int_equal(tct_verifier_decide(verifier, &region, budget, &finding, NULL), TACIT_OK);
    asked++;
    if (finding.verdict == TACIT_REFUTED) {
        refuted++;
        check_in_domain(c, witness[0]);
        check_in_domain(c, witness[1]);
        assert_int_not_equal(net_case_label(c, witness[0]), net_case_label(c, witness[1]));
    } else if (finding.verdict == TACIT_CERTIFIED) {
        certified++;
        check_certificate(c, finding.label);
    } else {
        undecided++;
    }
    if (intervals == 0 && n <= MAX_POINTS && budget == 0)
        check_in_full(c, &finding, n);
    if (intervals == 1 && n <= 16 && budget == 0)
        check_lines(c, &finding, n);
    return finding;
}

/* Something that is known to one, unknown to the other: what holds for more completions holds for fewer. */
static void check_monotone(const tct_finding *fewer_known, const tct_finding *more_known)
{
    if (fewer_known->verdict == TACIT_CERTIFIED && more_known->verdict == TACIT_CERTIFIED)
        assert_int_equal(fewer_known->label, more_known->label);
    if (fewer_known->verdict == TACIT_CERTIFIED)
        assert_int_not_equal(more_known->verdict, TACIT_REFUTED);
}

/* Known inputs may be means, which no value has.  Once unknown again, only true values count; and the mean is then not one
 * of them.  blurred: which attributes. */
static void blur_known(net_case *c, unsigned char *blurred)
{
    for (size_t a = 0; a < c->n_attributes; a++) {
        const tct_domain *domain = &c->model->codec->domains[a];

        blurred[a] = c->known[a];
        for (size_t i = 0; c->known[a] && i < domain->width; i++)
            c->x[domain->first + i] = domain->kind == TCT_ONEHOT ? 1 / (double)domain->width : 0.123;
    }
}

static void verifier__is_never_wrong(void **state)
{
    size_t cases = scaled(2600);

    (void)state;
    asked = certified = refuted = undecided = tried_in_full = exact_lines = 0;
    for (size_t seed = 0; seed < cases; seed++) {
        net_case c;
        tct_verifier *verifier;
        tct_finding before, after;
        unsigned char blurred[NET_CASE_ATTRIBUTES] = {0};

        net_case_make(&c, seed);
        if (seed % 5 == 0)
            blur_known(&c, blurred);
        assert_int_equal(tct_verifier_new(&verifier, c.model, NULL), TACIT_OK);
        before = decide(&c, verifier, 0);
        for (size_t q = 1; q < QUESTIONS; q++) { /* one after the other becomes known, or unknown again */
            size_t a = tct_random_below(&c.random, c.n_attributes);

            c.known[a] = !c.known[a];
            if (tct_random_below(&c.random, 2))
                tct_verifier_forget(verifier);
            after = decide(&c, verifier, tct_random_below(&c.random, 8) ? 0 : 3);
            if (!blurred[a])
                check_monotone(c.known[a] ? &before : &after, c.known[a] ? &after : &before);
            before = after;
        }
        tct_verifier_free(verifier);
        net_case_free(&c);
    }
    print_message("%zu questions: %zu certified, %zu refuted, %zu undecided; %zu tried in full, %zu along lines\n",
                  asked, certified, refuted, undecided, tried_in_full, exact_lines);
    assert_true(asked < 100 || (certified > asked / 10 && refuted > asked / 10 && undecided < asked / 10));
}

/* One interval and one grid: the interval was halved for ever, because only it showed in the forms of open neurons. */
static void verifier__splits_what_matters(void **state)
{
    net_case c;
    tct_verifier *verifier;
    tct_finding finding;

    (void)state;
    net_case_make(&c, 6760);
    assert_int_equal(tct_verifier_new(&verifier, c.model, NULL), TACIT_OK);
    finding = decide(&c, verifier, 0);
    assert_int_equal(finding.verdict, TACIT_CERTIFIED);
    assert_true(finding.nodes < 1000);
    tct_verifier_free(verifier);
    net_case_free(&c);
}

static void verifier__says_the_same_again(void **state)
{
    size_t cases = scaled(200);

    (void)state;
    for (size_t seed = 0; seed < cases; seed++) {
        net_case c;
        tct_verifier *one, *two;
        tct_finding a, b = {0};
        double witness[2][NET_CASE_INPUTS];
        tct_region region;

        net_case_make(&c, seed + 1000000);
        region = net_case_region(&c);
        assert_int_equal(tct_verifier_new(&one, c.model, NULL), TACIT_OK);
        assert_int_equal(tct_verifier_new(&two, c.model, NULL), TACIT_OK);
        decide(&c, two, 0);
        tct_verifier_forget(two);
        a = decide(&c, one, 0);
        memcpy(witness[0], a.witness[0], sizeof witness[0]);
        memcpy(witness[1], a.witness[1], sizeof witness[1]);
        b = decide(&c, two, 0);
        assert_int_equal(a.verdict, b.verdict);
        assert_int_equal(a.label, b.label);
        assert_int_equal(a.nodes, b.nodes);
        if (a.verdict == TACIT_REFUTED) {
            assert_memory_equal(witness[0], b.witness[0], c.model->codec->n_inputs * sizeof(double));
            assert_memory_equal(witness[1], b.witness[1], c.model->codec->n_inputs * sizeof(double));
        }
        assert_int_equal(tct_certify(&b, c.model, &region, NULL), TACIT_OK);
        /* the prover has one more way where a margin is within rounding */
        assert_true(a.verdict == b.verdict || (a.verdict == TACIT_UNDECIDED && b.verdict == TACIT_CERTIFIED));
        tct_verifier_free(one);
        tct_verifier_free(two);
        net_case_free(&c);
    }
}

/* A random completion inside a box. */
static void draw_inside(net_case *c, const tct_netbounds *nb, const double *box, double *x)
{
    memcpy(x, c->x, sizeof c->x);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        double low = box[u->first], high = box[nb->n_free + u->first], t = tct_random_uniform(&c->random);
        size_t level = tct_random_below(&c->random, u->width);

        while (u->kind == TCT_ONEHOT && box[nb->n_free + u->first + level] == 0)
            level = (level + 1) % u->width;
        if (u->kind == TCT_BOX)
            x[u->input] = fmin(low + t * (high - low), high);
        else
            tct_codec_value(c->model->codec, u->attribute,
                            u->kind == TCT_GRID ? (size_t)(low + floor(t * (high - low + 1))) : level, x + u->input);
    }
}

/* Is a completion of one box in another? */
static bool is_inside(const net_case *c, const tct_netbounds *nb, const double *box, const double *x)
{
    bool inside = true;

    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        double low = box[u->first], high = box[nb->n_free + u->first];

        if (u->kind == TCT_GRID) {
            tct_codec_value(c->model->codec, u->attribute, (size_t)low, &low);
            tct_codec_value(c->model->codec, u->attribute, (size_t)high, &high);
        }
        if (u->kind != TCT_ONEHOT)
            inside = inside && low <= x[u->input] && x[u->input] <= high;
        for (size_t i = 0; i < u->width && u->kind == TCT_ONEHOT; i++)
            inside = inside && (x[u->input + i] == 0 || box[nb->n_free + u->first + i] != 0);
    }
    return inside;
}

/* Bound a region, then ever smaller parts of it, with phases and reaches of the whole: anew, or by the forms of the last
 * box that was; with the usual lines and with others.  What is cut off has positive margins. */
static void bound_parts(bool sided, size_t cases)
{
    for (size_t seed = 0; seed < cases; seed++) {
        net_case c;
        tct_netbounds *nb;
        unsigned char phases[MAX_HIDDEN];
        double box[2 * NET_CASE_INPUTS], part[2 * NET_CASE_INPUTS], x[NET_CASE_INPUTS];
        double side[NET_CASE_INPUTS + TCT_LANES + TCT_SIDE_ROOM];
        tct_region region;
        size_t split = 0, one = seed;

        net_case_make(&c, seed + 2000000);
        region = net_case_region(&c);
        assert_int_equal(tct_netbounds_new(&nb, tct_as_mlp(c.model->classifier), c.model->codec, NULL), TACIT_OK);
        tct_netbounds_region(nb, &region);
        tct_netbounds_label(nb, net_case_label(&c, c.x));
        tct_netbounds_whole(nb, box);
        for (size_t depth = 0; depth < 12 && split != TACIT_NONE; depth++) {
            size_t row = sided ? one % nb->n_rows : tct_random_below(&c.random, nb->n_rows);

            if (depth == 0 || tct_random_below(&c.random, 3) == 0)
                tct_netbounds_units(nb, box, phases, depth == 0);
            else
                tct_netbounds_part(nb, box, phases);
            tct_netbounds_row(nb, row);
            if (tct_random_below(&c.random, 2))
                tct_netbounds_raise(nb, row, box);
            memcpy(part, box, 2 * nb->n_free * sizeof(double));
            if (!(nb->rows[row].lower > 0))
                tct_netbounds_clip(nb, row, part);
            for (size_t k = 0; k < 20; k++) {
                double margin;

                draw_inside(&c, nb, box, x);
                margin = net_case_margin(&c, x, nb->label, nb->rows[row].against);
                assert_true(margin >= nb->rows[row].lower || (sided && margin > 0));
                assert_true(margin > 0 || is_inside(&c, nb, part, x));
            }
            if (sided && nb->rows[row].lower > 0)
                break;
            tct_netbounds_keep(nb, row, side);
            tct_netbounds_within(nb, sided ? side : NULL);
            split = tct_netbounds_split(nb, box, box);
            if (split != TACIT_NONE) {
                tct_netbounds_half(nb, box, split, (int)tct_random_below(&c.random, 2), part);
                memcpy(box, part, 2 * nb->n_free * sizeof(double));
            }
        }
        tct_netbounds_free(nb);
        net_case_free(&c);
    }
}

/* Narrow a box to next to nothing around a random completion of it. */
static void draw_tiny(net_case *c, const tct_netbounds *nb, double *box, double *x)
{
    memcpy(x, c->x, sizeof c->x);
    for (size_t s = 0; s < nb->n_unknown; s++) {
        const tct_unknown *u = &nb->unknown[s];
        double *low = box + u->first, *high = low + nb->n_free, t = tct_random_uniform(&c->random);
        size_t level = tct_random_below(&c->random, u->width);

        switch (u->kind) {
        case TCT_BOX:
            x[u->input] = fmin(*low + t * (*high - *low), *high);
            *low = fmax(*low, x[u->input] - 1e-12);
            *high = fmin(*high, x[u->input] + 1e-12);
            break;
        case TCT_GRID:
            *low = *high = *low + floor(t * (*high - *low + 1));
            tct_codec_value(c->model->codec, u->attribute, (size_t)*low, x + u->input);
            break;
        case TCT_ONEHOT:
            while (high[level] == 0)
                level = (level + 1) % u->width;
            for (size_t i = 0; i < u->width; i++)
                high[i] = i == level;
            tct_codec_value(c->model->codec, u->attribute, level, x + u->input);
            break;
        }
    }
}

/* What hidden layer l computes at x, before its ReLUs. */
static void neurons_at(const tct_mlp *mlp, size_t l, const double *x, long double *z)
{
    long double y[NET_CASE_INPUTS];

    for (size_t i = 0; i < mlp->sizes[l]; i++)
        y[i] = x[i];
    if (l > 0) {
        neurons_at(mlp, l - 1, x, y);
        for (size_t i = 0; i < mlp->sizes[l]; i++)
            y[i] = y[i] > 0 ? y[i] : 0;
    }
    for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
        z[j] = mlp->bias[l][j];
        for (size_t i = 0; i < mlp->sizes[l]; i++)
            z[j] += (long double)mlp->weights[l][j * mlp->sizes[l] + i] * y[i];
    }
}

/* In a box that is next to a point, bounds of neurons are what they compute up to rounding, that of single precision too,
 * which they must allow for.  Those that were kept from a larger box are left out: set wide. */
static void netbounds__allow_for_rounding(void **state)
{
    size_t cases = scaled(3000), n_single = 0, n_near = 0, n_all = 0;

    (void)state;
    for (size_t seed = 0; seed < cases; seed++) {
        net_case c;
        tct_netbounds *nb;
        unsigned char phases[MAX_HIDDEN];
        double box[2 * NET_CASE_INPUTS], x[NET_CASE_INPUTS];
        long double z[NET_CASE_INPUTS];
        const tct_mlp *mlp;
        tct_region region;

        net_case_make(&c, seed + 5000000);
        mlp = tct_as_mlp(c.model->classifier);
        region = net_case_region(&c);
        assert_int_equal(tct_netbounds_new(&nb, mlp, c.model->codec, NULL), TACIT_OK);
        tct_netbounds_region(nb, &region);
        tct_netbounds_whole(nb, box);
        tct_netbounds_units(nb, box, phases, true);
        draw_tiny(&c, nb, box, x);
        memset(phases, TCT_PHASE_OPEN, sizeof phases);
        tct_netbounds_units(nb, box, phases, false);
        for (size_t l = 1; l + 1 < mlp->n_layers; l++) {
            const tct_net_layer *layer = &nb->layers[l];

            neurons_at(mlp, l, x, z);
            for (size_t j = 0; j < layer->n; j++) {
                const double *least = layer->pads[0], size = layer->reach[j];
                long double low = layer->constants[0][j] - least[j], high = layer->pads[1][j] - layer->constants[1][j];

                for (size_t v = 0; v < nb->n_vary; v++) {
                    low += layer->forms[0][v * layer->width + j] * x[nb->unknown[nb->vary_unknown[v]].input];
                    high -= layer->forms[1][v * layer->width + j] * x[nb->unknown[nb->vary_unknown[v]].input];
                }
                assert_true(low <= z[j] + 1e-12 * size && high >= z[j] - 1e-12 * size);
                n_near += z[j] - low < 1e-3 * size;
                n_all++;
            }
        }
        n_single += nb->single_forms;
        tct_netbounds_free(nb);
        net_case_free(&c);
    }
    assert_true(n_single > cases / 4 && 10 * n_near > 9 * n_all);
}

/* Margins at a few points at a time have the bits of those at one, and are those of the deployed scores but for rounding. */
static void netbounds__margins_at_points(void **state)
{
    size_t cases = scaled(300);

    (void)state;
    for (size_t seed = 0; seed < cases; seed++) {
        net_case c;
        tct_netbounds *nb;
        double box[2 * NET_CASE_INPUTS], x[NET_CASE_INPUTS], exact[TCT_POINTS], values[TCT_POINTS], one;
        alignas(64) double points[TCT_POINTS * (NET_CASE_INPUTS + TCT_LANES)] = {0};
        size_t n = 1 + seed % TCT_POINTS, row;
        tct_region region;

        net_case_make(&c, seed + 3000000);
        region = net_case_region(&c);
        assert_int_equal(tct_netbounds_new(&nb, tct_as_mlp(c.model->classifier), c.model->codec, NULL), TACIT_OK);
        tct_netbounds_region(nb, &region);
        tct_netbounds_label(nb, net_case_label(&c, c.x));
        tct_netbounds_whole(nb, box);
        row = seed % nb->n_rows;
        for (size_t r = 0; r < n; r++) {
            draw_inside(&c, nb, box, x);
            exact[r] = net_case_margin(&c, x, nb->label, nb->rows[row].against);
            for (size_t s = 0; s < nb->n_unknown; s++)
                memcpy(points + r * nb->stride + nb->unknown[s].first, x + nb->unknown[s].input,
                       nb->unknown[s].width * sizeof(double));
        }
        tct_netbounds_values(nb, row, points, n, values);
        for (size_t r = 0; r < n; r++) {
            one = tct_netbounds_value(nb, row, points + r * nb->stride, NULL);
            assert_memory_equal(&one, &values[r], sizeof one);
            assert_true(fabs(one - exact[r]) <= 1e-9 * (1 + fabs(exact[r])));
        }
        tct_netbounds_free(nb);
        net_case_free(&c);
    }
}

static void netbounds__hold_on_every_part(void **state)
{
    (void)state;
    bound_parts(false, scaled(600));
}

/* The same for one margin, bounded only where the box before left it in doubt: elsewhere it is positive. */
static void netbounds__hold_where_in_doubt(void **state)
{
    (void)state;
    bound_parts(true, scaled(3000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verifier__is_never_wrong),       cmocka_unit_test(verifier__splits_what_matters),
        cmocka_unit_test(verifier__says_the_same_again),  cmocka_unit_test(netbounds__hold_on_every_part),
        cmocka_unit_test(netbounds__hold_where_in_doubt), cmocka_unit_test(netbounds__margins_at_points),
        cmocka_unit_test(netbounds__allow_for_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
