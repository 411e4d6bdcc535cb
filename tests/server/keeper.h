/*
 * keeper.h -- a process of its own that keeps two servers: it starts them, ends one when told to, now the one and now the
 * other, and starts it again on its port.  The test goes on asking meanwhile.
 *
 *   start_keeper(&k, arguments, servers);
 *   order_end(&k, SIGKILL);                 at once; one at a time
 *   await_keeper(&k);                       until it is back
 *   end_keeper(&k);
 */
#ifndef TEST_KEEPER_H
#define TEST_KEEPER_H

#include "driver.h"

typedef struct keeper {
    pid_t pid;
    int orders;  /* a byte: end one, by this signal */
    int reports; /* the ports at first, then a byte whenever one is back */
    bool owes;   /* a report */
    unsigned ended;
} keeper;

/* Arguments as for server_start; of the servers only the ports are known. */
void start_keeper(keeper *k, const char *const *arguments, server servers[2]);
void order_end(keeper *k, int signal);
void await_keeper(keeper *k);
void end_keeper(keeper *k);

#endif
