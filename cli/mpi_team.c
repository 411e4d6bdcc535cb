/*
 * mpi_team.c -- a tacit_team by MPI; the plug-in tacit-mpi.so.
 *
 * Nobody must wait for a process that has given up.  So whenever the members exchange something, they first exchange
 * notices: "here is my share" or "I am leaving, and this is why".  A member that leaves goes on answering with the
 * latter until all have left.
 *
 * A process that was killed answers nothing.  mpirun then sends the others a signal: waiting ends soon after one, and
 * what was not finished is taken back like after any other failure.
 */
#include "mpi_plugin.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

/* mpirun kills a second after it has sent its signal: give up before. */
static const double PATIENCE = 0.3;

typedef struct notice {
    int leaving;
    int code;           /* exit code of one that leaves */
    uint64_t size;      /* of the share of one that stays */
    char message[1000]; /* what it had to say */
} notice;

typedef struct mpi_team {
    const mpi_host *host;
    bool started;
    bool lost; /* somebody does not answer any more */
    bool left; /* somebody has left early; `reason` says why */
    char reason[1200];
    int kept; /* descriptor of what this process would have printed on standard error, -1: it speaks */
    notice *notices;
    tacit_team team;
} mpi_team;

/* One per process, like MPI itself. */
static mpi_team self = {.kept = -1};

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static tacit_status fail_team(tacit_error *err, const char *text)
{
    if (err) {
        *err = (tacit_error){.status = TACIT_E_IO};
        snprintf(err->message, sizeof(err->message), "%.1000s", text);
    }
    return TACIT_E_IO;
}

static tacit_status fail_lost(tacit_error *err)
{
    return fail_team(err, "interrupted, or another process of this run has ended: no results were written");
}

/* Until the request is done, without keeping a core busy.  False when it seems that it never will be. */
static bool wait_for(MPI_Request *request)
{
    struct timespec pause = {.tv_nsec = 20000};
    double interrupted = 0;
    int done = 0;

    while (!self.lost) {
        if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            break;
        if (done)
            return true;
        if (self.host->interrupted() && interrupted == 0)
            interrupted = seconds_now();
        if (interrupted > 0 && seconds_now() - interrupted > PATIENCE)
            break;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec *= 2;
    }
    self.lost = true;
    return false;
}

static bool gather(const void *mine, size_t size, void *all)
{
    MPI_Request request;

    return !self.lost &&
           MPI_Iallgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD, &request) ==
               MPI_SUCCESS &&
           wait_for(&request);
}

/* What this process would have said last on standard error. */
static void recall_message(char *text, size_t room)
{
    off_t size = self.kept >= 0 ? lseek(self.kept, 0, SEEK_END) : 0;
    off_t from = size > (off_t)room - 1 ? size - (off_t)room + 1 : 0;
    ssize_t got;

    text[0] = '\0';
    if (size <= 0)
        return;
    got = pread(self.kept, text, room - 1, from);
    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (strncmp(text, "tacit: ", 7) == 0)
        memmove(text, text + 7, strlen(text + 7) + 1);
}

/* Everybody tells everybody whether it stays.  *stay: all do, with shares of the same size; *all_leave: nobody does. */
static bool exchange_notices(bool leaving, int code, size_t size, bool *stay, bool *all_leave)
{
    notice mine;

    memset(&mine, 0, sizeof(mine));
    mine.leaving = leaving;
    mine.code = code;
    mine.size = size;
    if (leaving)
        recall_message(mine.message, sizeof(mine.message));
    if (!gather(&mine, sizeof(mine), self.notices))
        return false;
    *stay = *all_leave = true;
    for (size_t r = 0; r < self.team.size; r++) {
        const notice *n = &self.notices[r];

        *stay = *stay && !n->leaving && n->size == size;
        *all_leave = *all_leave && n->leaving;
        if (n->leaving && !leaving && !self.left) {
            self.left = true;
            snprintf(self.reason, sizeof(self.reason), "process %zu of %zu has given up%s%.999s", r + 1, self.team.size,
                     n->message[0] ? ": " : "", n->message);
        }
    }
    if (!leaving && !*stay && !self.left) { /* one ran out of memory between two steps, say */
        self.left = true;
        snprintf(self.reason, sizeof(self.reason), "the processes of this run are out of step");
    }
    return true;
}

static tacit_status share(void *context, const void *mine, size_t size, void *all, tacit_error *err)
{
    bool stay = false, all_leave;

    (void)context;
    if (!self.left && exchange_notices(false, CLI_DONE, size, &stay, &all_leave) && stay && gather(mine, size, all))
        return TACIT_OK;
    return self.left ? fail_team(err, self.reason) : fail_lost(err);
}

static tacit_status send_bytes(void *context, const void *bytes, size_t size, tacit_error *err)
{
    MPI_Request request;

    (void)context;
    if (!self.lost && MPI_Isend(bytes, (int)size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request) == MPI_SUCCESS &&
        wait_for(&request))
        return TACIT_OK;
    return fail_lost(err);
}

static tacit_status receive_bytes(void *context, size_t from, void *bytes, size_t size, tacit_error *err)
{
    MPI_Request request;

    (void)context;
    if (!self.lost && MPI_Irecv(bytes, (int)size, MPI_BYTE, (int)from, 0, MPI_COMM_WORLD, &request) == MPI_SUCCESS &&
        wait_for(&request))
        return TACIT_OK;
    return fail_lost(err);
}

/* Standard output goes nowhere, standard error is kept. */
static void fall_silent(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    self.kept = memfd_create("tacit", MFD_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(self.kept >= 0 ? self.kept : nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

static int team_start(const mpi_host *host)
{
    int level, rank = 0, size = 1;

    self.host = host;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return self.host->complain(CLI_INTERNAL, "MPI does not start");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    self.notices = calloc((size_t)size, sizeof(*self.notices));
    if (!self.notices)
        return self.host->complain(CLI_INTERNAL, "out of memory");
    self.started = true;
    self.team = (tacit_team){
        .rank = (size_t)rank, .size = (size_t)size, .share = share, .send = send_bytes, .receive = receive_bytes};
    if (rank > 0)
        fall_silent();
    return CLI_DONE;
}

static const tacit_team *team_get(void)
{
    return self.started && self.team.size > 1 ? &self.team : NULL;
}

static bool team_speaks(void)
{
    return self.team.rank == 0;
}

/* The exit code of the first process, when its own command went well: the others' may not have. */
static int judge_others(int code)
{
    for (size_t r = 1; r < self.team.size && code == CLI_DONE; r++)
        if (self.notices[r].code != CLI_DONE)
            code = self.host->complain(CLI_INTERNAL, "process %zu of %zu failed%s%.999s", r + 1, self.team.size,
                                       self.notices[r].message[0] ? ": " : "", self.notices[r].message);
    return code;
}

static int team_end(int code)
{
    bool stay, all_leave = false;

    if (!self.started)
        return code;
    fflush(stderr);
    while (!all_leave && exchange_notices(true, code, 0, &stay, &all_leave))
        ;
    if (self.lost)
        MPI_Abort(MPI_COMM_WORLD, code > 0 ? code : CLI_INPUT);
    MPI_Finalize();
    code = team_speaks() ? judge_others(code) : CLI_DONE;
    free(self.notices);
    return code;
}

extern const mpi_plugin tacit_mpi_plugin;
__attribute__((visibility("default")))
const mpi_plugin tacit_mpi_plugin = {.start = team_start, .team = team_get, .speaks = team_speaks, .end = team_end};
