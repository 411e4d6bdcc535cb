/*
 * Parts of audits: what is written reads back, what is joined equals one audit of everybody, and what does not fit or
 * does not add up is refused with a reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_people.h"
#include "partial.h"

static const double DELTAS[] = {0, 0.1};
static tacit_model *model;

static tacit_audit_options usual(void)
{
    return (tacit_audit_options){
        .deltas = DELTAS, .n_deltas = 2, .threads = 1, .group = "job", .partial = true, .seed = 1};
}

static char *part_text(const char *const *paths, size_t n, const tacit_audit_options *options)
{
    tacit_audit *audit = NULL;
    char *text = NULL;

    assert_int_equal(tacit_audit_files(&audit, model, paths, n, NULL, options, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_partial(&text, audit, NULL, NULL), TACIT_OK);
    tacit_audit_free(audit);
    return text;
}

/* A part as a file. */
static const char *part_file(size_t from, size_t to, const tacit_audit_options *options)
{
    const char *people = people_file(from, to), *path;
    char *text = part_text(&people, 1, options);

    path = scratch_text(text);
    tacit_text_free(text);
    return path;
}

static char *merged_json(const char *const *parts, size_t n)
{
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    char *json = NULL;

    if (tacit_audit_merge(&audit, parts, n, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tacit_audit_json(&json, audit, NULL), TACIT_OK);
    tacit_audit_free(audit);
    return json;
}

static void check_refused(const char *const *parts, size_t n, tacit_status status, const char *reason)
{
    tacit_audit *audit = NULL;
    tacit_error err = {0};

    assert_int_equal(tacit_audit_merge(&audit, parts, n, &err), status);
    assert_null(audit);
    if (!strstr(err.message, reason))
        fail_msg("'%s' does not say '%s'", err.message, reason);
}

static void partial__parts_joined_are_one_audit(void **state)
{
    tacit_audit_options options = usual();
    const char *people[] = {people_file(0, 100), people_file(100, 103), people_file(103, 400)}, *parts[3];
    tacit_audit *audit = NULL;
    char *one = NULL, *joined;

    (void)state;
    assert_int_equal(tacit_audit_files(&audit, model, people, 3, NULL, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_json(&one, audit, NULL), TACIT_OK);
    tacit_audit_free(audit);
    for (size_t i = 0; i < 3; i++) {
        char *text = part_text(&people[i], 1, &options);

        parts[i] = scratch_text(text);
        tacit_text_free(text);
    }
    joined = merged_json(parts, 3);
    assert_string_equal(joined, one);
    tacit_text_free(joined);
    tacit_text_free(one);
}

static void partial__small_in_the_part_large_in_the_whole(void **state)
{
    tacit_audit_options options = usual();
    const char *parts[] = {part_file(0, 30, &options), part_file(30, 60, &options), part_file(60, 90, &options)};
    tacit_audit *audit = NULL;

    (void)state; /* ten of each job in a part, thirty in all */
    assert_int_equal(tacit_audit_merge(&audit, parts, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_summary_get(audit)->n_groups, 3);
    assert_false(tacit_audit_group_shown(audit, 0));
    tacit_audit_free(audit);
    assert_int_equal(tacit_audit_merge(&audit, parts, 3, NULL), TACIT_OK);
    for (size_t g = 0; g < 3; g++)
        assert_true(tacit_audit_group_shown(audit, g));
    assert_string_equal(tacit_audit_group_name(audit, 1), "nurse");
    assert_string_equal(tacit_audit_group_column(audit), "job");
    assert_string_equal(tacit_audit_sensitive_name(audit, 0), "age");
    tacit_audit_free(audit);
}

static void partial__text_reads_back_the_same(void **state)
{
    tacit_audit_options options = usual();
    const char *people = people_file(0, 50);
    char *text = part_text(&people, 1, &options), *again = NULL;
    tacit_audit *audit = NULL;

    (void)state;
    assert_int_equal(tct_partial_read(&audit, text, strlen(text), "part", NULL), TACIT_OK);
    assert_int_equal(tacit_audit_partial(&again, audit, NULL, NULL), TACIT_OK);
    assert_string_equal(text, again);
    tacit_audit_free(audit);
    tacit_text_free(text);
    tacit_text_free(again);
}

static void partial__group_names_of_any_bytes(void **state)
{
    static const char TEXT[] = PEOPLE_HEADER "30,1500.5,clerk,caf\xe9,yes\n40,2500.5,clerk,\xc3\xa9,no\n";
    tacit_audit_options options = usual();
    const char *people = scratch_text(TEXT), *part;
    tacit_audit *audit = NULL;
    char *text;

    (void)state;
    options.group = "note";
    text = part_text(&people, 1, &options);
    assert_non_null(strstr(text, "\"name_hex\": \"636166e9\""));
    part = scratch_text(text);
    assert_int_equal(tacit_audit_merge(&audit, &part, 1, NULL), TACIT_OK);
    assert_string_equal(tacit_audit_group_name(audit, 0), "caf\xe9");
    assert_string_equal(tacit_audit_group_name(audit, 1), "\xc3\xa9");
    tacit_audit_free(audit);
    tacit_text_free(text);
}

static void partial__names_what_differs(void **state)
{
    static const double OTHER[] = {0, 0.2};
    tacit_audit_options options = usual(), other;
    const char *parts[2];
    tacit_model *roles = NULL, *kept = model;

    (void)state;
#define REFUSED(change, reason)                                                                                        \
    do {                                                                                                               \
        model = kept;                                                                                                  \
        parts[0] = part_file(0, 50, &options);                                                                         \
        other = usual();                                                                                               \
        change;                                                                                                        \
        parts[1] = part_file(50, 90, &other);                                                                          \
        check_refused(parts, 2, TACIT_E_INPUT, reason);                                                                \
    } while (0)
    REFUSED(other.deltas = OTHER, ": deltas ");
    REFUSED(other.rule = TACIT_RULE_MARGIN, ": rules ");
    REFUSED(other.group = NULL, ": grouping ");
    REFUSED(other.group = "note", ": grouping ");
    REFUSED(other.no_opt = true, ": smallest sets (Opt) ");
    REFUSED(other.no_needs = true, ": indispensable attributes left out here, counted there");
    REFUSED(other.unknown_as_missing = true, ": treatment of unknown categories ");
    REFUSED(other.seed = 7, ": seed ");
    assert_int_equal(tacit_model_with_roles(&roles, kept, NULL, "age", NULL), TACIT_OK);
    REFUSED(model = roles, ": sensitive attributes income, job here, age, income, job there");
    tacit_model_free(roles);
    roles = people_model(people_file(5, 900));
    REFUSED(model = roles, ": model logistic ");
    tacit_model_free(roles);
    model = kept;
#undef REFUSED
}

static void partial__notices_the_same_people(void **state)
{
    tacit_audit_options options = usual();
    const char *parts[] = {part_file(0, 50, &options), part_file(50, 90, &options), part_file(0, 50, &options)};
    const char *people[] = {people_file(0, 50), people_file(0, 50)};
    tacit_audit *audit = NULL;
    tacit_error err = {0};

    (void)state;
    check_refused(parts, 3, TACIT_E_INPUT, "counts the same people as");
    parts[1] = parts[0];
    check_refused(parts, 2, TACIT_E_INPUT, "counts the same people as");
    assert_int_equal(tacit_audit_files(&audit, model, people, 2, NULL, &options, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "its people would count twice"));
    assert_null(audit);
}

static void partial__refuses_what_is_no_part(void **state)
{
    tacit_audit_options options = usual();
    const char *people = people_file(0, 50), *path;
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    char *json = NULL;

    (void)state;
    options.partial = false;
    assert_int_equal(tacit_audit_csv(&audit, model, people, NULL, &options, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_partial(&json, audit, NULL, &err), TACIT_E_USAGE);
    assert_null(json);
    assert_int_equal(tacit_audit_json(&json, audit, NULL), TACIT_OK);
    tacit_audit_free(audit);
    path = scratch_text(json);
    check_refused(&path, 1, TACIT_E_INPUT, "write parts with tacit audit --partial");
    tacit_text_free(json);
    path = scratch_text("{\"format\": \"tacit-model\"}");
    check_refused(&path, 1, TACIT_E_INPUT, "no part of an audit");
    path = scratch_text("people");
    check_refused(&path, 1, TACIT_E_INPUT, "");
    path = "no/such/file";
    check_refused(&path, 1, TACIT_E_IO, "cannot read no/such/file");
    check_refused(NULL, 0, TACIT_E_USAGE, "nothing to merge");
}

/* The part with the first `old` behind `after` replaced. */
static const char *spoiled(const char *text, const char *after, const char *old, const char *new)
{
    size_t at = 0;
    tct_text out = {0};
    const char *path;

    while (text[at] && strncmp(text + at, after, strlen(after)) != 0)
        at++;
    while (text[at] && strncmp(text + at, old, strlen(old)) != 0)
        at++;
    assert_true(text[at]);
    tct_text_append(&out, text, at);
    tct_text_printf(&out, "%s%s", new, text + at + strlen(old));
    path = scratch_text(out.bytes);
    tct_text_free(&out);
    return path;
}

static void partial__knows_the_people_of_the_calibration(void **state)
{
    static const struct {
        const char *old, *new, *reason;
    } CASES[] = {
        {"\"sha256\": \"", "\"sha256\": \"x", "calibration.sha256: expected 64 hexadecimal digits"},
        {"\"people\": ", "\"people\": -", "calibration.people: "},
        {"\"people\": ", "\"people\": 99999999999999", "calibration.people: more than can be counted"},
        {"\"alpha\": 0", "\"alpha\": 1", "calibration.alpha: expected a number above 0 and below 1"},
        {"\"alpha\"", "\"beta\"", "calibration.alpha: "},
    };
    tacit_audit_options options = usual();
    const char *people[] = {people_file(1000, 1300), people_file(1300, 1500)}, *parts[2], *only;
    tacit_model *kept = model, *calibrated = NULL;
    tacit_table *table = NULL;
    tacit_audit *audit = NULL;
    char *text = NULL;

    (void)state;
    assert_int_equal(tacit_table_read(&table, people[0], NULL, 1, NULL), TACIT_OK);
    assert_int_equal(tacit_model_calibrate(&calibrated, model, table, NULL, NULL), TACIT_OK);
    tacit_table_free(table);
    model = calibrated;
    for (size_t i = 0; i < 2; i++) {
        text = part_text(&people[i], 1, &options);
        parts[i] = scratch_text(text);
        assert_int_equal(tacit_audit_merge(&audit, &parts[i], 1, NULL), TACIT_OK);
        assert_true(tacit_audit_summary_get(audit)->calibrated_with == (i == 0));
        tacit_audit_free(audit);
        if (i == 0)
            tacit_text_free(text);
    }
    assert_int_equal(tacit_audit_merge(&audit, parts, 2, NULL), TACIT_OK);
    assert_true(tacit_audit_summary_get(audit)->calibrated_with);
    tacit_audit_free(audit);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        only = spoiled(text, "\"calibration\"", CASES[i].old, CASES[i].new);
        check_refused(&only, 1, TACIT_E_INPUT, CASES[i].reason);
    }
    tacit_text_free(text);
    tacit_model_free(calibrated);
    model = kept;
}

static void partial__refuses_what_does_not_add_up(void **state)
{
    static const struct {
        const char *after, *old, *new, *reason;
    } CASES[] = {
        {"", "\"version\": 1", "\"version\": 2", "version: expected 1"},
        {"", "\"made_by\": \"", "\"made_by\": \"9", "made by Tacit 9"},
        {"\"model\"", "\"sha256\": \"", "\"sha256\": \"x", "64 hexadecimal digits"},
        {"\"settings\"", "\"all\"", "\"some\"", "expected all, train or held out"},
        {"\"settings\"", "\"error\"", "\"ask\"", "expected error or missing"},
        {"\"settings\"", "true", "1", "expected true or false"},
        {"\"settings\"", "\"seed\": \"1\"", "\"seed\": \"01\"", "expected a whole number from 0"},
        {"\"sensitive\"", "\"attribute\": 1", "\"attribute\": 0", "ascending numbers of attributes"},
        {"\"sensitive\"", "\"name\": \"income\"", "\"name\": \"age\"", "the attribute is there twice"},
        {"\"sensitive\"", "\"cost\": 1", "\"cost\": 0", "expected a number above 0"},
        {"\"promises\"", "0.1", "0.6", "from 0 to below 0.5"},
        {"\"promises\"", "\"stop\"", "\"auto\"", "no rule of this Tacit"},
        {"\"files\"", "\"people\": 90", "\"people\": 89", "fewer people than were counted"},
        {"\"files\"", "\"people\": 90", "\"people\": 91", "more people than were counted"},
        {"\"census\"", "\"people\": 90", "\"people\": 91", "does not add up to the people"},
        {"\"census\"", "\"labelled\": 90", "\"labelled\": 91", "contradict each other"},
        {"\"census\"", "\"labelled\": 90", "\"labelled\": 89", "not about the people of the census"},
        {"\"census\"", "\"clipped\": 0", "\"clipped\": 99999999999999999", "smaller count"},
        {"\"describe\"", "\"sensitive\"", "\"public\"", "not the sensitive attributes that were counted"},
        {"\"describe\"", "\"role\": \"", "\"role\": \"x", "expected public or sensitive"},
        {"\"describe\"", "\"outcome\"", "\"\"", "the name is empty"},
        {"\"describe\"", "\"about\": {}", "\"about\": []", "expected an object"},
        {"\"quality\"", "\"decisions\": [0", "\"decisions\": [1", "does not add up to the people"},
        {"\"quality\"", "\"decisions\": [0", "\"decisions\": [0, 0", "counts, not"},
        {"\"results\"", "\"people\": 90", "\"people\": 89", "from 0 to 89"},
        {"\"results\"", "\"agree\": 90", "\"agree\": 91", "contradict each other"},
        {"\"results\"", "\"asked\": [", "\"asked\": [0, ", "counts, not"},
        {"\"dimensions\"", "\"clerk\"", "\"nurse\"", "the value is there twice"},
        {"\"dimensions\"", "\"name\"", "\"name_hex\"", "expected a name in hexadecimal"},
        {"\"groups\"", "\"values\": [1]", "\"values\": [0]", "the group is there twice"},
        {"\"groups\"", "\"values\": [1]", "\"values\": [3]", "a value that is not in the list"},
        {"\"settings\"", "\"decided\"", "\"seen\"", "expected decided, tried or none"},
        {"\"settings\"", "\"decided\"", "\"none\"", "from 0 to 0"},
        {"\"results\"", "\"indispensable\": [", "\"indispensable\": [0, ", "counts, not"},
        {"\"results\"", "\"undecided\": [0", "\"undecided\": [1", "contradict each other"},
        {"\"results\"", "\"spare\": [", "\"spare\": [8", "contradict each other"},
        {"\"results\"", "\"spare_people\": ", "\"spare_people\": 7", "contradict each other"},
        {"\"groups\"", "\"indispensable\": [", "\"indispensable\": [1", ""},
        {"\"groups\"", "\"agree\": 30", "\"agree\": 29", "do not add up to everybody"},
    };
    tacit_audit_options options = usual();
    const char *people = people_file(0, 90);
    char *text = part_text(&people, 1, &options);

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *path = spoiled(text, CASES[i].after, CASES[i].old, CASES[i].new);

        check_refused(&path, 1, TACIT_E_INPUT, CASES[i].reason);
    }
    tacit_text_free(text);
}

static int prepare(void **state)
{
    (void)state;
    model = people_model(people_file(0, 1000));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    tacit_model_free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial__parts_joined_are_one_audit),
        cmocka_unit_test(partial__small_in_the_part_large_in_the_whole),
        cmocka_unit_test(partial__text_reads_back_the_same),
        cmocka_unit_test(partial__group_names_of_any_bytes),
        cmocka_unit_test(partial__names_what_differs),
        cmocka_unit_test(partial__notices_the_same_people),
        cmocka_unit_test(partial__refuses_what_is_no_part),
        cmocka_unit_test(partial__knows_the_people_of_the_calibration),
        cmocka_unit_test(partial__refuses_what_does_not_add_up),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
