/*
 * gain.c -- what a classifier adds to always giving the most frequent class.
 *
 * The class is the most frequent one among the very people that are counted, so no constant answer does better: a
 * classifier that is no better than it has not earned a question.  Both are right or wrong about the same people, so
 * the interval is that of a paired difference.
 */
#include "gain.h"

#include <math.h>

#include "num.h"

#define LEVEL 0.95

/* Of n people, when `more` are decided rightly whom the majority class gets wrong and `less` the other way round. */
static tacit_usefulness usefulness_of(uint64_t more, uint64_t less, uint64_t n, double *low, double *high)
{
    *low = *high = NAN;
    if (n == 0)
        return TACIT_USE_UNKNOWN;
    tct_paired_interval((double)more, (double)less, (double)n, LEVEL, low, high);
    return more <= less ? TACIT_USE_NO_BETTER : *low > 0 ? TACIT_USE_BETTER : TACIT_USE_NOT_SHOWN;
}

void tct_baseline_of(tacit_baseline *out, const uint64_t *confusion, size_t n_classes)
{
    uint64_t people = 0, right = 0, most = 0, both;
    size_t majority = TACIT_NONE;

    for (size_t t = 0; t < n_classes; t++) {
        uint64_t here = 0;

        for (size_t d = 0; d < n_classes; d++)
            here += confusion[t * n_classes + d];
        people += here;
        right += confusion[t * n_classes + t];
        if (here > most) {
            most = here;
            majority = t;
        }
    }
    *out = (tacit_baseline){.people = people,
                            .majority_class = majority,
                            .accuracy = NAN,
                            .accuracy_low = NAN,
                            .accuracy_high = NAN,
                            .majority_accuracy = NAN,
                            .gain = NAN};
    both = majority == TACIT_NONE ? 0 : confusion[majority * n_classes + majority];
    out->state = usefulness_of(right - both, most - both, people, &out->gain_low, &out->gain_high);
    if (people == 0)
        return;
    out->accuracy = (double)right / (double)people;
    out->majority_accuracy = (double)most / (double)people;
    out->gain = ((double)right - (double)most) / (double)people;
    tct_clopper_pearson((double)right, (double)people, LEVEL, &out->accuracy_low, &out->accuracy_high);
}

const char *tacit_usefulness_name(tacit_usefulness state)
{
    static const char *const names[] = {[TACIT_USE_UNKNOWN] = NULL,
                                        [TACIT_USE_BETTER] = "better",
                                        [TACIT_USE_NOT_SHOWN] = "not shown",
                                        [TACIT_USE_NO_BETTER] = "no better"};

    return state <= TACIT_USE_NO_BETTER ? names[state] : NULL;
}
