/*
 * http_pool.h -- responses of libmicrohttpd that are used again, each for one body after the other.  Shared by all
 * threads.
 */
#ifndef SRV_HTTP_POOL_H
#define SRV_HTTP_POOL_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct srv_pool srv_pool;
typedef struct srv_loan srv_loan;

srv_pool *srv_pool_new(void); /* NULL when memory is short */
/* All loans must have been returned.  NULL allowed. */
void srv_pool_free(srv_pool *pool);

/* Gives a response that was just made the headers all of the pool have; false when that is not possible. */
typedef bool srv_pool_dress(const void *context, struct MHD_Response *response);
/* A response with this body and blanks behind it, to be queued once and returned when the request is over.  NULL: the
 * body is too long, or memory is short; then there is nothing to return. */
srv_loan *srv_pool_lend(srv_pool *pool, const char *body, size_t size, srv_pool_dress *dress, const void *context);
struct MHD_Response *srv_loan_response(const srv_loan *loan);
size_t srv_loan_size(const srv_loan *loan);           /* of the body with its blanks */
void srv_pool_return(srv_pool *pool, srv_loan *loan); /* wipes the body; NULL allowed */

#endif
