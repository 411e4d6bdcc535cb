/*
 * test_replicas.c -- two servers with one key, every step of a thousand questionnaires sent to a random one, and one of
 * them killed and started again all the time: what is asked and decided equals the audit of the same people.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <signal.h>

#include "keeper.h"

enum { PEOPLE = 1000, KILL_EVERY = 40, COLUMNS = 32, TRIES = 2000, LINE = 4096 };

static const char people[] = DEMO_FOLDER "/loans.csv";

/* xorshift: which server. */
static uint64_t random_state = 88172645463325252u;

static unsigned draw(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % n;
}

/* ---- the people ---- */

typedef struct table {
    FILE *file;
    char names_line[LINE], line[LINE];
    char *names[COLUMNS], *cells[COLUMNS];
    size_t n;
} table;

/* Cells hold neither quotes nor separators in this file. */
static size_t split(char *line, char **cells)
{
    char *rest = line;
    size_t n = 0;

    line[strcspn(line, "\r\n")] = '\0';
    while (rest && n < COLUMNS)
        cells[n++] = strsep(&rest, ",");
    return n;
}

static void open_table(table *t)
{
    t->file = fopen(people, "r");
    assert_non_null(t->file);
    assert_non_null(fgets(t->names_line, sizeof(t->names_line), t->file));
    t->n = split(t->names_line, t->names);
}

static void next_person(table *t)
{
    assert_non_null(fgets(t->line, sizeof(t->line), t->file));
    assert_int_equal(split(t->line, t->cells), t->n);
}

static const char *value_of(const table *t, const char *name)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->names[i], name) == 0)
            return t->cells[i];
    fail_msg("no column %s", name);
    return NULL;
}

/* ---- questionnaires ---- */

typedef struct replicas {
    server servers[2];
    int sockets[2]; /* -1: not connected */
    unsigned steps, repeated;
} replicas;

/* Send it to a random server, and again to any until one answers. */
static json_t *take_step(replicas *r, const char *path, json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    json_t *step = NULL;

    assert_non_null(text);
    r->steps++;
    for (int tries = 0; !step && tries < TRIES; tries++) {
        unsigned which = draw(2);
        answer a = {0};

        if (r->sockets[which] < 0)
            r->sockets[which] = client_try(&r->servers[which]);
        if (r->sockets[which] >= 0)
            a = ask_on(r->sockets[which], "POST", path, text);
        if (a.status == 0) { /* it was killed, and perhaps is not back yet */
            if (r->sockets[which] >= 0)
                close(r->sockets[which]);
            r->sockets[which] = -1;
            r->repeated++;
            usleep(500);
        } else if (a.status != 200) {
            fail_msg("%d %s", a.status, a.body);
        } else {
            step = json_loads(a.body, 0, NULL);
            assert_non_null(step);
        }
        answer_free(&a);
    }
    assert_non_null(step);
    free(text);
    json_decref(body);
    return step;
}

static json_t *begin(replicas *r, const table *t, double delta)
{
    static const char *const known[] = {"region", "loan_amount", "loan_term"};
    json_t *values = json_object();

    for (size_t i = 0; i < 3; i++)
        json_object_set_new(values, known[i], json_string(value_of(t, known[i])));
    return take_step(r, "/v1/sessions", json_pack("{s:o, s:f, s:b}", "public", values, "delta", delta, "receipt", 0));
}

static json_t *go_on(replicas *r, const table *t, json_t *step)
{
    const char *token = json_string_value(json_object_get(step, "token"));
    const char *name = json_string_value(json_object_get(json_object_get(step, "next"), "name"));
    json_t *next;

    assert_non_null(token);
    assert_non_null(name);
    next = take_step(
        r, "/v1/answers",
        json_pack("{s:s, s:s, s:s, s:b}", "token", token, "attribute", name, "value", value_of(t, name), "receipt", 0));
    json_decref(step);
    return next;
}

/* What the audit's file of rows says about somebody, put together from the API's last step. */
static void tell(char *line, size_t size, size_t row, double delta, json_t *step)
{
    json_t *decision = json_object_get(step, "decision"), *asked = json_object_get(step, "asked"), *name;
    char list[LINE / 2] = "";
    size_t i, used = 0;

    assert_non_null(decision);
    json_array_foreach(asked, i, name) used +=
        (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ";" : "", json_string_value(name));
    snprintf(line, size, "%zu,%g,%s,%s,%s", row, delta, json_string_value(json_object_get(decision, "label")),
             json_string_value(json_object_get(decision, "status")), list);
}

/* A line of the audit's file of rows up to what was asked, without the quotes around lists. */
static void read_row(FILE *rows, char *line, size_t size)
{
    size_t n = 0, cells = 1;

    assert_non_null(fgets(line, (int)size, rows));
    for (const char *c = line; *c && *c != '\n'; c++) {
        cells += *c == ','; /* no name here has one */
        if (*c != '"' && cells <= 5)
            line[n++] = *c;
    }
    line[n] = '\0';
}

static void replicas__a_thousand_people_lose_nothing(void **state)
{
    static const double deltas[] = {0, 0.05};
    const char *rows_path = scratch_path("rows.csv");
    const char *key = scratch_file("replicas.key",
                                   "\xfe"
                                   "eplicas.key.of.thirty-two.byte\x9d",
                                   32, 0600);
    const char *const audit[] = {"audit",  demo_model, people,    "--delta", "0,0.05",
                                 "--rows", rows_path,  "--quiet", NULL};
    const char *const arguments[] = {demo_model,      "--key", key,        "--delta-max", "0.05", "--rate", "0",
                                     "--per-address", "0",     "--no-log", "--threads",   "1",    NULL};
    replicas r = {.sockets = {-1, -1}};
    table t = {0};
    keeper k = {0};
    FILE *rows;
    char expected[LINE], found[LINE];

    (void)state;
    assert_int_equal(run_tacit(audit, NULL), 0);
    rows = fopen(rows_path, "r");
    assert_non_null(rows);
    read_row(rows, expected, sizeof(expected));
    assert_string_equal(expected, "row,delta,label,status,asked");
    start_keeper(&k, arguments, r.servers);
    open_table(&t);
    for (size_t row = 1; row <= PEOPLE; row++) {
        next_person(&t);
        if (row % KILL_EVERY == 1)
            order_end(&k, SIGKILL);
        for (size_t d = 0; d < 2; d++) {
            json_t *step = begin(&r, &t, deltas[d]);

            while (strcmp(json_string_value(json_object_get(step, "status")), "open") == 0)
                step = go_on(&r, &t, step);
            tell(found, sizeof(found), row, deltas[d], step);
            json_decref(step);
            read_row(rows, expected, sizeof(expected));
            assert_string_equal(found, expected);
        }
    }
    end_keeper(&k);
    fclose(rows);
    fclose(t.file);
    for (size_t i = 0; i < 2; i++)
        if (r.sockets[i] >= 0)
            close(r.sockets[i]);
    print_message("%d people, %u steps, %u kills, %u requests sent again\n", PEOPLE, r.steps, k.ended, r.repeated);
    assert_int_equal(k.ended, PEOPLE / KILL_EVERY);
    assert_true(r.repeated > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replicas__a_thousand_people_lose_nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
