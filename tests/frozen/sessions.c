/*
 * Sessions of people of a file, told to the bit: every question, decision, outlook, saved state and receipt.
 *
 *   frozen_sessions MODEL PEOPLE.csv FIRST LAST DELTA RULE NAMES   rows FIRST to LAST
 *                                                      (NAMES: of the columns, "": the file has a header)
 *   frozen_sessions --arithmetic                       what this machine's mathematical functions give
 *
 * For frozen.sh, which compares the hash of the output with the one that an earlier program gave.  Numbers are printed
 * in hexadecimal, so two that look the same are the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tacit.h"

static void stop_on(tacit_status status, const tacit_error *err)
{
    if (status) {
        fprintf(stderr, "frozen_sessions: %s\n", err->message);
        exit(1);
    }
}

static void print_bytes(const char *what, const unsigned char *bytes, size_t size)
{
    printf("%s ", what);
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    putchar('\n');
}

static void print_state(const tacit_model *model, const tacit_session *session)
{
    size_t size = tacit_session_state_size(model);
    unsigned char *bytes = malloc(size);
    tacit_error err = {0};

    if (!bytes)
        exit(1);
    stop_on(tacit_session_save(session, bytes, &err), &err);
    print_bytes("state", bytes, size);
    free(bytes);
}

static void print_decision(tacit_session *session)
{
    tacit_decision decision;
    tacit_outlook outlook;
    tacit_error err = {0};

    stop_on(tacit_session_decision(session, &decision, &err), &err);
    stop_on(tacit_session_outlook(session, 8, &outlook, &err), &err);
    printf("decision %s %zu %a, asked %zu, cost %a; ahead %zu %a %a\n", tacit_settled_name(decision.settled),
           decision.label, decision.probability, decision.asked, decision.cost, outlook.at_most, outlook.about,
           outlook.settles);
}

static void print_receipt(tacit_session *session)
{
    bool unproven = false;
    char *receipt = NULL;
    tacit_error err = {0};

    stop_on(tacit_session_receipt(&receipt, session, NULL, &unproven, &err), &err);
    printf("receipt%s %s\n", unproven ? " without proof" : "", receipt);
    tacit_text_free(receipt);
}

/* Every third question of every fifth person is refused. */
static void play(tacit_session *session, const tacit_model *model, const tacit_person *person, size_t row)
{
    tacit_error err = {0};
    size_t attribute, count = 0;
    char text[256];

    for (;;) {
        print_decision(session);
        stop_on(tacit_session_next(session, &attribute, &err), &err);
        if (attribute == TACIT_NONE)
            break;
        printf("ask %zu\n", attribute);
        if (tacit_schema_attribute(tacit_model_schema(model), attribute)->role == TACIT_SENSITIVE)
            count++;
        if (count % 3 == 2 && row % 5 == 0) {
            stop_on(tacit_session_refuse(session, attribute, &err), &err);
            count++;
            continue;
        }
        tacit_person_text(person, attribute, text, sizeof text);
        if (tacit_person_unknown(person, attribute) && !tacit_session_answer_unknown(session, attribute, &err))
            continue;
        stop_on(tacit_session_answer(session, attribute, text, &err), &err);
    }
    print_state(model, session);
    print_receipt(session);
}

static void print_sessions(char **argv)
{
    tacit_release_options options = {.delta = strtod(argv[5], NULL), .seed = 1};
    size_t last = strtoul(argv[4], NULL, 10);
    tacit_csv_options csv = {.no_header = *argv[7] != 0, .names = *argv[7] ? argv[7] : NULL, .missing = "?"};
    tacit_session *session = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    stop_on(tacit_rule_from_name(&options.rule, argv[6], &err), &err);
    stop_on(tacit_model_load(&model, argv[1], &err), &err);
    stop_on(tacit_session_open(&session, model, &options, &err), &err);
    for (size_t row = strtoul(argv[3], NULL, 10); row <= last; row++) {
        tacit_person *person = NULL;

        stop_on(tacit_person_read_row(&person, model, argv[2], &csv, row, &err), &err);
        printf("row %zu\n", row);
        play(session, model, person, row);
        tacit_person_free(person);
        stop_on(tacit_session_restart(session, &options, &err), &err);
    }
    tacit_session_free(session);
    tacit_model_free(model);
}

/* Last bits of these differ between processors and versions of the library; then other results may differ too. */
static void print_arithmetic(void)
{
    for (int i = -40; i <= 40; i++) {
        double x = i / 8.0 + 0.0123456789;

        printf("%a %a %a %a %a %a\n", exp(x), log(fabs(x)), erfc(x), tanh(x), log1p(fabs(x)), pow(fabs(x), 1.7));
        printf("%a %a %a %a\n", sin(x), cos(x), atan(x), cbrt(x));
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--arithmetic") == 0)
        print_arithmetic();
    else if (argc == 8)
        print_sessions(argv);
    else
        return 2;
    return 0;
}
