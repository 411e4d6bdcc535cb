/*
 * team.h -- what the processes of a tacit_team tell each other.
 *
 * A team of NULL is a process alone: everything here works and costs nothing.  Before members do anything together they
 * agree on how they stand, so that nobody waits for one that has given up.
 */
#ifndef TCT_TEAM_H
#define TCT_TEAM_H

#include "base.h"

/* Is this the member that has the results? */
static inline bool tct_team_leads(const tacit_team *team)
{
    return !team || team->rank == 0;
}

static inline size_t tct_team_size(const tacit_team *team)
{
    return team ? team->size : 1;
}

/* Everybody says how it went (`err` not NULL, filled unless `st` is TACIT_OK) and gets the same answer: the failure of
 * the member with the lowest rank, a request to stop only if there is no other. */
tacit_status tct_team_agree(const tacit_team *team, tacit_status st, tacit_error *err);

/* The texts of all members to member 0, which is given them one after the other, in order, its own not among them.
 * After `take` has failed it is not called again. */
typedef tacit_status tct_team_take(void *context, const char *text, size_t size, tacit_error *err);
tacit_status tct_team_texts(const tacit_team *team, const tct_text *mine, tct_team_take *take, void *context,
                            tacit_error *err);

/* ---- team_spool.c: text on disk until member 0 is ready for it ---- */

typedef struct tct_spool tct_spool;
/* A file without a name, where there is room for `path` if possible. */
tacit_status tct_spool_new(tct_spool **out, const char *path, tacit_error *err);
tacit_status tct_spool_append(tct_spool *spool, const char *bytes, size_t size, tacit_error *err);
void tct_spool_free(tct_spool *spool); /* NULL allowed */
/* What the members other than 0 have spooled, in the order of their ranks, behind what is in `file` of member 0.  The
 * others have a spool and no file.  Everybody gets the same answer. */
tacit_status tct_team_unspool(const tacit_team *team, tct_spool *spool, tct_file *file, tacit_error *err);

#endif
