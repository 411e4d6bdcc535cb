/*
 * serve_timing.h -- does it show in the times of a visit whose visit it was?
 */
#ifndef BENCH_SERVE_TIMING_H
#define BENCH_SERVE_TIMING_H

#include "serve_load.h"

typedef struct timing_result {
    size_t people, found; /* candidates; of how many visits the right one was picked */
    size_t chance;        /* of how many by chance, from what is seen anyway: the number of requests */
    double least, most;   /* milliseconds of a step, as the observer knows them */
} timing_result;

/*
 * Each person recorded visits once.  An observer who sees the times of the requests, but not what is in them, has the model
 * and the data of all candidates: it let everybody visit `rounds` times, on the same server, and knows the shortest time
 * of each step.  It picks, of those whose visits have as many requests, the one whose times are nearest, by the sum of
 * differences of their logarithms.  Picking one of these by chance is right once for each number of requests.
 */
timing_result attack_by_time(const recording *r, int port, size_t rounds);

#endif
