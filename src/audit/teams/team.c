/*
 * team.c -- agreeing, and bringing texts together.
 *
 * Texts may be longer than a message: they travel in pieces.  Member 0 takes every piece that is sent, even when it has
 * no use for it any more, so that nobody is left waiting.
 */
#include "team.h"

#include <string.h>

enum { PIECE = 1 << 16 };

/* How a member stands. */
typedef struct standing {
    tacit_status status;
    tacit_error error;
} standing;

tacit_status tct_team_agree(const tacit_team *team, tacit_status st, tacit_error *err)
{
    standing mine, *all;
    const standing *worst = NULL;
    tacit_status shared;

    if (tct_team_size(team) == 1)
        return st;
    memset(&mine, 0, sizeof mine); /* no stray bytes on their way */
    mine.status = st;
    if (st)
        mine.error = *err;
    all = tct_calloc(team->size, sizeof *all);
    if (!all) /* the others learn it from the team: this member is not there */
        return tct_fail_memory(err);
    shared = team->share(team->context, &mine, sizeof mine, all, err);
    for (size_t r = 0; r < team->size && !shared; r++)
        if (all[r].status && (!worst || (worst->status == TACIT_E_STOPPED && all[r].status != TACIT_E_STOPPED)))
            worst = &all[r];
    if (!shared && worst) {
        shared = worst->status;
        *err = worst->error;
    }
    tct_free(all);
    return shared;
}

static tacit_status send_text(const tacit_team *team, const tct_text *text, tacit_error *err)
{
    tacit_status st = TACIT_OK;

    for (size_t at = 0; at < text->size && !st; at += PIECE)
        st = team->send(team->context, text->bytes + at, text->size - at < PIECE ? text->size - at : PIECE, err);
    return st;
}

/* A text of `size` bytes from a member, for `take` unless *taken is a failure already. */
static tacit_status receive_text(const tacit_team *team, size_t from, size_t size, tct_team_take *take, void *context,
                                 tacit_status *taken, tacit_error *take_err, tacit_error *err)
{
    char *text = *taken ? NULL : tct_malloc(size + 1, 1);
    char nowhere[PIECE];
    tacit_status st = TACIT_OK;

    if (!*taken && !text)
        *taken = tct_fail_memory(take_err);
    for (size_t at = 0; at < size && !st; at += PIECE)
        st = team->receive(team->context, from, text ? text + at : nowhere, size - at < PIECE ? size - at : PIECE, err);
    if (text && !st) {
        text[size] = '\0';
        *taken = take(context, text, size, take_err);
    }
    tct_free_wiped(text, size);
    tct_wipe(nowhere, sizeof nowhere);
    return st;
}

tacit_status tct_team_texts(const tacit_team *team, const tct_text *mine, tct_team_take *take, void *context,
                            tacit_error *err)
{
    uint64_t size = mine->size, *sizes;
    tacit_error take_err = {0};
    tacit_status st, taken = TACIT_OK;

    if (tct_team_size(team) == 1)
        return TACIT_OK;
    sizes = tct_calloc(team->size, sizeof *sizes);
    if (!sizes)
        return tct_fail_memory(err);
    st = team->share(team->context, &size, sizeof size, sizes, err);
    if (!st && team->rank > 0)
        st = send_text(team, mine, err);
    for (size_t r = 1; r < team->size && !st && team->rank == 0; r++)
        st = receive_text(team, r, (size_t)sizes[r], take, context, &taken, &take_err, err);
    tct_free(sizes);
    if (!st && taken) {
        *err = take_err;
        st = taken;
    }
    return st;
}
