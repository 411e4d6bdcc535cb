/*
 * promise.h -- was a promise kept?  What the people stopped on the strength of it say about that, and how many more it
 * would take.
 */
#ifndef TCT_PROMISE_H
#define TCT_PROMISE_H

#include "tacit.h"

/* Share, interval, state and more_people of a result, from its delta, stopped and failed. */
void tct_judge_promise(tacit_audit_result *result);

#endif
