/*
 * Sessions that were told ranges, against all completions: what is called certain has one label for every value within the
 * ranges, what has one label is called certain (where all values can be listed), undo goes back step by step to the bit,
 * and what cannot tell of a range says so.  Linear models, networks, and a kind that the library does not know.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle.h"
#include "scale.h"
#include "session.h"
#include "stumps.h"

enum { ATTRIBUTES = 4, BOX_POINTS = 7, MOST_VALUES = 10 };

static tacit_model *make_any(uint64_t seed)
{
    switch (seed % 3) {
    case 0:
        return make_linear_model(seed, ATTRIBUTES, 2 + seed % 2, true);
    case 1:
        return make_mlp_model(seed, ATTRIBUTES, 2 + seed % 2, true, 1, 5);
    default:
        return make_stump_model(seed, ATTRIBUTES, 2 + seed % 2, 6);
    }
}

/* What the test knows: which values of each attribute are left. */
typedef struct left {
    double low[ATTRIBUTES], high[ATTRIBUTES]; /* of numbers and indices */
    bool levels[ATTRIBUTES][MAKE_MODEL_LEVELS];
} left;

static void all_left(left *l, const tct_codec *codec)
{
    for (size_t a = 0; a < ATTRIBUTES; a++) {
        tct_codec_range(codec, a, &l->low[a], &l->high[a]);
        if (codec->domains[a].kind != TCT_BOX) {
            l->low[a] = 0;
            l->high[a] = (double)codec->domains[a].count - 1;
        }
        for (size_t k = 0; k < MAKE_MODEL_LEVELS; k++)
            l->levels[a][k] = true;
    }
}

/* The values to try for an attribute, as inputs; how many. */
static size_t values_of(const tacit_session *s, const left *l, size_t a, double values[][MAKE_MODEL_LEVELS])
{
    const tct_codec *codec = s->model->codec;
    const tct_domain *domain = &codec->domains[a];
    size_t n = 0;

    if (s->person->known[a]) {
        memcpy(values[n++], s->person->x + domain->first, domain->width * sizeof(double));
    } else if (domain->kind == TCT_BOX) {
        for (size_t i = 0; i < BOX_POINTS; i++)
            values[n++][0] =
                i + 1 == BOX_POINTS ? l->high[a] : l->low[a] + (l->high[a] - l->low[a]) * (double)i / (BOX_POINTS - 1);
    } else {
        for (size_t k = 0; k < domain->count; k++)
            if (domain->kind == TCT_ONEHOT ? l->levels[a][k] : (double)k >= l->low[a] && (double)k <= l->high[a])
                tct_codec_value(codec, a, k, values[n++]);
    }
    return n;
}

/* Do all completions that are tried have one label?  *listed: these are all there are. */
static bool one_label(const tacit_session *s, const left *l, size_t *label, bool *listed)
{
    const tct_codec *codec = s->model->codec;
    double values[ATTRIBUTES][MOST_VALUES][MAKE_MODEL_LEVELS], *x = make_model_room(codec->n_inputs);
    size_t n[ATTRIBUTES], at[ATTRIBUTES] = {0}, a = 0;
    bool same = true;

    *label = TACIT_NONE;
    *listed = true;
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        n[i] = values_of(s, l, i, values[i]);
        *listed = *listed && (s->person->known[i] || codec->domains[i].kind != TCT_BOX || l->low[i] == l->high[i]);
    }
    while (same && a < ATTRIBUTES) {
        size_t here;

        for (size_t i = 0; i < ATTRIBUTES; i++)
            memcpy(x + codec->domains[i].first, values[i][at[i]], codec->domains[i].width * sizeof(double));
        here = oracle_label(s->model, x);
        same = *label == TACIT_NONE || *label == here;
        *label = here;
        for (a = 0; a < ATTRIBUTES && ++at[a] == n[a]; a++)
            at[a] = 0;
    }
    tct_free(x);
    return same;
}

/* Narrow an attribute that is open by something drawn; the same into `l`.  False: it could not be. */
static bool narrow(tacit_session *s, left *l, size_t a, tct_random *random)
{
    const tacit_attribute *attribute = &s->model->schema->attributes[a];
    const tct_domain *domain = &s->model->codec->domains[a];
    double inputs[2] = {l->low[a], l->high[a]}, u = tct_random_uniform(random), v = tct_random_uniform(random);
    char text[2][64];
    left before = *l;
    tacit_error err = {0};

    if (domain->kind == TCT_ONEHOT) {
        size_t levels[MAKE_MODEL_LEVELS], n = 0, rest = 0;

        for (size_t k = 0; k < domain->count; k++)
            if (tct_random_below(random, 2))
                levels[n++] = k;
        for (size_t k = 0; k < domain->count; k++)
            l->levels[a][k] = false;
        for (size_t i = 0; i < n; i++)
            rest += l->levels[a][levels[i]] = before.levels[a][levels[i]];
        if (n == 0 || rest == 0) {
            assert_int_not_equal(tacit_session_narrow_levels(s, a, levels, n, &err), TACIT_OK);
            *l = before;
            return false;
        }
        assert_int_equal(tacit_session_narrow_levels(s, a, levels, n, &err), TACIT_OK);
        return true;
    }
    for (size_t e = 0; e < 2; e++) {
        double share = e ? u > v ? u : v : u > v ? v : u, value = l->low[a] + share * (l->high[a] - l->low[a]);

        if (domain->kind == TCT_BOX)
            inputs[e] = value;
        else
            tct_codec_value(s->model->codec, a, (size_t)(value + 0.5), &inputs[e]);
        tct_decode_cell(s->model->codec, a, &inputs[e], text[e], sizeof text[e]);
        if (domain->kind == TCT_BOX) { /* the text is what counts */
            tct_encode_counts counts = {0};

            assert_int_equal(tct_encode_cell(s->model->codec, a, text[e], strlen(text[e]), false, false, &inputs[e],
                                             &counts, NULL, 0, &err),
                             TACIT_OK);
            *(e ? &l->high[a] : &l->low[a]) = inputs[e];
        } else {
            *(e ? &l->high[a] : &l->low[a]) = floor(value + 0.5);
        }
    }
    l->low[a] = l->low[a] > before.low[a] ? l->low[a] : before.low[a];
    l->high[a] = l->high[a] < before.high[a] ? l->high[a] : before.high[a];
    if (l->low[a] > l->high[a]) { /* by the rounding of the texts */
        assert_int_equal(tacit_session_narrow(s, a, text[0], text[1], &err), TACIT_E_INPUT);
        *l = before;
        return false;
    }
    if (attribute->type == TACIT_CATEGORY && u < 0.5) {
        size_t levels[MAKE_MODEL_LEVELS], n = 0;

        for (size_t k = (size_t)l->low[a]; k <= (size_t)l->high[a]; k++)
            levels[n++] = k;
        assert_int_equal(tacit_session_narrow_levels(s, a, levels, n, &err), TACIT_OK);
    } else {
        assert_int_equal(tacit_session_narrow(s, a, text[0], text[1], &err), TACIT_OK);
    }
    return true;
}

/* How often it was certain, how often because of a range, how often it should have been and was not. */
static size_t n_certain, n_by_range, n_missed;

static void check_decision(tacit_session *s, const left *l, const tacit_decision *decision)
{
    size_t label;
    bool listed, same = one_label(s, l, &label, &listed);

    if (decision->settled == TACIT_CERTAIN) {
        assert_true(same);
        assert_int_equal(decision->label, label);
        n_certain++;
    } else if (tct_session_narrowed(s) != TACIT_NONE && tct_session_open_public(s) == TACIT_NONE) {
        assert_int_not_equal(decision->settled, TACIT_LIKELY);
        n_missed += listed && same && decision->settled == TACIT_OPEN;
    }
}

static void narrow__against_all_completions(void **state)
{
    size_t cases = scaled(600);

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = make_any(seed);
        tacit_release_options options = {.delta = seed % 4 == 3 ? 0.2 : 0};
        tacit_session *s = NULL;
        double *x = make_model_room(m->codec->n_inputs);
        tct_random random;
        left l;

        tct_random_seed(&random, seed, 5);
        draw_person(m, &random, x);
        all_left(&l, m->codec);
        assert_int_equal(tacit_session_open(&s, m, &options, NULL), TACIT_OK);
        for (size_t step = 0; step < 8; step++) {
            size_t a = tct_random_below(&random, ATTRIBUTES);
            tacit_decision before, after, back;
            tacit_error err = {0};
            left kept = l;

            if (s->person->known[a])
                continue;
            assert_int_equal(tacit_session_decision(s, &before, &err), TACIT_OK);
            if (!narrow(s, &l, a, &random))
                continue;
            assert_int_equal(tacit_session_decision(s, &after, &err), TACIT_OK);
            check_decision(s, &l, &after);
            n_by_range += after.settled == TACIT_CERTAIN && before.settled == TACIT_OPEN;
            if (step % 3 == 2) {
                assert_int_equal(tacit_session_undo(s, &err), TACIT_OK);
                assert_int_equal(tacit_session_decision(s, &back, &err), TACIT_OK);
                assert_memory_equal(&back, &before, sizeof back);
                l = kept;
            }
        }
        tacit_session_free(s);
        tct_free(x);
        tacit_model_free(m);
    }
    assert_int_equal(n_missed, 0);
    assert_true(cases < 600 || (n_certain > cases / 4 && n_by_range > cases / 20));
}

/* Answers inside the range count as ever, others are refused; receipts and states speak of answers only. */
static void narrow__then_answered(void **state)
{
    size_t cases = scaled(200), inside = 0, outside = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        tacit_model *m = make_any(seed);
        tacit_session *s = NULL, *plain = NULL;
        unsigned char *bytes = NULL, *same = NULL;
        size_t size = tacit_session_state_size(m), a;
        tacit_error err = {0};
        tct_random random;
        double *x = make_model_room(m->codec->n_inputs);
        char text[64], *receipt = NULL;
        left l;

        tct_random_seed(&random, seed, 6);
        draw_person(m, &random, x);
        all_left(&l, m->codec);
        a = tct_random_below(&random, ATTRIBUTES);
        bytes = tct_calloc(size, 1);
        same = tct_calloc(size, 1);
        assert_int_equal(tacit_session_open(&s, m, NULL, NULL), TACIT_OK);
        assert_int_equal(tacit_session_open(&plain, m, NULL, NULL), TACIT_OK);
        if (narrow(s, &l, a, &random)) {
            assert_int_equal(tacit_session_save(s, bytes, &err), TACIT_E_USAGE);
            assert_non_null(strstr(err.message, m->schema->attributes[a].name));
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, text, sizeof text);
            if (tacit_session_answer(s, a, text, &err) == TACIT_OK) {
                assert_int_equal(tacit_session_answer(plain, a, text, &err), TACIT_OK);
                assert_int_equal(tacit_session_save(s, bytes, &err), TACIT_OK);
                assert_int_equal(tacit_session_save(plain, same, &err), TACIT_OK);
                assert_memory_equal(bytes, same, size);
                assert_int_equal(tacit_session_undo(s, &err), TACIT_OK);
                inside++;
            } else {
                assert_int_equal(err.status, TACIT_E_INPUT);
                assert_non_null(strstr(err.message, "outside what was said"));
                outside++;
            }
            assert_false(tacit_person_knows(tacit_session_person(s), a));
            assert_int_equal(tacit_session_refuse(s, a, &err), TACIT_OK);
            assert_int_equal(tacit_session_narrow(s, a, NULL, NULL, &err), TACIT_E_USAGE);
            for (size_t b = 0; b < ATTRIBUTES; b++)
                if (b != a) {
                    tct_decode_cell(m->codec, b, x + m->codec->domains[b].first, text, sizeof text);
                    assert_int_equal(tacit_session_answer(s, b, text, &err), TACIT_OK);
                }
            assert_int_equal(tacit_session_receipt(&receipt, s, NULL, NULL, &err), TACIT_E_USAGE);
            assert_null(receipt);
            assert_non_null(strstr(err.message, "a receipt cannot tell"));
            assert_int_equal(tacit_session_restart(s, NULL, &err), TACIT_OK);
            assert_int_equal(tct_session_narrowed(s), TACIT_NONE);
            assert_int_equal(tacit_session_undo(s, &err), TACIT_E_USAGE);
        }
        tct_free(bytes);
        tct_free(same);
        tct_free(x);
        tacit_session_free(s);
        tacit_session_free(plain);
        tacit_model_free(m);
    }
    assert_true(cases < 200 || (inside > 0 && outside > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow__against_all_completions),
        cmocka_unit_test(narrow__then_answered),
    };

    stumps_register();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
