/*
 * The quick way of leaves against what scores() computes and against its plain twin: forms in doubles, halves of leaves,
 * margins pulled back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "leaf_forms_inside.h"
#include "leaf_network.h"
#include "make_claim.h"
#include "scale.h"

enum { ATTRIBUTES = 8 };

/* A form at a point of the part, its coefficients `step` apart. */
static double form_at(const tct_leaf_forms *forms, const double *form, size_t step, const double *x)
{
    long double sum = form[forms->n_numbers * step];

    for (size_t i = 0; i < forms->mlp->sizes[0]; i++)
        if (forms->column[i] != TACIT_NONE)
            sum += (long double)form[forms->column[i] * step] * x[i];
    return (double)sum;
}

/* The absolute terms of a form at a point, added up. */
static long double terms_at(const tct_leaf_forms *forms, const double *form, size_t step, const double *x)
{
    long double sum = fabs(form[forms->n_numbers * step]);

    for (size_t i = 0; i < forms->mlp->sizes[0]; i++)
        if (forms->column[i] != TACIT_NONE)
            sum += fabsl((long double)form[forms->column[i] * step] * x[i]);
    return sum;
}

/* What every neuron computes at a point, each sum as scores() forms it, lies between its forms in doubles, if the point is
 * in the leaf; and within its bounds. */
static void compare_forms(const tct_leaf_forms *forms, const double *x)
{
    const tct_mlp *mlp = forms->mlp;
    double values[2][64];

    memcpy(values[0], x, mlp->sizes[0] * sizeof(double));
    for (size_t l = 0; l + 1 < mlp->n_layers; l++) {
        const tct_forms_layer *layer = &forms->layers[l];
        const double *in = values[l % 2];
        double *out = values[(l + 1) % 2];

        for (size_t j = 0; j < mlp->sizes[l + 1]; j++) {
            double z = mlp->bias[l][j], slack;

            for (size_t i = 0; i < mlp->sizes[l]; i++)
                z += mlp->weights[l][j * mlp->sizes[l] + i] * in[i];
            out[j] = z > 0 ? z : 0;
            slack = layer->error[j] + 1e-19 * layer->size[j]; /* of long double */
            assert_true(layer->low[j] <= z && z <= layer->high[j]);
            assert_true(z >= form_at(forms, layer->lower + j, layer->width, x) - slack);
            assert_true(z <= form_at(forms, layer->upper + j, layer->width, x) + slack);
            assert_true(terms_at(forms, layer->lower + j, layer->width, x) <= layer->size[j] * (1 + 1e-9L));
            assert_true(terms_at(forms, layer->upper + j, layer->width, x) <= layer->size[j] * (1 + 1e-9L));
        }
    }
}

/* Is a point of the leaf in a part of it? */
static bool is_in_part(const tct_leaf_forms *forms, const tct_forms_part *part, const double *x)
{
    for (size_t k = 0; k < forms->n_columns; k++) {
        double value = x[forms->input[k]];

        if (k < forms->n_numbers && !(part->from[k] <= value && value <= part->to[k]))
            return false;
        if (k > forms->n_numbers && value > 0 && !part->allowed[k])
            return false;
    }
    return true;
}

/* The margin of the label over class c, up to rounding. */
static double margin_at(const tct_leaf_forms *forms, size_t c, const double *x)
{
    const tct_classifier *classifier = &forms->mlp->base;
    size_t y = forms->claim->label;
    double scores[TCT_MAX_CLASSES];

    classifier->ops->scores(classifier, x, 1, scores);
    return classifier->n_scores == 1 ? (y ? scores[0] : -scores[0]) : scores[y] - scores[c];
}

/* What rounding may do to the scores of the label and of class c, by Proposition 19b. */
static long double scores_owe(const tct_leaf_forms *forms, size_t c)
{
    const tct_mlp *mlp = forms->mlp;
    size_t last = mlp->n_layers - 1, n = mlp->sizes[last], pair[2] = {forms->claim->label, c};
    bool single = mlp->base.n_scores == 1;
    long double sizes = 0;

    for (size_t k = 0; k < (single ? 1 : 2); k++) {
        size_t row = single ? 0 : pair[k];

        sizes += fabs(mlp->bias[last][row]);
        for (size_t i = 0; i < n; i++) {
            double most = last > 0                         ? fmax(forms->layers[last - 1].high[i], 0)
                          : forms->column[i] == TACIT_NONE ? fabs(forms->value[i])
                                                           : 1;

            sizes += (long double)fabs(mlp->weights[last][row * n + i]) * most;
        }
    }
    return 3 * tct_forms_gamma(n + 6) * sizes;
}

/* What the lines of the margin pulled back last owe, of which one knows what they are: those of active neurons, and those
 * above others. */
static long double lines_owe(const tct_leaf_forms *forms)
{
    long double owed = 0, constants = 0;
    size_t neurons = 0;

    for (size_t l = 0; l < forms->n_layers; l++) {
        const tct_forms_layer *layer = &forms->layers[l];
        size_t q = layer->n, p = forms->mlp->sizes[l];

        neurons += q;
        for (size_t j = 0; j < q; j++) {
            long double v = fabs(layer->coefficient[j]);

            if (layer->low[j] >= 0 && layer->high[j] > 0) {
                owed += v * layer->error[j] * (4 + (long double)(q + 1) / (long double)(p + 2));
                constants += l > 0 ? v * fabs(layer->bias[j]) : 0;
            } else if (layer->low[j] < 0 && layer->high[j] > 0 && layer->coefficient[j] < 0) {
                constants += layer->gap[j];
            }
        }
    }
    return owed + tct_forms_gamma(2 * neurons + 8) * constants;
}

/* What the margin pulled back last has been lowered for rounding, from the least value of its form, is what scores, lines and
 * that value may be off by at least. */
static void compare_error(const tct_leaf_forms *forms, const tct_forms_part *part, size_t c)
{
    long double least = forms->form[forms->n_numbers], size = fabsl(least), owed;

    for (size_t k = 0; k < forms->n_numbers; k++) {
        long double from = (long double)forms->form[k] * part->from[k], to = (long double)forms->form[k] * part->to[k];

        least += fminl(from, to);
        size += fmaxl(fabsl(from), fabsl(to));
    }
    for (size_t s = 0, p = 0; s < part->box.n_categories; s++) {
        double less = INFINITY;

        for (; p < part->box.ends[s]; p++)
            less = fmin(less, forms->form[part->picks[p]]);
        least += less;
        size += fabs(less);
    }
    owed = scores_owe(forms, c) + lines_owe(forms) + forms->rounding * size;
    /* computing `least` and the difference, in doubles there and in long doubles here */
    assert_true(least - forms->least >= owed * (1 - 0x1p-40L) - 0.25L * forms->rounding * size);
}

/* Halves of halves, cut anywhere: a point is in one of the two at least, and there bounds and pulled margins hold. */
static void compare_halves(tct_leaf_forms *forms, tct_random *random, const double *x)
{
    double *form = make_model_room(forms->n_columns);
    size_t depth = 0, against = (forms->claim->label + 1) % forms->mlp->base.n_classes;

    if (forms->n_layers > 0)
        tct_forms_set_lines(forms);
    for (size_t u = tct_random_below(random, forms->n_places), tries = 0; tries < 12 && depth < TCT_LEAF_HALVINGS;
         u = tct_random_below(random, forms->n_places), tries++) {
        bool in[2];

        if (!tct_forms_can_cut(forms, &forms->parts[depth], u))
            continue;
        for (size_t k = 0; k < forms->n_columns; k++)
            form[k] = tct_random_normal(random);
        for (int half = 0; half < 2; half++) {
            tct_forms_halve(forms, &forms->parts[depth], u, form, half, &forms->parts[depth + 1]);
            in[half] = is_in_part(forms, &forms->parts[depth + 1], x);
        }
        assert_true(in[0] || in[1]);
        tct_forms_halve(forms, &forms->parts[depth], u, form, in[1], &forms->parts[depth + 1]);
        tct_forms_narrow(forms, &forms->parts[++depth]);
        compare_forms(forms, x);
        tct_forms_margin_holds(forms, &forms->parts[depth], against, 1 + tries % 4, tries % 2 ? INFINITY : 0.2);
        compare_error(forms, &forms->parts[depth], against);
        assert_true(forms->least <= margin_at(forms, against, x) + 1e-15);
        assert_true(form_at(forms, forms->form, 1, x) <= margin_at(forms, against, x) + 1e-9);
    }
    tct_free(form);
}

/* After a no: the margin that was pulled back is below the one of what scores() computes, up to rounding. */
static void compare_weakest(const tct_leaf_forms *forms, const double *x)
{
    assert_true(form_at(forms, forms->weakest, 1, x) <= margin_at(forms, forms->against, x) + 1e-9);
}

/* The quick way of leaves: its forms hold for what scores() computes, and it says yes where the plain twin, with an
 * interval for every coefficient, does; as often at least, as it also pulls margins back. */
static void leaf_forms__hold_as_the_plain_twin(void **state)
{
    size_t quick = 0, plain = 0;

    (void)state;
    for (size_t seed = 1; seed < scaled(400); seed++) {
        tacit_model *m = make_mlp_model(seed, 2 + seed % 6, 2 + seed % 3, true, seed % 4, 3 + seed % 14);
        double *x = make_model_room(m->codec->n_inputs), *y = make_model_room(m->codec->n_inputs);
        unsigned char known[ATTRIBUTES + 2];
        tct_net_leaf *leaf = NULL;
        tct_random random;
        tct_claim claim = {m, tct_region_of(m->codec, known, x), 0};
        bool yes;

        tct_random_seed(&random, seed, 8);
        draw_person(m, &random, x);
        claim.label = label_of(m, x);
        draw_known(m, &random, known);
        known[seed % m->schema->n_attributes] = 0;
        assert_int_equal(tct_net_leaf_new(&leaf, &claim, NULL), TACIT_OK);
        yes = tct_leaf_forms_hold(leaf->forms, &claim.region, seed % 2);
        for (size_t t = 0; t < 20; t++) {
            draw_completion(&claim, &random, y);
            tct_forms_narrow(leaf->forms, &leaf->forms->parts[0]);
            compare_forms(leaf->forms, y);
            compare_halves(leaf->forms, &random, y);
            if (!yes)
                compare_weakest(leaf->forms, y);
            assert_true(!yes || label_of(m, y) == claim.label);
        }
        tct_leaf_forms_free(leaf->forms);
        leaf->forms = NULL;
        quick += yes;
        plain += tct_net_leaf_holds(leaf, &claim.region);
        tct_net_leaf_free(leaf);
        tct_free(x);
        tct_free(y);
        tacit_model_free(m);
    }
    assert_true(plain > 0 && quick >= plain);
    assert_true(quick > plain || scaled(400) < 400); /* short runs may not meet one */
}

/* Other weights for a network: layers and single weights times powers of two from where nothing is left of them to where
 * scores come near to the largest that are allowed.  False where they would be larger. */
static bool scale_weights(tacit_model *m, tct_random *random)
{
    const tct_mlp *mlp = tct_as_mlp(m->classifier);
    double *weights[TCT_MAX_LAYERS] = {NULL}, *bias[TCT_MAX_LAYERS] = {NULL};
    tct_classifier *classifier = NULL;
    size_t odd = tct_random_below(random, 3);
    double all = 0;

    for (size_t l = 0; l < mlp->n_layers; l++) {
        size_t n = mlp->sizes[l + 1] * mlp->sizes[l];
        double layer = (double)tct_random_below(random, 3) - 1;

        layer *= (double)tct_random_below(random, layer > 0 ? 480 : 1000);
        all += layer;
        weights[l] = make_model_room(n);
        bias[l] = make_model_room(mlp->sizes[l + 1]);
        for (size_t i = 0; i < n; i++)
            weights[l][i] = ldexp(mlp->weights[l][i], (int)layer - (int)tct_random_below(random, odd == 0 ? 1100 : 1));
        for (size_t j = 0; j < mlp->sizes[l + 1]; j++)
            bias[l][j] = ldexp(mlp->bias[l][j], (int)fmin(all, 1000));
    }
    if (tct_mlp_new(&classifier, mlp->base.n_classes, mlp->n_layers, mlp->sizes, (const double *const *)weights,
                    (const double *const *)bias, NULL) == TACIT_OK) {
        m->classifier->ops->free(m->classifier);
        m->classifier = classifier;
    }
    for (size_t l = 0; l < TCT_MAX_LAYERS; l++) {
        tct_free(weights[l]);
        tct_free(bias[l]);
    }
    return classifier != NULL;
}

/* Forms hold, and a yes is one, for weights of all sizes: where sums vanish as well as where they are huge. */
static void leaf_forms__hold_for_weights_of_any_size(void **state)
{
    size_t tried = 0, yes = 0;

    (void)state;
    for (size_t seed = 1; seed < scaled(1500); seed++) {
        tacit_model *m = make_mlp_model(seed, 2 + seed % 6, 2 + seed % 3, true, seed % 4, 3 + seed % 14);
        double *x = make_model_room(m->codec->n_inputs), *y = make_model_room(m->codec->n_inputs);
        unsigned char known[ATTRIBUTES + 2];
        tct_net_leaf *leaf = NULL;
        tct_random random;
        tct_claim claim = {m, tct_region_of(m->codec, known, x), 0};
        bool holds;

        tct_random_seed(&random, seed, 9);
        if (scale_weights(m, &random)) {
            draw_person(m, &random, x);
            claim.label = label_of(m, x);
            draw_known(m, &random, known);
            known[seed % m->schema->n_attributes] = 0;
            assert_int_equal(tct_net_leaf_new(&leaf, &claim, NULL), TACIT_OK);
            holds = tct_leaf_forms_hold(leaf->forms, &claim.region, seed % 2);
            tct_forms_narrow(leaf->forms, &leaf->forms->parts[0]);
            for (size_t t = 0; t < 20; t++) {
                draw_completion(&claim, &random, y);
                compare_forms(leaf->forms, y);
                assert_true(!holds || label_of(m, y) == claim.label);
            }
            yes += holds;
            tried++;
        }
        tct_net_leaf_free(leaf);
        tct_free(x);
        tct_free(y);
        tacit_model_free(m);
    }
    assert_true(tried > 0 && yes > 0 && yes < tried);
}

/* One category of two levels in front of two layers of one neuron each, which hand on a weight of `first` or 1. */
static tacit_model *make_two_levels(double first)
{
    tacit_schema *schema = tct_calloc(1, sizeof(*schema));
    const char *const classes[] = {"no", "yes"}, *const levels[] = {"ash", "oak"};
    const double weights[2] = {first, 1}, one = 1, zero = 0;
    const double *const all[3] = {weights, &one, &one}, *const bias[3] = {&zero, &zero, &zero};
    const size_t sizes[4] = {2, 1, 1, 1};
    tacit_attribute a = {.name = "tree", .role = TACIT_SENSITIVE, .cost = 1, .missing_level = TACIT_NONE};
    tct_classifier *classifier = NULL;
    tacit_model *m = NULL;

    a.type = TACIT_CATEGORY;
    a.encoding = TACIT_ONEHOT;
    a.levels = levels;
    a.n_levels = 2;
    make_model_check(tct_schema_add(schema, &a, NULL), NULL);
    schema->label = tct_strdup("label");
    schema->n_classes = 2;
    make_model_check(tct_schema_copy_texts(&schema->classes, classes, 2, NULL), NULL);
    make_model_check(tct_mlp_new(&classifier, 2, 3, sizes, all, bias, NULL), NULL);
    make_model_check(tct_model_assemble(&m, schema, classifier, make_model_room(2), make_model_room(4), NULL), NULL);
    return m;
}

/* A neuron that may be dead by so little that the slope of its line is 1 as computed: its line is still apart from the form
 * itself, and the next layer reads both. */
static void leaf_forms__lines_of_slope_one(void **state)
{
    const double pad = tct_forms_gamma(3 + 8) * TCT_FORMS_MORE, below_zero = 0x1p-60;
    tacit_model *m = make_two_levels(pad - below_zero);
    const unsigned char known = 0;
    const double x[2] = {1, 0};
    tct_claim claim = {m, tct_region_of(m->codec, &known, x), 1};
    tct_net_leaf *leaf = NULL;
    const tct_forms_layer *next;

    (void)state;
    assert_int_equal(tct_net_leaf_new(&leaf, &claim, NULL), TACIT_OK);
    tct_leaf_forms_hold(leaf->forms, &claim.region, true);
    next = &leaf->forms->layers[1];
    assert_true(leaf->forms->bends[1][0] == 1 && leaf->forms->bends[2][0] >= below_zero); /* slope, and lift */
    assert_true(next->lower[leaf->forms->n_numbers * next->width] <= 0);
    assert_true(next->upper[leaf->forms->n_numbers * next->width] >= below_zero);
    tct_net_leaf_free(leaf);
    tacit_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaf_forms__hold_as_the_plain_twin),
        cmocka_unit_test(leaf_forms__hold_for_weights_of_any_size),
        cmocka_unit_test(leaf_forms__lines_of_slope_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
