/*
 * work.h -- threads for what takes long, so that those who serve connections never wait for a proof.
 */
#ifndef SRV_WORK_H
#define SRV_WORK_H

#include <stdbool.h>

#include "tacit.h"

typedef struct srv_pool srv_pool;
typedef void srv_job(void *context);

tacit_status srv_pool_new(srv_pool **out, size_t threads, srv_job *job, tacit_error *err);
/* Ends when everything that was handed in is done.  NULL allowed. */
void srv_pool_free(srv_pool *pool);
/* Have the job done with this; the order is that of handing in.  false: memory is short. */
bool srv_pool_add(srv_pool *pool, void *context);
/* Does nothing wait any more to be begun? */
bool srv_pool_is_empty(srv_pool *pool);

#endif
