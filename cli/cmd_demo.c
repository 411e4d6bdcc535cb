/*
 * cmd_demo.c -- tacit demo: made-up loan applicants, a model trained on them, an audit of those it has never seen, and
 * one of them asked step by step.  Everything else it calls is what the other commands call.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit_view.h"
#include "cli.h"
#include "commands.h"
#include "describe.h"
#include "sample_loans.h"
#include "terminal.h"

typedef struct demo_settings {
    const char *keep;
    size_t people, threads;
    uint64_t seed;
    bool quiet;
} demo_settings;

enum { NARROW = 80 }; /* columns below which lines are broken */

/* Files of a demonstration; `rows` is only looked into and never kept. */
enum { FILE_DATA, FILE_MODEL, FILE_AUDIT, FILE_REPORT, FILE_ROWS, FILE_COUNT };
static const char *const file_names[FILE_COUNT] = {"loans.csv", "loans.tacit", "audit.json", "report.html",
                                                   ".rows.csv"};

typedef struct demo {
    const demo_settings *settings;
    char *folder;
    bool keep;
    char *files[FILE_COUNT];
    tacit_model *model;
    tacit_audit *audit;
} demo;

static const double deltas[] = {0, 0.05, 0.1};

static int open_folder(demo *d, const char *keep)
{
    const char *root = getenv("TMPDIR");

    d->keep = keep != NULL;
    d->folder = keep ? cli_format("%s", keep) : cli_format("%s/tacit-demo-XXXXXX", root && *root ? root : "/tmp");
    if (keep ? mkdir(d->folder, 0777) && errno != EEXIST : mkdtemp(d->folder) == NULL)
        return cli_complain(CLI_INPUT, "cannot make the folder %s: %s", d->folder, strerror(errno));
    for (size_t i = 0; i < FILE_COUNT; i++) {
        d->files[i] = cli_format("%s/%s", d->folder, file_names[i]);
        if (!keep || i == FILE_ROWS)
            cli_leave_behind(d->files[i]);
    }
    if (!keep)
        cli_leave_behind(d->folder);
    return CLI_DONE;
}

static void close_folder(demo *d)
{
    cli_leave_nothing_behind();
    for (size_t i = 0; i < FILE_COUNT; i++) {
        if (d->files[i] && (!d->keep || i == FILE_ROWS))
            unlink(d->files[i]);
        free(d->files[i]);
    }
    if (d->folder && !d->keep)
        rmdir(d->folder);
    free(d->folder);
}

static void say_title(const char *text)
{
    printf("\n%s%s%s\n", term_on(STYLE_ACCENT), text, term_on(STYLE_PLAIN));
}

static void say(const char *text)
{
    fputs("  ", stdout);
    term_wrap(stdout, 2, 2, term.width - 1, text);
}

static void say_and_free(char *text)
{
    char *clean = term_clean(text, 0);

    say(clean);
    free(clean);
    free(text);
}

/* ---- 1: made-up people and a model ---- */

static int make_data(demo *d)
{
    tacit_error err = {0};
    size_t size = 0;
    char *text = sample_loans(d->settings->seed, d->settings->people, &size);
    tacit_status status = tacit_file_write(d->files[FILE_DATA], text, size, &err);

    free(text);
    return status ? cli_fail(&err) : CLI_DONE;
}

static int make_model(demo *d)
{
    tacit_infer_options infer = {
        .label = sample_label, .public_ = sample_public, .test_share = 0.3, .seed = d->settings->seed};
    tacit_fit_options fit = {
        .test_share = 0.3, .seed = d->settings->seed, .threads = d->settings->threads, .progress = progress_step};
    tacit_csv_options csv = {0};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    term_progress progress;
    tacit_error err = {0};
    tacit_status status;

    progress_start(&progress, "training", d->settings->quiet);
    fit.progress_context = &progress;
    status = tacit_table_read(&table, d->files[FILE_DATA], &csv, d->settings->threads, &err);
    if (status == TACIT_OK)
        status = tacit_schema_infer(&schema, table, &infer, &err);
    if (status == TACIT_OK)
        status = tacit_schema_set_texts(schema, sample_texts, &err);
    if (status == TACIT_OK)
        status = tacit_fit(&d->model, table, schema, &fit, &err);
    progress_end(&progress);
    if (status == TACIT_OK)
        status = tacit_model_save(d->model, d->files[FILE_MODEL], &err);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return status ? cli_fail(&err) : CLI_DONE;
}

static void tell_model(const demo *d)
{
    const tacit_model_info *info = tacit_model_info_get(d->model);
    char people[32], train[32], test[32], share[24];

    term_count(d->settings->people, people, sizeof(people));
    term_count(info->train_rows, train, sizeof(train));
    term_count(info->test_rows, test, sizeof(test));
    term_percent(info->test_accuracy, 1, share, sizeof(share));
    say_title("1. A model");
    say_and_free(cli_format(
        "%s loan applicants who do not exist, %zu attributes each. A lender knows three of them from the request "
        "(%s); the others are sensitive. A %s model, trained on %s people, is right about %s of the other %s: "
        "will the loan be repaid?",
        people, tacit_schema_attributes(tacit_model_schema(d->model)), "region, loan_amount, loan_term", info->kind,
        train, share, test));
}

/* ---- 2: the audit ---- */

static int run_audit(demo *d)
{
    tacit_audit_options options = {.deltas = deltas,
                                   .n_deltas = sizeof(deltas) / sizeof(*deltas),
                                   .threads = d->settings->threads,
                                   .rows_path = d->files[FILE_ROWS],
                                   .part = TACIT_PART_HELD_OUT,
                                   .seed = d->settings->seed,
                                   .progress = progress_step};
    /* As `tacit audit` would have written it, so that everybody can make the same file again. */
    tacit_audit_provenance about = {.files = (const char *const *)&d->files[FILE_DATA],
                                    .n_files = 1,
                                    .command = "tacit audit loans.tacit loans.csv --held-out"};
    tacit_csv_options csv = {0};
    term_progress progress;
    tacit_error err = {0};
    char *json = NULL, *page = NULL;
    tacit_status status;

    progress_start(&progress, "auditing", d->settings->quiet);
    options.progress_context = &progress;
    status = tacit_audit_csv(&d->audit, d->model, d->files[FILE_DATA], &csv, &options, &err);
    progress_end(&progress);
    if (status == TACIT_OK)
        status = tacit_audit_json_about(&json, d->audit, &about, &err);
    if (status == TACIT_OK)
        status = tacit_file_write(d->files[FILE_AUDIT], json, strlen(json), &err);
    if (status == TACIT_OK)
        status = tacit_audit_html(&page, d->audit, &about, &err);
    if (status == TACIT_OK)
        status = tacit_file_write(d->files[FILE_REPORT], page, strlen(page), &err);
    tacit_text_free(page);
    tacit_text_free(json);
    return status ? cli_fail(&err) : CLI_DONE;
}

/* ---- 3: one person ---- */

/* A line "row,delta,label,status,asked" of the rows file: how many attributes were asked? */
static bool read_line(char *line, unsigned long *row, double *delta, size_t *asked)
{
    char *cells[5], *rest = line;

    line[strcspn(line, "\r\n")] = '\0';
    for (size_t i = 0; i < 5; i++) {
        cells[i] = strsep(&rest, ",");
        if (!cells[i])
            return false;
    }
    *row = strtoul(cells[0], NULL, 10);
    *asked = *cells[4] ? 1 : 0;
    for (const char *c = cells[4]; *c; c++)
        *asked += *c == ';';
    return *row > 0 && cli_parse_number(cells[1], delta);
}

/* The first person whose decision is proven after more than one question and at most half of them; else the first. */
static unsigned long choose_person(const demo *d)
{
    size_t half = tacit_audit_summary_get(d->audit)->n_sensitive / 2;
    FILE *file = fopen(d->files[FILE_ROWS], "r");
    unsigned long chosen = 0, row;
    size_t room = 0, asked;
    char *line = NULL;
    double delta;

    while (file && getline(&line, &room, file) > 0) {
        if (!read_line(line, &row, &delta, &asked) || delta != 0)
            continue;
        if (chosen == 0)
            chosen = row;
        if (asked > 1 && asked <= half) {
            chosen = row;
            break;
        }
    }
    free(line);
    if (file)
        fclose(file);
    return chosen;
}

/* Answer one question from the person and tell what followed. */
static int tell_step(const demo *d, tacit_session *session, const tacit_person *person, size_t attribute)
{
    const tacit_schema *schema = tacit_model_schema(d->model);
    const tacit_attribute *a = tacit_schema_attribute(schema, attribute);
    const char *name = tacit_schema_name_text(schema, attribute, "en");
    const tacit_event *event;
    char value[256], probability[24], *now, *whole;
    const char *settled;
    bool open, broken;
    tacit_error err = {0};

    tacit_person_text(person, attribute, value, sizeof(value));
    if (tacit_session_answer(session, attribute, value, &err))
        return cli_fail(&err);
    event = tacit_session_event(session, tacit_session_events(session) - 1);
    term_percent(event->probability, 1, probability, sizeof(probability));
    if (a->role == TACIT_PUBLIC) {
        printf("  %sknown%s       %-18s %s\n", term_on(STYLE_DIM), term_on(STYLE_PLAIN), name, value);
        return CLI_DONE;
    }
    open = event->settled == TACIT_OPEN;
    settled = open ? "" : tacit_settled_name(event->settled);
    now = cli_format("%s %s %s%s", term.arrow, tacit_schema_class_text(schema, event->label, "en"), probability,
                     open ? ", still open" : ": ");
    whole = cli_format("  asks for    %-18s %-14s %s%s", name, value, now, settled);
    broken = term_columns(whole) > term.width;
    printf("  %sasks for%s    %-18s %-*s%s%s%s%s%s\n", term_on(STYLE_BOLD), term_on(STYLE_PLAIN), name, broken ? 0 : 14,
           value, broken ? "\n              " : " ", now, open ? "" : term_on(STYLE_GOOD), settled,
           open ? "" : term_on(STYLE_PLAIN));
    free(whole);
    free(now);
    return CLI_DONE;
}

static int tell_end(const demo *d, tacit_session *session)
{
    const tacit_schema *schema = tacit_model_schema(d->model);
    tacit_decision decision;
    session_lists lists;
    tacit_error err = {0};
    char *names, *sure;

    if (tacit_session_decision(session, &decision, &err))
        return cli_fail(&err);
    session_lists_fill(&lists, schema, session);
    names = describe_names(schema, lists.not_asked, lists.n_not_asked, "en");
    sure = describe_settled(d->model, &decision, 1);
    printf("\n  Decision: %s%s%s. ", term_on(STYLE_BOLD), tacit_schema_class_text(schema, decision.label, "en"),
           term_on(STYLE_PLAIN));
    term_wrap(stdout, 14 + strlen(tacit_schema_class_text(schema, decision.label, "en")), 2, term.width - 1, sure);
    describe_line("Never asked:", names);
    say_and_free(cli_format("An ordinary form would have asked for all %zu.", lists.n_sensitive));
    free(sure);
    free(names);
    session_lists_clear(&lists);
    return CLI_DONE;
}

static int tell_person(const demo *d)
{
    tacit_release_options options = {.delta = 0, .seed = d->settings->seed};
    tacit_csv_options csv = {0};
    unsigned long row = choose_person(d);
    tacit_person *person = NULL;
    tacit_session *session = NULL;
    tacit_error err = {0};
    size_t attribute = 0;
    int code = CLI_DONE;

    if (row == 0)
        return CLI_DONE;
    say_title("3. One of them, asked step by step");
    say_and_free(cli_format(
        "Row %lu of loans.csv, %s = 0. What the request says is known; then one question at a time, until no "
        "answer to the rest can change the decision.",
        row, term.delta));
    putchar('\n');
    if (tacit_person_read_row(&person, d->model, d->files[FILE_DATA], &csv, row, &err) ||
        tacit_session_open(&session, d->model, &options, &err))
        code = cli_fail(&err);
    while (code == CLI_DONE) {
        if (tacit_session_next(session, &attribute, &err))
            code = cli_fail(&err);
        else if (attribute == TACIT_NONE)
            break;
        else
            code = tell_step(d, session, person, attribute);
    }
    if (code == CLI_DONE)
        code = tell_end(d, session);
    tacit_session_free(session);
    tacit_person_free(person);
    return code;
}

static void tell_more(const demo *d)
{
    const char *folder = d->keep ? d->folder : "DIR";

    say_title("Try it yourself");
    if (!d->keep)
        printf("  tacit demo --keep DIR\n");
    printf("  tacit ask %s/loans.tacit\n", folder);
    printf("  tacit audit %s/loans.tacit %s/loans.csv %s--held-out --group region\n", folder, folder,
           term.width < NARROW ? "\\\n      " : "");
    printf("  tacit explain %s/loans.tacit %s/loans.csv --row %lu\n", folder, folder, choose_person(d));
    if (!d->keep)
        return;
    printf("\n  %s holds loans.csv, loans.tacit and audit.json.\n", folder);
    printf("  The audit with figures, for a browser: %s/report.html\n", folder);
}

static int run_demo(const cli_args *args, void *settings)
{
    demo d = {.settings = settings};
    int code = open_folder(&d, d.settings->keep);

    (void)args;
    if (code == CLI_DONE)
        code = make_data(&d);
    if (code == CLI_DONE)
        code = make_model(&d);
    if (code != CLI_DONE)
        goto done;
    tell_model(&d);
    fflush(stdout);
    code = run_audit(&d);
    if (code != CLI_DONE)
        goto done;
    say_title("2. An audit of the people it has never seen");
    audit_view(d.model, d.audit);
    code = tell_person(&d);
    if (code == CLI_DONE)
        tell_more(&d);
done:
    tacit_audit_free(d.audit);
    tacit_model_free(d.model);
    close_folder(&d);
    return code;
}

static const demo_settings defaults = {.people = 6000, .seed = 1};

static const cli_option options[] = {
    {.name = "people",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "How many people to make up. Default: 6000.",
     .offset = offsetof(demo_settings, people),
     .min = 200,
     .max = 10000000},
    {.name = "seed",
     .kind = CLI_SEED,
     .argument = "N",
     .help = "The same seed makes up the same people. Default: 1.",
     .offset = offsetof(demo_settings, seed)},
    {.name = "keep",
     .kind = CLI_TEXT,
     .argument = "DIR",
     .help = "Leave loans.csv, loans.tacit, audit.json and report.html in this folder.",
     .offset = offsetof(demo_settings, keep)},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores.",
     .offset = offsetof(demo_settings, threads),
     .min = 1,
     .max = 1024},
    {.name = "quiet", .kind = CLI_FLAG, .help = "No progress bars.", .offset = offsetof(demo_settings, quiet)},
    {0},
};

const cli_command cli_command_demo = {
    .name = "demo",
    .summary = "all of it in one minute, on made-up people",
    .usage = "[options]",
    .text = "Makes up loan applicants, trains a model on them, audits those it has never seen, and asks one of them "
            "step by step.",
    .examples = "tacit demo\ntacit demo --keep sample",
    .options = options,
    .settings_size = sizeof(demo_settings),
    .defaults = &defaults,
    .run = run_demo,
};
