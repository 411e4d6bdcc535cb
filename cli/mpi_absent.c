/*
 * mpi_absent.c -- a program built without MPI: always alone, and not to be fooled by mpirun into writing the same files
 * several times over.
 */
#include <stdlib.h>

#include "cli.h"
#include "mpi_team.h"

int team_start(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        const char *text = getenv(sizes[i]);

        if (text && strtol(text, NULL, 10) > 1)
            return cli_complain(CLI_USAGE, "started as one of %.20s processes, but this Tacit was built without MPI",
                                text);
    }
    return CLI_DONE;
}

const tacit_team *team_get(void)
{
    return NULL;
}

bool team_speaks(void)
{
    return true;
}

int team_end(int code)
{
    return code;
}
