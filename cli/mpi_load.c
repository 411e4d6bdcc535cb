/*
 * mpi_load.c -- finds out whether this process was started by mpirun, and only then loads what talks MPI: tacit-mpi.so
 * beside the program, or where it is installed.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "mpi_plugin.h"
#include "mpi_team.h"

enum { PATH_ROOM = 4096 };

static const mpi_plugin *plugin; /* NULL: alone */

static bool started_together(void)
{
    static const char *const marks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (getenv(marks[i]))
            return true;
    return false;
}

/* Relative to the program, so that a tree can be moved as a whole. */
static void *load(void)
{
    static const char *const places[] = {"tacit-mpi.so", TACIT_PLUGIN_FROM_BIN "/tacit-mpi.so"};
    char program[PATH_ROOM], path[PATH_ROOM + 64];
    ssize_t size = readlink("/proc/self/exe", program, sizeof(program) - 1);
    void *library = NULL;

    if (size < 0)
        return NULL;
    program[size] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < 2 && !library; i++) {
        snprintf(path, sizeof(path), "%s/%s", program, places[i]);
        if (access(path, R_OK) == 0)
            library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* global: MPI loads parts of itself in turn */
    }
    return library;
}

int team_start(void)
{
    static const mpi_host host = {.complain = cli_complain, .interrupted = cli_interrupted};
    void *library;

    if (!started_together())
        return CLI_DONE;
    library = load();
    plugin = library ? dlsym(library, MPI_PLUGIN_SYMBOL) : NULL;
    if (!plugin)
        return cli_complain(CLI_USAGE, "started by mpirun, but tacit-mpi.so, which talks MPI, cannot be loaded");
    return plugin->start(&host);
}

const tacit_team *team_get(void)
{
    return plugin ? plugin->team() : NULL;
}

bool team_speaks(void)
{
    return !plugin || plugin->speaks();
}

int team_end(int code)
{
    return plugin ? plugin->end(code) : code;
}
