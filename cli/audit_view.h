/*
 * audit_view.h -- an audit as people see it in the terminal.
 */
#ifndef CLI_AUDIT_VIEW_H
#define CLI_AUDIT_VIEW_H

#include "tacit.h"

/* Print everything to standard output. */
void audit_view(const tacit_model *model, const tacit_audit *audit);
/* What is also said of audits that were merged: labels whose people fail more often than promised, where the whole does
 * not. */
void failing_labels_view(const tacit_audit *audit);
/* What is asked at delta = 0 keeps every promise: no other need ask for more.  Said where it is not there to be seen, and where
 * a promise asks for more all the same. */
void upper_limit_view(const tacit_audit *audit);

#endif
