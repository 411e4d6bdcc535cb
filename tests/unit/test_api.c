/*
 * The API without HTTP: its steps are those of a session, whoever of several servers takes them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>

#include "make_model.h"
#include "make_service.h"
#include "person.h"
#include "scratch.h"
#include "service_inside.h"

enum { TEXT = 160 };

/* ---- a person's values as text ---- */

typedef struct answers {
    char (*texts)[TEXT]; /* per attribute */
} answers;

static answers draw_answers(const tacit_model *model, tct_random *random)
{
    size_t n = model->schema->n_attributes;
    double *x = calloc(model->codec->n_inputs, sizeof(double));
    answers a = {calloc(n, TEXT)};

    assert_true(x && a.texts);
    draw_typical_person(model, random, x);
    for (size_t i = 0; i < n; i++)
        tct_decode_cell(model->codec, i, x + model->codec->domains[i].first, a.texts[i], TEXT);
    free(x);
    return a;
}

static const char *quoted(const char *text)
{
    static char buffer[2 * TEXT];

    snprintf(buffer, sizeof(buffer), "\"%s\"", text);
    return buffer;
}

/* ---- comparing a step with a session ---- */

static void compare_names(const json_t *list, const tacit_session *session, const tacit_model *model, bool refused)
{
    size_t n = 0;

    for (size_t e = 0; e < tacit_session_events(session); e++) {
        const tacit_event *event = tacit_session_event(session, e);

        if (event->refused == refused && (refused || event->role == TACIT_SENSITIVE))
            assert_string_equal(json_string_value(json_array_get(list, n++)),
                                model->schema->attributes[event->attribute].name);
    }
    assert_int_equal(json_array_size(list), n);
}

static void compare_receipt(const test_service *t, const json_t *step, tacit_session *session)
{
    const json_t *given = json_object_get(step, "receipt");
    tacit_receipt_stamp stamp = {{0}, {0}, {0}};
    char *plain = NULL, *full = NULL;
    json_t *expected;

    snprintf(stamp.id, sizeof(stamp.id), "%s", text_of(given, "id"));
    snprintf(stamp.time, sizeof(stamp.time), "%s", text_of(given, "time"));
    snprintf(stamp.order, sizeof(stamp.order), "%s", text_of(given, "order"));
    assert_int_equal(tacit_session_receipt(&plain, session, &stamp, NULL, NULL), TACIT_OK);
    assert_int_equal(tacit_receipt_sign(&full, plain, srv_keys_signing(t->keys, 0), NULL), TACIT_OK);
    expected = json_loads(full, 0, NULL);
    assert_true(json_equal(expected, given));
    json_decref(expected);
    tacit_text_free(plain);
    tacit_text_free(full);
}

/* A receipt without number and time, and so checksum and signature. */
static json_t *without_stamp(const json_t *reply)
{
    json_t *copy = json_copy(json_object_get(reply, "receipt"));

    assert_int_equal(json_object_del(copy, "id") | json_object_del(copy, "time") | json_object_del(copy, "sha256") |
                         json_object_del(copy, "signature"),
                     0);
    return copy;
}

/* Asked for by itself, of any server, it says the same, with the same number: it is one decision. */
static void compare_later_receipt(test_service *t, const json_t *step)
{
    json_t *later = call_receipt(t, 0, text_of(step, "token"), 200), *a = without_stamp(later),
           *b = without_stamp(step);

    assert_int_equal(json_object_size(later), 2);
    assert_true(json_equal(a, b));
    assert_string_equal(text_of(json_object_get(later, "receipt"), "id"),
                        text_of(json_object_get(step, "receipt"), "id"));
    json_decref(a);
    json_decref(b);
    assert_true(json_equal(json_object_get(later, "receipt_unproven"), json_object_get(step, "receipt_unproven")));
    json_decref(later);
}

static void compare_decision(const test_service *t, const json_t *step, tacit_session *session,
                             const tacit_model *model)
{
    const json_t *decision = json_object_get(step, "decision");
    tacit_decision expected;

    assert_string_equal(text_of(step, "status"), "decided");
    assert_null(json_object_get(step, "next"));
    assert_int_equal(tacit_session_decision(session, &expected, NULL), TACIT_OK);
    assert_string_equal(text_of(decision, "label"), model->schema->classes[expected.label]);
    assert_string_equal(text_of(decision, "status"), tacit_settled_name(expected.settled));
    assert_true(json_number_value(json_object_get(decision, "probability")) == expected.probability);
    assert_int_equal(json_array_size(json_object_get(step, "not_asked")) + tacit_session_events(session),
                     model->schema->n_attributes);
    if (json_object_get(step, "receipt"))
        compare_receipt(t, step, session);
}

static void compare_open(const test_service *t, const json_t *step, tacit_session *session, size_t next, size_t draws)
{
    const tacit_attribute *a = tacit_schema_attribute(srv_service_model(t->service, 0)->schema, next);
    const json_t *question = json_object_get(step, "next"), *why = json_object_get(question, "why");
    const json_t *progress = json_object_get(step, "progress");
    tacit_outlook outlook;

    assert_string_equal(text_of(step, "status"), "open");
    assert_null(json_object_get(step, "decision"));
    assert_string_equal(text_of(question, "name"), a->name);
    assert_string_equal(text_of(question, "question"), a->question);
    assert_int_equal(tacit_session_outlook(session, draws, &outlook, NULL), TACIT_OK);
    assert_int_equal(json_integer_value(json_object_get(progress, "at_most")), outlook.at_most);
    assert_true(json_number_value(json_object_get(progress, "about")) == outlook.about);
    assert_true(text_of(why, "text")[0] != '\0');
    if (a->role == TACIT_SENSITIVE) {
        assert_true(json_number_value(json_object_get(why, "settles")) == outlook.settles);
        assert_int_equal(json_integer_value(json_object_get(why, "without")), outlook.at_most - 1);
    } else {
        assert_int_equal(json_object_size(why), 1);
    }
}

/* The attribute to ask next, TACIT_NONE when decided. */
static size_t compare_step(const test_service *t, const json_t *step, tacit_session *session, const tacit_model *model,
                           double delta)
{
    size_t next;

    assert_int_equal(tacit_session_next(session, &next, NULL), TACIT_OK);
    assert_int_equal(json_integer_value(json_object_get(step, "expires")), TEST_NOW + TEST_TOKEN_SECONDS);
    assert_true(json_number_value(json_object_get(step, "delta")) == delta);
    compare_names(json_object_get(step, "asked"), session, model, false);
    compare_names(json_object_get(step, "refused"), session, model, true);
    if (next == TACIT_NONE)
        compare_decision(t, step, session, model);
    else
        compare_open(t, step, session, next,
                     strcmp(model->info.kind, "mlp") == 0 ? SRV_OUTLOOK_NETWORK : SRV_OUTLOOK_LINEAR);
    return next;
}

/* ---- whole sessions ---- */

/* An attribute that is still open, any of them. */
static size_t any_open(const tacit_session *session, const tacit_model *model, tct_random *random)
{
    for (;;) {
        size_t a = (size_t)tct_random_below(random, model->schema->n_attributes);
        bool open = true;

        for (size_t e = 0; e < tacit_session_events(session); e++)
            open = open && tacit_session_event(session, e)->attribute != a;
        if (open)
            return a;
    }
}

/* One person asked by the services in turn, and by a session of ours. */
static void run_person(test_service *services, size_t n_services, const tacit_model *model, double delta,
                       tct_random *random)
{
    tacit_release_options options = {.delta = delta, .seed = 1};
    answers a = draw_answers(model, random);
    tacit_session *session = NULL;
    json_t *step, *next_step;
    char start[64];
    size_t next, turn = 0, length = 0;

    assert_int_equal(tacit_session_open(&session, model, &options, NULL), TACIT_OK);
    snprintf(start, sizeof(start), "{\"delta\": %g, \"receipt\": true}", delta);
    step = call_json(&services[0], srv_api_sessions, 0, start, 200);
    while ((next = compare_step(&services[0], step, session, model, delta)) != TACIT_NONE) {
        bool refuse = tct_random_below(random, 8) == 0;
        size_t chosen = tct_random_below(random, 8) == 0 ? any_open(session, model, random) : next;

        assert_true(length == 0 || strlen(text_of(step, "token")) == length);
        length = strlen(text_of(step, "token"));
        assert_int_equal(refuse ? tacit_session_refuse(session, chosen, NULL)
                                : tacit_session_answer(session, chosen, a.texts[chosen], NULL),
                         TACIT_OK);
        next_step = call_answer(&services[++turn % n_services], 0, text_of(step, "token"),
                                model->schema->attributes[chosen].name, refuse ? NULL : quoted(a.texts[chosen]), 200);
        json_decref(step);
        step = next_step;
    }
    compare_later_receipt(&services[++turn % n_services], step);
    json_decref(step);
    tacit_session_free(session);
    free(a.texts);
}

static void run_people(tacit_model *model, size_t people)
{
    static const double deltas[] = {0, 0, 0.1};
    test_service services[2];
    tct_random random;

    tct_random_seed(&random, 5, 5);
    make_service(&services[0], 1, 0, &model, 1, 0, 0.2);
    make_service(&services[1], 1, 0, &model, 1, 0, 0.2);
    for (size_t i = 0; i < people; i++)
        run_person(services, 2, model, deltas[i % 3], &random);
    free_service(&services[0]);
    free_service(&services[1]);
    tacit_model_free(model);
}

static void api__steps_are_those_of_a_session(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
        run_people(make_linear_model(seed, 3 + seed % 6, 2 + seed % 2, seed % 3 > 0), 9);
}

static void api__steps_are_those_of_a_session_for_networks(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        run_people(make_mlp_model(seed, 5, 2 + seed % 2, true, 2, 5), 6);
}

/* Which servers a person meets makes no difference, which is why they need not know of each other. */
static void api__servers_with_the_same_key_continue_each_other(void **state)
{
    tacit_model *model = make_linear_model(3, 6, 2, true);
    test_service old, new;
    json_t *step, *next;
    const char *name;

    (void)state;
    make_service(&old, 1, 0, &model, 1, 0, 0);
    make_service(&new, 2, 1, &model, 1, 0, 0);
    step = call_json(&old, srv_api_sessions, 0, "{}", 200);
    name = text_of(json_object_get(step, "next"), "name");
    next = call_answer(&new, 0, text_of(step, "token"), name, NULL, 200);
    json_decref(call_answer(&new, 0, text_of(next, "token"), name, NULL, 409));
    json_decref(call_answer(&old, 0, text_of(next, "token"), name, NULL, 401)); /* sealed with the new key */
    json_decref(step);
    json_decref(next);
    free_service(&old);
    free_service(&new);
    tacit_model_free(model);
}

/* The first question whose attribute has this role. */
static const char *asked_name(const json_t *step, const char *role)
{
    const json_t *question = json_object_get(step, "next");

    assert_string_equal(text_of(question, "role"), role);
    return text_of(question, "name");
}

/* A model with public attributes a1 and a2 and others. */
static tacit_model *model_with_public(void)
{
    tacit_model *plain = make_linear_model(21, 6, 2, false), *model = NULL;

    assert_int_equal(tacit_model_with_roles(&model, plain, NULL, "a1,a2", NULL), TACIT_OK);
    allow_missing(model);
    tacit_model_free(plain);
    return model;
}

static void api__asks_first_for_what_is_public(void **state)
{
    tacit_model *model = model_with_public();
    test_service t;
    json_t *all, *one, *two, *step;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    all = call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a2\": 1, \"a1\": null}}", 200);
    one = call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a2\": \"1\"}}", 200);
    assert_string_equal(asked_name(one, "public"), "a1");
    assert_int_equal(json_array_size(json_object_get(one, "asked")), 0);
    step = call_answer(&t, 0, text_of(one, "token"), "a1", "null", 200);
    assert_true(json_equal(json_object_get(all, "next"), json_object_get(step, "next")));
    assert_int_equal(json_array_size(json_object_get(step, "asked")), 0);
    two = call_answer(&t, 0, text_of(one, "token"), "a1", NULL, 200);
    assert_string_equal(json_string_value(json_array_get(json_object_get(two, "refused"), 0)), "a1");
    json_decref(all);
    json_decref(one);
    json_decref(two);
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

/* Going back is answering an earlier token again; nothing of the other way is left. */
static void api__goes_back_by_earlier_tokens(void **state)
{
    tacit_model *model = make_linear_model(9, 7, 2, false);
    json_t *start, *first, *other, *again;
    const char *name;
    test_service t;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    start = call_json(&t, srv_api_sessions, 0, "{}", 200);
    name = text_of(json_object_get(start, "next"), "name");
    first = call_answer(&t, 0, text_of(start, "token"), name, "0", 200);
    other = call_answer(&t, 0, text_of(start, "token"), name, NULL, 200);
    again = call_answer(&t, 0, text_of(start, "token"), name, "0.0", 200);
    assert_int_equal(json_array_size(json_object_get(other, "asked")), 0);
    json_object_del(first, "token");
    json_object_del(again, "token");
    json_object_del(first, "receipt"); /* texts of numbers are kept as they were made */
    json_object_del(again, "receipt");
    assert_true(json_equal(first, again));
    json_decref(start);
    json_decref(first);
    json_decref(other);
    json_decref(again);
    free_service(&t);
    tacit_model_free(model);
}

static void api__tells_what_was_clipped(void **state)
{
    tacit_model *model = model_with_public();
    test_service t;
    json_t *inside, *outside;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    inside = call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a1\": null}}", 200);
    outside = call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a1\": 1e300}}", 200);
    assert_true(json_is_false(json_object_get(inside, "clipped")));
    assert_true(json_is_true(json_object_get(outside, "clipped")));
    assert_int_equal(strlen(text_of(inside, "token")), strlen(text_of(outside, "token")));
    json_decref(inside);
    inside = call_answer(&t, 0, text_of(outside, "token"), "a2", "null", 200);
    assert_true(json_is_false(json_object_get(inside, "clipped"))); /* about the answer just given */
    json_decref(outside);
    outside =
        call_answer(&t, 0, text_of(inside, "token"), text_of(json_object_get(inside, "next"), "name"), "-1e300", 200);
    assert_true(json_is_true(json_object_get(outside, "clipped")));
    json_decref(inside);
    json_decref(outside);
    free_service(&t);
    tacit_model_free(model);
}

/* Refuse everything: there is a decision in the end. */
static json_t *refuse_all(test_service *t, const char *more)
{
    json_t *step = call_json(t, srv_api_sessions, 0, "{}", 200), *next;
    char body[4096];

    while (strcmp(text_of(step, "status"), "open") == 0) {
        snprintf(body, sizeof(body), "{\"token\":\"%s\",\"attribute\":\"%s\",\"refuse\":true%s}",
                 text_of(step, "token"), text_of(json_object_get(step, "next"), "name"), more);
        next = call_json(t, srv_api_answers, 0, body, 200);
        json_decref(step);
        step = next;
    }
    return step;
}

static void api__receipts_check_with_the_key_of_the_server(void **state)
{
    tacit_model *model = make_linear_model(12, 5, 2, true);
    test_service t, stranger;
    json_t *step, *without, *key;
    tacit_check check;
    const char *path;
    char *text;

    (void)state;
    make_service(&t, 1, 4, &model, 1, 0, 0);
    make_service(&stranger, 2, 0, &model, 1, 0, 0);
    step = refuse_all(&t, ",\"receipt\":true");
    key = call_json(&t, srv_api_key, 0, "", 200);
    text = json_dumps(json_object_get(step, "receipt"), JSON_COMPACT | JSON_PRESERVE_ORDER);
    path = scratch_text(text);
    assert_int_equal(tacit_check_receipt(&check, model, path, text_of(key, "key"), NULL), TACIT_OK);
    assert_string_equal(check.reason, "");
    assert_true(check.valid && check.is_signed && check.trusted && check.settled == TACIT_UNSETTLED);
    assert_int_equal(tacit_check_receipt(&check, model, path, srv_keys_public(stranger.keys, 0), NULL), TACIT_OK);
    assert_false(check.valid);
    assert_true(json_is_false(json_object_get(step, "receipt_unproven")));
    without = refuse_all(&t, ""); /* it is made for those who want it */
    assert_null(json_object_get(without, "receipt"));
    assert_true(json_equal(json_object_get(without, "decision"), json_object_get(step, "decision")));
    free(text);
    json_decref(step);
    json_decref(without);
    json_decref(key);
    free_service(&t);
    free_service(&stranger);
    tacit_model_free(model);
}

/* ---- what is the same for everybody ---- */

static void api__describes_the_model(void **state)
{
    tacit_model *model = model_with_public();
    const tacit_schema *schema = model->schema;
    test_service t;
    json_t *about, *list;
    srv_reply one, two;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0.05, 0.1);
    about = call_json(&t, srv_api_model, 0, "", 200);
    list = json_object_get(about, "attributes");
    assert_string_equal(text_of(about, "name"), "m0");
    assert_string_equal(text_of(about, "model_hash"), model->model_hash);
    assert_true(json_number_value(json_object_get(json_object_get(about, "delta"), "default")) == 0.05);
    assert_true(json_number_value(json_object_get(json_object_get(about, "delta"), "max")) == 0.1);
    assert_int_equal(json_integer_value(json_object_get(about, "token_minutes")), TEST_TOKEN_SECONDS / 60);
    assert_int_equal(json_array_size(json_object_get(about, "classes")), schema->n_classes);
    assert_int_equal(json_array_size(list), schema->n_attributes);
    for (size_t a = 0; a < schema->n_attributes; a++) {
        const json_t *attribute = json_array_get(list, a);

        assert_string_equal(text_of(attribute, "name"), schema->attributes[a].name);
        assert_string_equal(text_of(attribute, "role"),
                            schema->attributes[a].role == TACIT_PUBLIC ? "public" : "sensitive");
        assert_true(json_number_value(json_object_get(attribute, "min")) == schema->attributes[a].min);
    }
    call_api(&t, srv_api_model, 0, "", 0, &one);
    call_api(&t, srv_api_model, 0, "", 0, &two);
    assert_true(one.shared && one.body == two.body); /* nothing is copied */
    json_decref(about);
    free_service(&t);
    tacit_model_free(model);
}

static void api__lists_models_and_keys(void **state)
{
    tacit_model *models[2] = {make_linear_model(1, 4, 2, true), make_linear_model(2, 4, 2, true)};
    json_t *all, *list, *keys, *document;
    test_service t;

    (void)state;
    make_service(&t, 1, 2, models, 2, 0, 0);
    all = call_json(&t, srv_api_models, 0, "", 200);
    list = json_object_get(all, "models");
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 1), "path"), "/m/m1/");
    assert_ptr_equal(srv_service_find(t.service, "m1", 2), srv_service_model(t.service, 1));
    assert_null(srv_service_find(t.service, "m1x", 3));
    assert_null(srv_service_find(t.service, "m1", 1));
    keys = call_json(&t, srv_api_key, 0, "", 200);
    assert_string_equal(text_of(keys, "key"), srv_keys_public(t.keys, 0));
    assert_string_equal(text_of(json_array_get(json_object_get(keys, "keys"), 1), "key"), srv_keys_public(t.keys, 1));
    document = call_json(&t, srv_api_openapi, 0, "", 200);
    assert_string_equal(text_of(document, "openapi"), "3.1.0");
    json_decref(all);
    json_decref(document);
    json_decref(keys);
    free_service(&t);
    tacit_model_free(models[0]);
    tacit_model_free(models[1]);
}

/* ---- services ---- */

static void service__names_models_after_their_files(void **state)
{
    static const char *const cases[][2] = {
        {"loans.tacit", "loans"}, {"/a/b.c/loans.tacit", "loans"}, {"loans", "loans"}, {"a b.tacit", "a-b"},
        {".tacit", "-tacit"},     {"v1.2.tacit", "v1.2"},          {"..", "-"},        {"Zoë.tacit", "Zo--"},
        {"a%2F?.tacit", "a-2F-"},
    };
    char name[SRV_MAX_MODEL_NAME + 1], longest[200];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        srv_model_name_from_path(name, cases[i][0]);
        assert_string_equal(name, cases[i][1]);
    }
    memset(longest, 'x', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    srv_model_name_from_path(name, longest);
    assert_int_equal(strlen(name), SRV_MAX_MODEL_NAME);
}

static void expect_refusal(const srv_settings *settings, const char *name, const char *second, const srv_keys *keys,
                           const tacit_model *model, const char *message)
{
    srv_model_file files[2] = {{name, model}, {second, model}};
    srv_service *service = NULL;
    tacit_error err = {0};

    assert_int_equal(srv_service_new(&service, settings, files, second ? 2 : 1, keys, &err), TACIT_E_USAGE);
    assert_null(service);
    assert_string_equal(err.message, message);
}

static void service__rejects_settings_that_make_no_sense(void **state)
{
    static const char names[] = "a model's name has 1 to 64 letters, digits, '-', '_' and '.', and no '.' in front";
    tacit_model *model = make_linear_model(1, 4, 2, true);
    srv_settings fine = {.token_seconds = 60}, odd;
    srv_keys *keys = NULL;

    (void)state;
    assert_int_equal(srv_keys_new(&keys, NULL), TACIT_OK);
    expect_refusal(&fine, "m", NULL, keys, model, "expected a key");
    assert_int_equal(srv_keys_add_random(keys, NULL), TACIT_OK);
    expect_refusal(&fine, "", NULL, keys, model, names);
    expect_refusal(&fine, ".m", NULL, keys, model, names);
    expect_refusal(&fine, "a/b", NULL, keys, model, names);
    expect_refusal(&fine, "m", "m", keys, model, "two models are called m");
    odd = (srv_settings){.token_seconds = 0};
    expect_refusal(&odd, "m", NULL, keys, model, "tokens must be good for more than 0 and at most 10080 minutes");
    odd = (srv_settings){.token_seconds = 60, .delta_max = 0.5};
    expect_refusal(&odd, "m", NULL, keys, model, "delta must be at least 0 and below 0.5");
    odd = (srv_settings){.token_seconds = 60, .delta = 0.2, .delta_max = 0.1};
    expect_refusal(&odd, "m", NULL, keys, model, "delta must be from delta-min to delta-max");
    srv_keys_free(keys);
    tacit_model_free(model);
}

static void *find_worker(void *service)
{
    return srv_worker_mine(service);
}

static srv_worker *worker_of_another_thread(srv_service *service)
{
    pthread_t thread;
    void *worker = NULL;

    assert_int_equal(pthread_create(&thread, NULL, find_worker, service), 0);
    assert_int_equal(pthread_join(thread, &worker), 0);
    return worker;
}

static void service__gives_every_thread_its_worker(void **state)
{
    tacit_model *model = make_linear_model(1, 4, 2, true);
    srv_worker *other;
    test_service t;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    assert_ptr_equal(srv_worker_mine(t.service), t.worker);
    other = worker_of_another_thread(t.service);
    assert_true(other && other != t.worker);
    assert_ptr_equal(worker_of_another_thread(t.service), other); /* left behind by the one before */
    free_service(&t);
    tacit_model_free(model);
}

/* Is there anything but zeros, or something known? */
static void expect_forgotten(const test_service *t)
{
    const srv_model *m = srv_service_model(t->service, 0);
    const srv_workspace *workspace = &t->worker->workspaces[0];

    assert_int_equal(tacit_session_events(workspace->session), 0);
    for (size_t i = 0; i < m->state_size; i++)
        assert_int_equal(workspace->state[i], 0);
    for (size_t a = 0; a < m->n_attributes; a++) {
        assert_false(tacit_person_knows(workspace->person, a));
        assert_false(tacit_person_knows(tacit_session_person(workspace->session), a));
    }
}

static void service__workers_forget_people(void **state)
{
    tacit_model *model = model_with_public();
    test_service t;
    json_t *step;

    (void)state;
    make_service(&t, 1, 0, &model, 1, 0, 0);
    step = call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a1\": 1, \"a2\": 2}}", 200);
    expect_forgotten(&t);
    json_decref(call_json(&t, srv_api_sessions, 0, "{\"public\": {\"a1\": 1, \"a2\": \"x\"}}", 422));
    expect_forgotten(&t);
    json_decref(call_answer(&t, 0, text_of(step, "token"), "a0", "1", 200));
    expect_forgotten(&t);
    json_decref(call_answer(&t, 0, text_of(step, "token"), "a0", "\"x\"", 422));
    expect_forgotten(&t);
    json_decref(step);
    free_service(&t);
    tacit_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(api__steps_are_those_of_a_session),
        cmocka_unit_test(api__steps_are_those_of_a_session_for_networks),
        cmocka_unit_test(api__servers_with_the_same_key_continue_each_other),
        cmocka_unit_test(api__asks_first_for_what_is_public),
        cmocka_unit_test(api__goes_back_by_earlier_tokens),
        cmocka_unit_test(api__tells_what_was_clipped),
        cmocka_unit_test(api__receipts_check_with_the_key_of_the_server),
        cmocka_unit_test(api__describes_the_model),
        cmocka_unit_test(api__lists_models_and_keys),
        cmocka_unit_test(service__names_models_after_their_files),
        cmocka_unit_test(service__rejects_settings_that_make_no_sense),
        cmocka_unit_test(service__gives_every_thread_its_worker),
        cmocka_unit_test(service__workers_forget_people),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
