/*
 * tacit/necessity.h -- is an attribute needed for the purpose?  Models trained without it, compared.  Part of tacit.h,
 * which says what holds everywhere.
 */
#ifndef TACIT_NECESSITY_H
#define TACIT_NECESSITY_H

#include "audit.h"
#include "fit.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_necessity tacit_necessity;

typedef struct tacit_necessity_options {
    size_t size;       /* see tacit.h */
    size_t splits;     /* repetitions, each with its own rows held out; 0 means 10 */
    double test_share; /* of rows held out in each; 0 means 0.3 */
    uint64_t seed;     /* split s, from 0, is that of tacit_fit with this seed + s */
    size_t people;     /* questionnaires played for each model, of people held out; 0 means 1,000, for networks 100 */
    double tolerance;  /* accuracy that may be lost, 0 <= tolerance < 1 */
    size_t threads;    /* 0 = all cores; the result does not depend on it */
    tacit_fit_options fit; /* kind, l2, and the settings of networks and trees; the rest of it is not looked at */
    tacit_progress progress;
    void *progress_context;
} tacit_necessity_options;

/* Train with all attributes, without each one, and without more and more of them; measure on rows that neither training
 * nor choice has seen (docs/METHOD.md says how).  The schema's domains hold for every split. */
TACIT_API tacit_status tacit_necessity_run(tacit_necessity **out, const tacit_table *table, const tacit_schema *schema,
                                           const tacit_necessity_options *options, tacit_error *err);
TACIT_API void tacit_necessity_free(tacit_necessity *necessity);

/* Everything found, as JSON text (docs/FORMATS.md); free with tacit_text_free.  command: how to repeat it; NULL: not
 * said. */
TACIT_API tacit_status tacit_necessity_json(char **out, const tacit_necessity *necessity, const char *command,
                                            tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
