/*
 * serve_load.h -- a bounded HTTP client: recorded requests sent again and again over a number of connections by one
 * thread, each connection waiting for its answer before it sends the next.
 */
#ifndef BENCH_SERVE_LOAD_H
#define BENCH_SERVE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Requests as they go over the wire. */
typedef struct recording {
    char **requests;
    size_t *sizes;
    size_t count, room;
    double reply_bytes, request_bytes; /* mean; of replies the body */
    bool receipts;                     /* ask for them; to be set before recording, like ... */
    const char *base;                  /* ... what paths of the model begin with; NULL: nothing */
    bool *is_public;                   /* per column */
    size_t *firsts, people;            /* the first request of each person */
} recording;

void recording_add(recording *r, const char *request, size_t size);
void recording_free(recording *r);

/* Walk the people in a CSV file (no quotes in it) through the API of a server, as the page does, and record what was
 * sent. */
void record_people(recording *r, int port, const char *csv, size_t people);

/* Send what was recorded of one person again, one request after the other: milliseconds until each answer is there, into
 * times (as many as there are requests of this person, which is returned). */
size_t replay_person(const recording *r, int port, size_t person, double *times);

typedef struct load {
    int port;
    size_t connections;
    size_t steps; /* requests in all */
    const recording *what;
    bool awake; /* never sleeps: a server that is quick enough to keep the client busy does not have to wake it up, and
                   one that is not should not have to pay for that */
    /* Beside them: so many connections that send a byte of a request now and then and never end it. */
    size_t slow;
    /* Called after every so many steps; NULL: never. */
    size_t every;
    void (*report)(void *context, size_t steps);
    void *context;
} load;

typedef struct load_result {
    double seconds, per_second;
    double p50, p99, worst; /* milliseconds */
    double server_cpu;      /* microseconds of the server for each; 0 where nobody looked */
    size_t failed;          /* answers other than 200, and connections that broke */
    size_t slow_ended;      /* slow connections that the server ended */
} load_result;

load_result run_load(const load *l);

/* Open so many connections, use each once, and once more when all are open; seconds, answers. */
typedef struct crowd_result {
    size_t open, first, second; /* connections; answers 200 in the two rounds */
    double open_seconds, second_seconds, p99;
} crowd_result;
crowd_result run_crowd(int port, size_t connections, const recording *what, pid_t server, double *rss);

/* Memory of a process in MiB, and its processor time so far in seconds. */
double process_rss(pid_t pid);
double process_cpu(pid_t pid);
double clock_seconds(void);
/* Print and end. */
void give_up(const char *what) __attribute__((noreturn));

#endif
