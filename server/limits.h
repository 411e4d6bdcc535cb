/*
 * limits.h -- everything that is bounded when strangers talk to us, in one place.  Each limit has a test, and an answer
 * that says which one was met; the next client is served.
 */
#ifndef SRV_LIMITS_H
#define SRV_LIMITS_H

enum {
    /* Requests. */
    SRV_BODY_BYTES = 16 * 1024,       /* of a body, beside what the largest model needs: 413 */
    SRV_DRAIN_BYTES = 1024 * 1024,    /* of a refused body are read and dropped, so that the refusal arrives */
    SRV_HEADER_BYTES = 8 * 1024,      /* of request line and headers: 431 with a problem document */
    SRV_CONNECTION_BYTES = 16 * 1024, /* of memory that a request has for its head and what comes with it */
    SRV_JSON_DEPTH = 16,              /* of arrays and objects inside each other: 400 */
    SRV_REPLY_STEP = 2048,            /* sizes of answers to people are multiples of it: blanks are added */
    SRV_STEP_TEXTS = 720,             /* bytes of a step beside token, names, attribute and outcome, at most */

    /* How long an answer took is told in steps: this one, twice as long, four times, ... milliseconds.  What takes long
     * is not sent earlier either; default of an option. */
    SRV_TIME_STEP = 25,
    SRV_MAX_TIME_STEP = 10000,

    /* Clients; defaults of options. */
    SRV_CONNECTIONS = 4096,       /* at a time: 503 */
    SRV_PER_ADDRESS = 64,         /* at a time and address: 429 */
    SRV_TURNED_AWAY = 16,         /* connections over a limit that are told so; more are just closed */
    SRV_SESSIONS_PER_SECOND = 20, /* begun by one address: 429 with Retry-After */
    SRV_FORKS = 8,                /* decisions of one session: 429 */
    SRV_WORK_SECONDS = 20,        /* an address may save up so many seconds of its share of a processor (--work) */
    SRV_WORK_AT_ONCE = 10,        /* and have so much of it, in parts of all that it saved up, under way: 429 */

    /* Patience, in seconds; the first two are defaults of options. */
    SRV_IDLE_SECONDS = 60,    /* between requests: closed quietly */
    SRV_REQUEST_SECONDS = 15, /* from the first byte of a request to its last: 408 */
    SRV_REPLY_SECONDS = 60,   /* for taking an answer: closed */
    SRV_STOP_SECONDS = 10,    /* for requests in flight when told to stop */

    /* Sessions; default of an option. */
    SRV_TOKEN_MINUTES = 30, /* that a token is good for */

    /* What options may ask for at most. */
    SRV_MAX_CONNECTIONS = 60000,
    SRV_MAX_SECONDS = 3600,
    SRV_MAX_THREADS = 1024
};

#define SRV_WORK_SHARE 0.5 /* of a processor that an address may keep busy: 429 with Retry-After; default */

#endif
