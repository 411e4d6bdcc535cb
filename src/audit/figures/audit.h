/*
 * audit.h -- the inside of tacit_audit: counts, what they are about, and the figures made from them.
 *
 * Counts come from the workers of this process, from parts on disk, or from other processes: they are added up first,
 * and tct_audit_finish makes everything else.  So it does not matter where they came from.
 */
#ifndef TCT_AUDIT_H
#define TCT_AUDIT_H

#include "quality.h"
#include "sorter.h"
#include "tally.h"

/* A group below this size is not described: figures of a handful of people describe the people. */
enum { TCT_SMALL_GROUP = 20 };

/* A file whose people were counted. */
typedef struct tct_audit_file {
    char hash[65];
    char *name; /* NULL: not known */
    uint64_t people;
} tct_audit_file;

struct tacit_audit {
    /* What was audited, and how. */
    char kind[32], model_hash[65];
    struct {
        char hash[65]; /* of the file of people it was made with; "": not calibrated, or no delta above 0 */
        uint64_t people;
        double alpha;
    } calibration;
    size_t *sensitive; /* attributes */
    char **names;      /* of the sensitive attributes */
    char **questions;  /* the same */
    double *costs;
    bool no_opt, unknown_as_missing;
    double opt_share; /* of people whose smallest sets are looked for; 1: everybody, or as octaves have it */
    bool no_needs, needs_undecided; /* the latter: they can be, in a model of this kind */
    tacit_part part;
    uint64_t seed;
    json_t *describe;         /* what is decided, known and asked for, in words: describe.h */
    tct_groupings *groupings; /* NULL: none */
    const char **classes;     /* with groupings: what can be decided, in `describe` */
    size_t n_classes;
    /* Counts. */
    tct_audit_file *sources; /* files, where their hashes are known */
    size_t n_sources;
    tct_census *census;
    tct_quality *quality;
    tct_tally **tallies; /* n_results */
    tct_sorter *sorter;  /* NULL without groupings */
    /* What follows from them: tct_audit_finish. */
    tacit_audit_summary summary;      /* n_sensitive, n_results: from the beginning on */
    tacit_audit_result *results;      /* n_results; delta and rule: from the beginning on */
    struct tct_breakdown *breakdowns; /* one per grouping */
    char data_hash[65];
    /* Of each person, where the options said so. */
    struct tct_person_results *people; /* NULL: not kept */
    tct_text rows;
};

/* Room for counts; names, costs, deltas, rules and settings are to be filled in. */
tacit_status tct_audit_new(tacit_audit **out, size_t n_sensitive, size_t n_results, tacit_error *err);
/* What it is about, as describe.h has it; taken over, NULL: there was no memory for it.  Makes room for counts of its
 * classes and attributes.  After the names of the sensitive attributes are there. */
tacit_status tct_audit_describe(tacit_audit *audit, json_t *describe, tacit_error *err);
/* Groupings, taken over in any case.  After tct_audit_describe. */
tacit_status tct_audit_set_groupings(tacit_audit *audit, tct_groupings *groupings, tacit_error *err);
/* What a file is called in what is written about an audit: by its name, without its folders. */
const char *tct_source_name(const char *path);
/* name: NULL when not known. */
tacit_status tct_audit_add_source(tacit_audit *audit, const char *hash, const char *name, uint64_t people,
                                  tacit_error *err);
/* Add the counts of another audit with the same settings. */
tacit_status tct_audit_absorb(tacit_audit *into, const tacit_audit *from, tacit_error *err);
/* A result from counts.  promise: what it says before anybody was counted. */
void tct_audit_fill(tacit_audit_result *out, const tct_tally *tally, const tacit_audit *audit,
                    const tacit_audit_result *promise);
/* Of people whose smallest sets count; 1: everybody. */
double tct_audit_opt_share(const tacit_audit *audit);
/* Everything that follows from the counts.  Nobody counted is an error about `file` (NULL: none in particular). */
tacit_status tct_audit_finish(tacit_audit *audit, const char *file, tacit_error *err);

#endif
