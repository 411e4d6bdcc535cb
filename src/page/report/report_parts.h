/*
 * report_parts.h -- the report of an audit, from its JSON document alone: what every section reads, and the sections.
 * Members that a document does not have leave out what they are about.
 */
#ifndef TCT_REPORT_PARTS_H
#define TCT_REPORT_PARTS_H

#include "charts.h"
#include "parts.h"

/* Rows of a chart. */
enum { TCT_MOST_DRAWN = 40 };

typedef struct tct_report {
    tct_html *h;
    const json_t *audit;
    const json_t **results; /* smallest delta first */
    size_t n_results;
    const json_t *first;       /* as the user put it first: the main sentence is about it */
    const json_t *strict;      /* of the smallest delta */
    const json_t **attributes; /* sensitive, most often asked first (at the smallest delta, then at the next) */
    size_t n;
    double people;
    size_t rows; /* of a table, at most: the rest is in the JSON file */
} tct_report;

/* ---- report_read.c ---- */

/* False when memory is short. */
bool tct_report_open(tct_report *r, tct_html *h, const json_t *audit);
void tct_report_close(tct_report *r);
/* A figure of an attribute (`name`) in a map of a result: asked_people, indispensable, ...; NaN without. */
double tct_of(const json_t *result, const char *map, const char *name);
double tct_asked_share(const json_t *result, const char *name);
double tct_delta(const json_t *result);
/* The display name of an attribute or column called `name`. */
const char *tct_called(const tct_report *r, const char *name);
/* "a, b and c", or "a, b, c, d and 7 more". */
const char *tct_some_of(tct_html *h, const char *const *items, size_t n, size_t most);
/* Attributes nobody was asked for at this result; their number, the first `room` of their names. */
size_t tct_never_asked(const tct_report *r, const json_t *result, const char **names, size_t room);
/* Values of delta, "0, 0.05 and 0.1", of results whose promise is in this state. */
const char *tct_deltas_in(const tct_report *r, const char *state);
const char *tct_state_of(const json_t *result); /* kept, not shown or broken */
bool tct_is_proven(const json_t *failure);      /* promised 0, and none failed */
double tct_opt_people(const tct_report *r);     /* whose smallest sets were looked for */
bool tct_few_people(const tct_report *r);       /* so few that figures can tell about single ones? */
bool tct_own_test(const tct_report *r);         /* calibrated with people counted here? */
/* "25 % of them are asked for none", or what is true instead. */
const char *tct_none_words(const tct_report *r, const json_t *result);

/* ---- the sections, from top to bottom ---- */

void tct_report_form(const tct_report *r);
void tct_report_summary(const tct_report *r);
void tct_report_decided(const tct_report *r);
void tct_report_short(const tct_report *r);
void tct_report_asked(const tct_report *r);
void tct_report_attributes(const tct_report *r);
void tct_report_price(const tct_report *r);
void tct_report_promise(const tct_report *r);
void tct_report_groups(const tct_report *r);
void tct_report_quality(const tct_report *r);
void tct_report_method(const tct_report *r);
void tct_report_provenance(const tct_report *r);

/* Headlines of groups that differ beyond noise, for the summary; 0 when there are none. */
size_t tct_group_headlines(const tct_report *r, const char **lines, size_t room);
/* The one sentence about what the model was trained on. */
const char *tct_trained_words(const tct_report *r);

#endif
