/*
 * Receipts of random sessions, linear models and networks: every one is accepted as written and rejected once anything
 * in it is changed.  With the checksum put right again, it is rejected wherever what it says is no longer true.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker.h"
#include "make_model.h"
#include "person.h"
#include "prover.h"
#include "receipt.h"
#include "scale.h"
#include "scratch.h"

/* ---- making them ---- */

/* The model of a seed: half of them linear, half networks; two to five classes. */
static tacit_model *draw_model(size_t seed)
{
    size_t classes = 2 + (seed / 2) % 3, n = seed % 8 ? 3 + seed % 4 : 7; /* a few whose proofs have parts */

    return seed % 2
               ? make_linear_model(seed, n, classes, true)
               : make_mlp_model(seed, n, classes, true, seed % 8 ? 1 + seed % 3 / 2 : 2, seed % 8 ? 3 + seed % 4 : 12);
}

/* A session that has come to its decision.  Answers are given as text; one in `refuse` questions is refused. */
static tacit_session *hold_session(const tacit_model *m, tct_random *random, double delta, uint64_t refuse)
{
    tacit_release_options options = {.delta = delta};
    tacit_session *session = NULL;
    tacit_person *person = NULL;
    char text[TCT_RECEIPT_VALUE];
    size_t a;

    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    draw_person(m, random, person->x);
    memset(person->known, 1, m->schema->n_attributes);
    assert_int_equal(tacit_session_open(&session, m, &options, NULL), TACIT_OK);
    for (;;) {
        assert_int_equal(tacit_session_next(session, &a, NULL), TACIT_OK);
        if (a == TACIT_NONE)
            break;
        if (refuse && tct_random_below(random, refuse) == 0) {
            assert_int_equal(tacit_session_refuse(session, a, NULL), TACIT_OK);
            continue;
        }
        tacit_person_text(person, a, text, sizeof(text));
        if (m->schema->attributes[a].type == TACIT_NUMBER && tct_random_below(random, 4) == 0)
            snprintf(text, sizeof(text), "%.17g", m->schema->attributes[a].max + 3); /* to be clipped */
        assert_int_equal(tacit_session_answer(session, a, text, NULL), TACIT_OK);
    }
    tacit_person_free(person);
    return session;
}

static json_t *parse(const char *text)
{
    json_t *json = NULL;

    assert_int_equal(tct_json_parse(&json, text, strlen(text), "receipt", NULL), TACIT_OK);
    return json;
}

/* Check a document as it stands; TACIT_E_INPUT (no receipt at all) counts as not valid. */
static bool is_valid(const tacit_model *m, const json_t *json, tacit_check *check)
{
    tacit_check own;
    tacit_error err = {0};
    char *text = NULL;
    size_t size = 0;
    tacit_status st;

    check = check ? check : &own;
    assert_int_equal(tct_json_dump(&text, &size, json, NULL), TACIT_OK);
    st = tct_receipt_check(check, m, text, size, "receipt", NULL, &err);
    tct_free(text);
    if (st) {
        assert_int_equal(st, TACIT_E_INPUT);
        assert_true(err.message[0] != '\0' && !strchr(err.message, '\n'));
        return false;
    }
    assert_int_equal(check->valid, check->reason[0] == '\0');
    return check->valid;
}

/* The document with the checksum it should have. */
static void reseal(json_t *json)
{
    char hash[65];

    json_object_del(json, "sha256");
    assert_int_equal(tct_json_hash(hash, json, NULL), TACIT_OK);
    assert_int_equal(json_object_set_new(json, "sha256", json_string(hash)), 0);
}

/* ---- every scalar, seal left as it is ---- */

static void change_scalar(json_t *container, const char *key, size_t index, json_t *value)
{
    json_t *other;

    if (json_is_string(value)) {
        char text[256];

        snprintf(text, sizeof(text), "%.200s1", json_string_value(value));
        other = json_string(text);
    } else if (json_is_integer(value)) {
        other = json_integer(json_integer_value(value) + 1);
    } else if (json_is_real(value)) {
        other = json_real(nextafter(json_real_value(value), 2));
    } else {
        other = json_is_true(value) ? json_false() : json_true();
    }
    if (key)
        assert_int_equal(json_object_set_new(container, key, other), 0);
    else
        assert_int_equal(json_array_set_new(container, index, other), 0);
}

/* Change one scalar after the other, everywhere below `json`, and see the whole rejected; then put it back. */
static void change_each(const tacit_model *m, const json_t *root, json_t *json, size_t *count)
{
    const char *key;
    void *next;
    json_t *value;
    size_t i;

    if (json_is_array(json)) {
        json_array_foreach(json, i, value)
        {
            json_incref(value);
            if (json_is_array(value) || json_is_object(value)) {
                change_each(m, root, value, count);
            } else {
                change_scalar(json, NULL, i, value);
                assert_false(is_valid(m, root, NULL));
                json_array_set(json, i, value);
                ++*count;
            }
            json_decref(value);
        }
        return;
    }
    json_object_foreach_safe(json, next, key, value)
    {
        json_incref(value);
        if (json_is_array(value) || json_is_object(value)) {
            change_each(m, root, value, count);
        } else {
            change_scalar(json, key, 0, value);
            assert_false(is_valid(m, root, NULL));
            json_object_set(json, key, value);
            ++*count;
        }
        json_decref(value);
    }
}

/* Every list gets shorter, longer, and its first two entries change places. */
static void change_lists(const tacit_model *m, const json_t *root)
{
    static const char *const LISTS[] = {"asked", "public", "refused", "not_asked"};

    for (size_t l = 0; l < 4; l++) {
        json_t *list = json_object_get(root, LISTS[l]), *first = json_array_get(list, 0);

        if (json_array_size(list) > 1) {
            json_t *second = json_array_get(list, 1);

            json_incref(first);
            json_incref(second);
            json_array_set(list, 0, second);
            json_array_set(list, 1, first);
            assert_false(is_valid(m, root, NULL));
            json_array_set(list, 0, first);
            json_array_set(list, 1, second);
            json_decref(first);
            json_decref(second);
        }
        if (first) {
            json_incref(first);
            json_array_append(list, first);
            assert_false(is_valid(m, root, NULL));
            json_array_remove(list, json_array_size(list) - 1);
            json_array_remove(list, 0);
            assert_false(is_valid(m, root, NULL));
            json_array_insert_new(list, 0, first);
        }
    }
}

/* ---- checksum put right ---- */

typedef struct changed {
    const tacit_model *model;
    json_t *json;
    const json_t *original;
    size_t rejected;
} changed;

static json_t *start_over(changed *c)
{
    json_decref(c->json);
    c->json = json_deep_copy(c->original);
    return c->json;
}

static void expect_rejected(changed *c, const char *what)
{
    tacit_check check;

    reseal(c->json);
    if (is_valid(c->model, c->json, &check))
        fail_msg("accepted although changed: %s", what);
    c->rejected++;
}

static const char *status_of(const json_t *json)
{
    return json_string_value(json_object_get(json_object_get(json, "decision"), "status"));
}

/* Statements about the decision that cannot be true. */
static void change_decision(changed *c)
{
    const tacit_schema *schema = c->model->schema;
    const json_t *old = json_object_get(c->original, "decision");
    double p = json_number_value(json_object_get(old, "probability"));
    double alike = tct_additive(c->model->classifier) ? 0.5001 : 0.6; /* people drawn: five standard errors */

    for (size_t k = 0; k < schema->n_classes; k++) {
        /* Where all labels are about as likely as each other, another one may be just as true. */
        if (strcmp(schema->classes[k], json_string_value(json_object_get(old, "label"))) == 0 || p < alike)
            continue;
        json_object_set_new(json_object_get(start_over(c), "decision"), "label", json_string(schema->classes[k]));
        expect_rejected(c, "label");
    }
    for (tacit_settled s = TACIT_OPEN; s <= TACIT_UNSETTLED; s++) {
        if (strcmp(tacit_settled_name(s), status_of(c->original)) == 0)
            continue;
        /* Where only constants were not asked, what is revealed is also as likely as can be. */
        if (s == TACIT_LIKELY && strcmp(status_of(c->original), "all revealed") == 0 &&
            json_array_size(json_object_get(c->original, "not_asked")) > 0)
            continue;
        json_object_set_new(json_object_get(start_over(c), "decision"), "status", json_string(tacit_settled_name(s)));
        expect_rejected(c, "status");
    }
    json_object_set_new(json_object_get(start_over(c), "decision"), "probability",
                        json_real(p > 0.9 ? p - 0.01 : p + 0.01));
    expect_rejected(c, "probability");
    json_object_set_new(start_over(c), "delta", json_real(0.5));
    expect_rejected(c, "delta");
    json_object_set_new(start_over(c), "delta", json_real(-0.1));
    expect_rejected(c, "delta");
    if (strcmp(status_of(c->original), "likely") == 0) {
        json_object_set_new(start_over(c), "delta", json_real(fmax(0, (1 - p) / 2 - 1e-6)));
        expect_rejected(c, "delta smaller than kept");
    }
    json_object_set_new(start_over(c), "rule", json_string("auto"));
    expect_rejected(c, "rule");
    json_object_set_new(json_object_get(start_over(c), "model"), "sha256",
                        json_string("0000000000000000000000000000000000000000000000000000000000000000"));
    expect_rejected(c, "model");
    json_object_set_new(json_object_get(start_over(c), "model"), "kind", json_string("oracle"));
    expect_rejected(c, "kind");
}

/* The first entry of a list moves to another list, appears twice, or is not there. */
static void change_partition(changed *c)
{
    static const char *const LISTS[] = {"asked", "public", "refused", "not_asked"};

    for (size_t l = 0; l < 4; l++) {
        json_t *list = json_object_get(start_over(c), LISTS[l]);

        if (json_array_size(list) == 0)
            continue;
        json_array_remove(list, 0);
        expect_rejected(c, "entry missing");
        list = json_object_get(start_over(c), LISTS[l]);
        json_array_append(list, json_array_get(list, 0));
        expect_rejected(c, "entry twice");
        if (l < 2) {
            list = json_object_get(start_over(c), LISTS[l]);
            json_array_append(json_object_get(c->json, LISTS[1 - l]), json_array_get(list, 0));
            json_array_remove(list, 0);
            expect_rejected(c, "wrong role");
        }
    }
    json_array_append_new(json_object_get(start_over(c), "refused"), json_string("no such attribute"));
    expect_rejected(c, "unknown attribute");
    json_array_append_new(json_object_get(start_over(c), "not_asked"), json_integer(1));
    expect_rejected(c, "no name");
    if (json_array_size(json_object_get(c->original, "not_asked")) > 1) {
        json_t *list = json_object_get(start_over(c), "not_asked"), *first = json_incref(json_array_get(list, 0));

        json_array_remove(list, 0);
        json_array_append_new(list, first);
        expect_rejected(c, "not_asked in another order");
    }
}

/* The truth of a resealed certain receipt, found out by trying random completions of its answers. */
static bool is_false(const tacit_model *m, const json_t *json, tct_random *random)
{
    const char *label = json_string_value(json_object_get(json_object_get(json, "decision"), "label"));
    static const char *const LISTS[] = {"asked", "public"};
    tacit_person *known = NULL, *person = NULL;
    bool found = false;

    assert_int_equal(tacit_person_new(&known, m, NULL), TACIT_OK);
    assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
    for (size_t l = 0; l < 2; l++) {
        json_t *list = json_object_get(json, LISTS[l]), *answer;
        size_t i;

        json_array_foreach(list, i, answer)
        {
            size_t a = tacit_schema_find(m->schema, json_string_value(json_object_get(answer, "attribute")));

            assert_int_equal(
                tacit_person_set(known, a, json_string_value(json_object_get(answer, "value")), NULL, NULL), TACIT_OK);
        }
    }
    for (size_t t = 0; t < 300 && !found; t++) {
        draw_person(m, random, person->x);
        memset(person->known, 1, m->schema->n_attributes);
        for (size_t a = 0; a < m->schema->n_attributes; a++)
            if (known->known[a])
                tct_person_take(person, a, known->x);
        found = strcmp(m->schema->classes[tacit_person_label(person)], label) != 0;
    }
    tacit_person_free(known);
    tacit_person_free(person);
    return found;
}

/* Another answer, inside the domain: what is accepted then must be true then. */
static void change_answers(changed *c, tct_random *random)
{
    json_t *list = json_object_get(c->original, "asked");
    bool proven = strcmp(status_of(c->original), "certain") == 0 || strcmp(status_of(c->original), "all revealed") == 0;
    tacit_person *other = NULL;
    char text[TCT_RECEIPT_VALUE];

    assert_int_equal(tacit_person_new(&other, c->model, NULL), TACIT_OK);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "attribute"));
        size_t a = tacit_schema_find(c->model->schema, name);
        const tacit_attribute *attribute = &c->model->schema->attributes[a];
        json_t *answer;

        for (int t = 0; t < 4; t++) {
            draw_person(c->model, random, other->x);
            tct_receipt_value(c->model->codec, a, other->x + c->model->codec->domains[a].first, text);
            answer = json_array_get(json_object_get(start_over(c), "asked"), i);
            json_object_set_new(answer, "value", json_string(text));
            json_object_set_new(answer, "clipped", json_false());
            reseal(c->json);
            if (is_valid(c->model, c->json, NULL) && proven)
                assert_false(is_false(c->model, c->json, random));
        }
        answer = json_array_get(json_object_get(start_over(c), "asked"), i);
        snprintf(text, sizeof(text), "%.17g", attribute->max + 1);
        json_object_set_new(answer, "value", json_string(attribute->type == TACIT_CATEGORY ? "no such level" : text));
        expect_rejected(c, "value outside its domain");
        answer = json_array_get(json_object_get(start_over(c), "asked"), i);
        json_object_set_new(answer, "value", json_integer(1));
        expect_rejected(c, "value is no text");
    }
    tacit_person_free(other);
}

/* How many proofs did not hold as a single leaf. */
static size_t trees_needed;

/* The tree of a proof about a network. */
static void change_proof(changed *c, tct_random *random)
{
    json_t *tree = json_object_get(json_object_get(c->original, "proof"), "tree"), *copy;

    if (json_is_null(json_object_get(c->original, "proof"))) {
        json_object_set_new(start_over(c), "proof", json_pack("{s:s}", "kind", "linear"));
        expect_rejected(c, "proof where there is none");
        return;
    }
    json_object_set_new(start_over(c), "proof", json_null());
    expect_rejected(c, "no proof");
    json_object_set_new(json_object_get(start_over(c), "proof"), "kind", json_string(tree ? "linear" : "boxes"));
    expect_rejected(c, "other kind of proof");
    for (size_t i = 0; i < json_array_size(tree); i++) {
        copy = json_object_get(json_object_get(start_over(c), "proof"), "tree");
        json_array_remove(copy, i);
        reseal(c->json); /* what is left may be a tree again, with other meanings: then it must prove it */
        if (is_valid(c->model, c->json, NULL))
            assert_false(is_false(c->model, c->json, random));
    }
    if (json_array_size(tree) > 1) {
        copy = json_object_get(json_object_get(start_over(c), "proof"), "tree");
        json_array_remove(copy, json_array_size(copy) - 1);
        expect_rejected(c, "last leaf dropped");
        copy = json_object_get(json_object_get(start_over(c), "proof"), "tree");
        json_array_clear(copy);
        expect_rejected(c, "no tree at all");
        json_array_append_new(copy, json_integer(-1));
        reseal(c->json); /* the checker's slower ways, which are not tried while parts are made, may suffice */
        if (!is_valid(c->model, c->json, NULL))
            trees_needed++;
        else
            assert_false(is_false(c->model, c->json, random));
    }
    if (tree) {
        copy = json_object_get(json_object_get(start_over(c), "proof"), "tree");
        json_array_append_new(copy, json_integer(-1));
        expect_rejected(c, "a leaf too many");
    }
}

/* Keys that are missing or do not belong there. */
static void change_keys(changed *c)
{
    const char *key;
    json_t *value;
    void *iterator = json_object_iter(json_incref((json_t *)(uintptr_t)c->original));

    for (; iterator; iterator = json_object_iter_next((json_t *)(uintptr_t)c->original, iterator)) {
        key = json_object_iter_key(iterator);
        value = json_object_iter_value(iterator);
        if (strcmp(key, "sha256") != 0) {
            json_object_del(start_over(c), key);
            expect_rejected(c, "key missing");
            json_object_set_new(start_over(c), key, json_is_object(value) ? json_array() : json_object());
            expect_rejected(c, "other type");
        }
    }
    json_decref((json_t *)(uintptr_t)c->original);
    json_object_set_new(start_over(c), "note", json_string("approved"));
    expect_rejected(c, "key that does not belong there");
    json_object_set_new(json_object_get(start_over(c), "decision"), "note", json_string("approved"));
    expect_rejected(c, "key that does not belong in the decision");
}

/* ---- tests ---- */

/* How often each status was seen. */
static size_t seen[TACIT_UNSETTLED + 1];

static void check_one(const tacit_model *m, tacit_session *session, tct_random *random)
{
    tacit_decision decision;
    tacit_check check;
    char *text = NULL;
    size_t count = 0;
    changed c = {.model = m};
    json_t *original;

    assert_int_equal(tacit_session_decision(session, &decision, NULL), TACIT_OK);
    assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_check_receipt(&check, m, scratch_text(text), NULL, NULL), TACIT_OK);
    if (!check.valid)
        fail_msg("a good receipt is rejected: %s", check.reason);
    assert_int_equal(check.label, decision.label);
    assert_int_equal(check.settled, decision.settled);
    assert_true(check.probability == decision.probability);
    assert_int_equal(check.leaves > 0, decision.settled == TACIT_CERTAIN);
    seen[decision.settled]++;
    original = parse(text);
    change_each(m, original, original, &count);
    assert_true(count > 10);
    change_lists(m, original);
    assert_true(is_valid(m, original, NULL)); /* all is as it was */
    c.original = original;
    change_decision(&c);
    change_partition(&c);
    change_answers(&c, random);
    change_proof(&c, random);
    change_keys(&c);
    assert_true(c.rejected > 20);
    json_decref(c.json);
    json_decref(original);
    tacit_text_free(text);
}

static void receipt__accepted_as_written_rejected_when_changed(void **state)
{
    static const double DELTAS[] = {0, 0, 0.1, 0.3};

    (void)state;
    for (size_t seed = 1; seed <= scaled(80); seed++) {
        tacit_model *m = draw_model(seed);
        tct_random random;

        tct_random_seed(&random, seed, 12);
        for (size_t r = 0; r < 4; r++) {
            tacit_session *session = hold_session(m, &random, DELTAS[r], r == 1 || r == 3 ? 3 : 0);

            check_one(m, session, &random);
            tacit_session_free(session);
        }
        tacit_model_free(m);
    }
    assert_true(scaled(80) < 80 || trees_needed > 4);
    if (scaled(80) >= 80)
        for (tacit_settled s = TACIT_CERTAIN; s <= TACIT_UNSETTLED; s++)
            assert_true(seen[s] > 10);
}

/* With five classes and more, what is told is a lower estimate: less may be true, more is not. */
static size_t overstate(const tacit_model *m, const char *text)
{
    changed c = {.model = m};
    json_t *original = json_loads(text, 0, NULL);
    double p = json_number_value(json_object_get(json_object_get(original, "decision"), "probability"));

    c.original = original;
    p = (p + 0.255) / 1.25 + 0.004; /* the most that the truth may be (receipt_odds.c), and a little more */
    if (p <= 1) {
        json_object_set_new(json_object_get(start_over(&c), "decision"), "probability", json_real(p));
        expect_rejected(&c, "a probability that is too high");
    }
    json_decref(c.json);
    json_decref(original);
    return c.rejected;
}

/* With five classes and more, orthants are integrated numerically. */
static void receipt__many_classes(void **state)
{
    size_t rejected = 0;

    (void)state;
    for (size_t seed = 1; seed <= scaled(8); seed++) {
        tacit_model *m =
            seed % 2 ? make_linear_model(seed, 5, 5 + seed % 4, true) : make_mlp_model(seed, 5, 6, true, 1, 6);
        tct_random random;

        tct_random_seed(&random, seed, 13);
        for (size_t r = 0; r < 2; r++) {
            tacit_session *session = hold_session(m, &random, 0.2, r % 2 ? 3 : 0);
            tacit_check check;
            char *text = NULL;

            assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, NULL), TACIT_OK);
            assert_int_equal(tacit_check_receipt(&check, m, scratch_text(text), NULL, NULL), TACIT_OK);
            if (!check.valid)
                fail_msg("a good receipt is rejected: %s", check.reason);
            rejected += overstate(m, text);
            tacit_text_free(text);
            tacit_session_free(session);
        }
        tacit_model_free(m);
    }
    assert_true(scaled(8) < 8 || rejected > 3);
}

/* A receipt of one model says nothing about another, and what is not settled has no receipt. */
static void receipt__belongs_to_its_model(void **state)
{
    tacit_model *m = make_linear_model(5, 4, 2, true), *other = make_linear_model(6, 4, 2, true);
    tacit_session *session = NULL;
    tct_random random;
    tacit_check check;
    tacit_error err = {0};
    char *text = NULL;

    (void)state;
    tct_random_seed(&random, 1, 14);
    assert_int_equal(tacit_session_open(&session, m, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, &err), TACIT_E_USAGE);
    assert_null(text);
    assert_string_equal(err.message, "there is no decision yet, so there is no receipt");
    tacit_session_free(session);
    session = hold_session(m, &random, 0, 0);
    assert_int_equal(tacit_session_receipt(&text, session, NULL, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_check_receipt(&check, other, scratch_text(text), NULL, NULL), TACIT_OK);
    assert_false(check.valid);
    assert_string_equal(check.reason, "it is about another model");
    assert_int_equal(check.label, TACIT_NONE);
    tacit_text_free(text);
    tacit_session_free(session);
    tacit_model_free(m);
    tacit_model_free(other);
}

static void receipt__what_is_none_is_an_error(void **state)
{
    static const char *const TEXTS[] = {"",
                                        "{}",
                                        "[]",
                                        "nonsense",
                                        "{\"format\": \"tacit-model\", \"version\": 1}",
                                        "{\"format\": \"tacit-receipt\", \"version\": 3}",
                                        "{\"format\": \"tacit-receipt\"",
                                        "{\"format\": \"tacit-receipt\"}"};
    tacit_model *m = make_linear_model(5, 4, 2, true);
    tacit_check check;
    tacit_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(TEXTS) / sizeof(*TEXTS); i++) {
        assert_int_equal(tacit_check_receipt(&check, m, scratch_text(TEXTS[i]), NULL, &err), TACIT_E_INPUT);
        assert_false(check.valid);
    }
    assert_int_equal(tacit_check_receipt(&check, m, "no/such/file", NULL, &err), TACIT_E_IO);
    tacit_model_free(m);
}

/* Answers with every digit a double has come back as the same bits. */
static void receipt__values_read_back(void **state)
{
    tct_random random;

    (void)state;
    tct_random_seed(&random, 1, 15);
    for (size_t seed = 1; seed <= 20; seed++) {
        tacit_model *m = make_linear_model(seed, 6, 2, true);
        tacit_person *person = NULL, *again = NULL;
        char text[TCT_RECEIPT_VALUE];

        assert_int_equal(tacit_person_new(&person, m, NULL), TACIT_OK);
        assert_int_equal(tacit_person_new(&again, m, NULL), TACIT_OK);
        for (size_t t = 0; t < scaled(2000); t++)
            for (size_t a = 0; a < 6; a++) {
                const tacit_attribute *attribute = &m->schema->attributes[a];
                size_t at = m->codec->domains[a].first;
                bool clipped = true;

                if (attribute->type != TACIT_NUMBER)
                    continue;
                snprintf(text, sizeof(text), "%.17g",
                         attribute->min + (attribute->max - attribute->min) * tct_random_uniform(&random));
                assert_int_equal(tacit_person_set(person, a, t ? text : "", NULL, NULL), TACIT_OK);
                tct_receipt_value(m->codec, a, person->x + at, text);
                assert_int_equal(tacit_person_set(again, a, text, &clipped, NULL), TACIT_OK);
                assert_true(again->x[at] == person->x[at]);
                assert_false(clipped);
            }
        tacit_person_free(person);
        tacit_person_free(again);
        tacit_model_free(m);
    }
}

/* Lack of memory at any point is reported and leaves nothing behind. */
static void receipt__every_allocation_fails_once(void **state)
{
    (void)state;
    for (size_t seed = 3; seed <= 6; seed++) {
        tacit_model *m = draw_model(seed);
        tct_random random;
        tacit_session *session;
        char *text = NULL;
        tacit_status st = TACIT_E_MEMORY;

        tct_random_seed(&random, seed, 16);
        session = hold_session(m, &random, 0, 0);
        for (uint64_t n = 1; st == TACIT_E_MEMORY; n++) {
            tct_memory_fail_at(n, false);
            st = tacit_session_receipt(&text, session, NULL, NULL, NULL);
            assert_true(st == TACIT_E_MEMORY ? !text : st == TACIT_OK);
        }
        tct_memory_fail_at(0, false);
        st = TACIT_E_MEMORY;
        for (uint64_t n = 1; st == TACIT_E_MEMORY; n++) {
            tacit_check check;

            tct_memory_fail_at(n, false);
            st = tct_receipt_check(&check, m, text, strlen(text), "receipt", NULL, NULL);
            assert_int_equal(check.valid, st == TACIT_OK);
        }
        tct_memory_fail_at(0, false);
        tacit_text_free(text);
        tacit_session_free(session);
        tacit_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receipt__accepted_as_written_rejected_when_changed),
        cmocka_unit_test(receipt__many_classes),
        cmocka_unit_test(receipt__belongs_to_its_model),
        cmocka_unit_test(receipt__what_is_none_is_an_error),
        cmocka_unit_test(receipt__values_read_back),
        cmocka_unit_test(receipt__every_allocation_fails_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
