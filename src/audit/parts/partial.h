/*
 * partial.h -- a part of an audit as text: all counts as they are, and what they are about (docs/FORMATS.md).
 *
 * This is how counts travel: from files to `tacit merge`, and from process to process.  What is read is checked like
 * any input, so that it can be used like something counted here.
 */
#ifndef TCT_PARTIAL_H
#define TCT_PARTIAL_H

#include "audit.h"
#include "json.h"

/* Appended to *out.  about: the names of the files, NULL when they do not matter. */
tacit_status tct_partial_write(tct_text *out, const tacit_audit *audit, const tacit_audit_provenance *about,
                               tacit_error *err);
/* Not finished yet: nobody may have been counted, and its files may not be known. */
tacit_status tct_partial_read(tacit_audit **out, const char *text, size_t size, const char *file, tacit_error *err);
/* Do the two speak of the same model and settings?  If not, the message says what differs. */
tacit_status tct_partial_compare(const tacit_audit *a, const char *file_a, const tacit_audit *b, const char *file_b,
                                 tacit_error *err);

/* ---- partial_groups.c: groupings, their groups, atoms ---- */

/* Members "dimensions", "groupings" and "atoms"; nothing without groupings.  False: memory was short. */
bool tct_partial_put_groups(json_t *part, const tacit_audit *audit);
tacit_status tct_partial_read_groupings(tacit_audit *audit, const json_t *part, const tct_json_at *at,
                                        tacit_error *err);
/* After the results of everybody, to which groups must add up. */
tacit_status tct_partial_read_groups(tacit_audit *audit, const json_t *part, const tct_json_at *at, tacit_error *err);
/* One tally per promise, as everybody and groups have them. */
json_t *tct_partial_results_json(const tacit_audit *audit, tct_tally *const *tallies);
tacit_status tct_partial_read_results(const tacit_audit *audit, tct_tally **tallies, const json_t *json,
                                      const tct_json_at *at, tacit_error *err);

/* Names of tacit_part, as in the text. */
extern const char *const tct_part_names[3];

/* A count and where it is. */
typedef struct tct_member {
    const char *key;
    size_t offset; /* of a uint64_t */
} tct_member;
enum { TCT_TALLY_MEMBERS = 10, TCT_CENSUS_MEMBERS = 9 };
extern const tct_member tct_tally_members[TCT_TALLY_MEMBERS], tct_census_members[TCT_CENSUS_MEMBERS];
/* Lists of a tally that lie one behind the other, from `indispensable` on. */
enum { TCT_NEED_LISTS = 4 };
extern const char *const tct_need_lists[TCT_NEED_LISTS];
static inline uint64_t *tct_member_of(void *base, const tct_member *member)
{
    return (uint64_t *)(void *)((char *)base + member->offset);
}

#endif
