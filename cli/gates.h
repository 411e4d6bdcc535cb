/*
 * gates.h -- limits an audit must keep, for continuous integration.
 */
#ifndef CLI_GATES_H
#define CLI_GATES_H

#include <stdio.h>

#include "options.h"
#include "tacit.h"

/* In the order of the table in gates.c. */
enum {
    GATE_MEAN,
    GATE_SHARE,
    GATE_NONE,
    GATE_FIDELITY,
    GATE_ACCURACY,
    GATE_FAILURE,
    GATE_GAIN,
    GATE_CLIPPED,
    GATE_COUNT
};

/* What was given for each gate: "X" for every delta, "X@DELTA" for one. */
typedef struct gate_settings {
    cli_texts texts[GATE_COUNT];
    bool require_kept; /* at every delta */
} gate_settings;

/* Was any given? */
bool gates_given(const gate_settings *gates);

/* The options of every command that has gates; `member` is a gate_settings in `type`. */
#define CLI_GATE_OPTIONS(type, member)                                                                                 \
    {.name = "max-mean-asked",                                                                                         \
     .kind = CLI_TEXTS,                                                                                                \
     .argument = "X",                                                                                                  \
     .help = "Mean number of attributes asked for.",                                                                   \
     .offset = offsetof(type, member.texts[GATE_MEAN]),                                                                \
     .heading = "Gates: exit with 1 unless they hold at every delta, or at one: 2@0.05"},                              \
        {.name = "max-share-asked",                                                                                    \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "The same as a share of all sensitive attributes.",                                                   \
         .offset = offsetof(type, member.texts[GATE_SHARE])},                                                          \
        {.name = "min-none-asked",                                                                                     \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "Share of people asked for nothing.",                                                                 \
         .offset = offsetof(type, member.texts[GATE_NONE])},                                                           \
        {.name = "min-fidelity",                                                                                       \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "Share of decisions equal to the one with everything known.",                                         \
         .offset = offsetof(type, member.texts[GATE_FIDELITY])},                                                       \
        {.name = "min-accuracy",                                                                                       \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "Share of decisions that are right.",                                                                 \
         .offset = offsetof(type, member.texts[GATE_ACCURACY])},                                                       \
        {.name = "min-gain",                                                                                           \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "The same less the share that always deciding the most frequent class gets right; 0 or less fails "   \
                 "whatever X is.",                                                                                     \
         .offset = offsetof(type, member.texts[GATE_GAIN])},                                                           \
        {.name = "max-clipped",                                                                                        \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "SHARE",                                                                                          \
         .help = "Share of people with a value outside its domain. Not by delta.",                                     \
         .offset = offsetof(type, member.texts[GATE_CLIPPED])},                                                        \
        {.name = "max-failure",                                                                                        \
         .kind = CLI_TEXTS,                                                                                            \
         .argument = "X",                                                                                              \
         .help = "Among people settled early, share whose decision differs from the one with everything known.",       \
         .offset = offsetof(type, member.texts[GATE_FAILURE])},                                                        \
    {                                                                                                                  \
        .name = "require-kept", .kind = CLI_FLAG,                                                                      \
        .help = "The promise is shown to be kept at every delta: the 95 % interval of that share is at most delta.",   \
        .offset = offsetof(type, member.require_kept)                                                                  \
    }

/* Are all limits readable and their deltas among those audited?  To be called before the work. */
int gates_check(const gate_settings *gates, const double *deltas, size_t n_deltas);
/* Compare.  A complaint on standard error for every gate that failed and CLI_NEGATIVE, else CLI_DONE and, unless `talk`
 * is NULL, a word there about how many held. */
int gates_apply(const gate_settings *gates, const tacit_audit *audit, FILE *talk);

#endif
