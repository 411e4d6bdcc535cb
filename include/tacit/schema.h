/*
 * tacit/schema.h -- which attributes exist, what values they may take, who may be asked for them.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_SCHEMA_H
#define TACIT_SCHEMA_H

#include "table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_schema tacit_schema;

typedef enum tacit_type { TACIT_NUMBER = 0, TACIT_INTEGER = 1, TACIT_CATEGORY = 2 } tacit_type;
typedef enum tacit_role { TACIT_PUBLIC = 0, TACIT_SENSITIVE = 1 } tacit_role;
/* How the dates in cells are written: year, month, day in this order.  A date counts as its number of days since
 * 1970-01-01. */
typedef enum tacit_dates {
    TACIT_DATES_NONE = 0,
    TACIT_DATES_YMD = 1,
    TACIT_DATES_DMY = 2,
    TACIT_DATES_MDY = 3
} tacit_dates;
typedef enum tacit_encoding { TACIT_ONEHOT = 0, TACIT_ORDINAL = 1 } tacit_encoding;

/* One attribute: what a person is asked for.  Borrowed from its schema. */
typedef struct tacit_attribute {
    const char *name;
    tacit_type type;
    tacit_role role;
    tacit_encoding encoding; /* categories only */
    double cost;             /* > 0; 1 unless said otherwise */
    double min, max;         /* domain of numbers and integers; values outside are clipped */
    double fill;             /* numbers, integers: stands for a missing value (training mean; rounded for integers) */
    size_t n_levels;         /* categories: size of the domain */
    const char *const *levels;
    size_t missing_level;  /* categories: the level that stands for "missing", or TACIT_NONE */
    const char *question;  /* never NULL; made from the name unless given */
    const char *help;      /* may be "" */
    const char *special;   /* "", or which special category of personal data it is (GDPR Art. 9): "health" */
    bool missing_is_value; /* not knowing is an answer, counted as `fill` or `missing_level`; else it is a refusal */
    tacit_dates dates;     /* integers: cells are dates; day numbers are taken as well */
} tacit_attribute;

typedef struct tacit_infer_options {
    size_t size;             /* see tacit.h */
    const char *label;       /* column to predict; required */
    tacit_encoding encoding; /* of categories */
    const char *sensitive;   /* comma-separated attribute names; NULL: all that are not public */
    const char *public_;     /* comma-separated attribute names; NULL: none */
    const char *drop;        /* comma-separated columns to leave out */
    double test_share;       /* share of rows held out; domains come from the rest.  0 <= share < 1 */
    uint64_t seed;           /* of the split */
    bool dates_as_days;      /* columns of dates become integers; else they are left out, with a remark */
    /* Comma-separated columns that are categories whatever they hold.  A column that is not named here and has numbers in
     * more than nine of ten cells is one of numbers, and text in it an error. */
    const char *categories;
} tacit_infer_options;

/* Find out types, domains and roles from a table.  Number and integer domains come from the training
 * part; levels and classes from the whole table.  Everything that is wrong is listed in the error. */
TACIT_API tacit_status tacit_schema_infer(tacit_schema **out, const tacit_table *table,
                                          const tacit_infer_options *options, tacit_error *err);
/* Leave out the rows of a table that have text where the schema wants a number, as many as its options allow
 * (skip_bad); more are an error, which who uses the table tells if its options say so (defer_bad).  *dropped: how many;
 * the schema may then be inferred anew. */
TACIT_API tacit_status tacit_table_drop_bad(tacit_table *table, const tacit_schema *schema, size_t *dropped,
                                            tacit_error *err);
/* Does a table fit the schema, its label included?  If not, the error lists all that is wrong. */
TACIT_API tacit_status tacit_table_check(const tacit_table *table, const tacit_schema *schema, tacit_error *err);
TACIT_API tacit_status tacit_schema_read(tacit_schema **out, const char *path, tacit_error *err);
TACIT_API tacit_status tacit_schema_write(const tacit_schema *schema, const char *path, tacit_error *err);
/* The same from and to memory: the bytes of a schema file.  Free with tacit_text_free. */
TACIT_API tacit_status tacit_schema_parse(tacit_schema **out, const char *text, size_t size, tacit_error *err);
TACIT_API tacit_status tacit_schema_text(char **out, size_t *size, const tacit_schema *schema, tacit_error *err);
TACIT_API void tacit_schema_free(tacit_schema *schema);

TACIT_API size_t tacit_schema_attributes(const tacit_schema *schema);
TACIT_API const tacit_attribute *tacit_schema_attribute(const tacit_schema *schema, size_t index);
/* Index of the attribute called `name`, or TACIT_NONE. */
TACIT_API size_t tacit_schema_find(const tacit_schema *schema, const char *name);
/* The same, but an unknown name is an error with a suggestion. */
TACIT_API tacit_status tacit_schema_lookup(const tacit_schema *schema, const char *name, size_t *index,
                                           tacit_error *err);
TACIT_API const char *tacit_schema_label(const tacit_schema *schema);
TACIT_API size_t tacit_schema_classes(const tacit_schema *schema);
TACIT_API const char *tacit_schema_class(const tacit_schema *schema, size_t index);
/* How the files of this schema are written ("csv" in the schema file): fills what `csv` leaves open.  Where the schema
 * names no markers for "missing", none are looked for. */
TACIT_API void tacit_schema_csv(const tacit_schema *schema, tacit_csv_options *csv);
/* What the schema says about its data ("title", "source", "licence", "file", "sha256", "note") and about what it is
 * for ("purpose", "controller", "legal_basis", "retention", "contact", "model_owner", "date", "privacy_notice",
 * "human_review"); "" when it does not. */
TACIT_API const char *tacit_schema_about(const tacit_schema *schema, const char *key);
/* What people are shown in place of names and codes.  `language` is "en", "de" and so on, or NULL.  Where a language is
 * not there another one is given, and where nothing is said the name or code itself; "" for an index that does not
 * exist, and for help and about where nothing is said.  Never NULL. */
TACIT_API const char *tacit_schema_label_text(const tacit_schema *schema, const char *language);
TACIT_API const char *tacit_schema_class_text(const tacit_schema *schema, size_t index, const char *language);
TACIT_API const char *tacit_schema_name_text(const tacit_schema *schema, size_t attribute, const char *language);
TACIT_API const char *tacit_schema_level_text(const tacit_schema *schema, size_t attribute, size_t level,
                                              const char *language);
TACIT_API const char *tacit_schema_question_text(const tacit_schema *schema, size_t attribute, const char *language);
TACIT_API const char *tacit_schema_help_text(const tacit_schema *schema, size_t attribute, const char *language);
/* All of these texts in all their languages as JSON, each a string or an object by language: {"label", "classes": {class:
 * text}, "attributes": {name: {"text", "texts": {level: text}, "question", "help", "special"}}, "about": {key: text}};
 * what is not said is left out, but for question, attributes and about.  Free with tacit_text_free. */
TACIT_API tacit_status tacit_schema_texts(char **out, const tacit_schema *schema, tacit_error *err);
/* Say such texts, in the same JSON; what it does not mention stays as it was.  Attributes borrowed before are no longer
 * good.  On failure nothing has changed. */
TACIT_API tacit_status tacit_schema_set_texts(tacit_schema *schema, const char *json, tacit_error *err);
TACIT_API const char *tacit_schema_about_text(const tacit_schema *schema, const char *key, const char *language);
/* Something noticed in the columns of a table: names only, no value of anybody.  Kinds: "identifier", "near_unique",
 * "date", "determined" (columns[1] follows from columns[0]), "near_duplicate", "constant", and others. */
typedef struct tacit_remark {
    const char *kind;
    const char *text; /* one line */
    const char *const *columns;
    size_t n_columns;
} tacit_remark;
/* Remarks made by inference, carried by schema and model files.  NULL beyond the last. */
TACIT_API size_t tacit_schema_remarks(const tacit_schema *schema);
TACIT_API const tacit_remark *tacit_schema_remark(const tacit_schema *schema, size_t index);
/* Their texts alone ("column ID looks like an identifier ..."). */
TACIT_API size_t tacit_schema_notes(const tacit_schema *schema);
TACIT_API const char *tacit_schema_note(const tacit_schema *schema, size_t index);

/* Set roles from comma-separated names.  Either may be NULL: with both NULL nothing changes; with one
 * given, everything not named gets the other role.  An unknown name or one in both lists is an error. */
TACIT_API tacit_status tacit_schema_set_roles(tacit_schema *schema, const char *sensitive, const char *public_,
                                              tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
