/*
 * Smallest sets of a sample that an audit of many people takes by itself: the same people whoever counts, in whatever
 * parts, and a mean that is near everybody's.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "make_people.h"
#include "make_team.h"
#include "opt_sample.h"
#include "scale.h"

enum { EDGE = TCT_OPT_PEOPLE, MANY = 3 * TCT_OPT_PEOPLE };

static const double DELTA = 0;
static const char *files[4]; /* few people, enough of them to be a sample already, the rest; and all of them */
static tacit_model *model;

static tacit_audit_options usual(size_t threads)
{
    return (tacit_audit_options){.size = sizeof(tacit_audit_options),
                                 .deltas = &DELTA,
                                 .n_deltas = 1,
                                 .threads = threads,
                                 .no_needs = true,
                                 .partial = true};
}

static char *audited(const char *const *paths, size_t n, const tacit_audit_options *options, tacit_audit **kept)
{
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    char *json = NULL;

    if (tacit_audit_files(&audit, model, paths, n, NULL, options, &err))
        fail_msg("%s", err.message);
    assert_int_equal(tacit_audit_json(&json, audit, NULL), TACIT_OK);
    if (kept)
        *kept = audit;
    else
        tacit_audit_free(audit);
    return json;
}

static char *part_of(const char *path, size_t threads)
{
    tacit_audit_options options = usual(threads);
    tacit_audit *audit = NULL;
    char *text = NULL;

    tacit_text_free(audited(&path, 1, &options, &audit));
    assert_int_equal(tacit_audit_partial(&text, audit, NULL, NULL), TACIT_OK);
    tacit_audit_free(audit);
    return text;
}

static void opt_sample__octaves_halve(void **state)
{
    size_t counts[TCT_OCTAVES] = {0}, n = 1 << 16;
    double person[2] = {0.25, -3};

    (void)state;
    for (size_t row = 0; row < n; row++)
        counts[tct_opt_octave(row, person, 2)]++; /* people who are alike, in different rows */
    for (size_t k = 0; k < 8; k++) {
        double p = ldexp(1, -(int)k - 1), error = sqrt(p * (1 - p) * (double)n);

        assert_true(fabs((double)counts[k] - p * (double)n) < 5 * error);
    }
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < n; i++) {
        person[1] = (double)i;
        counts[tct_opt_octave(1, person, 2)]++; /* the first rows of many files */
    }
    assert_true(fabs((double)counts[0] - (double)n / 2) < 5 * sqrt((double)n) / 2);
}

static void opt_sample__level_by_people(void **state)
{
    (void)state;
    assert_int_equal(tct_opt_level(0), 0);
    assert_int_equal(tct_opt_level(EDGE), 0);
    assert_int_equal(tct_opt_level(EDGE + 1), 1);
    assert_int_equal(tct_opt_level(2 * EDGE), 1);
    assert_int_equal(tct_opt_level(2 * EDGE + 1), 2);
    assert_int_equal(tct_opt_level(UINT64_MAX), TCT_OCTAVES - 1);
}

static void opt_sample__near_everybody(void **state)
{
    tacit_audit_options options = usual(2), all = options;
    const tacit_audit_summary *some, *whole;
    tacit_audit *sampled, *everybody;

    (void)state;
    all.opt_share = 1;
    tacit_text_free(audited(&files[3], 1, &options, &sampled));
    tacit_text_free(audited(&files[3], 1, &all, &everybody));
    some = tacit_audit_summary_get(sampled);
    whole = tacit_audit_summary_get(everybody);
    assert_int_equal(whole->opt_people, MANY);
    assert_true(whole->opt_error == 0);
    assert_true(some->opt_people > EDGE / 2 && some->opt_people < EDGE); /* three quarters of it, about */
    assert_true(some->opt_error > 0 && some->opt_error < 0.05);
    assert_true(fabs(some->opt_mean_asked - whole->opt_mean_asked) < 5 * some->opt_error);
    tacit_audit_free(sampled);
    tacit_audit_free(everybody);
    tacit_text_free(audited(&files[0], 1, &options, &sampled)); /* not many: everybody */
    assert_int_equal(tacit_audit_summary_get(sampled)->opt_people, tacit_audit_summary_get(sampled)->people);
    tacit_audit_free(sampled);
}

/* People with clipped cells are walked twice where decisions differ, and are one each. */
static void opt_sample__clipped_people_count_once(void **state)
{
    const double delta = 0.4;
    tacit_audit_options options = usual(1);
    tacit_audit *audit;
    tct_text text = {0};
    const char *path;

    (void)state;
    options.deltas = &delta;
    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, 0, EDGE / 2);
    for (size_t i = 0; i < EDGE / 2; i++)
        tct_text_printf(&text, "%zu,%zu.5,nurse,,yes\n", 20 + i * 37 % 45, i % 2 ? 1000 + i : 9000 + i);
    path = scratch_bytes(text.bytes, text.size);
    tct_text_free(&text);
    tacit_text_free(audited(&path, 1, &options, &audit));
    assert_true(tacit_audit_summary_get(audit)->clipped > 0);
    assert_true(tacit_audit_result_get(audit, 0)->fidelity < 1);
    assert_int_equal(tacit_audit_summary_get(audit)->people, EDGE);
    assert_int_equal(tacit_audit_summary_get(audit)->opt_people, EDGE);
    tacit_audit_free(audit);
}

static char *team_json;
static void audit_member(const tacit_team *team, void *context)
{
    tacit_audit_options options = usual(2);
    tacit_audit *audit = NULL;
    size_t n = *(const size_t *)context;

    options.team = team;
    if (tacit_audit_files(&audit, model, n == 1 ? &files[3] : files, n, NULL, &options, NULL))
        abort();
    if (audit && tacit_audit_json(&team_json, audit, NULL))
        abort();
    tacit_audit_free(audit);
}

static void opt_sample__same_bytes_whoever_counts(void **state)
{
    size_t one_file = 1, three = 3;
    tacit_audit_options options = usual(1);
    char *alone = audited(&files[3], 1, &options, NULL), *parts[2], *again;

    (void)state;
    assert_non_null(strstr(alone, "\"share\": 0.25"));
    options.threads = 4;
    again = audited(&files[3], 1, &options, NULL);
    assert_string_equal(again, alone);
    tacit_text_free(again);
    run_team(3, audit_member, &one_file);
    assert_string_equal(team_json, alone);
    tacit_text_free(team_json);
    tacit_text_free(alone);
    alone = audited(files, 3, &options, NULL);
    run_team(2, audit_member, &three);
    assert_string_equal(team_json, alone);
    tacit_text_free(team_json);
    tacit_text_free(alone);
    for (size_t i = 0; i < 2; i++)
        parts[i] = part_of(files[3], 1 + 3 * i);
    assert_string_equal(parts[0], parts[1]);
    for (size_t i = 0; i < 2; i++)
        tacit_text_free(parts[i]);
}

static void opt_sample__parts_joined_are_one_audit(void **state)
{
    tacit_audit_options options = usual(2);
    char *one = audited(files, 3, &options, NULL), *texts[3], *joined = NULL;
    size_t sizes[3];
    tacit_audit *audit = NULL;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        texts[i] = part_of(files[i], 2);
        sizes[i] = strlen(texts[i]);
    }
    assert_int_equal(tacit_audit_merge_texts(&audit, (const char *const *)texts, sizes, 3, NULL), TACIT_OK);
    assert_int_equal(tacit_audit_json(&joined, audit, NULL), TACIT_OK);
    assert_string_equal(joined, one);
    tacit_audit_free(audit);
    tacit_text_free(joined);
    tacit_text_free(one);
    for (size_t i = 0; i < 3; i++)
        tacit_text_free(texts[i]);
}

/* A part whose counts by octave are wrong: the first `old` behind "opt_octaves" replaced. */
static void check_spoiled(const char *text, const char *old, const char *new, const char *reason)
{
    const char *found = strstr(text, "\"opt_octaves\"");
    tct_text wrong = {0};
    tacit_audit *audit = NULL;
    tacit_error err = {0};

    assert_non_null(found);
    found = strstr(found, old);
    assert_non_null(found);
    tct_text_append(&wrong, text, (size_t)(found - text));
    tct_text_printf(&wrong, "%s%s", new, found + strlen(old));
    assert_int_equal(tacit_audit_merge_texts(&audit, (const char *const *)&wrong.bytes, &wrong.size, 1, &err),
                     TACIT_E_INPUT);
    if (!strstr(err.message, reason))
        fail_msg("'%s' does not say '%s'", err.message, reason);
    tct_text_free(&wrong);
}

static void opt_sample__refuses_what_does_not_add_up(void **state)
{
    char *text = part_of(files[1], 1);

    (void)state;
    check_spoiled(text, "\"octave\": 1", "\"octave\": 0", "not one that counts");
    check_spoiled(text, "\"octave\": 1", "\"octave\": 32", "not one that counts");
    check_spoiled(text, "\"octave\": 2", "\"octave\": 1", "do not add up");
    check_spoiled(text, "\"inexact\": 0", "\"inexact\": 99999", "contradict each other");
    check_spoiled(text, "\"inexact\": 0", "\"inexact\": 1", "do not add up");
    check_spoiled(text, "\"histogram\": [", "\"histogram\": [1", "do not add up");
    check_spoiled(text, "\"members\": [", "\"members\": [1, ", "counts, not");
    check_spoiled(text, "[", "{}, \"x\": [", "expected a list");
    tacit_text_free(text);
}

/* Every few allocations one fails while people are counted by octave, while a part is written, and while it is read. */
static void opt_sample__survives_lack_of_memory(void **state)
{
    tacit_audit_options options = usual(1);
    uint64_t total = 0;

    (void)state;
    for (uint64_t n = 0; n == 0 || n <= total; n += 1 + total / scaled(150)) {
        tacit_audit *audit = NULL, *again = NULL;
        char *text = NULL;
        size_t size;
        tacit_status st;

        tct_memory_fail_at(n, false);
        st = tacit_audit_files(&audit, model, files, 1, NULL, &options, NULL);
        if (!st)
            st = tacit_audit_partial(&text, audit, NULL, NULL);
        size = text ? strlen(text) : 0;
        if (!st)
            st = tacit_audit_merge_texts(&again, (const char *const *)&text, &size, 1, NULL);
        total = n == 0 ? tct_memory_count() : total;
        tct_memory_fail_at(0, false);
        assert_int_equal(st, n == 0 ? TACIT_OK : TACIT_E_MEMORY);
        assert_true((st == TACIT_OK) == (again != NULL));
        tacit_text_free(text);
        tacit_audit_free(audit);
        tacit_audit_free(again);
    }
}

static int prepare(void **state)
{
    tacit_fit_options fit = {
        .kind = "mlp", .hidden = "3", .epochs = 3, .l2 = 1, .test_share = 0.3, .seed = 1, .threads = 1};

    (void)state;
    files[0] = people_file(0, 100);
    files[1] = people_file(100, 100 + EDGE + 50);
    files[2] = people_file(100 + EDGE + 50, MANY);
    files[3] = people_file(0, MANY);
    model = people_model_of(people_file(0, 1000), fit);
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
        cmocka_unit_test(opt_sample__octaves_halve),
        cmocka_unit_test(opt_sample__level_by_people),
        cmocka_unit_test(opt_sample__near_everybody),
        cmocka_unit_test(opt_sample__clipped_people_count_once),
        cmocka_unit_test(opt_sample__same_bytes_whoever_counts),
        cmocka_unit_test(opt_sample__parts_joined_are_one_audit),
        cmocka_unit_test(opt_sample__refuses_what_does_not_add_up),
        cmocka_unit_test(opt_sample__survives_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, prepare, clean_up);
}
