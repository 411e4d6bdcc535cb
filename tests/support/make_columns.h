/*
 * make_columns.h -- made-up people as a CSV file, as arrays and as Arrow buffers: the same people three times.
 */
#ifndef MAKE_COLUMNS_H
#define MAKE_COLUMNS_H

#include <math.h>

#include "base.h"
#include "make_arrow.h"

enum { CROWD_MOST = 5000, CROWD_COLUMNS = 9 };

typedef struct crowd {
    size_t n;
    int32_t age[CROWD_MOST];
    double income[CROWD_MOST]; /* NaN: missing */
    float ratio[CROWD_MOST];
    int8_t job[CROWD_MOST]; /* -1: missing */
    unsigned char flag[CROWD_MOST];
    int64_t since[CROWD_MOST];       /* days; INT64_MIN: missing */
    uint64_t number[CROWD_MOST];     /* beyond 2^53 */
    const char *region[CROWD_MOST];  /* NULL: missing */
    const char *outcome[CROWD_MOST]; /* never missing */
    unsigned char no_age[CROWD_MOST];
    /* The same as Arrow has it. */
    unsigned char age_valid[CROWD_MOST / 8 + 1], job_valid[CROWD_MOST / 8 + 1], flag_bits[CROWD_MOST / 8 + 1],
        since_valid[CROWD_MOST / 8 + 1], region_valid[CROWD_MOST / 8 + 1];
    int64_t since_ms[CROWD_MOST];
    int32_t region_ends[CROWD_MOST + 1];
    char region_bytes[CROWD_MOST * 24];
    int64_t outcome_ends[CROWD_MOST + 1];
    char outcome_bytes[CROWD_MOST * 4];
    unsigned char job_views[3][16];
} crowd;

static const char *const crowd_jobs[] = {"clerk", "nurse", "master of the fireworks"};
static const char *const crowd_regions[] = {"north", "south", "Å \"east\", west", "somewhere far away"};
static const char *const crowd_dates[] = {"1969-12-31", "1970-01-01", "2000-02-29", "2024-05-31",
                                          "0001-01-01", "9999-12-31", "1900-03-01"};
static const int64_t crowd_days[] = {-1, 0, 11016, 19874, -719162, 2932896, -25508};

static inline void crowd_bit(unsigned char *bits, size_t at, bool set)
{
    bits[at / 8] = (unsigned char)((bits[at / 8] & ~(1u << at % 8)) | (unsigned)set << at % 8);
}

/* One person. */
static inline void crowd_person(crowd *c, size_t i, tct_random *random)
{
    size_t day = tct_random_below(random, 4), region = tct_random_below(random, 5);

    c->age[i] = 18 + (int32_t)tct_random_below(random, 50);
    c->no_age[i] = tct_random_below(random, 15) == 0;
    c->income[i] = tct_random_below(random, 20) == 0 ? NAN : 1000 + 3000 * tct_random_uniform(random);
    c->ratio[i] = (float)tct_random_normal(random);
    c->job[i] = (int8_t)((int)tct_random_below(random, 4) - 1);
    c->flag[i] = (unsigned char)tct_random_below(random, 2);
    c->since[i] = tct_random_below(random, 9) == 0 ? INT64_MIN : crowd_days[day];
    c->number[i] = 9007199254740993u + i;
    c->region[i] = region == 4 ? NULL : crowd_regions[region];
    c->outcome[i] = (c->age[i] - 42) / 20.0 + (c->income[i] > 2500) + c->flag[i] - 1 + tct_random_normal(random) / 3 > 0
                        ? "yes"
                        : "no";
    crowd_bit(c->age_valid, i, !c->no_age[i]);
    crowd_bit(c->job_valid, i, c->job[i] >= 0);
    crowd_bit(c->flag_bits, i, c->flag[i]);
    crowd_bit(c->since_valid, i, c->since[i] != INT64_MIN);
    crowd_bit(c->region_valid, i, c->region[i]);
    c->since_ms[i] =
        c->since[i] == INT64_MIN ? 0 : c->since[i] * 86400000 + (int64_t)tct_random_below(random, 86400000);
    c->region_ends[i + 1] = c->region_ends[i] + (c->region[i] ? (int32_t)strlen(c->region[i]) : 0);
    if (c->region[i])
        memcpy(c->region_bytes + c->region_ends[i], c->region[i], strlen(c->region[i]));
    c->outcome_ends[i + 1] = c->outcome_ends[i] + (int64_t)strlen(c->outcome[i]);
    memcpy(c->outcome_bytes + c->outcome_ends[i], c->outcome[i], strlen(c->outcome[i]));
}

static inline void make_crowd(crowd *c, size_t n, uint64_t seed)
{
    tct_random random;

    tct_random_seed(&random, seed, 0);
    memset(c, 0, sizeof *c);
    c->n = n;
    for (size_t i = 0; i < n; i++)
        crowd_person(c, i, &random);
    for (size_t k = 0; k < 3; k++) {
        int32_t size = (int32_t)strlen(crowd_jobs[k]);

        memcpy(c->job_views[k], &size, 4);
        memcpy(c->job_views[k] + 4, crowd_jobs[k], size <= 12 ? (size_t)size : 4); /* longer ones: in buffer 0 at 0 */
    }
}

static inline void crowd_number(tct_text *text, double value)
{
    char number[32];

    tct_format_number(value, number, sizeof number);
    tct_text_printf(text, "%s%s", number, value == floor(value) && fabs(value) < 1e15 ? ".0" : "");
}

/* As pandas writes it. */
static inline void crowd_csv(tct_text *text, const crowd *c)
{
    tct_text_printf(text, "age,income,ratio,job,flag,since,number,region,outcome\n");
    for (size_t i = 0; i < c->n; i++) {
        size_t day = 0;

        if (!c->no_age[i])
            tct_text_printf(text, "%d", c->age[i]);
        tct_text_printf(text, ",");
        if (!isnan(c->income[i]))
            crowd_number(text, c->income[i]);
        tct_text_printf(text, ",");
        crowd_number(text, c->ratio[i]);
        while (c->since[i] != INT64_MIN && crowd_days[day] != c->since[i])
            day++;
        tct_text_printf(text, ",%s,%s,%s,%llu,", c->job[i] < 0 ? "" : crowd_jobs[c->job[i]],
                        c->flag[i] ? "True" : "False", c->since[i] == INT64_MIN ? "" : crowd_dates[day],
                        (unsigned long long)c->number[i]);
        if (c->region[i] && strchr(c->region[i], '"'))
            tct_text_printf(text, "\"Å \"\"east\"\", west\"");
        else
            tct_text_printf(text, "%s", c->region[i] ? c->region[i] : "");
        tct_text_printf(text, ",%s\n", c->outcome[i]);
    }
    if (text->failed)
        abort();
}

static inline void crowd_columns(tacit_column *out, const crowd *c)
{
    const tacit_column columns[CROWD_COLUMNS] = {
        {.name = "age", .type = TACIT_COLUMN_INT32, .values = c->age, .missing = c->no_age},
        {.name = "income", .type = TACIT_COLUMN_FLOAT64, .values = c->income},
        {.name = "ratio", .type = TACIT_COLUMN_FLOAT32, .values = c->ratio},
        {.name = "job", .type = TACIT_COLUMN_INT8, .values = c->job, .levels = crowd_jobs, .n_levels = 3},
        {.name = "flag", .type = TACIT_COLUMN_BOOL, .values = c->flag},
        {.name = "since", .type = TACIT_COLUMN_DAYS, .values = c->since},
        {.name = "number", .type = TACIT_COLUMN_UINT64, .values = c->number},
        {.name = "region", .type = TACIT_COLUMN_TEXT, .values = c->region},
        {.name = "outcome", .type = TACIT_COLUMN_TEXT, .values = c->outcome}};

    memcpy(out, columns, sizeof columns);
}

/* job: a dictionary of views. */
static const int64_t crowd_view_sizes[] = {23};
static inline void crowd_arrow(arrow_column *out, const crowd *c, arrow_column *jobs)
{
    *jobs = (arrow_column){
        .format = "vu", .buffers = {NULL, c->job_views, crowd_jobs[2], crowd_view_sizes}, .n_buffers = 4, .length = 3};
    const arrow_column columns[CROWD_COLUMNS] = {
        {.name = "age", .format = "i", .buffers = {c->age_valid, c->age}, .n_buffers = 2, .null_count = -1},
        {.name = "income", .format = "g", .buffers = {NULL, c->income}, .n_buffers = 2},
        {.name = "ratio", .format = "f", .buffers = {NULL, c->ratio}, .n_buffers = 2},
        {.name = "job",
         .format = "c",
         .buffers = {c->job_valid, c->job},
         .n_buffers = 2,
         .null_count = -1,
         .dictionary = jobs},
        {.name = "flag", .format = "b", .buffers = {NULL, c->flag_bits}, .n_buffers = 2},
        {.name = "since", .format = "tsm:", .buffers = {c->since_valid, c->since_ms}, .n_buffers = 2, .null_count = -1},
        {.name = "number", .format = "L", .buffers = {NULL, c->number}, .n_buffers = 2},
        {.name = "region",
         .format = "u",
         .buffers = {c->region_valid, c->region_ends, c->region_bytes},
         .n_buffers = 3,
         .null_count = -1},
        {.name = "outcome", .format = "U", .buffers = {NULL, c->outcome_ends, c->outcome_bytes}, .n_buffers = 3}};

    memcpy(out, columns, sizeof columns);
}

#endif
