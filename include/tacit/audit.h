/*
 * tacit/audit.h -- the questionnaires of everybody in a file, counted.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_AUDIT_H
#define TACIT_AUDIT_H

#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    size_t size;          /* see tacit.h */
    const double *deltas; /* each 0 <= delta < 0.5 */
    size_t n_deltas;
    tacit_rule rule;
    size_t threads;    /* 0 = all cores; results are byte-identical for any number */
    const char *group; /* column to break results down by, or NULL */
    /* More of them, behind it: "sex", "age:25,40,60" (bins by their edges), "age:65," (one edge), "age:5" (equal parts of
     * the attribute's domain), "sex*age:5" (both at once); a column name with * or : or a quote in double quotes. */
    const char *const *groupings;
    size_t n_groupings;
    const char *rows_path;   /* write one CSV row per person and delta here, or NULL */
    bool unknown_as_missing; /* a category value outside its domain counts as missing instead of an error */
    bool no_opt;             /* leave out the smallest core sets */
    bool no_needs;           /* leave out what is indispensable and what could have been spared */
    tacit_part part;
    uint64_t seed;           /* of the Monte Carlo rule */
    bool partial;            /* the result is for tacit_audit_partial: find out the hash of each file */
    const tacit_team *team;  /* files only: share the work with other processes; NULL: alone */
    tacit_progress progress; /* in bytes (file) or rows (table) */
    void *progress_context;
    bool keep_people; /* remember what became of each person: tacit_audit_people_get; not with a team */
    bool keep_rows;   /* the text that rows_path would get: tacit_audit_rows; not beside it, nor with a team */
    /* Find the smallest core sets of this share of people, drawn by the numbers of their rows: above 0, up to 1, everybody.
     * 0: everybody up to 4,096 people or where rows are wanted, else the share 1/2, 1/4, ... that leaves about 2,048 to 4,096.
     * Models whose scores are sums of one term per input (tacit_model_info.additive) have them of everybody. */
    double opt_share;
    /* With fewer people nothing is written to rows_path, and a file that was there stays as it was. */
    size_t rows_least;
} tacit_audit_options;

/* What an audit says about a promise. */
typedef enum tacit_promise {
    TACIT_PROMISE_KEPT = 0,      /* the upper end of the interval is at most delta; at delta = 0: nobody failed */
    TACIT_PROMISE_NOT_SHOWN = 1, /* delta lies in the interval, or nobody was stopped early: too few people to say */
    TACIT_PROMISE_BROKEN = 2     /* the lower end is above delta; at delta = 0: somebody failed */
} tacit_promise;
TACIT_API const char *tacit_promise_name(tacit_promise promise); /* "kept", "not shown", "broken" */

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
    tacit_promise promise;
    /* Not shown: how many more people stopped early would show it one way or the other, if the observed share stayed as
     * it is.  0: shown already, or no number can be told (nobody stopped, observed = delta, more than 10^9). */
    uint64_t more_people;
    /* What people could have kept, where the summary says has_needs; counts by sensitive attribute.  Indispensable: with
     * everything else known, the decision still depends on it (tacit_need); this does not depend on delta.  Spare: the
     * decision, proven by what was asked, stays proven without this answer.  Others: neither, so that somebody who did not
     * give it would be asked for something else instead.  People stopped as likely have no proof, hence nothing spare. */
    const uint64_t *indispensable, *undecided, *spare, *others;
    uint64_t spare_people;  /* with at least one spare answer */
    uint64_t spare_answers; /* sum of spare */
    /* People with a cell outside its domain, and with a missing (or unknown) one: how many are given the label with
     * everything known.  Imported models: how many of the former are given the label that the classifier gives to their
     * values as they are, and the share of everybody who is (fidelity_unclipped; NaN for other models, whose clipping is
     * part of the model).  Not counted for groups: 0 and NaN. */
    uint64_t clipped_agree, clipped_own, missing_agree;
    double fidelity_unclipped;
    bool calibrated;   /* delta > 0, and the model is calibrated */
    double confidence; /* that stops as likely: tacit_model_confidence */
    /* The same as stopped and failed by class: of the people whose label with everything known it is.  TACIT_NOT_TOLD where a class
     * has people, but too few of them to be shown, or is needed to hide one that has.  NULL for groups, at delta = 0, where none
     * could be told, and where one would not be told beside groups. */
    const uint64_t *label_stopped, *label_failed;
} tacit_audit_result;

/* A count by label that is not told. */
#define TACIT_NOT_TOLD UINT64_MAX

/* A promise that is not broken for everybody may be broken for the people of one label: is the lower end of the 95 % interval of
 * their share above delta?  Never at delta = 0, nor where counts by label are not shown. */
TACIT_API bool tacit_audit_label_fails(const tacit_audit_result *result, size_t label);

/* Are people counted on whom the model was trained? */
typedef enum tacit_trained_on {
    TACIT_TRAINED_ON_UNKNOWN =
        0, /* nobody here knows what it was trained on, or the people are in memory and it was a file */
    TACIT_TRAINED_ON_NO = 1, /* rows held out, or other files than the training file */
    TACIT_TRAINED_ON_YES = 2
} tacit_trained_on;
/* "unknown", "no", "yes". */
TACIT_API const char *tacit_trained_on_name(tacit_trained_on trained_on);

typedef struct tacit_audit_summary {
    uint64_t people;
    uint64_t labelled; /* people with ground truth */
    size_t n_sensitive;
    const size_t *sensitive; /* attribute indices */
    uint64_t baseline_correct;
    double baseline_accuracy; /* everything asked; NaN without ground truth */
    size_t n_classes, n_public;
    const uint64_t *decided;       /* [c]: people who are given class c when everything is known */
    const uint64_t *truth;         /* [c]: people whose known outcome is c */
    const uint64_t *confusion;     /* [t * n_classes + d]: outcome t, decision d with everything known */
    tacit_baseline baseline;       /* everything asked, against always giving the most frequent class */
    bool has_opt;                  /* of a sample: only of 20 people and more */
    const uint64_t *opt_histogram; /* [k]: people whose smallest core set has k members */
    double opt_mean_asked, opt_mean_cost;
    bool has_needs;
    bool needs_undecided; /* can a need be undecided in a model of this kind? */
    uint64_t opt_inexact; /* people for whom it was not found for sure (search cut short, or undecided proof) */
    uint64_t clipped, missing, unknown; /* cells */
    uint64_t skipped;                   /* bad rows that were left out */
    size_t n_results;                   /* one per delta, in the order given */
    size_t n_groups;                    /* 0 without `group` */
    /* SHA-256 of the people file, hex, for a table, a part of the training file, one file and `partial`, or one file, a
     * calibrated model and a delta above 0; else "" */
    const char *data_hash;
    uint64_t people_clipped, people_missing;   /* with a cell clipped; with one missing or unknown */
    double clipped_accuracy, missing_accuracy; /* of these with everything known; NaN when not known */
    /* Imported models, people with a clipped cell: how many, and whose label is the one that the classifier gives to
     * their values as they are. */
    uint64_t unclipped, unclipped_agree;
    /* May figures of people with such a cell be told?  Not of 1 to 19 people, nor where 1 to 19 are left without one. */
    bool clipped_shown, missing_shown;
    bool unclipped_shown; /* the same of unclipped_agree and of every fidelity_unclipped; true when nobody has one */
    tacit_part part;
    tacit_origin origin;         /* of the model */
    tacit_trained_on trained_on; /* by the hash of the files, never by their names */
    uint64_t trained_rows;       /* people counted on whom it was trained; 0 when not known */
    bool training_file;          /* a file here is the one that the model was made from */
    bool calibrated_with;        /* among the people are those the model was calibrated with: no test of its promises */
    /* Where opt_inexact > 0 smallest sets have opt_mean_asked members at most, and this at least. */
    double opt_mean_least;
    /* The people whose smallest sets were looked for; fewer than `people`: a sample, and this is the standard error of
     * opt_mean_asked as a mean over all of them (0: it is over all; NaN: of one person nothing can be said). */
    uint64_t opt_people;
    double opt_error;
} tacit_audit_summary;

TACIT_API tacit_status tacit_audit_csv(tacit_audit **out, const tacit_model *model, const char *path,
                                       const tacit_csv_options *csv, const tacit_audit_options *options,
                                       tacit_error *err);
/* The people of several files together.  Rows are numbered in each file; the rows output names the file first.  With
 * a team, members other than 0 get NULL.  A file alone is split among them by bytes, several are dealt out whole. */
TACIT_API tacit_status tacit_audit_files(tacit_audit **out, const tacit_model *model, const char *const *paths,
                                         size_t n_paths, const tacit_csv_options *csv,
                                         const tacit_audit_options *options, tacit_error *err);
TACIT_API tacit_status tacit_audit_table(tacit_audit **out, const tacit_model *model, const tacit_table *table,
                                         const tacit_audit_options *options, tacit_error *err);
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
/* ---- people one by one, where the options said keep_people ---- */

/* What became of everybody at one delta, in the order of the files or the table; arrays of one entry a person. */
typedef struct tacit_audit_people {
    size_t people;
    const uint64_t *rows;       /* the number of each in its file or table, from 1 */
    const uint8_t *labels;      /* the class that each was given ... */
    const uint8_t *full_labels; /* ... and the one with everything known */
    const uint8_t *settled;     /* a tacit_settled */
    const uint16_t *asked;      /* how many sensitive attributes were asked for */
    const double
        *probabilities; /* of the label: 1 when certain or all revealed; nominal when likely, as in a session */
    /* n_words a person: sensitive attribute i (index into the audit's list) was asked for where bit i % 64 of word i / 64
     * is set. */
    const uint64_t *asked_sets;
    size_t n_words;
} tacit_audit_people;
/* NULL for other audits, and for an index that there is not. */
TACIT_API const tacit_audit_people *tacit_audit_people_get(const tacit_audit *audit, size_t delta_index);
/* The rows as CSV text, where the options said keep_rows; else NULL. */
TACIT_API const char *tacit_audit_rows(const tacit_audit *audit, size_t *size);

/* ---- groupings: `group` and `groupings` in their order; the functions above speak of the first if it has one column ----
 */

/* A share with its 95 % Clopper-Pearson interval; NaN when it is one of nobody. */
typedef struct tacit_share {
    uint64_t count, of;
    double value, low, high;
} tacit_share;

/* What a group is asked for and gets, at one delta; beside its tacit_audit_result. */
typedef struct tacit_audit_rates {
    double mean_low, mean_high; /* 95 % interval of mean_asked, by its standard error; NaN for one person */
    tacit_share fidelity, accuracy;
    const tacit_share *selection; /* per class: decided so */
    const tacit_share *recall;    /* per class: decided so, among those whose outcome it is */
    /* Two classes, the schema's second taken as positive: decided so among those whose outcome is the other, and the
     * other way round.  With more classes of nobody. */
    tacit_share false_positive, false_negative;
} tacit_audit_rates;

typedef struct tacit_audit_group {
    const char *name;         /* the names joined by " * " */
    const char *const *names; /* per column: value or bin; NULL when pooled */
    bool shown;               /* may it be described? */
    bool pooled;              /* all groups that are not shown, together */
    uint64_t people;
} tacit_audit_group;

/* The largest of a figure against the smallest, among the groups that are shown. */
typedef struct tacit_audit_difference {
    const char *figure;     /* "mean_asked", "fidelity", "accuracy", "failure", "selection_rate", ... as in the JSON */
    const char *class_name; /* of the figures that speak of one; else NULL */
    size_t delta_index, high_group, low_group, pairs; /* pairs of groups that were compared */
    double high, low, difference;
    /* Interval of the difference at 95 % for all pairs together (Bonferroni): Newcombe's for shares, Wald's for means. */
    double low_end, high_end;
    bool beyond_noise; /* low_end > 0 */
} tacit_audit_difference;

typedef struct tacit_audit_grouping {
    const char *name; /* as given */
    size_t n_columns;
    const char *const *columns;
    const double *const *edges; /* of bins, per column; NULL where its values are taken as they are */
    const size_t *n_edges;
    size_t n_groups;      /* in the order of their names, bins of their edges; shown or not */
    size_t suppressed;    /* not shown */
    size_t pooled_groups; /* of these, in the pooled row; 0: there is none */
    bool withheld;        /* no group is shown: it would take too much work to tell what follows from them */
    size_t n_differences;
    const tacit_audit_difference *differences;
} tacit_audit_grouping;

TACIT_API size_t tacit_audit_groupings(const tacit_audit *audit);
TACIT_API const tacit_audit_grouping *tacit_audit_grouping_get(const tacit_audit *audit, size_t grouping);
/* Group 0 ... n_groups - 1; n_groups: the pooled row, if there is one; TACIT_NONE: everybody.  NULL for others, and for
 * the figures of groups that are not shown. */
TACIT_API const tacit_audit_group *tacit_audit_grouping_group(const tacit_audit *audit, size_t grouping, size_t group);
TACIT_API const tacit_audit_result *tacit_audit_grouping_result(const tacit_audit *audit, size_t grouping, size_t group,
                                                                size_t delta_index);
TACIT_API const tacit_audit_rates *tacit_audit_grouping_rates(const tacit_audit *audit, size_t grouping, size_t group,
                                                              size_t delta_index);

/* Name of sensitive attribute i (index into the audit's list), and of the column of the groups (NULL without). */
TACIT_API const char *tacit_audit_sensitive_name(const tacit_audit *audit, size_t i);
TACIT_API const char *tacit_audit_group_column(const tacit_audit *audit);
/* The column of one attribute, public ones too: cells outside their domain and moved to its end, missing, and of a
 * category the model does not know.  psi: how differently its values are spread than in training (population stability
 * index: below 0.1 little, above 0.25 a lot), psi_by_chance what it would be on average if nothing had changed; NaN, as
 * the shares in training, when the model file does not know. */
typedef struct tacit_audit_quality {
    const char *name;
    uint64_t clipped, missing, unknown;
    double psi, psi_by_chance, training_missing_share, training_clipped_share;
} tacit_audit_quality;
/* False when there is no such attribute. */
TACIT_API bool tacit_audit_quality_get(const tacit_audit *audit, size_t attribute, tacit_audit_quality *out);
/* What is decided: the name of the label and of its classes; public attribute i of n_public, known from the start. */
TACIT_API const char *tacit_audit_label(const tacit_audit *audit);
TACIT_API const char *tacit_audit_class(const tacit_audit *audit, size_t index);
TACIT_API const char *tacit_audit_public_name(const tacit_audit *audit, size_t i);
/* Everything above as JSON text, stable keys (docs/FORMATS.md); free with tacit_text_free. */
TACIT_API tacit_status tacit_audit_json(char **out, const tacit_audit *audit, tacit_error *err);

/* Where an audit comes from, as far as it does not know that itself.  Whatever is not given is left out. */
typedef struct tacit_audit_provenance {
    size_t size;              /* see tacit.h */
    const char *const *files; /* of people; folders are not written down */
    size_t n_files;
    const char *command; /* how to repeat it */
    const char *date;    /* any text; without one the same input gives the same bytes */
    const char *lang;    /* of the page: "en", "de" or NULL (English) */
    /* JSON text: who answers for the processing, over what the model says (docs/FORMATS.md, "about"). */
    const char *about_json;
    const char *necessity; /* JSON text as `tacit necessity --json` writes it */
} tacit_audit_provenance;

/* The same with its provenance (NULL: without). */
TACIT_API tacit_status tacit_audit_json_about(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                              tacit_error *err);
/* The same as a page that needs nothing beside it and is complete without a script: below 1 MB for any audit. */
TACIT_API tacit_status tacit_audit_html(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                        tacit_error *err);
/* Was this Tacit built with the pages of web/, which experiments are written to?  Audits need none. */
TACIT_API bool tacit_has_pages(void);
/* The counts as they are, as JSON text: a part of a larger audit, to be joined by tacit_audit_merge.  Not for
 * publication: it describes groups of any size.  The audit must have been made with `partial`, or by merging. */
TACIT_API tacit_status tacit_audit_partial(char **out, const tacit_audit *audit, const tacit_audit_provenance *about,
                                           tacit_error *err);
/* Join parts, files written with tacit_audit_partial: the audit that one call would have given for all people at once.
 * Parts of different models or settings, and people who are there twice, are errors.  It knows the names of the files
 * as far as the parts do. */
TACIT_API tacit_status tacit_audit_merge(tacit_audit **out, const char *const *paths, size_t n_paths, tacit_error *err);
/* The same for parts in memory. */
TACIT_API tacit_status tacit_audit_merge_texts(tacit_audit **out, const char *const *texts, const size_t *sizes,
                                               size_t n_texts, tacit_error *err);
TACIT_API void tacit_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
