/*
 * basis_json.h -- what a decision rests on, for certify --json and explain --json.
 */
#ifndef CLI_BASIS_JSON_H
#define CLI_BASIS_JSON_H

#include <tacit.h>

#include "jsonout.h"

/* As members of the object that is open: "probabilities" and "believed". */
void basis_json(json_out *json, const tacit_schema *schema, const tacit_basis *basis);

#endif
