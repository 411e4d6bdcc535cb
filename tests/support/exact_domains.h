/*
 * exact_domains.h -- for numbers that were made elsewhere, or before: domains that end at the smallest and the largest
 * value of the training part, as the scalings of other programs do.
 */
#ifndef TEST_EXACT_DOMAINS_H
#define TEST_EXACT_DOMAINS_H

#include <math.h>

#include "encode.h"
#include "schema.h"
#include "table_walk.h"

static inline void set_exact_domains(tacit_schema *schema, const tacit_table *table, uint64_t seed, double test_share)
{
    for (size_t i = 0; i < schema->n_attributes; i++) {
        tacit_attribute *a = &schema->attributes[i];
        tct_walk w = {.table = table, .column = tct_csv_find(table->csv, a->name)};
        double v;

        if (a->type == TACIT_CATEGORY)
            continue;
        a->min = INFINITY;
        a->max = -INFINITY;
        while (tct_walk_next(&w))
            if (!tct_held_out(seed, test_share, w.number) && tct_datum_number(table->csv, &w.value, &v)) {
                a->min = fmin(a->min, v);
                a->max = fmax(a->max, v);
            }
    }
}

#endif
