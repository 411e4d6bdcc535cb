/*
 * test_evidence_page.c -- the report of an audit: every sentence true for extreme documents, names that are markup, both
 * languages, and what a document does not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parts.h"

/* A document; %s places: people, results, more members (each begins with a comma). */
#define RESULT(delta, people, none, asked, fidelity, failure)                                                          \
    "{\"delta\":" delta ",\"rule\":\"stop\",\"people\":" people ",\"mean_asked\":" asked ",\"share_asked\":" asked     \
    ",\"mean_cost\":" asked ",\"none_asked\":" none ",\"fidelity\":" fidelity                                          \
    ",\"accuracy\":null,\"histogram\":[0," people "],\"asked_people\":{\"<b>&\\\"'\":" people                          \
    "},\"settled\":{\"certain\":" people ",\"likely\":0,\"all_revealed\":0},\"intervals\":{\"mean_asked\":[0,1],"      \
    "\"fidelity\":[0,1]},\"failure\":" failure "}"
#define DOCUMENT(people, results, more)                                                                                \
    "{\"format\":\"tacit-audit\",\"version\":1,\"made_by\":\"t\",\"model\":{\"kind\":\"logistic\",\"sha256\":\"00\"}," \
    "\"people\":" people ",\"labelled\":0,\"sensitive\":[\"x\"],\"attributes\":[{\"name\":\"<b>&\\\"'\",\"cost\":1}]," \
    "\"baseline\":{\"mean_asked\":1,\"accuracy\":null},\"cells\":{\"clipped\":0,\"missing\":0,\"unknown\":0},"         \
    "\"results\":[" results "],\"data\":{\"files\":[],\"sha256\":[],\"part\":\"all\"}" more "}"
#define NOBODY "{\"promised\":0.05,\"observed\":null,\"low\":null,\"high\":null,\"people\":0,\"failed\":0}"
#define ALL_GAVE                                                                                                       \
    "{\"promised\":0,\"observed\":null,\"low\":null,\"high\":null,\"people\":0,\"failed\":0,\"state\":\"kept\"}"
#define PROVEN "{\"promised\":0,\"observed\":0,\"low\":0,\"high\":0.5,\"people\":1,\"failed\":0,\"state\":\"kept\"}"
#define UNSHOWN                                                                                                        \
    "{\"promised\":0.05,\"observed\":0.078,\"low\":0.0495,\"high\":0.116,\"people\":282,\"failed\":22,\"state\":"      \
    "\"not shown\",\"more_people\":400}"
#define BROKEN                                                                                                         \
    "{\"promised\":0.05,\"observed\":0.2,\"low\":0.15,\"high\":0.25,\"people\":282,\"failed\":56,\"state\":"           \
    "\"broken\"}"

static char *page_of(const char *document, const char *lang)
{
    json_t *json = NULL;
    char *page = NULL;

    assert_int_equal(tct_json_parse(&json, document, strlen(document), "test", NULL), TACIT_OK);
    assert_int_equal(tct_page_of_audit(&page, json, "{}", lang, 200, NULL), TACIT_OK);
    json_decref(json);
    return page;
}

static void assert_has(const char *document, const char *lang, const char *words, bool there)
{
    char *page = page_of(document, lang);

    if ((strstr(page, words) != NULL) != there)
        fail_msg("%s: %s", there ? "not said" : "said", words);
    tct_free(page);
}

static void page__says_the_state_of_a_promise(void **state)
{
    static const char unshown[] = DOCUMENT("300", RESULT("0.05", "300", "0", "1", "0.93", UNSHOWN), "");
    static const char broken[] = DOCUMENT("300", RESULT("0.05", "300", "0", "1", "0.8", BROKEN), "");
    static const char nobody[] = DOCUMENT("1", RESULT("0.05", "1", "0", "1", "1", NOBODY), "");
    static const char proven[] = DOCUMENT("1", RESULT("0", "1", "0", "1", "1", PROVEN), "");

    static const char all_gave[] = DOCUMENT("1", RESULT("0", "1", "0", "1", "1", ALL_GAVE), "");

    (void)state;
    assert_has(all_gave, "en", "everybody gave everything, so no decision can differ", true);
    assert_has(all_gave, "en", "nothing to judge the promise by", false);
    assert_has(all_gave, "de", "Alle gaben alles an", true);
    assert_has(unshown, "en", "the promise is not shown to be kept: another decision for 22 of 282 people", true);
    assert_has(unshown, "en", "400 more people stopped early", true);
    assert_has(unshown, "en", "0.05 the promise is kept", false);
    assert_has(broken, "en", "the promise is broken: another decision for 56 of 282 people", true);
    assert_has(broken, "de", "ist das Versprechen gebrochen", true);
    assert_has(nobody, "en", "nobody was stopped early, so there is nothing to judge the promise by", true);
    assert_has(proven, "en", "the promise is kept: no other decision (1 person stopped with a proof)", true);
    assert_has(proven, "en", "50.000", false); /* what is proven has no interval */
}

static void page__tells_none_from_some_and_all(void **state)
{
    static const char none[] = DOCUMENT("2", RESULT("0", "2", "1", "0", "1", PROVEN), "");
    static const char all[] = DOCUMENT("2", RESULT("0", "2", "0", "1", "1", PROVEN), "");
    static const char few[] = DOCUMENT("100000", RESULT("0", "100000", "0.00001", "1", "1", PROVEN), "");

    (void)state;
    assert_has(none, "en", "sensitive attributes on average; nobody is asked for any.", true);
    assert_has(all, "en", "everybody is asked for at least one", true);
    assert_has(few, "en", "less than 0.1\xc2\xa0% of people are asked for none", true);
    assert_has(few, "de", "weniger als 0,1\xe2\x80\xaf% der Personen werden nach keinem gefragt", true);
}

static void page__writes_names_as_text(void **state)
{
    static const char document[] = DOCUMENT("2", RESULT("0", "2", "0", "1", "1", PROVEN),
                                            ",\"about\":{\"purpose\":\"<script>alert(1)</script>\"}");

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *page = page_of(document, i ? "de" : "en");

        assert_null(strstr(page, "<b>&\""));
        assert_null(strstr(page, "<script>alert"));
        assert_non_null(strstr(page, "&lt;b&gt;&amp;&quot;&#39;"));
        assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert_non_null(strstr(page, "default-src 'none'; script-src 'sha256-"));
        assert_null(strstr(page, "unsafe-inline"));
        tct_free(page);
    }
}

static void page__shows_what_is_not_stated(void **state)
{
    static const char document[] = DOCUMENT("2", RESULT("0", "2", "0", "1", "1", PROVEN), "");

    (void)state;
    assert_has(document, "en", "<dt>Legal basis</dt><dd><span class=\"empty\">not stated</span>", true);
    assert_has(document, "de", "<dt>Rechtsgrundlage</dt><dd><span class=\"empty\">nicht angegeben</span>", true);
    assert_has(document, "en", "The file has no known outcomes", true);
    assert_has(document, "en", "It is not known what the model was trained on", true);
}

static void page__points_out_a_useless_model(void **state)
{
    static const char document[] =
        DOCUMENT("2", RESULT("0", "2", "0", "1", "1", PROVEN),
                 ",\"label\":{\"name\":\"y\",\"classes\":[{\"name\":\"no\",\"decided\":2,\"share_decided\":1},"
                 "{\"name\":\"yes\",\"decided\":0,\"share_decided\":0}]}");

    (void)state;
    assert_has(document, "en", "Everybody counted here gets the same decision, “no”", true);
    assert_has(document, "en", "class=\"warning\"", true);
    assert_has(document, "de", "Alle hier Gezählten bekommen dieselbe Entscheidung, „no“", true);
}

#define GROUP(name, names, pooled)                                                                                     \
    "{\"name\":\"" name "\",\"names\":[" names "],\"people\":50,\"pooled\":" pooled                                    \
    ",\"results\":[{\"delta\":0,\"mean_asked\":1,\"fidelity\":1,\"failure\":" PROVEN "}]}"
#define GROUPED(bins)                                                                                                  \
    DOCUMENT(                                                                                                          \
        "150", RESULT("0", "150", "0", "1", "1", PROVEN),                                                              \
        ",\"groupings\":[{\"columns\":[\"k\",\"age\"],\"bins\":[null," bins                                            \
        "],\"list\":[" GROUP("below 7 * below 38.5", "\"below 7\",\"below 38.5\"", "false") "," GROUP(                 \
            "b * 38.5 to below 60", "\"b\",\"38.5 to below 60\"",                                                      \
            "false") "," GROUP("b * 60 and above", "\"(missing)\",\"60 and above\"",                                   \
                               "false") "," GROUP("all other groups", "",                                              \
                                                  "true") "],"                                                         \
                                                          "\"suppressed\":2,\"pooled_groups\":2,\"least_people\":20,"  \
                                                          "\"differences\":[{\"figure\":\"accuracy\","                 \
                                                          "\"delta\":0,\"high\":{\"name\":\"b * 38.5 to below "        \
                                                          "60\",\"value\":0.9},\"low\":{\"name\":"                     \
                                                          "\"all other "                                               \
                                                          "groups\",\"value\":0.7},\"difference\":0.2,\"low_end\":0."  \
                                                          "1,\"high_end\":0.3,"                                        \
                                                          "\"beyond_noise\":true}]}]")

/* Bins are ours and are translated; a value that reads like one is not.  Shares differ by percentage points. */
static void page__names_groups_in_its_language(void **state)
{
    static const char document[] = GROUPED("[38.5,60]"), values[] = GROUPED("null");

    (void)state;
    assert_has(document, "de", "below 7 × unter 38,5", true);
    assert_has(document, "de", "(fehlt) × ab 60", true);
    assert_has(document, "de",
               "90,0\xe2\x80\xaf% (b × 38,5 bis unter 60) gegenüber 70,0\xe2\x80\xaf% (alle übrigen Gruppen", true);
    assert_has(document, "de", "Unterschied von 20,0 Prozentpunkten", true);
    assert_has(document, "de", "all other groups</td>", false);
    assert_has(document, "en", "below 7 × below 38.5", true);
    assert_has(document, "en", "The difference of 20.0 percentage points", true);
    assert_has(values, "de", "below 7 × below 38.5", true);
}

static void page__tells_quality_without_alarm(void **state)
{
#define COLUMN(psi, chance) "{\"missing_share\":0,\"psi\":" psi ",\"psi_by_chance\":" chance "}"
    static const char document[] = DOCUMENT(
        "40", RESULT("0", "40", "0", "1", "1", PROVEN),
        ",\"quality\":{\"luck\":" COLUMN("0.4", "0.3") ",\"moved\":" COLUMN("0.6", "0.3") ",\"few\":" COLUMN(
            "null", "null") "},\"quality_people\":{\"clipped\":{\"people\":1,\"share\":0.025,\"accuracy\":null},"
                            "\"missing\":{\"people\":0,\"share\":0,\"accuracy\":null}}");

    (void)state;
    assert_has(document, "en", "people unlike those of the training data: moved.", true);
    assert_has(document, "en", "1 person had at least one value outside its domain.", true);
    assert_has(document, "en", "had at least one value missing", false);
    assert_has(document, "en", "or too few people", true);
    assert_has(document, "de", "Bei 1 Person lag mindestens ein Wert außerhalb seines Bereichs.", true);
}

static void page__knows_an_imported_models_reference(void **state)
{
#define ORIGIN(origin) "\"origin\":\"" origin "\""
#define TOUCHED(own)                                                                                                   \
    "\"fidelity_unclipped\":0.875,\"quality_people\":{\"clipped\":{\"people\":30,\"fidelity\":0.9" own                 \
    "},\"missing\":{\"people\":0,\"fidelity\":null}},\"delta\":"
    static const char document[] =
        "{\"format\":\"tacit-audit\",\"version\":1,\"made_by\":\"t\",\"model\":{\"kind\":\"linear\",\"sha256\":"
        "\"00\"," ORIGIN(
            "imported") "},\"people\":60,\"labelled\":0,\"sensitive\":[\"x\"],\"attributes\":[{\"name\":\"x\",\"cost\":"
                        "1}],"
                        "\"baseline\":{\"mean_asked\":1,\"accuracy\":null},\"cells\":{\"clipped\":30,\"missing\":0,"
                        "\"unknown\":0},\"quality\":{\"x\":" COLUMN("0.9", "0.1") "},\"results\":[{" TOUCHED(
                            ",\"fidelity_unclipped\":0.75") "0,\"rule\":\"stop\",\"people\":60,\"mean_asked\":1,\"none_"
                                                            "asked\":0,"
                                                            "\"fidelity\":1,\"histogram\":[0,60],\"failure\":" PROVEN
                                                            "}],\"data\":{\"files\":[],\"sha256\":[],\"part\":\"all\"}"
                                                            "}";

    (void)state;
    assert_has(document, "en", "people unlike those of the data that the model was imported with: x.", true);
    assert_has(document, "en", "training data: x", false);
    assert_has(document, "en", "own, outside domain", true);
    assert_has(document, "en", "75.00", true);
    assert_has(document, "en", "it was trained so", false);
    assert_has(document, "de", "eigene, außerhalb", true);
}

static void page__has_every_remark_in_its_language(void **state)
{
#define REMARK(kind, columns) "{\"kind\":\"" kind "\",\"columns\":[" columns "],\"text\":\"English words\"}"
    static const char document[] = DOCUMENT(
        "40", RESULT("0", "40", "0", "1", "1", PROVEN),
        ",\"remarks\":[" REMARK("missing_markers", "\"a\",\"b\"") "," REMARK("decimal", "") "," REMARK(
            "renamed",
            "\"a"
            "\"") "," REMARK("untrained_levels",
                             "\"a\"") "," REMARK("mostly_missing",
                                                 "\"a\"") "," REMARK("stray_text",
                                                                     "\"a\"") "," REMARK("written_numbers",
                                                                                         "\"b\"") "," REMARK("leading_"
                                                                                                             "zeros",
                                                                                                             "\"a\"") "," REMARK("date",
                                                                                                                                 "\"applied\"") "," REMARK("mor"
                                                                                                                                                           "e",
                                                                                                                                                           "") "]");
    static const char other[] =
        DOCUMENT("40", RESULT("0", "40", "0", "1", "1", PROVEN), ",\"remarks\":[" REMARK("new", "") "]");

    (void)state;
    assert_has(document, "de", "<li>English words", false);
    assert_has(document, "de", ": English words", false);
    assert_has(document, "de", "galten als fehlend in a und b.", true);
    assert_has(document, "en", "applied holds dates and was left out.", true);
    assert_has(other, "en", "<li>English words</li>", true);
}

static void page__says_when_memory_is_short(void **state)
{
    static const char document[] = DOCUMENT("2", RESULT("0", "2", "0", "1", "1", PROVEN), "");
    json_t *json = NULL;

    (void)state;
    assert_int_equal(tct_json_parse(&json, document, strlen(document), "test", NULL), TACIT_OK);
    for (uint64_t n = 1;; n++) {
        char *page = NULL;
        tacit_status st;

        tct_memory_fail_at(n, false);
        st = tct_page_of_audit(&page, json, "{}", "en", 200, NULL);
        tct_memory_fail_at(0, false);
        tct_free(page);
        if (st == TACIT_OK)
            break;
        assert_int_equal(st, TACIT_E_MEMORY);
        assert_null(page);
    }
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page__says_the_state_of_a_promise),
        cmocka_unit_test(page__tells_none_from_some_and_all),
        cmocka_unit_test(page__writes_names_as_text),
        cmocka_unit_test(page__shows_what_is_not_stated),
        cmocka_unit_test(page__points_out_a_useless_model),
        cmocka_unit_test(page__says_when_memory_is_short),
        cmocka_unit_test(page__names_groups_in_its_language),
        cmocka_unit_test(page__tells_quality_without_alarm),
        cmocka_unit_test(page__knows_an_imported_models_reference),
        cmocka_unit_test(page__has_every_remark_in_its_language),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
