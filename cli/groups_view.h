/*
 * groups_view.h -- groups as people see them in the terminal.
 */
#ifndef CLI_GROUPS_VIEW_H
#define CLI_GROUPS_VIEW_H

#include "tacit.h"

/* Every grouping of the audit: who is asked for how much, who is decided how, and where groups differ. */
void groups_view(const tacit_audit *audit, const tacit_schema *schema); /* schema: NULL if not at hand */

#endif
