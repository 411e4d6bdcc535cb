/*
 * tacit.h -- ask only what the decision needs.
 *
 * Tacit stands between a trained classifier and the people it decides about.  It asks for one
 * attribute at a time and stops as soon as the decision is settled: proven for every value of what
 * was not asked (delta = 0), or settled with probability at least 1 - delta.
 *
 * Six kinds of things:
 *   tacit_table    a CSV file in memory, for training
 *   tacit_schema   which attributes exist, what values they may take, who may be asked for them
 *   tacit_model    schema + classifier + distribution of the inputs; immutable once made
 *   tacit_person   what is known about one person: some attributes, not necessarily all
 *   tacit_session  one person's questionnaire
 *   tacit_audit    the questionnaires of everybody in a file, counted
 *
 * Conventions
 *   - A fallible function returns tacit_status and takes a tacit_error last (NULL allowed).  On failure
 *     `*out` is NULL and nothing is half built.  A status says whether the call worked; what a
 *     certification *found* is a tacit_verdict, and what a session *decided* a tacit_settled.
 *   - `T **out` belongs to the caller and is freed with tacit_T_free (NULL allowed).  `const` pointers
 *     returned by getters are borrowed from the object and die with it.  Inputs are copied.
 *   - No globals, no printing, no exit.  A model may be shared by any number of threads; every other
 *     object belongs to one thread at a time.
 *   - Names and positions may appear in messages, a person's values never do.  Buffers that held a
 *     person's values are wiped before they are freed.
 *   - Numbers are read and written independently of the locale.
 *   - Attributes and classes are addressed by index; TACIT_NONE means "none".
 */
#ifndef TACIT_H
#define TACIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TACIT_API __attribute__((visibility("default")))
#else
#define TACIT_API
#endif

#define TACIT_NONE ((size_t)-1)

/* ---------------------------------------------------------------- status and errors */

typedef enum tacit_status {
    TACIT_OK = 0,
    TACIT_E_USAGE = 1,   /* the call makes no sense: bad option, unknown attribute name, wrong order */
    TACIT_E_INPUT = 2,   /* a file or a value is not what it should be */
    TACIT_E_IO = 3,      /* cannot open, read or write */
    TACIT_E_MEMORY = 4,  /* out of memory */
    TACIT_E_STOPPED = 5, /* the progress callback asked to stop */
    TACIT_E_INTERNAL = 6 /* our bug */
} tacit_status;

/* One line of explanation: "people.csv: row 12, column income: expected a number".  Rows count data
 * rows from 1, the header not included; 0 means "no row". */
typedef struct tacit_error {
    tacit_status status;
    size_t row;
    char column[128];
    char message[1024];
} tacit_error;

TACIT_API const char *tacit_version(void);

/* The entry of `words` closest in spelling to `word`, or NULL when nothing is close. */
TACIT_API const char *tacit_suggest(const char *word, const char *const *words, size_t n_words);

/* Write `size` bytes to `path` by way of a temporary file beside it and a rename: afterwards the file
 * holds either its old content or all of the new one.  "-" and character devices are written directly. */
TACIT_API tacit_status tacit_file_write(const char *path, const char *bytes, size_t size, tacit_error *err);

/* ---------------------------------------------------------------- tables */

typedef struct tacit_table tacit_table;

/* How to read a CSV file.  Zero-initialised is the usual case. */
typedef struct tacit_csv_options {
    char separator;      /* 0: found out among , ; tab | */
    const char *missing; /* comma-separated markers that mean "missing", beside the empty cell */
    bool no_header;      /* the first row is data; columns are named by `names`, else c1, c2, ... */
    const char *names;   /* comma-separated column names, for no_header */
    size_t skip_lines;   /* lines to pass over before the header (or the first row) */
} tacit_csv_options;

/* Read a whole CSV file ("-": standard input).  RFC 4180, CRLF or LF, UTF-8 BOM allowed; blank lines are
 * passed over; blanks around an unquoted cell are dropped.  threads: 0 = all cores. */
TACIT_API tacit_status tacit_table_read(tacit_table **out, const char *path, const tacit_csv_options *opt,
                                        size_t threads, tacit_error *err);
TACIT_API void tacit_table_free(tacit_table *table);
TACIT_API size_t tacit_table_rows(const tacit_table *table);
TACIT_API size_t tacit_table_columns(const tacit_table *table);
TACIT_API const char *tacit_table_column_name(const tacit_table *table, size_t column);
/* SHA-256 of the file, hex. */
TACIT_API const char *tacit_table_hash(const tacit_table *table);

/* ---------------------------------------------------------------- schemas */

typedef struct tacit_schema tacit_schema;

typedef enum tacit_type { TACIT_NUMBER = 0, TACIT_INTEGER = 1, TACIT_CATEGORY = 2 } tacit_type;
typedef enum tacit_role { TACIT_PUBLIC = 0, TACIT_SENSITIVE = 1 } tacit_role;
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
    size_t missing_level; /* categories: the level that stands for "missing", or TACIT_NONE */
    const char *question; /* never NULL; made from the name unless given */
    const char *help;     /* may be "" */
} tacit_attribute;

typedef struct tacit_infer_options {
    const char *label;       /* column to predict; required */
    tacit_encoding encoding; /* of categories */
    const char *sensitive;   /* comma-separated attribute names; NULL: all that are not public */
    const char *public_;     /* comma-separated attribute names; NULL: none */
    const char *drop;        /* comma-separated columns to leave out */
    double test_share;       /* share of rows held out; domains come from the rest.  0 <= share < 1 */
    uint64_t seed;           /* of the split */
} tacit_infer_options;

/* Find out types, domains and roles from a table.  Number and integer domains come from the training
 * part; levels and classes from the whole table. */
TACIT_API tacit_status tacit_schema_infer(tacit_schema **out, const tacit_table *table, const tacit_infer_options *opt,
                                          tacit_error *err);
TACIT_API tacit_status tacit_schema_read(tacit_schema **out, const char *path, tacit_error *err);
TACIT_API tacit_status tacit_schema_write(const tacit_schema *schema, const char *path, tacit_error *err);
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
/* How the files of this schema are written ("csv" in the schema file): fills what `csv` leaves open. */
TACIT_API void tacit_schema_csv(const tacit_schema *schema, tacit_csv_options *csv);
/* What the schema file says about its data: "title", "source", "licence", "file", "sha256", "note"; "" when it does
 * not. */
TACIT_API const char *tacit_schema_about(const tacit_schema *schema, const char *key);
/* Remarks made by inference ("column ID looks like an identifier ..."), one line each. */
TACIT_API size_t tacit_schema_notes(const tacit_schema *schema);
TACIT_API const char *tacit_schema_note(const tacit_schema *schema, size_t index);

/* Set roles from comma-separated names.  Either may be NULL: with both NULL nothing changes; with one
 * given, everything not named gets the other role.  An unknown name or one in both lists is an error. */
TACIT_API tacit_status tacit_schema_set_roles(tacit_schema *schema, const char *sensitive, const char *public_,
                                              tacit_error *err);

/* ---------------------------------------------------------------- models */

typedef struct tacit_model tacit_model;

/* Told about progress now and then, from one thread at a time.  total may be 0 (unknown).  Return false to stop. */
typedef bool (*tacit_progress)(void *context, uint64_t done, uint64_t total);

typedef struct tacit_fit_options {
    const char *kind; /* "logistic" (NULL: the same) or "mlp", a ReLU network */
    /* Weight of the squared penalty, objective = sum of log losses + l2/2 |w|^2; 0 means 1 for "logistic", no penalty
     * for "mlp". */
    double l2;
    double test_share; /* as in tacit_infer_options; must agree with the schema's */
    uint64_t seed;     /* of the split; for "mlp" also of the first weights and of the order of the rows */
    size_t threads;    /* 0 = all cores; the result does not depend on it */
    tacit_progress progress;
    void *progress_context;
    /* "mlp" only, mini-batch gradient descent; 0 and NULL mean the usual. */
    const char *hidden; /* sizes of the hidden layers, comma-separated; NULL means "10,10", "" none */
    size_t epochs;      /* times through the training part; 0 means 300 */
    size_t batch;       /* rows that make one step; 0 means 32 */
    double rate;        /* length of a step; 0 means 0.001 */
    double momentum;    /* at least 0, below 1 */
    bool adam;          /* steps by Adam's rule instead; not with momentum */
    size_t patience;    /* stop after so many epochs without improvement of the training loss; 0 means never */
} tacit_fit_options;

/* Where a model comes from and how good it is. */
typedef struct tacit_model_info {
    const char *kind; /* "logistic", "mlp" */
    size_t inputs;    /* numbers the classifier reads */
    size_t scores;    /* 1 for two classes, else one per class */
    size_t train_rows, test_rows;
    double train_accuracy, test_accuracy; /* test: NaN when nothing was held out */
    double test_share;
    uint64_t seed;
    double l2;
    uint64_t clipped, missing; /* training file: cells clipped into their domain, cells missing */
    const char *data_hash;     /* SHA-256 of the training file, hex */
    const char *model_hash;    /* SHA-256 over everything in the model file, hex */
    const char *version;       /* of the Tacit that made it */
    const char *hidden;        /* "mlp": sizes of the hidden layers, "10,10"; else "" */
    /* "mlp": how it was trained, as in tacit_fit_options; epochs = 0 when that is not known. */
    size_t epochs, batch, patience;
    double rate, momentum;
    bool adam;
    size_t epochs_run; /* less than epochs when patience ended it */
    double loss;       /* mean log loss while going through the training part for the last time */
} tacit_model_info;

/* Train on a table.  Deterministic: the same table, schema and options give the same bytes. */
TACIT_API tacit_status tacit_fit(tacit_model **out, const tacit_table *table, const tacit_schema *schema,
                                 const tacit_fit_options *opt, tacit_error *err);

typedef struct tacit_import_options {
    double test_share; /* as in tacit_fit_options: the distribution is learnt from the rest */
    uint64_t seed;     /* of the split */
    size_t threads;    /* 0 = all cores; the result does not depend on it */
} tacit_import_options;

/* Bring a classifier that was trained elsewhere: an ONNX file with a linear classifier or a ReLU network.  Only the
 * distribution of the inputs is learnt from the table, and accuracies are measured on it.  The network reads raw
 * values in the order of the schema: a number or integer as it is, an ordinal category as the index (from 0) of its
 * level, a one-hot category as a 0 or 1 for each level.  Its classes are matched with the schema's by name where the
 * file names them, else in order.  What is neither linear nor a ReLU network is refused with the node that makes it
 * so. */
TACIT_API tacit_status tacit_import(tacit_model **out, const char *onnx_path, const tacit_table *table,
                                    const tacit_schema *schema, const tacit_import_options *opt, tacit_error *err);

TACIT_API tacit_status tacit_model_load(tacit_model **out, const char *path, tacit_error *err);
TACIT_API tacit_status tacit_model_save(const tacit_model *model, const char *path, tacit_error *err);
/* A copy with other roles (see tacit_schema_set_roles): roles are a matter of who asks, not of training.  A calibration
 * is about the roles it was made with: where they change, the copy has none. */
TACIT_API tacit_status tacit_model_with_roles(tacit_model **out, const tacit_model *model, const char *sensitive,
                                              const char *public_, tacit_error *err);
TACIT_API void tacit_model_free(tacit_model *model);
TACIT_API const tacit_schema *tacit_model_schema(const tacit_model *model);
TACIT_API const tacit_model_info *tacit_model_info_get(const tacit_model *model);

/* One level of a calibration: the policy that stops people as likely at a nominal probability of `confidence`.  People
 * of margin 0 are those whom half the nominal failure would have asked more, people of margin 1 those whom an eighth
 * would have. */
enum { TACIT_MARGINS = 2 };
typedef struct tacit_calibration_row {
    double confidence;
    uint64_t stopped, failed; /* people stopped as likely; those of them whose label is not the one with everything
                                 known */
    double bound;             /* upper confidence bound for the share that fails */
    uint64_t marginal[TACIT_MARGINS], marginal_failed[TACIT_MARGINS]; /* the same for those on the margins */
    double marginal_bound[TACIT_MARGINS];
    double delta; /* the least delta that this level keeps; 1: none */
} tacit_calibration_row;

/* What was observed on people the model was not trained on (docs/METHOD.md, section 20).  All bounds hold together with
 * probability 1 - alpha. */
typedef struct tacit_calibration {
    uint64_t people;
    double alpha;
    const char *data_hash; /* SHA-256 of their file, hex; that of the training file when they were held out of it */
    size_t n_rows;         /* levels, from the loosest to the strictest */
    const tacit_calibration_row *rows;
} tacit_calibration;

/* NULL when the model is not calibrated. */
TACIT_API const tacit_calibration *tacit_model_calibration(const tacit_model *model);

/* ---------------------------------------------------------------- people */

typedef struct tacit_person tacit_person;

/* Nothing known yet. */
TACIT_API tacit_status tacit_person_new(tacit_person **out, const tacit_model *model, tacit_error *err);
/* Row `row` (from 1) of a CSV file, all attributes known. */
TACIT_API tacit_status tacit_person_read_row(tacit_person **out, const tacit_model *model, const char *path,
                                             const tacit_csv_options *opt, size_t row, tacit_error *err);
/* Set attributes from a JSON object {"attribute": value, ...}; null means missing. */
TACIT_API tacit_status tacit_person_read_json(tacit_person *person, const char *path, tacit_error *err);
/* Wipes. */
TACIT_API void tacit_person_free(tacit_person *person);
/* Give an attribute a value, written as in a CSV cell ("" = missing).  *clipped (may be NULL) tells whether
 * the value lay outside its domain and was moved to the nearest end. */
TACIT_API tacit_status tacit_person_set(tacit_person *person, size_t attribute, const char *text, bool *clipped,
                                        tacit_error *err);
TACIT_API void tacit_person_unset(tacit_person *person, size_t attribute);
TACIT_API bool tacit_person_knows(const tacit_person *person, size_t attribute);
/* The value as text, into `text` (always terminated); for showing a person their own answers or a made-up witness. */
TACIT_API void tacit_person_text(const tacit_person *person, size_t attribute, char *text, size_t size);
/* Label the model gives when everything is known; TACIT_NONE otherwise. */
TACIT_API size_t tacit_person_label(const tacit_person *person);

/* ---------------------------------------------------------------- is it settled? */

typedef enum tacit_verdict {
    TACIT_UNDECIDED = 0, /* could not be proven either way within rounding or work budget: not safe to stop */
    TACIT_CERTIFIED = 1, /* every completion has the label */
    TACIT_REFUTED = 2    /* two completions get different labels, both evaluated */
} tacit_verdict;

typedef struct tacit_certificate {
    tacit_verdict verdict;
    size_t label;   /* TACIT_CERTIFIED: the label */
    uint64_t nodes; /* work done: bound evaluations */
    double seconds;
    double probability;       /* of the most likely label under the model's distribution ... */
    size_t likely_label;      /* ... and that label */
    tacit_person *witness[2]; /* TACIT_REFUTED: two completions with different labels; else NULL */
} tacit_certificate;

/* Is the label the same whatever the attributes that `person` does not know? */
TACIT_API tacit_status tacit_certify(tacit_certificate *out, const tacit_person *person, tacit_error *err);
/* Frees the witnesses, not the struct. */
TACIT_API void tacit_certificate_clear(tacit_certificate *certificate);

/* What the paper's grid test says to the same question.  It proves nothing: between two points of the grid the label
 * may change, and points at values that no integer or ordinal category has count too.  For comparison only. */
typedef struct tacit_grid {
    bool complete;   /* false: more than 10^8 points, nothing is said */
    bool constant;   /* all points have the same label ... */
    size_t label;    /* ... which is this one; TACIT_NONE otherwise */
    uint64_t points; /* evaluated; it stops at the first one with another label */
    double seconds;
} tacit_grid;

/* round(1 / step) evenly spaced values of each number, integer and ordinal category that `person` does not know, both
 * ends among them; all levels of the other categories.  0 < step <= 0.5; the paper takes 0.2. */
TACIT_API tacit_status tacit_certify_grid(tacit_grid *out, const tacit_person *person, double step, tacit_error *err);

/* The smallest set of sensitive attributes that settles the decision of a fully known person (delta = 0),
 * public attributes known: a yardstick, not a protocol, since it looks at all values.  by_cost: smallest total
 * cost instead of smallest number.  `members` has room for all attributes. */
TACIT_API tacit_status tacit_smallest_core(const tacit_person *person, bool by_cost, size_t *members, size_t *n_members,
                                           tacit_error *err);

/* What would change the decision of a fully known person: the nearest value of one attribute alone that
 * gives another label. */
typedef struct tacit_change {
    bool possible;
    size_t label;    /* the other label */
    char value[128]; /* nearest such value: "at least 5400", "at most 3", "single" */
} tacit_change;
TACIT_API tacit_status tacit_change_of(const tacit_person *person, size_t attribute, tacit_change *out,
                                       tacit_error *err);

/* ---------------------------------------------------------------- sessions */

typedef struct tacit_session tacit_session;

typedef enum tacit_rule {
    TACIT_RULE_AUTO = 0,       /* delta > 0: entropy; delta = 0: stop */
    TACIT_RULE_ENTROPY = 1,    /* the paper's: smallest expected entropy, exact */
    TACIT_RULE_MARGIN = 2,     /* largest expected certified margin */
    TACIT_RULE_MONTECARLO = 3, /* the paper's, literally: entropy over 1000 samples; for comparison */
    TACIT_RULE_STOP = 4        /* most likely to be proven by the answer; else the largest margin */
} tacit_rule;

TACIT_API const char *tacit_rule_name(tacit_rule rule);
/* The rule called `name`; an unknown name is an error with a suggestion. */
TACIT_API tacit_status tacit_rule_from_name(tacit_rule *out, const char *name, tacit_error *err);

typedef struct tacit_release_options {
    double delta; /* 0 <= delta < 0.5 */
    tacit_rule rule;
    uint64_t seed; /* of the Monte Carlo rule and of the outlook */
} tacit_release_options;

typedef enum tacit_settled {
    TACIT_OPEN = 0,         /* not settled: there is a next question */
    TACIT_CERTAIN = 1,      /* proven for every value of what was not asked */
    TACIT_LIKELY = 2,       /* probability >= 1 - delta under the model's distribution, or as calibrated */
    TACIT_ALL_REVEALED = 3, /* nothing is left to ask: the ordinary decision */
    TACIT_UNSETTLED = 4     /* refusals leave it open: the most likely label, with its probability */
} tacit_settled;

TACIT_API const char *tacit_settled_name(tacit_settled settled); /* "certain", "likely", "all revealed", ... */

typedef struct tacit_decision {
    tacit_settled settled;
    size_t label;       /* representative label; while open, the most likely one */
    double probability; /* of that label: 1 when certain or all revealed */
    size_t asked;       /* sensitive attributes answered */
    size_t refused;     /* attributes refused */
    double cost;        /* of the sensitive attributes answered */
} tacit_decision;

/* One line of the transcript. */
typedef struct tacit_event {
    size_t attribute;
    bool refused;
    bool clipped;
    tacit_role role;
    tacit_settled settled; /* after it; after all of them where several were given together */
    size_t label;          /* most likely label after it */
    double probability;
} tacit_event;

/* The nominal probability from which on `delta` counts as kept under `rule`: 1 - delta, or with a calibration the least
 * for which at most delta were observed to fail.  Infinite when only a proof will do: delta = 0, nothing observed that
 * allows delta, or a rule other than the one observed (entropy, which AUTO is at delta > 0). */
TACIT_API double tacit_model_confidence(const tacit_model *model, tacit_rule rule, double delta);

TACIT_API tacit_status tacit_session_open(tacit_session **out, const tacit_model *model,
                                          const tacit_release_options *opt, tacit_error *err);
/* Wipes. */
TACIT_API void tacit_session_free(tacit_session *session);
/* The attribute to ask next, TACIT_NONE when there is a decision.  Public attributes not yet known come
 * first, in schema order; they do not count as asked.  Asking twice gives the same answer. */
TACIT_API tacit_status tacit_session_next(tacit_session *session, size_t *attribute, tacit_error *err);
/* Give or refuse an attribute that is not known or refused yet: the one asked for, or another.  A refused
 * attribute stays unknown for good. */
TACIT_API tacit_status tacit_session_answer(tacit_session *session, size_t attribute, const char *text,
                                            tacit_error *err);
TACIT_API tacit_status tacit_session_refuse(tacit_session *session, size_t attribute, tacit_error *err);
/* Take back the last answer or refusal; an error when there is none. */
TACIT_API tacit_status tacit_session_undo(tacit_session *session, tacit_error *err);
/* Where things stand; a decision once next gives TACIT_NONE. */
TACIT_API tacit_status tacit_session_decision(tacit_session *session, tacit_decision *out, tacit_error *err);
typedef struct tacit_outlook {
    size_t at_most; /* sensitive attributes that can still be asked */
    double about;   /* how many more it takes on average over people drawn from what is known */
    double settles; /* share of those people whose decision the next answer settles */
} tacit_outlook;
/* What lies ahead, in thousandths; all zero once there is a decision.  With two classes and delta = 0 it is reckoned.
 * Otherwise people are drawn: so many, 0: 64, or 8 for models of over 100 inputs. */
TACIT_API tacit_status tacit_session_outlook(tacit_session *session, size_t draws, tacit_outlook *out,
                                             tacit_error *err);
TACIT_API size_t tacit_session_events(const tacit_session *session);
TACIT_API const tacit_event *tacit_session_event(const tacit_session *session, size_t index);
/* What the session knows. */
TACIT_API const tacit_person *tacit_session_person(const tacit_session *session);
/* The rule in use: what AUTO became. */
TACIT_API tacit_rule tacit_session_rule(const tacit_session *session);
/* Give all public attributes that `person`, of the same model, knows and the session does not, together. */
TACIT_API tacit_status tacit_session_give_public(tacit_session *session, const tacit_person *person, tacit_error *err);
/* Answer every question from a fully known person until there is a decision; attributes not asked are not read. */
TACIT_API tacit_status tacit_session_replay(tacit_session *session, const tacit_person *person, tacit_error *err);

/* Begin again, for another person: answers are wiped, options may differ; what was computed about the model stays and
 * makes the next steps quick.  On failure nothing is known and the options are the old ones. */
TACIT_API tacit_status tacit_session_restart(tacit_session *session, const tacit_release_options *opt,
                                             tacit_error *err);
/* Answers and transcript as bytes, to go on elsewhere or later; for a model always this many.  Wipe them: personal. */
TACIT_API size_t tacit_session_state_size(const tacit_model *model);
TACIT_API tacit_status tacit_session_save(const tacit_session *session, unsigned char *bytes, tacit_error *err);
/* Put a session where the saved one was.  Options are not part of the bytes; with the same ones, next question,
 * decision, transcript and receipt are the same to the bit.  The caller sees to it that model and roles are the same.
 * Bytes that make no sense for the model are TACIT_E_INPUT, and nothing is known then. */
TACIT_API tacit_status tacit_session_restore(tacit_session *session, const unsigned char *bytes, size_t size,
                                             tacit_error *err);

/* ---------------------------------------------------------------- receipts */

/* The receipt of a decision, as JSON text (docs/FORMATS.md): what was asked and answered in which order, what was not
 * asked, the decision, and for one that is certain what it takes to prove it again.  It holds the person's answers.
 * An error while there is no decision yet.  May take long for a large network.  Free with tacit_text_free.
 * *unproven (NULL allowed): the decision is certain, but the proof would be too long or is within rounding, and was
 * left out; the decision stands, and the receipt does not check. */
TACIT_API tacit_status tacit_session_receipt(char **out, tacit_session *session, bool *unproven, tacit_error *err);

/* What checking a receipt found. */
typedef struct tacit_check {
    bool valid;
    char reason[256];      /* what is wrong with it, "" when valid; names attributes, never a value */
    size_t label;          /* the decision; TACIT_NONE unless valid */
    tacit_settled settled; /* and how it was settled; TACIT_OPEN unless valid */
    double probability;
    size_t leaves;  /* parts of the domain that were proven one by one; 0 unless certain */
    bool is_signed; /* it carries a signature, and the signature is right; false unless valid */
    bool trusted;   /* by the trusted key */
    char key[48];   /* public key of the signature in base64, "" when not signed */
} tacit_check;

/* The receipt with a signature at its end, by an Ed25519 key: its secret seed, 32 bytes, and its public key behind it
 * (what libsodium calls the secret key).  Free with tacit_text_free. */
TACIT_API tacit_status tacit_receipt_sign(char **out, const char *receipt, const unsigned char key[64],
                                          tacit_error *err);

/* Check a receipt against the model it was made with: that nothing was changed, and that its decision follows from its
 * answers.  A proof is checked by code of its own, which shares nothing with the search that decided when to stop.  A
 * signature must be right, and by trusted_key: a public key in base64, or several with commas; NULL: by anybody, or
 * none at all.  A file that is no receipt is an error; a receipt that is wrong is not valid. */
TACIT_API tacit_status tacit_check_receipt(tacit_check *out, const tacit_model *model, const char *path,
                                           const char *trusted_key, tacit_error *err);

/* ---------------------------------------------------------------- audits */

typedef struct tacit_audit tacit_audit;

/* Several processes that do one thing together, for example under MPI.  Every member makes the same calls in the same
 * order; a function here that fails fails for good.  Member 0 gets the results and writes the files. */
typedef struct tacit_team {
    size_t rank, size; /* this member, from 0, and how many there are */
    /* `size` bytes of every member to every member: those of member r go to all + r * size. */
    tacit_status (*share)(void *context, const void *mine, size_t size, void *all, tacit_error *err);
    /* `size` bytes from this member to member 0, which receives them. */
    tacit_status (*send)(void *context, const void *bytes, size_t size, tacit_error *err);
    tacit_status (*receive)(void *context, size_t from, void *bytes, size_t size, tacit_error *err);
    void *context;
} tacit_team;

typedef enum tacit_part {
    TACIT_PART_ALL = 0,
    TACIT_PART_TRAIN = 1,   /* the rows the model was trained on: the file must be the training file */
    TACIT_PART_HELD_OUT = 2 /* the rows held out when the model was trained: likewise */
} tacit_part;

typedef struct tacit_audit_options {
    const double *deltas; /* each 0 <= delta < 0.5 */
    size_t n_deltas;
    tacit_rule rule;
    size_t threads;          /* 0 = all cores; results are byte-identical for any number */
    const char *group;       /* column to break results down by, or NULL */
    const char *rows_path;   /* write one CSV row per person and delta here, or NULL */
    bool unknown_as_missing; /* a category value outside its domain counts as missing instead of an error */
    bool no_opt;             /* leave out the smallest core sets */
    tacit_part part;
    uint64_t seed;           /* of the Monte Carlo rule */
    bool partial;            /* the result is for tacit_audit_partial: find out the hash of each file */
    const tacit_team *team;  /* files only: share the work with other processes; NULL: alone */
    tacit_progress progress; /* in bytes (file) or rows (table) */
    void *progress_context;
} tacit_audit_options;

/* Counts of one delta, for everybody or for one group. */
typedef struct tacit_audit_result {
    double delta;
    tacit_rule rule; /* never AUTO */
    uint64_t people;
    const uint64_t *histogram; /* [k]: people asked for exactly k attributes, k = 0 ... n_sensitive */
    const uint64_t *asked;     /* [i]: people asked for sensitive attribute i (index into the audit's list) */
    uint64_t total_asked;      /* sum over people */
    double mean_asked, share_asked, none_asked, mean_cost;
    uint64_t certain, likely, all_revealed; /* people by how the decision was settled */
    uint64_t agree;                         /* label equals the full-information label */
    double fidelity;
    uint64_t correct; /* label equals the ground truth, among `labelled` people */
    double accuracy;  /* NaN without ground truth */
    /* Promised against observed failure, among the people stopped early on the strength of the promise: at
     * delta > 0 those stopped as likely, at delta = 0 those stopped as certain.  promised = delta, observed = share
     * of them whose label differs from the full-information label, [low, high] its 95 % Clopper-Pearson interval.
     * observed, low and high are NaN when stopped = 0. */
    uint64_t stopped, failed;
    double promised, observed, low, high;
    bool calibrated;   /* delta > 0, and the model is calibrated */
    double confidence; /* that stops as likely: tacit_model_confidence */
} tacit_audit_result;

typedef struct tacit_audit_summary {
    uint64_t people;
    uint64_t labelled; /* people with ground truth */
    size_t n_sensitive;
    const size_t *sensitive; /* attribute indices */
    uint64_t baseline_correct;
    double baseline_accuracy; /* everything asked; NaN without ground truth */
    bool has_opt;
    const uint64_t *opt_histogram; /* [k]: people whose smallest core set has k members */
    double opt_mean_asked, opt_mean_cost;
    uint64_t opt_inexact; /* people for whom it was not found for sure (search cut short, or undecided proof) */
    uint64_t clipped, missing, unknown; /* cells */
    size_t n_results;                   /* one per delta, in the order given */
    size_t n_groups;                    /* 0 without `group` */
    /* SHA-256 of the people file, hex, for a table, a part of the training file, one file and `partial`, or one file, a
     * calibrated model and a delta above 0; else "" */
    const char *data_hash;
    bool calibrated_with; /* among the people are those the model was calibrated with: no test of its promises */
} tacit_audit_summary;

TACIT_API tacit_status tacit_audit_csv(tacit_audit **out, const tacit_model *model, const char *path,
                                       const tacit_csv_options *csv, const tacit_audit_options *opt, tacit_error *err);
/* The people of several files together.  Rows are numbered in each file; the rows output names the file first.  With
 * a team, members other than 0 get NULL.  A file alone is split among them by bytes, several are dealt out whole. */
TACIT_API tacit_status tacit_audit_files(tacit_audit **out, const tacit_model *model, const char *const *paths,
                                         size_t n_paths, const tacit_csv_options *csv, const tacit_audit_options *opt,
                                         tacit_error *err);
TACIT_API tacit_status tacit_audit_table(tacit_audit **out, const tacit_model *model, const tacit_table *table,
                                         const tacit_audit_options *opt, tacit_error *err);
TACIT_API void tacit_audit_free(tacit_audit *audit);
TACIT_API const tacit_audit_summary *tacit_audit_summary_get(const tacit_audit *audit);
TACIT_API const tacit_audit_result *tacit_audit_result_get(const tacit_audit *audit, size_t delta_index);
/* Groups in the order of their names.  Values of the group column are names here: choose the column accordingly. */
TACIT_API const char *tacit_audit_group_name(const tacit_audit *audit, size_t group);
/* May the group be described?  Not when it has fewer than 20 people, nor when it is needed to hide one that has: what
 * is left out must not follow from the rest. */
TACIT_API bool tacit_audit_group_shown(const tacit_audit *audit, size_t group);
TACIT_API const tacit_audit_result *tacit_audit_group_result(const tacit_audit *audit, size_t group,
                                                             size_t delta_index);
/* Name of sensitive attribute i (index into the audit's list), and of the column of the groups (NULL without). */
TACIT_API const char *tacit_audit_sensitive_name(const tacit_audit *audit, size_t i);
TACIT_API const char *tacit_audit_group_column(const tacit_audit *audit);
/* Everything above as JSON text, stable keys (docs/FORMATS.md); free with tacit_text_free. */
TACIT_API tacit_status tacit_audit_json(char **out, const tacit_audit *audit, tacit_error *err);

/* Where an audit comes from, as far as it does not know that itself.  Whatever is not given is left out. */
typedef struct tacit_audit_provenance {
    const char *const *files; /* of people; folders are not written down */
    size_t n_files;
    const char *command; /* how to repeat it */
    const char *date;    /* any text; without one the same input gives the same bytes */
} tacit_audit_provenance;

/* The same with its provenance (NULL: without). */
TACIT_API tacit_status tacit_audit_json_about(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                              tacit_error *err);
/* The same as a page with figures that needs nothing beside it: below 1 MB for any number of people.  TACIT_E_USAGE
 * when this Tacit was built without pages. */
TACIT_API tacit_status tacit_audit_html(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                        tacit_error *err);
/* Was this Tacit built with pages? */
TACIT_API bool tacit_has_pages(void);
/* The counts as they are, as JSON text: a part of a larger audit, to be joined by tacit_audit_merge.  Not for
 * publication: it describes groups of any size.  The audit must have been made with `partial`, or by merging. */
TACIT_API tacit_status tacit_audit_partial(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                           tacit_error *err);
/* Join parts, files written with tacit_audit_partial: the audit that one call would have given for all people at once.
 * Parts of different models or settings, and people who are there twice, are errors.  It knows the names of the files
 * as far as the parts do. */
TACIT_API tacit_status tacit_audit_merge(tacit_audit **out, const char *const *paths, size_t n_paths, tacit_error *err);
TACIT_API void tacit_text_free(char *text);

/* ---------------------------------------------------------------- calibration */

typedef struct tacit_calibrate_options {
    tacit_part part; /* not the training part; ALL only for a file other than the training file */
    double alpha;    /* chance that the bounds do not hold, at least 1e-6 and below 1; 0 means 0.05 */
    size_t threads;  /* 0 = all cores; the result does not depend on it */
    bool unknown_as_missing;
    tacit_progress progress; /* in rows */
    void *progress_context;
} tacit_calibrate_options;

/* A copy of the model that knows how often its nominal confidence was right on these people.  At delta > 0 it stops as
 * likely only where the bounds allow it; where they never do, delta is kept by proof. */
TACIT_API tacit_status tacit_model_calibrate(tacit_model **out, const tacit_model *model, const tacit_table *table,
                                             const tacit_calibrate_options *opt, tacit_error *err);

/* ---------------------------------------------------------------- experiments */

/* The paper's evaluation: train on a part of a table, draw sensitive attributes at random, release them by several
 * methods for everybody held out, and do it again with another split. */
typedef struct tacit_experiment tacit_experiment;

typedef enum tacit_method {
    TACIT_METHOD_BASELINE = 0, /* everything sensitive is asked */
    TACIT_METHOD_OPT = 1,      /* the smallest core set (delta = 0), knowing all values: a bound, not a protocol */
    TACIT_METHOD_PAPER = 2,    /* the entropy rule at every delta */
    TACIT_METHOD_TACIT = 3     /* TACIT_RULE_AUTO */
} tacit_method;
enum { TACIT_METHODS = 4 };

TACIT_API const char *tacit_method_name(tacit_method method); /* "baseline", "opt", "paper", "tacit" */

typedef struct tacit_experiment_options {
    const char *kinds;   /* of models, comma-separated; NULL: "logistic,mlp" */
    const char *methods; /* comma-separated; NULL: all four */
    const size_t *sizes; /* numbers of sensitive attributes, ascending */
    size_t n_sizes;
    size_t reps;          /* repetitions: repetition r has seed `seed` + r for its split, its training and its draw */
    const double *deltas; /* each 0 <= delta < 0.5, ascending */
    size_t n_deltas;
    uint64_t seed;
    size_t threads;          /* repetitions side by side; 0 = all cores; the results do not depend on it */
    double test_share;       /* 0 means 0.3 */
    tacit_fit_options fit;   /* hidden, epochs, batch, rate, momentum, adam, patience; the rest is ignored */
    size_t opt_people;       /* networks: people per repetition and size for whom Opt is found; 0 = all */
    size_t grid_people;      /* networks: people per repetition and size to put the grid beside the proof; 0 = none */
    const char *journal;     /* file that finished repetitions are added to, or NULL */
    bool resume;             /* go on from what the journal holds; false: the journal must not exist yet */
    const tacit_team *team;  /* share the trials with other processes, each with a journal of its own; NULL: alone */
    tacit_progress progress; /* in trials: kinds x repetitions x sizes */
    void *progress_context;
} tacit_experiment_options;

/* Run it, or what the journal lacks of it.  The schema's domains hold for every repetition; its roles do not matter.
 * A journal of other settings or data is refused. */
TACIT_API tacit_status tacit_experiment_run(tacit_experiment **out, const tacit_table *table,
                                            const tacit_schema *schema, const tacit_experiment_options *opt,
                                            tacit_error *err);
TACIT_API void tacit_experiment_free(tacit_experiment *experiment);

/* One row per model, repetition, size, method and delta; without what differs from run to run (docs/FORMATS.md).  All
 * texts: free with tacit_text_free. */
TACIT_API tacit_status tacit_experiment_csv(char **out, const tacit_experiment *experiment, tacit_error *err);
/* The same rows with the seconds they took. */
TACIT_API tacit_status tacit_experiment_seconds(char **out, const tacit_experiment *experiment, tacit_error *err);
/* Means, standard errors, histograms: JSON. */
TACIT_API tacit_status tacit_experiment_json(char **out, const tacit_experiment *experiment, tacit_error *err);
/* The same as a page with figures that needs nothing beside it.  TACIT_E_USAGE when this Tacit was built without
 * pages. */
TACIT_API tacit_status tacit_experiment_html(char **out, const tacit_experiment *experiment, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
