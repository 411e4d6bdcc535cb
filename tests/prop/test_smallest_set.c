/*
 * The smallest core set against trying every subset: two and more classes, by number and by cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "smallest_set.h"
#include "oracle.h"
#include "person.h"
#include "scale.h"

static void compare(const tacit_model *m, tct_smallest_set *options, const double *x, bool by_cost)
{
    size_t members[64], n;
    bool exact;
    unsigned char known[64];
    double cost = 0, generous = oracle_smallest(m, x, by_cost, 1e-9), strict = oracle_smallest(m, x, by_cost, -1e-9);

    assert_int_equal(tct_smallest_set_find(options, x, by_cost, members, &n, &exact, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        known[a] = m->schema->attributes[a].role == TACIT_PUBLIC;
    for (size_t i = 0; i < n; i++) {
        assert_false(known[members[i]]); /* sensitive, and once */
        known[members[i]] = 1;
        cost += by_cost ? m->schema->attributes[members[i]].cost : 1;
    }
    assert_true(exact);
    assert_true(fabs(tct_smallest_set_least(options) - cost) <= 1e-9);
    assert_true(cost >= generous - 1e-12 && cost <= strict + 1e-12);
    assert_true(oracle_settled(m, known, x, 1e-9));
}

static void opt__equals_brute_force(void **state)
{
    size_t cases = scaled(1500);

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 1, 1 + c % 9, 2 + c % 4, true);
        double *x = make_model_room(m->codec->n_inputs);
        tct_extremes *extremes;
        tct_smallest_set *options;
        tct_random random;

        tct_random_seed(&random, c, 2);
        assert_int_equal(tct_extremes_new(&extremes, tct_as_linear(m->classifier), m->codec, NULL), TACIT_OK);
        assert_int_equal(tct_smallest_set_new(&options, m, extremes, NULL), TACIT_OK);
        for (size_t person = 0; person < 4; person++) {
            draw_person(m, &random, x);
            compare(m, options, x, false);
            compare(m, options, x, true);
        }
        tct_smallest_set_free(options);
        tct_extremes_free(extremes);
        tct_free(x);
        tacit_model_free(m);
    }
}

static void opt__needs_everything_known(void **state)
{
    tacit_model *m = make_linear_model(3, 4, 2, true);
    tacit_person *p;
    tacit_error err;
    size_t members[8], n;

    (void)state;
    assert_int_equal(tacit_person_new(&p, m, NULL), TACIT_OK);
    assert_int_equal(tacit_smallest_core(p, false, members, &n, &err), TACIT_E_USAGE);
    assert_non_null(strstr(err.message, "every attribute"));
    tacit_person_free(p);
    tacit_model_free(m);
}

/* One attribute alone: the value found gives the other label, and the nearer ones do not. */
static void change__finds_the_nearest_value(void **state)
{
    size_t cases = scaled(600), possible = 0;

    (void)state;
    for (size_t c = 0; c < cases; c++) {
        tacit_model *m = make_linear_model(c + 1, 1 + c % 4, 2 + c % 3, true);
        double *x = make_model_room(m->codec->n_inputs);
        tacit_person *p;
        tct_random random;

        tct_random_seed(&random, c, 6);
        draw_person(m, &random, x);
        assert_int_equal(tacit_person_new(&p, m, NULL), TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            tct_person_take(p, a, x);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            const tct_domain *domain = &m->codec->domains[a];
            size_t label = tacit_person_label(p), others = 0, steps = domain->kind == TCT_BOX ? 41 : domain->count;
            tacit_change change;

            assert_int_equal(tacit_change_of(p, a, &change, NULL), TACIT_OK);
            for (size_t k = 0; k < steps; k++) {
                if (domain->kind == TCT_BOX)
                    make_value(m->codec, a, (double)k / 40, x);
                else
                    tct_codec_value(m->codec, a, k, x + domain->first);
                others += oracle_label(m, x) != label;
            }
            if (others)
                assert_true(change.possible);
            if (change.possible) {
                possible++;
                assert_int_not_equal(change.label, label);
                assert_true(change.value[0]);
            }
            memcpy(x, p->x, m->codec->n_inputs * sizeof *x);
        }
        tacit_person_free(p);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_true(cases < 100 || possible > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opt__equals_brute_force),
        cmocka_unit_test(opt__needs_everything_known),
        cmocka_unit_test(change__finds_the_nearest_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
