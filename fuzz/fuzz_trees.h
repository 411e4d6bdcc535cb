/*
 * fuzz_trees.h -- any bytes as a model file of trees, imported with a few people.
 *
 * An ensemble that gets through must be sound: scores are finite, the bounds over everybody hold for the people of the
 * file, and its model file reads back to itself.  What is refused is told in one line.
 */
#ifndef FUZZ_TREES_H
#define FUZZ_TREES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

/* The bounds over everybody, against somebody. */
static void check_bounds(const tacit_model *m)
{
    const tct_classifier *c = m->classifier;
    unsigned char known[8] = {0};
    double x[16] = {0}, f[TCT_MAX_CLASSES], lower[TCT_MAX_CLASSES];
    tct_region region = tct_region_of(m->codec, known, x);

    require(m->schema->n_attributes <= 8);
    if (c->n_inputs > 16) /* a description may know any number of categories */
        return;
    for (size_t k = 0; k < 3; k++) {
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            const tct_domain *domain = &m->codec->domains[a];

            if (domain->kind == TCT_BOX) {
                x[domain->first] = k == 0 ? -1 : k == 1 ? 1 : 0;
                continue;
            }
            tct_codec_value(m->codec, a,
                            k == 0   ? 0
                            : k == 1 ? domain->count - 1
                                     : domain->count / 2,
                            x + domain->first);
        }
        c->ops->scores(c, x, 1, f);
        for (size_t label = 0; label < c->n_classes; label++) {
            c->ops->margins(c, &region, label, lower);
            for (size_t other = 0; other < c->n_classes; other++)
                if (other != label)
                    require(isfinite(f[0]) && lower[other] <= (c->n_scores == 1 ? (label ? f[0] : -f[0])
                                                                                : (long double)f[label] - f[other]));
        }
    }
}

static void check_round_trip(const tacit_model *m)
{
    char *text = NULL, *again = NULL;
    tacit_model *read = NULL;
    size_t size;

    require(tacit_model_text(&text, &size, m, NULL) == TACIT_OK);
    require(tacit_model_parse(&read, text, size, NULL) == TACIT_OK);
    require(tacit_model_text(&again, &size, read, NULL) == TACIT_OK);
    require(strcmp(text, again) == 0);
    tacit_model_free(read);
    tacit_text_free(text);
    tacit_text_free(again);
}

/* people: the text of a table. */
static void fuzz_trees_import(const char *people, size_t people_size, const uint8_t *data, size_t size)
{
    static tacit_table *table;
    const tacit_import_options options = {.label = "outcome", .threads = 1};
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (!table)
        require(tacit_table_read(&table, scratch_bytes(people, people_size), NULL, 1, NULL) == TACIT_OK);
    if (tacit_import_parse(&model, data, size, table, NULL, &options, &err)) {
        require(model == NULL && err.message[0] != '\0' && strchr(err.message, '\n') == NULL);
        return;
    }
    check_bounds(model);
    check_round_trip(model);
    tacit_model_free(model);
}

#endif
