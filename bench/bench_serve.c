/*
 * bench_serve.c -- tacit serve under load, on this machine.
 *
 *   bench_serve TACIT [--part steps|crowd|memory|slow|attack|timing] [--steps N] [--connections N] [--threads N]
 *               [--crowd N] [--memory-steps N] [--slow N] [--model FILE --data FILE]
 *
 * Parts, all of them unless one is named:
 *   steps   steps per second and their durations, as a ratio to a bare reply of libmicrohttpd, with the same
 *           number of connections, requests of the same bytes and a body of the same size; with one server thread and
 *           with the default, one for each core; as the page takes them, which asks for the receipt only when somebody
 *           wants it, and with a receipt for every decision.  The client never sleeps: bare replies come so fast that
 *           it would not, and to wake somebody up costs as much as a reply.
 *   crowd   keep-alive connections all open at a time (10,000)
 *   memory  resident memory while many steps are taken (10^6)
 *   slow    durations with and without clients that never finish their request (500)
 *   attack  durations of /healthz, of starts and of steps of a linear model with and without 8 connections that use the
 *           same tokens of a network of 40-40 neurons, served beside it, again and again and want a receipt each time; with
 *           the limit on work per client as it is by default, and without; made-up people only
 *   timing  is it seen from the times of one visit to that network whose visit it was (serve_timing.h)?  With the steps of
 *           time that are the default, and without
 *
 * Without a model, two are trained on made-up people: a linear one and a network of 10-10 neurons.  Every request was
 * recorded from a questionnaire that was really gone through; tokens may be used again and again.
 */
#include <fcntl.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limits.h"
#include "serve_load.h"
#include "serve_timing.h"

enum { ROOM = 512, PEOPLE = 300, CANDIDATES = 150, WARM_UP = 2000, ROUNDS = 3 };

typedef struct settings {
    const char *tacit, *part, *model, *data;
    size_t steps, connections, crowd, memory_steps, slow;
    size_t threads;   /* of the server; 0: several numbers for steps, one otherwise */
    bool limited;     /* the server's limit on work per client stays as it is */
    bool rounded;     /* and so do its steps of time */
    const char *also; /* a second model; NULL: none */
} settings;

typedef struct process {
    pid_t pid;
    int port;
} process;

static bool wants(const settings *s, const char *part)
{
    return !s->part || strcmp(s->part, part) == 0;
}

/* ---- processes ---- */

static pid_t launch(const char *const *words, int out)
{
    pid_t pid = fork();

    if (pid < 0)
        give_up("fork");
    if (pid == 0) {
        int nothing = open("/dev/null", O_WRONLY);

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        execv(words[0], (char *const *)(uintptr_t)words);
        _exit(98);
    }
    return pid;
}

static void run(const char *const *words)
{
    int status = 0;
    pid_t pid = launch(words, -1);

    if (waitpid(pid, &status, 0) != pid || status != 0)
        give_up(words[1]);
}

/* Does this program, which may be an older one, know the option? */
static bool knows(const char *tacit, const char *option)
{
    const char *const words[] = {tacit, "help", "serve", NULL};
    char line[256];
    bool found = false;
    int out[2], status;
    pid_t pid;
    FILE *file;

    if (pipe2(out, O_CLOEXEC))
        give_up("pipe");
    pid = launch(words, out[1]);
    close(out[1]);
    file = fdopen(out[0], "r");
    while (file && fgets(line, sizeof(line), file))
        found = found || strstr(line, option);
    if (!file || fclose(file) || waitpid(pid, &status, 0) != pid)
        give_up("tacit help");
    return found;
}

static process start_tacit(const settings *s, const char *model)
{
    static const char *const limits[] = {"--forks", "--work", "--time-step"};
    char threads[32], connections[32], line[256] = "";
    const char *words[24] = {s->tacit,    "serve", model,           "--listen",  "127.0.0.1:0",
                             "--rate",    "0",     "--per-address", "0",         "--no-log",
                             "--threads", threads, "--connections", connections, "--token-minutes",
                             "600",       NULL};
    size_t n = 16;
    int out[2];
    process p;
    FILE *file;

    for (size_t i = 0; i < 3; i++)
        if (!(i == 1 && s->limited) && !(i == 2 && s->rounded) &&
            knows(s->tacit, limits[i])) { /* every step is as long as it takes */
            words[n++] = limits[i];
            words[n++] = "0";
        }
    if (s->also)
        words[n++] = s->also;
    snprintf(threads, sizeof(threads), "%zu", s->threads ? s->threads : 1);
    snprintf(connections, sizeof(connections), "%zu", s->crowd + s->slow + s->connections + 100);
    if (pipe2(out, O_CLOEXEC))
        give_up("pipe");
    p.pid = launch(words, out[1]);
    close(out[1]);
    file = fdopen(out[0], "r");
    if (!file || !fgets(line, sizeof(line), file) || !strrchr(line, ':'))
        give_up("tacit serve");
    fclose(file);
    p.port = (int)strtol(strrchr(line, ':') + 1, NULL, 10);
    return p;
}

static void stop(process p)
{
    int status;

    kill(p.pid, SIGTERM);
    waitpid(p.pid, &status, 0);
}

/* ---- the bare server ---- */

static enum MHD_Result answer_bare(void *context, struct MHD_Connection *connection, const char *path,
                                   const char *method, const char *version, const char *upload, size_t *upload_size,
                                   void **request)
{
    static char begun;

    (void)path;
    (void)method;
    (void)version;
    (void)upload;
    if (!*request) {
        *request = &begun;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, 200, context);
}

/* In a process of its own, like the other. */
static process start_bare(const settings *s, size_t body_size)
{
    int ready[2];
    process p = {0};

    if (pipe(ready))
        give_up("pipe");
    p.pid = fork();
    if (p.pid < 0)
        give_up("fork");
    if (p.pid == 0) {
        int gone = prctl(PR_SET_PDEATHSIG, SIGKILL);
        char *body = calloc(1, body_size + 1);
        struct MHD_Response *response = MHD_create_response_from_buffer(body_size, body, MHD_RESPMEM_PERSISTENT);
        struct MHD_Daemon *daemon = MHD_start_daemon(
            MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_TURBO, 0, NULL, NULL, answer_bare, response,
            MHD_OPTION_THREAD_POOL_SIZE, (unsigned)s->threads, MHD_OPTION_CONNECTION_LIMIT,
            (unsigned)(s->connections + 100), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SRV_CONNECTION_BYTES,
            MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
        int port = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port : 0;

        if (gone || write(ready[1], &port, sizeof(port)) != sizeof(port) || !port)
            _exit(1);
        for (;;)
            pause();
    }
    close(ready[1]);
    if (read(ready[0], &p.port, sizeof(p.port)) != sizeof(p.port))
        give_up("the bare server");
    close(ready[0]);
    return p;
}

/* ---- parts ---- */

static void print_result(const char *what, const load_result *r)
{
    printf("  %-22s %9.0f /s   p50 %7.3f ms   p99 %7.3f ms   longest %8.3f ms", what, r->per_second, r->p50, r->p99,
           r->worst);
    if (r->server_cpu > 0)
        printf("   server %6.2f us each", r->server_cpu);
    if (r->failed)
        printf("   FAILED %zu", r->failed);
    printf("\n");
    fflush(stdout);
}

static load_result measure(const settings *s, process server, const recording *what, size_t steps)
{
    load l = {.port = server.port, .connections = s->connections, .steps = steps, .what = what, .awake = true};
    double before = process_cpu(server.pid);
    load_result result = run_load(&l);

    result.server_cpu = 1e6 * (process_cpu(server.pid) - before) / (double)steps;
    return result;
}

/* Turn about, so that whatever else the machine does meets both. */
static void compare_steps(const settings *s, process served, const recording *what)
{
    process bare = start_bare(s, (size_t)what->reply_bytes);
    load_result best[2] = {{.seconds = 0}, {.seconds = 0}};

    measure(s, bare, what, WARM_UP);
    measure(s, served, what, WARM_UP);
    for (int round = 0; round < ROUNDS; round++) {
        load_result other = measure(s, bare, what, s->steps), own = measure(s, served, what, s->steps);

        best[0] = own.per_second > best[0].per_second ? own : best[0];
        best[1] = other.per_second > best[1].per_second ? other : best[1];
    }
    print_result("bare reply", &best[1]);
    print_result("step", &best[0]);
    printf("  best of %d each: ratio %.3f; of the servers' processor time %.3f\n", ROUNDS,
           best[0].per_second / best[1].per_second, best[1].server_cpu / best[0].server_cpu);
    stop(bare);
}

/* One way to take steps. */
static void bench_steps(const settings *s, const char *model, const char *data, size_t threads, bool receipts)
{
    settings with = *s;
    recording what = {.receipts = receipts};
    process served;

    with.threads = threads;
    served = start_tacit(&with, model);
    record_people(&what, served.port, data, PEOPLE);
    printf(" %zu server thread%s, %s: requests of %.0f bytes, bodies of answers %.0f\n", threads,
           threads == 1 ? "" : "s", receipts ? "receipts with decisions" : "no receipts", what.request_bytes,
           what.reply_bytes);
    compare_steps(&with, served, &what);
    stop(served);
    recording_free(&what);
}

static void hold_crowd(const settings *s, process served, const recording *what)
{
    double rss = 0, before = process_rss(served.pid);
    crowd_result r = run_crowd(served.port, s->crowd, what, served.pid, &rss);

    printf("  %zu connections open at a time: %zu and %zu steps answered, opened and used in %.2f s, all used again in "
           "%.2f s (p99 %.3f ms); memory %.1f MiB before, %.1f MiB with all open\n",
           r.open, r.first, r.second, r.open_seconds, r.second_seconds, r.p99, before, rss);
}

typedef struct memory_report {
    pid_t pid;
    double first, last;
} memory_report;

static void report_memory(void *context, size_t steps)
{
    memory_report *m = context;

    m->last = process_rss(m->pid);
    if (m->first == 0)
        m->first = m->last;
    printf("  after %8zu steps: %.2f MiB\n", steps, m->last);
    fflush(stdout);
}

static void watch_memory(const settings *s, process served, const recording *what)
{
    memory_report m = {.pid = served.pid};
    load l = {.port = served.port,
              .connections = s->connections,
              .steps = s->memory_steps,
              .what = what,
              .every = s->memory_steps / 10,
              .report = report_memory,
              .context = &m};
    load_result r = run_load(&l);

    print_result("step", &r);
    printf("  from %zu steps to %zu: %+.2f MiB\n", l.every, s->memory_steps, m.last - m.first);
}

static void meet_slow_clients(const settings *s, process served, const recording *what)
{
    load l = {.port = served.port, .connections = s->connections, .steps = s->steps, .what = what};
    load_result without, with;

    without = run_load(&l);
    print_result("without slow clients", &without);
    l.slow = s->slow;
    with = run_load(&l);
    print_result("with them", &with);
    printf("  %zu slow clients (%zu times ended by the server): p99 %.2f times as long\n", s->slow, with.slow_ended,
           with.p99 / without.p99);
}

static void bench_model(const settings *s, const char *name, const char *model, const char *data)
{
    size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    recording what = {0};
    process served;

    printf("%s; %zu connections\n", name, s->connections);
    if (wants(s, "steps")) {
        bench_steps(s, model, data, s->threads ? s->threads : 1, false);
        if (!s->threads && cores > 1)
            bench_steps(s, model, data, cores, false);
        bench_steps(s, model, data, s->threads ? s->threads : 1, true);
    }
    if (!wants(s, "slow") && !wants(s, "crowd") && !wants(s, "memory"))
        return;
    served = start_tacit(s, model);
    record_people(&what, served.port, data, PEOPLE);
    if (wants(s, "slow"))
        meet_slow_clients(s, served, &what);
    if (wants(s, "crowd"))
        hold_crowd(s, served, &what);
    if (wants(s, "memory"))
        watch_memory(s, served, &what);
    stop(served);
    recording_free(&what);
}

/* What others want meanwhile. */
typedef struct bystander {
    const char *name;
    recording wants;
    load_result quiet, busy;
} bystander;

enum { HEALTH, START, STEP, BYSTANDERS };

static void record_bystanders(bystander *all, const recording *people)
{
    static const char health[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    size_t next = 0;

    recording_add(&all[HEALTH].wants, health, sizeof(health) - 1);
    for (size_t i = 0; i < people->count; i++) {
        bool starts = next < people->people && people->firsts[next] == i;

        next += starts;
        recording_add(&all[starts ? START : STEP].wants, people->requests[i], people->sizes[i]);
    }
}

static load_result stand_by(const bystander *b, int port)
{
    enum { LOOKS = 20000 };

    return run_load(&(load){.port = port, .connections = 1, .steps = LOOKS, .what = &b->wants});
}

static pid_t start_attackers(int port, const recording *proofs)
{
    enum { ATTACKERS = 8 };
    pid_t pid = fork();

    if (pid < 0)
        give_up("fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        run_load(&(load){.port = port, .connections = ATTACKERS, .steps = 100000000, .what = proofs});
        _exit(0);
    }
    return pid;
}

/* Others want a linear model's questions, or to know whether the server is there, while some want proofs of a network. */
static void meet_attackers(const settings *s, const char *linear, const char *network, const char *data, bool limited)
{
    enum { FEW = 3 };
    bystander all[BYSTANDERS] = {{.name = "/healthz"}, {.name = "start, linear"}, {.name = "step, linear"}};
    recording people = {.base = "/m/loans"}, proofs = {.base = "/m/network", .receipts = true};
    settings with = *s;
    double cpu, seconds;
    process served;
    pid_t attackers;
    int status;

    with.limited = limited;
    with.rounded = limited;
    with.also = linear;
    served = start_tacit(&with, network);
    record_people(&people, served.port, data, PEOPLE);
    record_people(&proofs, served.port, data, FEW);
    record_bystanders(all, &people);
    for (size_t i = 0; i < BYSTANDERS; i++)
        all[i].quiet = stand_by(&all[i], served.port);
    attackers = start_attackers(served.port, &proofs);
    cpu = process_cpu(served.pid);
    seconds = clock_seconds();
    sleep(2);
    cpu = process_cpu(served.pid) - cpu;
    seconds = clock_seconds() - seconds;
    for (size_t i = 0; i < BYSTANDERS; i++)
        all[i].busy = stand_by(&all[i], served.port);
    kill(attackers, SIGKILL);
    if (waitpid(attackers, &status, 0) != attackers || !WIFSIGNALED(status))
        give_up("the attackers had ended");
    printf(" 8 connections that attack a network of 40-40 neurons, %s; they keep %.2f processors of the server busy\n",
           limited ? "all of one client, --work as it is by default"
                   : "each a client of its own, not made to wait: --work 0 --time-step 0",
           cpu / seconds);
    for (size_t i = 0; i < BYSTANDERS; i++) {
        printf(" %s\n", all[i].name);
        print_result("without them", &all[i].quiet);
        print_result("beside them", &all[i].busy);
        recording_free(&all[i].wants);
    }
    stop(served);
    recording_free(&people);
    recording_free(&proofs);
}

/* With steps of time, and without. */
static void tell_people_by_time(const settings *s, const char *model, const char *data)
{
    for (int rounded = 0; rounded < 2; rounded++) {
        settings with = *s;
        recording what = {0};
        timing_result r;
        process served;

        with.rounded = rounded;
        served = start_tacit(&with, model);
        record_people(&what, served.port, data, CANDIDATES);
        r = attack_by_time(&what, served.port, 5);
        printf(
            "  %-18s steps of %.2f to %.2f ms: of %zu visits, each seen once, the observer picked %zu people rightly; "
            "chance %zu\n",
            rounded ? "by default:" : "--time-step 0:", r.least, r.most, r.people, r.found, r.chance);
        fflush(stdout);
        stop(served);
        recording_free(&what);
    }
}

static bool is_attack(const settings *s)
{
    return s->part && (strcmp(s->part, "attack") == 0 || strcmp(s->part, "timing") == 0);
}

static void bench_attack(const settings *s, const char *linear, const char *network, const char *data)
{
    if (strcmp(s->part, "timing") == 0) {
        tell_people_by_time(s, network, data);
    } else {
        meet_attackers(s, linear, network, data, true);
        meet_attackers(s, linear, network, data, false);
    }
}

/* Train what is needed in a folder of our own. */
static void bench_made_up(const settings *s)
{
    const char *place = getenv("TMPDIR");
    char folder[ROOM - 32], data[ROOM], linear[ROOM], network[ROOM];
    const char *const demo[] = {s->tacit, "demo", "--keep", folder, "--quiet", NULL};
    const char *fit[] = {s->tacit,  "fit", data,       "--label", "outcome", "--public", "region,loan_amount,loan_term",
                         "--model", "mlp", "--hidden", "10,10",   "-o",      network,    "--quiet",
                         NULL};
    const char *const clean[] = {"/bin/rm", "-rf", folder, NULL};

    snprintf(folder, sizeof(folder), "%s/tacit-bench-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder))
        give_up("a folder for the models");
    snprintf(data, sizeof(data), "%s/loans.csv", folder);
    snprintf(linear, sizeof(linear), "%s/loans.tacit", folder);
    snprintf(network, sizeof(network), "%s/network.tacit", folder);
    run(demo);
    fit[10] = is_attack(s) ? "40,40" : "10,10";
    run(fit);
    if (is_attack(s)) {
        bench_attack(s, linear, network, data);
        run(clean);
        return;
    }
    bench_model(s, "linear", linear, data);
    if (!s->part || strcmp(s->part, "steps") == 0)
        bench_model(&(settings){.tacit = s->tacit,
                                .part = "steps",
                                .steps = s->steps,
                                .connections = s->connections,
                                .threads = s->threads,
                                .crowd = s->crowd,
                                .slow = s->slow},
                    "network 10-10", network, data);
    run(clean);
}

static bool read_options(int argc, char **argv, settings *s)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        size_t *count = strcmp(name, "--steps") == 0          ? &s->steps
                        : strcmp(name, "--connections") == 0  ? &s->connections
                        : strcmp(name, "--threads") == 0      ? &s->threads
                        : strcmp(name, "--crowd") == 0        ? &s->crowd
                        : strcmp(name, "--memory-steps") == 0 ? &s->memory_steps
                        : strcmp(name, "--slow") == 0         ? &s->slow
                                                              : NULL;
        const char **text = strcmp(name, "--part") == 0    ? &s->part
                            : strcmp(name, "--model") == 0 ? &s->model
                            : strcmp(name, "--data") == 0  ? &s->data
                                                           : NULL;

        if (name[0] != '-' && !s->tacit)
            s->tacit = name;
        else if ((!count && !text) || ++i == argc)
            return false;
        else if (count)
            *count = strtoul(argv[i], NULL, 10);
        else
            *text = argv[i];
    }
    if (s->model && s->part && strcmp(s->part, "attack") == 0) /* two models are needed */
        return false;
    return s->tacit && !s->model == !s->data && s->steps >= 100 && s->connections > 0 && s->memory_steps >= 10;
}

int main(int argc, char **argv)
{
    settings s = {.steps = 100000, .connections = 16, .crowd = 10000, .memory_steps = 1000000, .slow = 500};
    struct rlimit files;

    if (!read_options(argc, argv, &s)) {
        fprintf(stderr,
                "usage: bench_serve TACIT [--part steps|crowd|memory|slow|attack|timing] [--steps N] [--connections N] "
                "[--threads N] [--crowd N] [--memory-steps N] [--slow N] [--model FILE --data FILE]\n");
        return 2;
    }
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (s.model && is_attack(&s))
        tell_people_by_time(&s, s.model, s.data);
    else if (s.model)
        bench_model(&s, s.model, s.model, s.data);
    else
        bench_made_up(&s);
    return 0;
}
