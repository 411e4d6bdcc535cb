/*
 * Ensembles of trees against brute force: every verdict, every witness, every bound and every proof over regions of all
 * kinds, two and more classes, numbers, integers, levels, "missing", scores on the cut.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker.h"
#include "make_trees.h"
#include "scale.h"
#include "simd.h"
#include "tree_walk.h"
#include "treesearch_inside.h"
#include "treetable.h"

enum { MOST = 6000, QUESTIONS = 60 };

static tacit_model *model_of(uint64_t seed)
{
    return make_tree_model(seed, 2 + seed % 5, 2 + seed % 3, 1 + seed % 17, 1 + seed % 5);
}

/* A region: some attributes known, of others only part of their domain left. */
typedef struct asked {
    unsigned char known[16];
    double x[256];
    tct_ranges ranges;
    tct_region region;
} asked;

static void narrow(asked *q, const tacit_model *m, size_t a, tct_random *random)
{
    const tct_domain *domain = &m->codec->domains[a];
    double *low = q->ranges.low + domain->first, *high = q->ranges.high + domain->first;

    if (domain->kind == TCT_GRID) {
        *low = (double)tct_random_below(random, domain->count);
        *high = *low + (double)tct_random_below(random, domain->count - (size_t)*low);
        return;
    }
    for (size_t k = 0; k < domain->count; k++)
        low[k] = (double)tct_random_below(random, 2);
    low[tct_random_below(random, domain->count)] = 1;
}

static void ask(asked *q, const tacit_model *m, tct_random *random)
{
    bool ranges = tct_random_below(random, 2);

    *q = (asked){0};
    draw_person(m, random, q->x);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        q->known[a] = tct_random_below(random, 5) < 2;
    q->region = tct_region_of(m->codec, q->known, q->x);
    if (!ranges)
        return;
    assert_int_equal(tct_ranges_of(&q->ranges, &q->region, NULL), TACIT_OK);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        if (!q->known[a] && tct_random_below(random, 2))
            narrow(q, m, a, random);
    q->region = tct_region_within(&q->region, &q->ranges);
}

/* So much may any score of the model be off. */
static double rounding_of(const tacit_model *m)
{
    const tct_trees *t = tct_as_trees(m->classifier);
    double size = fabs(t->cut);

    for (size_t s = 0; s < t->base.n_scores; s++)
        size += fabs(t->start[s]);
    for (size_t i = 0; i < t->n_nodes; i++)
        size += t->nodes[i].attribute == TCT_TREE_LEAF ? fabs(t->nodes[i].value) : 0;
    return 2 * tct_trees_rounding(t, t->n_trees + 1, size) + size * 0x1p-40;
}

static void check_witnesses(const tacit_model *m, const asked *q, double *const witness[2])
{
    assert_true(tct_label_of(m->classifier, witness[0]) != tct_label_of(m->classifier, witness[1]));
    for (size_t w = 0; w < 2; w++)
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            assert_true(tct_region_holds(&q->region, a, witness[w] + m->codec->domains[a].first));
}

static void trees__verdicts(void **state)
{
    size_t counts[3] = {0}, asked_for = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(1700); seed++) {
        tacit_model *m = model_of(seed);
        double room[512], *witness[2] = {room, room + 256}, near = rounding_of(m);
        tct_prover *prover = NULL;
        tct_random random;

        tct_random_seed(&random, seed, 3);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        for (size_t k = 0; k < QUESTIONS; k++) {
            tct_finding finding = {.witness = {witness[0], witness[1]}};
            everybody all;
            asked q;

            ask(&q, m, &random);
            everybody_in(&all, m, &q.region, MOST);
            assert_int_equal(tct_prover_decide(prover, &q.region, 0, &finding, NULL), TACIT_OK);
            if (k % 7 == 0)
                tct_prover_forget(prover);
            if (finding.verdict == TACIT_REFUTED)
                check_witnesses(m, &q, witness);
            if (all.count > 0) {
                asked_for++;
                counts[finding.verdict]++;
                if (finding.verdict == TACIT_UNDECIDED)
                    assert_true(all.constant && all.nearest <= near);
                else
                    assert_int_equal(finding.verdict == TACIT_CERTIFIED, all.constant);
                if (finding.verdict == TACIT_CERTIFIED)
                    assert_int_equal(finding.label, all.label);
            }
            tct_ranges_clear(&q.ranges);
        }
        tct_prover_free(prover);
        tacit_model_free(m);
    }
    print_message("%zu questions: %zu certified, %zu refuted, %zu undecided\n", asked_for, counts[TACIT_CERTIFIED],
                  counts[TACIT_REFUTED], counts[TACIT_UNDECIDED]);
    assert_true(counts[TACIT_CERTIFIED] > 0 && counts[TACIT_REFUTED] > 0);
    assert_true(counts[TACIT_UNDECIDED] * 20 < asked_for);
}

/* Bounds of the classifier: never above what somebody has. */
static void trees__margins(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        tacit_model *m = model_of(seed);
        size_t n_scores = m->classifier->n_scores;
        tct_random random;

        tct_random_seed(&random, seed, 4);
        for (size_t k = 0; k < 20; k++) {
            double lower[TCT_MAX_CLASSES], f[TCT_MAX_CLASSES], x[256];
            asked q;

            ask(&q, m, &random);
            for (size_t label = 0; label < m->classifier->n_classes; label++) {
                m->classifier->ops->margins(m->classifier, &q.region, label, lower);
                assert_true(lower[label] == INFINITY);
                for (size_t i = 0; i < 20; i++) {
                    draw_person(m, &random, x);
                    for (size_t a = 0; a < m->schema->n_attributes; a++)
                        if (!tct_region_holds(&q.region, a, x + m->codec->domains[a].first))
                            goto next;
                    m->classifier->ops->scores(m->classifier, x, 1, f);
                    for (size_t c = 0; c < m->classifier->n_classes; c++)
                        if (c != label)
                            assert_true((n_scores == 1 ? label ? f[0] : -f[0] : f[label] - f[c]) >= lower[c]);
                next:;
                }
            }
            tct_ranges_clear(&q.ranges);
        }
        tacit_model_free(m);
    }
}

/* What is certified can be proven to the checker; no other label can. */
static void trees__proofs(void **state)
{
    size_t proven = 0, leaves = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(400); seed++) {
        tacit_model *m = model_of(seed);
        tct_random random;

        tct_random_seed(&random, seed, 5);
        for (size_t k = 0; k < 12; k++) {
            tct_finding finding = {0};
            asked q;

            ask(&q, m, &random);
            assert_int_equal(tct_certify(&finding, m, &q.region, NULL), TACIT_OK);
            for (size_t label = 0; label < m->classifier->n_classes && finding.verdict == TACIT_CERTIFIED; label++) {
                tct_claim claim = {m, q.region, label};
                tct_proof proof = {0};
                bool made = false;

                assert_int_equal(tct_prover_write(&proof, &made, &claim, 5000, NULL), TACIT_OK);
                assert_int_equal(made, label == finding.label);
                if (made) {
                    tct_claim other = {m, q.region, (label + 1) % m->classifier->n_classes};

                    assert_int_equal(tct_check(&claim, &proof, NULL), TACIT_OK);
                    assert_int_equal(tct_check(&other, &proof, NULL), TACIT_E_INPUT);
                    proven++;
                    leaves += proof.n_leaves;
                    if (proof.n_nodes > 1) { /* without its last node it is no tree */
                        proof.n_nodes--;
                        assert_int_equal(tct_check(&claim, &proof, NULL), TACIT_E_INPUT);
                    }
                }
                tct_proof_clear(&proof);
            }
            tct_ranges_clear(&q.ranges);
        }
        tacit_model_free(m);
    }
    assert_true(scaled(400) < 400 || leaves > proven);
}

/* Sums in the order of the trees alone: nothing stays undecided for rounding, verdicts are those of the deployed sums of
 * all completions, and what is certified can be proven to the checker; some of it not where any order is allowed. */
static void trees__in_order(void **state)
{
    size_t questions = 0, certified = 0, gained = 0, refused = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(600); seed++) {
        tacit_model *any = model_of(seed), *m = model_of(seed);
        tct_prover *prover = NULL;
        tct_random random;

        if (tct_as_trees(m->classifier)->slack > 0) { /* more than the sums decides */
            assert_int_equal(m->classifier->ops->in_order(m->classifier, NULL), TACIT_E_INPUT);
            tacit_model_free(any);
            tacit_model_free(m);
            continue;
        }
        assert_int_equal(m->classifier->ops->in_order(m->classifier, NULL), TACIT_OK);
        tct_random_seed(&random, seed, 3);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        for (size_t k = 0; k < 20; k++) {
            tct_finding finding = {0}, before = {0};
            tct_proof proof = {0};
            everybody all;
            bool made;
            asked q;

            ask(&q, m, &random);
            everybody_in(&all, m, &q.region, MOST);
            assert_int_equal(tct_prover_decide(prover, &q.region, 0, &finding, NULL), TACIT_OK);
            for (size_t label = 0; label < m->classifier->n_classes && all.count > 0; label++) {
                tct_claim claim = {m, q.region, label}, other = {any, q.region, label};

                assert_int_equal(tct_prover_write(&proof, &made, &claim, 20000, NULL), TACIT_OK);
                assert_int_equal(made, all.constant && label == all.label);
                assert_true(!made || tct_check(&claim, &proof, NULL) == TACIT_OK);
                refused += made && tct_check(&other, &proof, NULL) == TACIT_E_INPUT;
                tct_proof_clear(&proof);
            }
            if (all.count > 0) {
                assert_int_equal(finding.verdict, all.constant ? TACIT_CERTIFIED : TACIT_REFUTED);
                assert_true(!all.constant || finding.label == all.label);
                assert_int_equal(tct_certify(&before, any, &q.region, NULL), TACIT_OK);
                gained += finding.verdict != before.verdict;
                certified += all.constant;
                questions++;
            }
            tct_ranges_clear(&q.ranges);
        }
        tct_prover_free(prover);
        tacit_model_free(any);
        tacit_model_free(m);
    }
    print_message("%zu questions, %zu certified: %zu of them for one order alone\n", questions, certified, gained);
    assert_true(scaled(600) < 600 || (gained > 0 && refused > 0));
}

/* One question of a conversation: as brute force says and, apart from scores within rounding of the cut, as somebody says
 * who was not asked before. */
static void check_step(const tacit_model *m, tct_prover *prover, const asked *q, uint64_t budget, size_t counts[3])
{
    double room[512], *witness[2] = {room, room + 256};
    tct_finding finding = {.witness = {witness[0], witness[1]}}, fresh = {0};
    everybody all;

    everybody_in(&all, m, &q->region, MOST);
    assert_int_equal(tct_prover_decide(prover, &q->region, budget, &finding, NULL), TACIT_OK);
    if (finding.verdict == TACIT_REFUTED)
        check_witnesses(m, q, witness);
    if (all.count == 0)
        return;
    counts[finding.verdict]++;
    if (finding.verdict == TACIT_CERTIFIED)
        assert_true(all.constant && finding.label == all.label);
    if (finding.verdict == TACIT_REFUTED)
        assert_false(all.constant);
    if (budget == 0) {
        assert_int_equal(tct_certify(&fresh, m, &q->region, NULL), TACIT_OK);
        assert_int_equal(finding.verdict, fresh.verdict);
    }
}

/* Conversations: answers come one by one, or parts of them; before some the prover looks ahead, and answers are tried.  What
 * is kept from one question to the next never makes a difference. */
static void trees__steps(void **state)
{
    size_t counts[3] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(600); seed++) {
        tacit_model *m = model_of(seed);
        size_t n = m->schema->n_attributes;
        tct_prover *prover = NULL;
        tct_random random;

        tct_random_seed(&random, seed, 17);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        for (size_t person = 0; person < 3; person++) {
            asked q = {0}, ahead;

            draw_person(m, &random, q.x);
            q.region = tct_region_of(m->codec, q.known, q.x);
            assert_int_equal(tct_ranges_of(&q.ranges, &q.region, NULL), TACIT_OK);
            for (size_t step = 0; step < 2 * n; step++) {
                size_t a = tct_random_below(&random, n);
                tct_slices slices;

                q.region = tct_region_of(m->codec, q.known, q.x);
                q.region = tct_region_within(&q.region, &q.ranges);
                check_step(m, prover, &q, 0, counts);
                if (tct_random_below(&random, 2))
                    assert_int_equal(prover->ops->slices(prover, &q.region,
                                                         tct_random_below(&random, m->classifier->n_classes), &slices,
                                                         NULL),
                                     TACIT_OK);
                ahead = q;
                ahead.known[a] = 1;
                ahead.region = tct_region_of(m->codec, ahead.known, ahead.x);
                ahead.region = tct_region_within(&ahead.region, &ahead.ranges);
                check_step(m, prover, &ahead, 50, counts);
                if (tct_random_below(&random, 3) == 0 && !q.known[a])
                    narrow(&q, m, a, &random);
                else
                    q.known[a] = 1;
            }
            tct_ranges_clear(&q.ranges);
            tct_prover_forget(prover);
        }
        tct_prover_free(prover);
        tacit_model_free(m);
    }
    print_message("%zu certified, %zu refuted, %zu undecided\n", counts[TACIT_CERTIFIED], counts[TACIT_REFUTED],
                  counts[TACIT_UNDECIDED]);
    assert_true(scaled(600) < 600 || (counts[TACIT_CERTIFIED] > 1000 && counts[TACIT_REFUTED] > 1000));
}

/* One answer, put in: where people are known to refute it, brute force says so, and so do searches that look at them
 * first, which find what they would find without. */
static void check_answer(const tacit_model *m, tct_prover *prover, const asked *q, bool open, size_t counts[2])
{
    double room[512];
    tct_finding quick = {0}, plain = {.witness = {room, room + 256}};
    everybody all;

    everybody_in(&all, m, &q->region, MOST);
    if (all.count > 0 && open)
        assert_false(all.constant);
    assert_int_equal(tct_prover_decide(prover, &q->region, 50, &quick, NULL), TACIT_OK);
    assert_int_equal(tct_prover_decide(prover, &q->region, 50, &plain, NULL), TACIT_OK);
    assert_int_equal(quick.verdict == TACIT_CERTIFIED, plain.verdict == TACIT_CERTIFIED);
    if (open) {
        assert_int_equal(quick.verdict, TACIT_REFUTED);
        assert_int_not_equal(plain.verdict, TACIT_CERTIFIED);
    }
    if (all.count > 0 && quick.verdict == TACIT_REFUTED)
        assert_false(all.constant);
    counts[open] += all.count > 0 && !all.constant;
}

/* All answers to all questions after a look ahead; some trees have more leaves than a word has bits. */
static void trees__answers(void **state)
{
    size_t counts[2] = {0};

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(600); seed++) {
        tacit_model *m = seed % 8 ? model_of(seed) : make_tree_model(seed, 12, 2 + seed % 16 / 8, 3, 16);
        tct_prover *prover = NULL;
        tct_slices slices;
        tct_random random;
        asked q;

        tct_random_seed(&random, seed, 23);
        ask(&q, m, &random);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        assert_int_equal(prover->ops->slices(prover, &q.region, seed % m->classifier->n_classes, &slices, NULL),
                         TACIT_OK);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            for (size_t v = 0; v < m->codec->domains[a].count && !q.known[a]; v++) {
                const tct_domain *domain = &m->codec->domains[a];
                double first = 0, last = (double)domain->count;
                asked ahead = q;
                bool open = false;

                if (domain->kind == TCT_GRID)
                    tct_region_indices(&q.region, a, &first, &last);
                if ((double)v < first || (double)v > last ||
                    (domain->kind == TCT_ONEHOT && !tct_region_has_level(&q.region, a, v)))
                    continue;
                ahead.known[a] = 1;
                tct_codec_value(m->codec, a, v, ahead.x + domain->first);
                ahead.region = tct_region_of(m->codec, ahead.known, ahead.x);
                if (q.ranges.low)
                    ahead.region = tct_region_within(&ahead.region, &ahead.ranges);
                assert_int_equal(prover->ops->leaves_open(prover, a, v, v % 2, &open, NULL), TACIT_OK);
                check_answer(m, prover, &ahead, open, counts);
            }
        tct_ranges_clear(&q.ranges);
        tct_prover_free(prover);
        tacit_model_free(m);
    }
    print_message("%zu of %zu answers refuted by people at once\n", counts[1], counts[0] + counts[1]);
    assert_true(scaled(600) < 600 || counts[1] > counts[0]);
}

/* Bounds of slices are the same bits whatever the processor has. */
static void trees__processors(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        tacit_model *m = model_of(seed);
        size_t room = 0, label = seed % m->classifier->n_classes;
        tct_prover *prover = NULL;
        double *leads, now = 0;
        tct_random random;
        asked q;

        for (size_t a = 0; a < m->schema->n_attributes; a++)
            room += m->codec->domains[a].count;
        leads = tct_calloc(room, sizeof *leads);
        assert_non_null(leads);
        tct_random_seed(&random, seed, 5);
        ask(&q, m, &random);
        assert_int_equal(tct_prover_new(&prover, m, NULL), TACIT_OK);
        for (int level = TCT_SIMD_PLAIN; level < TCT_SIMD_LEVELS; level++) {
            tct_slices slices;

            tct_simd_limit((tct_simd)level);
            assert_int_equal(prover->ops->slices(prover, &q.region, label, &slices, NULL), TACIT_OK);
            if (level == TCT_SIMD_PLAIN) {
                memcpy(leads, slices.lower, room * sizeof *leads);
                now = slices.now;
            }
            assert_memory_equal(leads, slices.lower, room * sizeof *leads);
            assert_true(now == slices.now);
        }
        tct_simd_limit(TCT_SIMD_LEVELS);
        tct_ranges_clear(&q.ranges);
        tct_free(leads);
        tct_prover_free(prover);
        tacit_model_free(m);
    }
}

/* Walking many trees at a time ends where walking one after the other does. */
static void trees__walks(void **state)
{
    size_t walked = 0, reached = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(1000); seed++) {
        tacit_model *m = model_of(seed);
        const tct_trees *t = tct_as_trees(m->classifier);
        uint32_t leaves[2][TCT_TREES_AT_ONCE], cells[256];
        double x[256];
        tct_random random;

        tct_random_seed(&random, seed, 6);
        walked += !t->reach && t->steps && t->n_trees >= TCT_TREES_WALKED;
        reached += t->reach != NULL;
        for (size_t k = 0; k < 20; k++) {
            draw_person(m, &random, x);
            tct_trees_cells(t, x, cells);
            for (size_t first = 0; first < t->n_trees; first += TCT_TREES_AT_ONCE) {
                size_t n = t->n_trees - first < TCT_TREES_AT_ONCE ? t->n_trees - first : TCT_TREES_AT_ONCE;

                tct_tree_walk(t, first, n, cells, leaves[0]);
                tct_tree_walk_plain(t, first, n, cells, leaves[1]);
                assert_memory_equal(leaves[0], leaves[1], n * sizeof *cells);
            }
        }
        tacit_model_free(m);
    }
    assert_true(walked > 0);
    assert_true(reached > 0);
}

/* All levels of a category in one walk of each tree add up to what one walk for every level gives, to the bit. */
static void trees__profiles(void **state)
{
    size_t levels = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(1000); seed++) {
        tacit_model *m = model_of(seed);
        const tct_trees *t = tct_as_trees(m->classifier);
        tct_treesearch *s = NULL;
        uint32_t cells[256], leaf;
        double x[256];
        tct_random random;

        tct_random_seed(&random, seed, 12);
        assert_int_equal(tct_treesearch_new(&s, m, NULL), TACIT_OK);
        for (size_t a = 0; a < t->n_attributes; a++) {
            size_t label = tct_random_below(&random, m->classifier->n_classes);
            size_t against = (label + 1) % m->classifier->n_classes;

            draw_person(m, &random, x);
            tct_trees_cells(t, x, cells);
            tct_treesearch_profile(s, cells, a, label, against);
            for (uint32_t v = 0; t->attributes[a].levels && v < t->attributes[a].count; v++) {
                double sum = 0;

                cells[a] = v;
                for (size_t k = 0; k < t->n_trees; k++) {
                    bool one = t->base.n_scores == 1, mine = one ? label == 1 : t->scores[k] == label;

                    if (!one && !mine && t->scores[k] != against)
                        continue;
                    tct_tree_walk_plain(t, k, 1, cells, &leaf);
                    sum += (mine ? 1 : -1) * t->nodes[leaf].value;
                }
                assert_true(s->profile[v] == sum);
                levels++;
            }
        }
        tct_treesearch_free(s);
        tacit_model_free(m);
    }
    assert_true(levels > 0);
}

/* A grid over a region, as the table leaves it or walking does, swept so many times. */
static tct_treegrid *swept_grid(const tacit_model *m, const tct_treetable *table, const tct_region *region,
                                size_t label, size_t against, size_t sweeps)
{
    tct_treegrid *g = NULL;

    assert_int_equal(tct_treegrid_new(&g, m, table, NULL), TACIT_OK);
    tct_treegrid_region(g, region);
    assert_int_equal(tct_treegrid_margin(g, label, against, NULL), TACIT_OK);
    tct_treegrid_whole(g);
    for (size_t k = 0; k < sweeps; k++)
        if (tct_treegrid_sweep(g))
            break;
    return g;
}

/* Trees of the table are left as walking leaves them: the same grid, the same bounds. */
static void trees__tables(void **state)
{
    size_t by_table = 0, tests = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= scaled(1000); seed++) {
        /* Margins of five and more classes look for the tests of two. */
        tacit_model *m = seed % 4 ? model_of(seed) : make_tree_model(seed, 4, 6, 20, 1 + seed / 4 % 5);
        tct_treetable *table = NULL;
        tct_random random;

        tct_random_seed(&random, seed, 9);
        assert_int_equal(tct_treetable_new(&table, m, NULL), TACIT_OK);
        for (size_t k = 0; k < 20; k++) {
            size_t label = tct_random_below(&random, m->classifier->n_classes), sweeps = k % 4;
            size_t against = (label + 1) % m->classifier->n_classes;
            tct_treegrid *g[2];
            asked q;

            ask(&q, m, &random);
            for (size_t i = 0; i < 2; i++)
                g[i] = swept_grid(m, i ? table : NULL, &q.region, label, against, sweeps);
            by_table += tct_treetable_fits(g[1]);
            tests += g[1]->n_tests;
            assert_int_equal(g[0]->n_cells, g[1]->n_cells);
            assert_int_equal(g[0]->n_pieces, g[1]->n_pieces);
            assert_int_equal(g[0]->n_leaves, g[1]->n_leaves);
            assert_int_equal(g[0]->n_links, g[1]->n_links);
            assert_int_equal(g[0]->constant, g[1]->constant);
            assert_int_equal(g[0]->target, g[1]->target);
            assert_int_equal(g[0]->bound, g[1]->bound);
            if (g[0]->n_cells > 0) {
                assert_memory_equal(g[0]->cells.items, g[1]->cells.items, g[0]->n_cells * sizeof(uint32_t));
                assert_memory_equal(g[0]->alive, g[1]->alive, g[0]->n_cells);
            }
            if (g[0]->n_pieces > 0)
                assert_memory_equal(g[0]->phi, g[1]->phi, g[0]->n_pieces * sizeof *g[0]->phi);
            for (size_t i = 0; i < 2; i++)
                tct_treegrid_free(g[i]);
            tct_ranges_clear(&q.ranges);
        }
        tct_treetable_free(table);
        tacit_model_free(m);
    }
    print_message("%zu regions, %zu tests left\n", by_table, tests);
    assert_true(by_table > 0 && tests > 0);
}

/* What follows from a box is the same however it was found: sweeps go on from it as from what entering finds, and from what was
 * kept of it. */
static void check_entered(tct_treegrid *g)
{
    size_t size = tct_treegrid_state_size(g), pieces = g->n_pieces * sizeof *g->phi;
    unsigned char *state = tct_malloc(1, size);
    int64_t *phi = tct_malloc(g->n_pieces + 1, sizeof *phi), bound = g->bound, after;
    bool proven;

    assert_true(state && phi);
    tct_treegrid_save_state(g, state);
    proven = tct_treegrid_sweep(g);
    after = g->bound;
    if (pieces > 0)
        memcpy(phi, g->phi, pieces);
    for (int entered = 0; entered < 2; entered++) {
        tct_treegrid_load_state(g, state);
        if (entered)
            tct_treegrid_enter(g);
        assert_int_equal(g->bound, bound);
        assert_int_equal(tct_treegrid_sweep(g), proven);
        assert_int_equal(g->bound, after);
        if (pieces > 0)
            assert_memory_equal(g->phi, phi, pieces);
    }
    tct_treegrid_load_state(g, state);
    tct_free(state);
    tct_free(phi);
}

/* Let cells of one axis die, but not the last; entering that axis finds what follows. */
static void check_narrowed(tct_treegrid *g, tct_random *random)
{
    const tct_tree_axis *axis;
    size_t x, left = 0;

    if (g->n_axes == 0)
        return;
    x = tct_random_below(random, g->n_axes);
    axis = &g->axes[x];
    for (size_t c = 0; c < axis->n_cells; c++)
        left += g->alive[axis->first + c];
    for (size_t c = 0; c < axis->n_cells; c++)
        if (g->alive[axis->first + c] && left > 1 && tct_random_below(random, 2)) {
            g->alive[axis->first + c] = 0;
            left--;
        }
    tct_treegrid_enter_axis(g, x);
    check_entered(g);
}

/* What a sweep leaves of a box that it does not prove is what follows from its phi: entering anew finds the same. */
static void trees__sweeps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(1000); seed++) {
        tacit_model *m = model_of(seed);
        tct_random random;

        tct_random_seed(&random, seed, 10);
        for (size_t k = 0; k < 10; k++) {
            tct_treegrid *g;
            bool proven = false;
            int64_t before;
            asked q;

            ask(&q, m, &random);
            g = swept_grid(m, NULL, &q.region, k % 2, 1 - k % 2, 0);
            before = g->bound;
            for (size_t sweep = 0; sweep < 4 && !(proven = tct_treegrid_sweep(g)); sweep++) {
                int64_t bound = g->bound;

                assert_true(bound >= before);
                check_entered(g);
                assert_int_equal(g->bound, bound);
                before = bound;
            }
            if (!proven)
                check_narrowed(g, &random);
            tct_treegrid_free(g);
            tct_ranges_clear(&q.ranges);
        }
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees__verdicts), cmocka_unit_test(trees__steps),      cmocka_unit_test(trees__margins),
        cmocka_unit_test(trees__proofs),   cmocka_unit_test(trees__processors), cmocka_unit_test(trees__walks),
        cmocka_unit_test(trees__tables),   cmocka_unit_test(trees__sweeps),     cmocka_unit_test(trees__answers),
        cmocka_unit_test(trees__in_order), cmocka_unit_test(trees__profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
