/*
 * Trees of proofs as text: what is written is read again, whatever the tree; what was changed on the way is refused or is
 * another whole tree, never anything else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "make_model.h"
#include "proof.h"
#include "scale.h"

enum { DEEPEST = 40 };

/* Some tree: a cut in the middle often, elsewhere otherwise.  What is left of attributes is not followed here but for the
 * first cut of each, whose middle is that of its domain. */
static void grow(tct_proof *proof, const tct_codec *codec, tct_random *random, size_t depth, size_t *left)
{
    size_t a = (size_t)tct_random_below(random, codec->schema->n_attributes);
    const tct_domain *domain = &codec->domains[a];
    unsigned char levels[TCT_MAX_LEVELS];
    double at, low, high;

    if (depth == DEEPEST || *left == 0 || tct_random_below(random, 8) == 0) {
        assert_int_equal(tct_proof_add_leaf(proof, NULL), TACIT_OK);
        return;
    }
    --*left;
    for (size_t k = 0; k < domain->count && domain->kind == TCT_ONEHOT; k++)
        levels[k] = (unsigned char)tct_random_below(random, 2);
    if (domain->kind == TCT_BOX) {
        tct_codec_range(codec, a, &low, &high);
        at = tct_random_below(random, 2) ? low + (high - low) / 2 : tct_random_uniform(random) * 2 - 1;
    } else {
        at = (double)tct_random_below(random, domain->count);
    }
    assert_int_equal(tct_proof_add_split(proof, a, domain->kind == TCT_ONEHOT ? 0 : at,
                                         domain->kind == TCT_ONEHOT ? levels : NULL,
                                         domain->kind == TCT_ONEHOT ? domain->count : 0, NULL),
                     TACIT_OK);
    grow(proof, codec, random, depth + 1, left);
    grow(proof, codec, random, depth + 1, left);
}

static void assert_same(const tct_proof *a, const tct_proof *b, const tct_codec *codec)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_leaves, b->n_leaves);
    for (size_t n = 0; n < a->n_nodes; n++) {
        const tct_proof_node *x = &a->nodes[n], *y = &b->nodes[n];

        assert_int_equal(x->attribute, y->attribute);
        if (x->attribute == TACIT_NONE)
            continue;
        assert_true(x->at == y->at);
        if (codec->domains[x->attribute].kind == TCT_ONEHOT)
            assert_memory_equal(a->levels + x->levels, b->levels + y->levels, codec->domains[x->attribute].count);
    }
}

/* Is it one whole tree? */
static bool is_whole(const tct_proof *proof)
{
    size_t open = 1;

    for (size_t n = 0; n < proof->n_nodes; n++) {
        if (open == 0)
            return false;
        open += proof->nodes[n].attribute == TACIT_NONE ? (size_t)-1 : 1;
    }
    return open == 0;
}

/* A text with one character changed, dropped or added. */
static void check_changed(const char *text, const tct_codec *codec, tct_random *random)
{
    static const char some[] = "AZaz09-_*= ";
    size_t length = strlen(text), at = (size_t)tct_random_below(random, length),
           kind = (size_t)tct_random_below(random, 3);
    char *other = make_model_room(length / sizeof(double) + 2);
    tct_proof proof = {0};
    tacit_error err;

    memcpy(other, text, length + 1);
    if (kind == 0)
        other[at] = some[tct_random_below(random, sizeof(some) - 1)];
    else if (kind == 1)
        other[length - 1] = '\0';
    else
        memcpy(other + length, "A", 2);
    if (tct_proof_unpack(&proof, other, strlen(other), codec, &err) == TACIT_OK) {
        assert_true(is_whole(&proof));
        assert_int_equal(kind, 0);
    }
    tct_proof_clear(&proof);
    tct_free(other);
}

/* The same through JSON, which has lists of few nodes. */
static void check_json(const tct_proof *proof, const tct_codec *codec)
{
    json_t *json = tct_proof_to_json(proof, codec);
    tct_proof again = {0};

    assert_non_null(json);
    assert_int_equal(json_is_string(json), proof->n_nodes > TCT_PROOF_LISTED);
    assert_int_equal(tct_proof_from_json(&again, json, codec, NULL), TACIT_OK);
    assert_same(proof, &again, codec);
    tct_proof_clear(&again);
    json_decref(json);
}

static void trees_come_back_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= scaled(300); seed++) {
        tct_random random;
        tacit_model *m = make_linear_model(seed, 2 + seed % 9, 2, true);
        tct_proof proof = {0}, again = {0};
        size_t left = 1 + seed * 7 % 900;
        char *text;

        tct_random_seed(&random, seed, 16);
        grow(&proof, m->codec, &random, 0, &left);
        text = tct_proof_pack(&proof, m->codec);
        assert_non_null(text);
        assert_int_equal(tct_proof_unpack(&again, text, strlen(text), m->codec, NULL), TACIT_OK);
        assert_true(is_whole(&again));
        assert_same(&proof, &again, m->codec);
        check_json(&proof, m->codec);
        for (size_t k = 0; k < 20; k++)
            check_changed(text, m->codec, &random);
        tct_free(text);
        tct_proof_clear(&proof);
        tct_proof_clear(&again);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_come_back_as_they_were)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
