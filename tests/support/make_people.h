/*
 * make_people.h -- a small file of made-up people with a model trained on it, for tests of audits.
 */
#ifndef TEST_MAKE_PEOPLE_H
#define TEST_MAKE_PEOPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "base.h"
#include "scratch.h"

enum { PEOPLE_MOST = 3000 };
#define PEOPLE_HEADER "age,income,job,note,outcome\n"

/* People from ... to, no header.  A note, which the model does not know, may go over lines. */
static inline void add_people(tct_text *text, size_t from, size_t to)
{
    static const char *const jobs[] = {"clerk", "nurse", "smith"};
    static const char *const notes[] = {"", "fine", "\"two\nlines\"", "\"a \"\"word\"\",\r\n\nand more\""};

    for (size_t i = from; i < to; i++) {
        size_t age = 20 + i * 37 % 45, job = i * 7 % 3;
        double income = 1000 + (double)(i * 733 % 3000) + 0.5;
        double score =
            (income - 2500) / 900 + ((double)age - 42) / 30 + (job == 2 ? 0.5 : 0) + ((double)(i * 31 % 11) - 5) / 8;

        tct_text_printf(text, "%zu,%.1f,%s,%s,%s\n%s", age, income, jobs[job], notes[i * 11 % 4],
                        score >= 0 ? "yes" : "no", i % 97 == 5 ? "\r\n" : "");
    }
    if (text->failed)
        abort();
}

static inline const char *people_file(size_t from, size_t to)
{
    tct_text text = {0};
    const char *path;

    tct_text_printf(&text, PEOPLE_HEADER);
    add_people(&text, from, to);
    path = scratch_bytes(text.bytes, text.size);
    tct_text_free(&text);
    return path;
}

static inline tacit_model *people_model_of(const char *path, tacit_fit_options fit)
{
    tacit_infer_options infer = {.label = "outcome", .drop = "note", .test_share = 0.3, .seed = 1};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};

    if (tacit_table_read(&table, path, NULL, 1, &err) || tacit_schema_infer(&schema, table, &infer, &err) ||
        tacit_fit(&model, table, schema, &fit, &err)) {
        fprintf(stderr, "make_people.h: %s\n", err.message);
        abort();
    }
    tacit_schema_free(schema);
    tacit_table_free(table);
    return model;
}

static inline tacit_model *people_model(const char *path)
{
    return people_model_of(path, (tacit_fit_options){.test_share = 0.3, .seed = 1, .threads = 1});
}

/* A whole small file as text; free it. */
static inline char *file_text(const char *path)
{
    char *text = NULL;
    size_t size;

    if (tct_file_read(&text, &size, path, 1 << 26, NULL))
        abort();
    return text;
}

#endif
