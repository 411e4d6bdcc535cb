/*
 * mpi_team.h -- this process as one of several that were started together, by mpirun or the like.
 *
 * The first one speaks and writes; what the others print is kept back and told by the first one if one of them fails.
 */
#ifndef CLI_MPI_TEAM_H
#define CLI_MPI_TEAM_H

#include "tacit.h"

/* Find out, before anything is printed.  A process alone pays nothing.  CLI_DONE, or an exit code after a complaint. */
int team_start(void);
/* NULL for a process alone. */
const tacit_team *team_get(void);
/* Is this the process that speaks and writes? */
bool team_speaks(void);
/* The last thing to do: wait for the others.  Returns the exit code of this process, given that of its command. */
int team_end(int code);

#endif
