/*
 * tree_options.h -- the options of commands that train trees.
 */
#ifndef CLI_TREE_OPTIONS_H
#define CLI_TREE_OPTIONS_H

#include "options.h"

/* How trees are trained; `type` has members of the options' names, 0 where they were not given. */
#define CLI_TREE_OPTIONS(type)                                                                                         \
    {.name = "trees",                                                                                                  \
     .kind = CLI_COUNT,                                                                                                \
     .argument = "N",                                                                                                  \
     .help = "How many; with more than two classes, for each class. Default: 100.",                                    \
     .offset = offsetof(type, trees),                                                                                  \
     .min = 1,                                                                                                         \
     .max = 1e5,                                                                                                       \
     .heading = "Trees"},                                                                                              \
    {                                                                                                                  \
        .name = "depth", .kind = CLI_COUNT, .argument = "N",                                                           \
        .help = "Questions that a tree asks at most before it ends. Default: 4.", .offset = offsetof(type, depth),     \
        .min = 1, .max = 16                                                                                            \
    }

#endif
