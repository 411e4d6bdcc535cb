/*
 * Groups counted many at a time against groups counted one by one, which is how audits count that write rows: random
 * linear models, rules, outcomes and groups, block after block, with more groups in later blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "auditor.h"
#include "make_model.h"
#include "scale.h"

static const double DELTAS[] = {0, 0.05, 0.2, 0};
enum { N_DELTAS = 4, PEOPLE = 600, BLOCKS = 3 };

typedef struct people {
    size_t n;
    double *x;
    int32_t labels[PEOPLE];
    uint32_t values[PEOPLE][2];
    uint64_t rows[PEOPLE];
    bool labelled;
} people;

static void draw_people(people *p, const tacit_model *m, size_t block, tct_random *random)
{
    double *person = make_model_room(m->codec->n_inputs);

    p->n = 1 + (size_t)tct_random_below(random, PEOPLE);
    p->labelled = tct_random_below(random, 4) > 0;
    for (size_t r = 0; r < p->n; r++) {
        draw_person(m, random, person);
        for (size_t i = 0; i < m->codec->n_inputs; i++)
            p->x[i * p->n + r] = person[i];
        p->labels[r] = (int32_t)tct_random_below(random, 3) - 1;
        p->values[r][0] = (uint32_t)tct_random_below(random, 1 + block * 2);
        p->values[r][1] = (uint32_t)tct_random_below(random, block == 2 ? 40 : 3);
        p->rows[r] = r;
    }
    tct_free(person);
}

static void count(tct_worker *worker, const people *p, tct_text *rows_out)
{
    static size_t groups[PEOPLE * 3];
    tct_sorter *sorter = tct_worker_sorter(worker);

    for (size_t r = 0; r < p->n; r++) {
        uint32_t values[2];

        for (size_t d = 0; d < 2; d++) {
            char name[16];
            int size = snprintf(name, sizeof name, "v%u", (unsigned)p->values[r][d]);

            assert_int_equal(tct_sorter_value(sorter, d, name, (size_t)size, &values[d], NULL), TACIT_OK);
        }
        assert_int_equal(tct_sorter_person(sorter, values, false, groups + r * 3, NULL), TACIT_OK);
    }
    assert_int_equal(
        tct_worker_count(worker, p->x, p->n, p->labelled ? p->labels : NULL, groups, p->rows, rows_out, NULL),
        TACIT_OK);
}

static void assert_same(const tct_tally *a, const tct_tally *b)
{
    size_t size = a->n_sensitive * sizeof *a->asked;

    assert_int_equal(a->people, b->people);
    assert_int_equal(a->labelled, b->labelled);
    assert_int_equal(a->agree, b->agree);
    assert_int_equal(a->correct, b->correct);
    assert_int_equal(a->certain, b->certain);
    assert_int_equal(a->likely, b->likely);
    assert_int_equal(a->all_revealed, b->all_revealed);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->failed, b->failed);
    assert_int_equal(a->spare_people, b->spare_people);
    assert_memory_equal(a->histogram, b->histogram, size + sizeof *a->histogram);
    assert_memory_equal(a->asked, b->asked, size);
    assert_memory_equal(a->indispensable, b->indispensable, size);
    assert_memory_equal(a->undecided, b->undecided, size);
    assert_memory_equal(a->spare, b->spare, size);
    assert_memory_equal(a->others, b->others, size);
}

static void compare(tct_worker *a, tct_worker *b, uint64_t *spare)
{
    const tct_sorter *s = tct_worker_sorter(a), *t = tct_worker_sorter(b);

    for (size_t d = 0; d < N_DELTAS; d++) {
        assert_same(tct_worker_tally(a, d), tct_worker_tally(b, d));
        for (size_t g = 0; g < s->groupings->n; g++) {
            assert_int_equal(s->groups[g].tuples.n, t->groups[g].tuples.n);
            for (size_t k = 0; k < s->groups[g].tuples.n; k++) {
                const tct_group *one = &s->groups[g].list[k], *two = &t->groups[g].list[k];

                assert_same(one->tallies[d], two->tallies[d]);
                assert_memory_equal(one->classes + d * s->n_classes, two->classes + d * s->n_classes,
                                    s->n_classes * sizeof *one->classes);
                *spare += one->tallies[d]->spare_people;
            }
        }
    }
}

static void check_model(const tacit_model *m, uint64_t seed, tacit_rule rule, uint64_t *spare)
{
    tacit_audit_options options = {
        .deltas = DELTAS, .n_deltas = N_DELTAS, .rule = rule, .seed = 1, .no_needs = seed % 7 == 0, .no_opt = seed % 2};
    people *p = tct_calloc(1, sizeof *p);
    tct_groupings *groupings;
    tct_worker *together, *singly;
    tct_job *jobs[2];
    tct_text rows = {0};
    tct_random random;

    assert_non_null(p);
    p->x = make_model_room(PEOPLE * m->codec->n_inputs);
    tct_random_seed(&random, seed, 12);
    assert_int_equal(tct_groupings_new(&groupings, NULL), TACIT_OK);
    assert_int_equal(tct_groupings_add(groupings, "one", m->schema, NULL), TACIT_OK);
    assert_int_equal(tct_groupings_add(groupings, "two", m->schema, NULL), TACIT_OK);
    assert_int_equal(tct_groupings_add(groupings, "one*two", m->schema, NULL), TACIT_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(tct_job_new(&jobs[i], m, &options, NULL), TACIT_OK);
        jobs[i]->groupings = groupings;
        jobs[i]->want_rows = i == 1;
    }
    assert_int_equal(tct_worker_new(&together, jobs[0], NULL), TACIT_OK);
    assert_int_equal(tct_worker_new(&singly, jobs[1], NULL), TACIT_OK);
    for (size_t block = 0; block < BLOCKS; block++) {
        draw_people(p, m, block, &random);
        count(together, p, NULL);
        count(singly, p, &rows);
        compare(together, singly, spare);
    }
    tct_worker_free(together);
    tct_worker_free(singly);
    tct_job_free(jobs[0]);
    tct_job_free(jobs[1]);
    tct_groupings_free(groupings);
    tct_text_free(&rows);
    tct_free(p->x);
    tct_free(p);
}

static void group_bins__counts_what_one_by_one_counts(void **state)
{
    static const tacit_rule RULES[] = {TACIT_RULE_AUTO, TACIT_RULE_ENTROPY, TACIT_RULE_MARGIN};
    size_t cases = scaled(60);
    uint64_t spare = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = make_linear_model(seed + 900, 2 + seed % 7, seed % 8 ? 2 : 3, true);

        check_model(m, seed, RULES[seed % 3], &spare);
        tacit_model_free(m);
    }
    assert_true(spare > 100 || cases < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(group_bins__counts_what_one_by_one_counts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
