/*
 * keeper.c -- see keeper.h.
 */
#include "keeper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <signal.h>

static void keep(int orders, int reports, const char *const *arguments)
{
    server servers[2] = {{0}};
    int ports[2], turn = 0;
    unsigned char order;

    for (size_t i = 0; i < 2; i++) {
        server_start(&servers[i], arguments);
        ports[i] = servers[i].wanted_port = servers[i].port;
    }
    if (write(reports, ports, sizeof(ports)) != sizeof(ports))
        _exit(1);
    while (read(orders, &order, 1) == 1) {
        server *victim = &servers[(turn + turn / 2) % 2]; /* each of them either way */
        int status = server_end(victim, order);

        turn++;
        if (order == SIGKILL && !WIFSIGNALED(status))
            _exit(2);
        server_start(victim, arguments);
        if (write(reports, &order, 1) != 1)
            _exit(3);
    }
    for (size_t i = 0; i < 2; i++)
        if (server_end(&servers[i], SIGTERM) != 0)
            _exit(4);
    _exit(0);
}

void start_keeper(keeper *k, const char *const *arguments, server servers[2])
{
    int orders[2], reports[2], ports[2];

    assert_int_equal(pipe(orders), 0);
    assert_int_equal(pipe(reports), 0);
    k->pid = fork();
    assert_true(k->pid >= 0);
    if (k->pid == 0) {
        close(orders[1]);
        close(reports[0]);
        keep(orders[0], reports[1], arguments);
    }
    close(orders[0]);
    close(reports[1]);
    k->orders = orders[1];
    k->reports = reports[0];
    assert_int_equal(read(k->reports, ports, sizeof(ports)), sizeof(ports));
    servers[0] = (server){.port = ports[0]};
    servers[1] = (server){.port = ports[1]};
}

void await_keeper(keeper *k)
{
    char report;

    if (k->owes)
        assert_int_equal(read(k->reports, &report, 1), 1);
    k->owes = false;
}

void order_end(keeper *k, int signal)
{
    unsigned char order = (unsigned char)signal;

    await_keeper(k);
    assert_int_equal(write(k->orders, &order, 1), 1);
    k->owes = true;
    k->ended++;
}

void end_keeper(keeper *k)
{
    int status = 0;

    await_keeper(k);
    close(k->orders);
    close(k->reports);
    assert_int_equal(waitpid(k->pid, &status, 0), k->pid);
    assert_int_equal(status, 0);
}
