/*
 * http_pool.c -- responses that are used again.
 *
 * Most answers are steps: 200, JSON, the same headers, and a body that is somebody's.  To make a response for each,
 * with a few pieces of memory for every header, takes as long as the step itself; so responses are made once for each of
 * the sizes there are, with a buffer that the next body is copied into and wiped out of.
 */
#include "http_pool.h"

#include <pthread.h>
#include <string.h>

#include "base.h"
#include "limits.h"

enum {
    SIZES = 4,     /* multiples of SRV_REPLY_STEP */
    MOST_IDLE = 64 /* of a size; more than that are not kept */
};

struct srv_loan {
    struct MHD_Response *response;
    size_t size;
    srv_loan *next; /* idle ones */
    char bytes[];
};

struct srv_pool {
    pthread_mutex_t mutex;
    srv_loan *idle[SIZES];
    size_t n_idle[SIZES];
};

srv_pool *srv_pool_new(void)
{
    srv_pool *pool = tct_calloc(1, sizeof(*pool));

    if (pool)
        pthread_mutex_init(&pool->mutex, NULL);
    return pool;
}

/* The body is wiped already. */
static void free_loan(srv_loan *loan)
{
    MHD_destroy_response(loan->response);
    tct_free(loan);
}

void srv_pool_free(srv_pool *pool)
{
    if (!pool)
        return;
    for (size_t i = 0; i < SIZES; i++)
        while (pool->idle[i]) {
            srv_loan *loan = pool->idle[i];

            pool->idle[i] = loan->next;
            free_loan(loan);
        }
    pthread_mutex_destroy(&pool->mutex);
    tct_free(pool);
}

/* A new one with room for so many bytes, which has no headers yet. */
static srv_loan *make_loan(size_t size)
{
    srv_loan *loan = tct_malloc(sizeof(*loan) + size, 1);

    if (!loan)
        return NULL;
    loan->size = size;
    loan->response = MHD_create_response_from_buffer(size, loan->bytes, MHD_RESPMEM_PERSISTENT);
    if (!loan->response) {
        tct_free(loan);
        return NULL;
    }
    return loan;
}

static srv_loan *take_idle(srv_pool *pool, size_t which)
{
    srv_loan *loan;

    pthread_mutex_lock(&pool->mutex);
    loan = pool->idle[which];
    if (loan) {
        pool->idle[which] = loan->next;
        pool->n_idle[which]--;
    }
    pthread_mutex_unlock(&pool->mutex);
    return loan;
}

srv_loan *srv_pool_lend(srv_pool *pool, const char *body, size_t size, srv_pool_dress *dress, const void *context)
{
    size_t which = size > 0 ? (size - 1) / SRV_REPLY_STEP : 0;
    srv_loan *loan;

    if (which >= SIZES)
        return NULL;
    loan = take_idle(pool, which);
    if (!loan) {
        loan = make_loan((which + 1) * SRV_REPLY_STEP);
        if (loan && !dress(context, loan->response)) {
            free_loan(loan);
            loan = NULL;
        }
    }
    if (!loan)
        return NULL;
    memcpy(loan->bytes, body, size);
    memset(loan->bytes + size, ' ', loan->size - size);
    return loan;
}

struct MHD_Response *srv_loan_response(const srv_loan *loan)
{
    return loan->response;
}

size_t srv_loan_size(const srv_loan *loan)
{
    return loan->size;
}

void srv_pool_return(srv_pool *pool, srv_loan *loan)
{
    size_t which;

    if (!loan)
        return;
    tct_wipe(loan->bytes, loan->size);
    which = loan->size / SRV_REPLY_STEP - 1;
    pthread_mutex_lock(&pool->mutex);
    if (pool->n_idle[which] < MOST_IDLE) {
        loan->next = pool->idle[which];
        pool->idle[which] = loan;
        pool->n_idle[which]++;
        loan = NULL;
    }
    pthread_mutex_unlock(&pool->mutex);
    if (loan)
        free_loan(loan);
}
