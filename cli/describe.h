/*
 * describe.h -- attributes and decisions in words.
 */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include "tacit.h"

/* "a whole number from 18 to 75", "a number from 0 to 5400", "one of: rented, own", as it is shown to people (in
 * `language`, NULL: any); without the level that stands for "missing".  Free it. */
char *describe_domain(const tacit_schema *schema, size_t attribute, const char *language);
/* The same short, for a table: "18 ... 75", "4 levels: rented, own, ...".  Free it. */
char *describe_domain_short(const tacit_attribute *attribute);
/* "3 of 9 sensitive attributes".  Free it. */
char *describe_count(size_t count, size_t of);
/* Names of the attributes as shown to people, separated by commas; "nothing" when there is none.  Free it. */
char *describe_names(const tacit_schema *schema, const size_t *attributes, size_t count, const char *language);
/* "age: outside its domain (18 to 75), counted as 18".  Free it. */
char *describe_clipped(const tacit_schema *schema, const tacit_person *person, size_t attribute, const char *language);
/* "income: not known, counted as a typical value (3177)".  Free it. */
char *describe_not_known(const tacit_schema *schema, const tacit_person *person, size_t attribute,
                         const char *language);
/* How sure a decision is, one sentence; demanded: the probability that settles it.  Free it. */
char *describe_settled(const tacit_model *model, const tacit_decision *decision, double demanded);
const char *describe_type(tacit_type type);
const char *describe_role(tacit_role role);

/* "Label: text", wrapped, the text hanging behind the label. */
void describe_line(const char *label, const char *text);

/* Attributes of a session by what became of them; arrays as long as there are attributes. */
typedef struct session_lists {
    size_t *asked;     /* answered or not known; sensitive ones only, in the order of the answers */
    size_t *given;     /* of these, answered */
    size_t *not_known; /* answered by not knowing, public ones too */
    size_t *refused, *not_asked;
    size_t n_asked, n_given, n_not_known, n_refused, n_not_asked, n_sensitive;
} session_lists;
void session_lists_fill(session_lists *lists, const tacit_schema *schema, const tacit_session *session);
/* Nobody could have been asked for what cannot matter: it was not spared either. */
void session_lists_leave_out(session_lists *lists, const tacit_model *model);
void session_lists_clear(session_lists *lists);

/* Print the keys that a questionnaire always has, in as many lines as they need. */
void describe_keys(void);

#endif
