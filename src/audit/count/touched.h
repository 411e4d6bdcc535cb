/*
 * touched.h -- how people fare whose row had a cell clipped or missing: the label they are given against the one with
 * everything known and, for imported models, against the classifier's own on the values as they are.
 */
#ifndef TCT_TOUCHED_H
#define TCT_TOUCHED_H

#include "audit_run.h"

/* Mistakes counted so far: people and deltas whose label is not the one with everything known. */
uint64_t tct_touched_mistakes(const tct_run *run, const tct_thread_buffers *buffers);
/* The people of the block at hand, who are counted already, as buffers->had tells of them: into the worker's quality.
 * agreed: nobody among them was given another label than with everything known, so nobody needs to be walked again. */
tacit_status tct_touched_block(const tct_run *run, tct_thread_buffers *buffers, const tct_block *part, bool agreed,
                               tacit_error *err);
void tct_touched_free(tct_touched *touched); /* wipes */

#endif
