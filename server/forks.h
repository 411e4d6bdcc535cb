/*
 * forks.h -- how many decisions a session, and a client, came to a moment ago.
 *
 * A token can be used again and again, and each time with another answer: whoever collects enough decisions that way
 * knows the model.  So decisions are counted, by a keyed hash of the session's number or of the client's address, in a
 * table of fixed size, for as long as tokens are good.  The table is about nobody: it holds hashes and counts, and the
 * key of the hash is made up when the server starts.
 */
#ifndef SRV_FORKS_H
#define SRV_FORKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacit.h"

typedef struct srv_forks srv_forks;

/* window: seconds that are looked back. */
tacit_status srv_forks_new(srv_forks **out, int64_t window, tacit_error *err);
void srv_forks_free(srv_forks *forks); /* NULL allowed */
/* Count one for whoever this is; false: there were `most` already, and it is not counted. */
bool srv_forks_count(srv_forks *forks, const void *who, size_t size, uint32_t most, int64_t now);

#endif
