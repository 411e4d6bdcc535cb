/*
 * session.h -- what the rest of this layer may know about a session beyond the public functions.
 */
#ifndef TCT_SESSION_H
#define TCT_SESSION_H

#include "base.h"

/* What the session was opened with; the rule is never TACIT_RULE_AUTO. */
const tacit_release_options *tct_session_options(const tacit_session *session);

#endif
