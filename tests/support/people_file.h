/*
 * people_file.h -- made-up people of a model as a CSV file, with the label that it gives them.
 *
 *   const char *path = people_file(model, seed, 150, draw_typical_person);
 */
#ifndef TEST_PEOPLE_FILE_H
#define TEST_PEOPLE_FILE_H

#include "make_model.h"
#include "provers.h"
#include "scratch.h"

typedef void (*draw_one)(const tacit_model *model, tct_random *random, double *x);

static inline const char *people_file(const tacit_model *m, uint64_t seed, size_t n, draw_one draw)
{
    double *x = make_model_room(m->codec->n_inputs);
    tct_text text = {0};
    tct_random random;
    const char *path;
    char cell[64];

    tct_random_seed(&random, seed, 9);
    for (size_t a = 0; a < m->schema->n_attributes; a++)
        tct_text_printf(&text, "%s,", m->schema->attributes[a].name);
    tct_text_printf(&text, "label\n");
    for (size_t i = 0; i < n; i++) {
        draw(m, &random, x);
        for (size_t a = 0; a < m->schema->n_attributes; a++) {
            tct_decode_cell(m->codec, a, x + m->codec->domains[a].first, cell, sizeof cell);
            tct_text_printf(&text, "%s,", cell);
        }
        tct_text_printf(&text, "%zu\n", tct_label_of(m->classifier, x));
    }
    path = scratch_bytes(text.bytes, text.size);
    tct_text_free(&text);
    tct_free(x);
    return path;
}

#endif
