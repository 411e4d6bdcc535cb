/*
 * At delta > 0 a promise is a statement about a share of people, and an audit sees some of them.  It is kept when the
 * whole 95 % interval of the share is at or below delta, broken when all of it is above, and not shown when delta lies
 * inside: then neither can be said.  At delta = 0 every decision is proven, so one that fails breaks the promise and
 * nothing is estimated.
 *
 * How many more people would settle it: those that make the interval so narrow that delta is outside, if the observed
 * share stays what it is.  The ends approach that share as people are added, so the least number is found by bisection.
 */
#include "promise.h"

#include <math.h>

#include "num.h"

/* More people than this are no answer. */
static const double MOST_MORE = 1e9;
static const double LEVEL = 0.95;

/* Would `n` people, of whom the share `observed` fails, settle it? */
static bool settles(double observed, double delta, double n)
{
    double failed = observed * n;

    return observed < delta ? tct_clopper_high_within(failed, n, LEVEL, delta)
                            : tct_clopper_low_beyond(failed, n, LEVEL, delta);
}

/* 0: no number can be told. */
static uint64_t find_more(double observed, double delta, double n)
{
    double low = 0, high = 1;

    if (observed == delta)
        return 0;
    while (high <= MOST_MORE && !settles(observed, delta, n + high)) {
        low = high;
        high *= 2;
    }
    if (high > MOST_MORE)
        return 0;
    while (high - low > 1) { /* low: not enough; high: enough */
        double middle = floor(low + (high - low) / 2);

        if (settles(observed, delta, n + middle))
            high = middle;
        else
            low = middle;
    }
    return (uint64_t)high;
}

void tct_judge_promise(tacit_audit_result *r)
{
    r->promised = r->delta;
    r->observed = r->low = r->high = NAN;
    r->promise = TACIT_PROMISE_NOT_SHOWN;
    r->more_people = 0;
    if (r->stopped) {
        r->observed = (double)r->failed / (double)r->stopped;
        tct_clopper_pearson((double)r->failed, (double)r->stopped, LEVEL, &r->low, &r->high);
    }
    if (!(r->delta > 0))
        r->promise = r->failed ? TACIT_PROMISE_BROKEN : TACIT_PROMISE_KEPT;
    else if (r->stopped && r->high <= r->delta)
        r->promise = TACIT_PROMISE_KEPT;
    else if (r->stopped && r->low > r->delta)
        r->promise = TACIT_PROMISE_BROKEN;
    else if (r->stopped)
        r->more_people = find_more(r->observed, r->delta, (double)r->stopped);
}

const char *tacit_promise_name(tacit_promise promise)
{
    static const char *const names[] = {
        [TACIT_PROMISE_KEPT] = "kept", [TACIT_PROMISE_NOT_SHOWN] = "not shown", [TACIT_PROMISE_BROKEN] = "broken"};

    return (size_t)promise < sizeof names / sizeof *names ? names[promise] : "unknown";
}

bool tacit_audit_label_fails(const tacit_audit_result *r, size_t label)
{
    double low, high;

    if (!r->label_stopped || !(r->delta > 0) || r->label_stopped[label] == 0 ||
        r->label_stopped[label] == TACIT_NOT_TOLD || r->promise == TACIT_PROMISE_BROKEN)
        return false;
    tct_clopper_pearson((double)r->label_failed[label], (double)r->label_stopped[label], LEVEL, &low, &high);
    return low > r->delta;
}
