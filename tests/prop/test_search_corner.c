/*
 * Where attacks begin late in a search: at the corner of a box that waits where its form is least.  That is a completion of
 * the region, no point of the box has a lower form, and boxes come with the most doubtful first.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_model.h"
#include "scale.h"
#include "verifier_inside.h"

enum { ATTRIBUTES = 10, BOXES = 40, DRAWS = 30, PEOPLE = 2000 };

/* Box k of a margin's heap, as tct_search_corner counts them; NULL when there is none. */
static const tct_net_node *node_at(const tct_verifier *v, size_t row, size_t k)
{
    const tct_net_node *node = v->queues[row].heap;

    if (node && k > 0)
        node = node->child;
    for (; node && k > 1; k--)
        node = node->sibling;
    return node;
}

static double at(const tct_verifier *v, const double *form, const double *point)
{
    double sum = 0;

    for (size_t i = 0; i < v->nb->n_free; i++)
        sum += form[i] * point[i];
    return sum;
}

/* Some point of a box. */
static void draw_point(const tct_verifier *v, const double *box, tct_random *random, double *point)
{
    for (size_t s = 0; s < v->nb->n_unknown; s++) {
        const tct_unknown *u = &v->nb->unknown[s];
        const double *low = box + u->first, *high = low + v->nb->n_free;
        size_t level;

        if (u->kind == TCT_BOX) {
            point[u->first] = low[0] + (high[0] - low[0]) * tct_random_uniform(random);
        } else if (u->kind == TCT_GRID) {
            size_t count = (size_t)(high[0] - low[0]) + 1;

            tct_codec_value(v->codec, u->attribute, (size_t)low[0] + (size_t)tct_random_below(random, count),
                            point + u->first);
        } else {
            do
                level = (size_t)tct_random_below(random, u->width);
            while (high[level] == 0);
            tct_codec_value(v->codec, u->attribute, level, point + u->first);
        }
    }
}

/* All boxes that wait for a margin; returns how many. */
static size_t compare_corners(tct_verifier *v, const tct_region *region, size_t row, tct_random *random)
{
    double *point = make_model_room(v->nb->n_free), *other = make_model_room(v->nb->n_free);
    const tct_net_node *node;
    size_t k = 0;

    for (; (node = node_at(v, row, k)) != NULL; k++) {
        const double *box = (const double *)(node + 1), *form = box + 2 * v->nb->n_free;

        assert_true(tct_search_corner(v, row, k, point));
        assert_true(node->lower >= v->queues[row].heap->lower);
        tct_verifier_complete(v, point, 0);
        for (size_t a = 0; a < v->codec->schema->n_attributes; a++) {
            const double *x = v->batch + v->codec->domains[a].first;

            if (region->known[a])
                assert_memory_equal(x, region->x + v->codec->domains[a].first,
                                    v->codec->domains[a].width * sizeof(double));
            else
                assert_true(tct_region_holds(region, a, x));
        }
        for (size_t t = 0; t < DRAWS; t++) {
            draw_point(v, box, random, other);
            assert_true(at(v, form, point) <= at(v, form, other) + 1e-9);
        }
    }
    assert_false(tct_search_corner(v, row, k, point));
    tct_free(point);
    tct_free(other);
    return k;
}

/* Moves the score of a network of two classes up so that few completions, if any, have label 0: then a search has work. */
static void lift(tacit_model *m, tct_random *random)
{
    const tct_mlp *mlp = tct_as_mlp(m->classifier);
    double *x = make_model_room(m->codec->n_inputs), least = INFINITY, score;

    for (size_t t = 0; t < PEOPLE; t++) {
        draw_person(m, random, x);
        m->classifier->ops->scores(m->classifier, x, 1, &score);
        least = fmin(least, score);
    }
    mlp->bias[mlp->n_layers - 1][0] -= 1.05 * least;
    tct_free(x);
}

static void search_corner__is_the_least_of_its_box(void **state)
{
    size_t boxes = 0;

    (void)state;
    for (size_t seed = 0; seed < scaled(300); seed++) {
        size_t n = 3 + seed % (ATTRIBUTES - 2);
        tacit_model *m = make_mlp_model(seed, n, 2, seed % 3, 2, 8 + seed % 9);
        double *x = make_model_room(m->codec->n_inputs);
        unsigned char known[ATTRIBUTES + 2] = {0};
        tct_region region = tct_region_of(m->codec, known, x);
        tct_finding finding = {0};
        tct_verifier *v = NULL;
        tct_random random;

        tct_random_seed(&random, seed, 13);
        lift(m, &random);
        draw_person(m, &random, x);
        for (size_t a = 0; a < n; a++)
            known[a] = tct_random_below(&random, 4) == 0;
        assert_int_equal(tct_verifier_new(&v, m, NULL), TACIT_OK);
        assert_int_equal(tct_verifier_decide(v, &region, 1 + seed % BOXES, &finding, NULL), TACIT_OK);
        /* what is left, be it that the budget ended or that a completion refuted */
        for (size_t r = 0; r < v->n_open; r++)
            boxes += compare_corners(v, &region, v->open_rows[r], &random);
        tct_verifier_free(v);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(boxes > 0);
    print_message("%zu boxes\n", boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_corner__is_the_least_of_its_box),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
