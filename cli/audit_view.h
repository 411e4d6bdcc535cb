/*
 * audit_view.h -- an audit as people see it in the terminal.
 */
#ifndef CLI_AUDIT_VIEW_H
#define CLI_AUDIT_VIEW_H

#include "tacit.h"

/* Print everything to standard output. */
void audit_view(const tacit_model *model, const tacit_audit *audit);

#endif
