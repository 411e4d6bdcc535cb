/*
 * datasets.h -- the public data sets that benchmarks and figures read, and how sensitive attributes are drawn.
 */
#ifndef DATASETS_H
#define DATASETS_H

#include <stdbool.h>

#include "tacit.h"

enum { DATASET_MISSING = 77 }; /* exit status of a program that has no data to work on */

typedef struct dataset {
    const char *name, *path, *label, *drop;
    tacit_csv_options csv;
} dataset;

/* By index, NULL behind the last one. */
const dataset *dataset_get(size_t index);
/* By name, or NULL. */
const dataset *dataset_find(const char *name);
/* Is `name` in a comma-separated list? */
bool dataset_listed(const char *list, const char *name);

/* Read the file under `folder`.  *missing: it is not there, and nothing was read. */
tacit_status dataset_read(tacit_table **out, const dataset *set, const char *folder, size_t threads, bool *missing,
                          tacit_error *err);

/* The schema of the figures: ordinal codes, 30 % held out. */
tacit_status dataset_schema(tacit_schema **out, const dataset *set, const tacit_table *table, uint64_t seed,
                            tacit_error *err);

/* 64 random bits; any state is a good one. */
uint64_t dataset_random(uint64_t *state);
/* `size` attribute names drawn at random, comma-separated, in schema order. */
void dataset_draw(const tacit_schema *schema, size_t size, uint64_t seed, char *list, size_t room);

#endif
