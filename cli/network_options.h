/*
 * network_options.h -- the options of commands that train networks.
 */
#ifndef CLI_NETWORK_OPTIONS_H
#define CLI_NETWORK_OPTIONS_H

#include "options.h"

/* How networks are trained; `type` has members of the options' names.  The texts say the defaults, which differ. */
#define CLI_NETWORK_OPTIONS(type, epochs_text, batch_text, rate_text, momentum_text, adam_text)                        \
    {.name = "hidden",                                                                                                 \
     .kind = CLI_TEXT,                                                                                                 \
     .argument = "SIZES",                                                                                              \
     .help = "Neurons of each hidden layer, separated by commas. Default: 10,10.",                                     \
     .offset = offsetof(type, hidden),                                                                                 \
     .heading = "Networks"},                                                                                           \
        {.name = "epochs",                                                                                             \
         .kind = CLI_COUNT,                                                                                            \
         .argument = "N",                                                                                              \
         .help = "Times through the training rows. Default: " epochs_text,                                             \
         .offset = offsetof(type, epochs),                                                                             \
         .min = 1,                                                                                                     \
         .max = 1e9},                                                                                                  \
        {.name = "batch",                                                                                              \
         .kind = CLI_COUNT,                                                                                            \
         .argument = "N",                                                                                              \
         .help = "Rows that make one step. Default: " batch_text,                                                      \
         .offset = offsetof(type, batch),                                                                              \
         .min = 1,                                                                                                     \
         .max = 1e9},                                                                                                  \
        {.name = "rate",                                                                                               \
         .kind = CLI_NUMBER,                                                                                           \
         .argument = "X",                                                                                              \
         .help = "Length of " rate_text,                                                                               \
         .offset = offsetof(type, rate),                                                                               \
         .min = 0,                                                                                                     \
         .max = 1e6,                                                                                                   \
         .above_min = true},                                                                                           \
        {.name = "momentum",                                                                                           \
         .kind = CLI_NUMBER,                                                                                           \
         .argument = "X",                                                                                              \
         .help = "Share of the last step that the next one keeps" momentum_text,                                       \
         .offset = offsetof(type, momentum),                                                                           \
         .min = 0,                                                                                                     \
         .max = 1,                                                                                                     \
         .below_max = true},                                                                                           \
        {.name = "adam",                                                                                               \
         .kind = CLI_FLAG,                                                                                             \
         .help = "Take steps by Adam's rule" adam_text,                                                                \
         .offset = offsetof(type, adam)},                                                                              \
    {                                                                                                                  \
        .name = "patience", .kind = CLI_COUNT, .argument = "N",                                                        \
        .help = "Stop after N epochs in which the training loss did not improve. Default: never.",                     \
        .offset = offsetof(type, patience), .min = 1, .max = 1e9                                                       \
    }

#endif
