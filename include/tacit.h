/*
 * tacit.h -- ask only what the decision needs.
 *
 * Tacit stands between a trained classifier and the people it decides about.  It asks for one
 * attribute at a time and stops as soon as the decision is settled: proven for every value of what
 * was not asked (delta = 0), or settled with probability at least 1 - delta.
 *
 * Six kinds of things:
 *   tacit_table    people in memory: a CSV file, or columns
 *   tacit_schema   which attributes exist, what values they may take, who may be asked for them
 *   tacit_model    schema + classifier + distribution of the inputs; immutable once made
 *   tacit_person   what is known about one person: some attributes, not necessarily all
 *   tacit_session  one person's questionnaire
 *   tacit_audit    the questionnaires of everybody in a file, counted
 *
 * Conventions
 *   - A fallible function returns tacit_status and takes a tacit_error last (NULL allowed).  On failure
 *     `*out` is NULL and nothing is half built.  A status says whether the call worked; what a
 *     certification *found* is a tacit_verdict, and what a session *decided* a tacit_settled.
 *   - `T **out` belongs to the caller and is freed with tacit_T_free (NULL allowed).  `const` pointers
 *     returned by getters are borrowed from the object and die with it.  Inputs are copied.
 *   - Options grow from release to release, always at their end.  They begin with their size, sizeof of the struct that
 *     the program was built with, so a newer library knows what an older program left out, and an older library complains
 *     about what it does not know.  Size 0 stands for the struct as release 0.1 has it, with every member that
 *     this header declares and does not call later: enough for {.delta = 0.05} and the like.  Members that come
 *     later are then not looked at.  Everything else that is 0 means the usual.  Structs that the library hands out as
 *     pointers grow at their end as well: do not copy them, and do not make arrays of them.  Those that it fills in for
 *     the caller (tacit_error, tacit_decision, ...) never grow.
 *   - No globals, no printing, no exit.  A model may be shared by any number of threads; every other
 *     object belongs to one thread at a time.
 *   - Names and positions may appear in messages, a person's values never do.  Buffers that held a
 *     person's values are wiped before they are freed.
 *   - Numbers are read and written independently of the locale.
 *   - Attributes and classes are addressed by index; TACIT_NONE means "none".
 */
#ifndef TACIT_H
#define TACIT_H

#include "tacit/status.h"
#include "tacit/table.h"
#include "tacit/columns.h"
#include "tacit/schema.h"
#include "tacit/model.h"
#include "tacit/fit.h"
#include "tacit/import.h"
#include "tacit/person.h"
#include "tacit/certify.h"
#include "tacit/session.h"
#include "tacit/basis.h"
#include "tacit/receipt.h"
#include "tacit/audit.h"
#include "tacit/calibrate.h"
#include "tacit/experiment.h"
#include "tacit/necessity.h"
#include "tacit/report.h"

#endif
