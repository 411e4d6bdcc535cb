/*
 * mpi_plugin.h -- what the program and its plug-in for MPI (mpi_team.c, tacit-mpi.so) know of each other.
 *
 * MPI brings a dozen libraries, some of which open sockets when they are loaded.  A program that serves strangers should
 * not have them: they are loaded only in a process that mpirun has started.
 */
#ifndef CLI_MPI_PLUGIN_H
#define CLI_MPI_PLUGIN_H

#include "tacit.h"

/* What the plug-in uses of the program. */
typedef struct mpi_host {
    int (*complain)(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
    bool (*interrupted)(void);
} mpi_host;

/* What the program uses of the plug-in; as in mpi_team.h. */
typedef struct mpi_plugin {
    int (*start)(const mpi_host *host);
    const tacit_team *(*team)(void);
    bool (*speaks)(void);
    int (*end)(int code);
} mpi_plugin;

#define MPI_PLUGIN_SYMBOL "tacit_mpi_plugin"

#endif
