/*
 * signals.c -- a program that ends when it is told to, within a second, and leaves nothing behind.
 *
 * The first signal is noted.  Whoever looks (cli_interrupted, most often from a progress callback) then ends in order.
 * But no loop is trusted to look often enough: the handler also sets a timer, and when that rings, or a second signal
 * comes, the program ends where it stands.  Files in the making are known by what the process has open: the library keeps
 * a temporary file open until it has its final name, so /proc/self/fd lists exactly those that must go.  What a command
 * keeps in a folder of its own it names beforehand.  Everything that a handler calls here is a plain system call.
 *
 * What a signal interrupts goes on by itself (a pipe that is being opened, a line that is printed): it is no error of its
 * own, and the timer ends what waits in vain.  A command that was done sooner still ends by the signal, or the loop of a
 * shell would go on.
 *
 * A broken pipe ends the program at once, as ever.  A file that may not grow any more (XFSZ) is an error like a full disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"

enum { PATIENCE_MS = 600, MOST_FILES = 4096, MOST_LEFTOVERS = 16 };

/* The signal that came, 0 before. */
static volatile sig_atomic_t signal_seen;
static volatile sig_atomic_t takes_its_time;
static volatile sig_atomic_t on_terminal; /* standard error, where a progress bar may stand */
static const char *last_words = "tacit: interrupted\n";
static const char *leftovers[MOST_LEFTOVERS];
static volatile sig_atomic_t n_leftovers;

/* Is this the name that the library gives to a file in the making, .tacit-*.tmp? */
static bool is_temporary(const char *path, size_t size)
{
    const char *name = path + size;

    while (name > path && name[-1] != '/')
        name--;
    return strncmp(name, ".tacit-", 7) == 0 && size >= 4 && strcmp(path + size - 4, ".tmp") == 0;
}

static void remove_open_files(void)
{
    for (int file = STDERR_FILENO + 1; file < MOST_FILES; file++) {
        char link[32] = "/proc/self/fd/", digits[8], path[4096];
        size_t n = 0, at = strlen(link);
        int mode = fcntl(file, F_GETFL);
        ssize_t size;

        if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) /* what is read is somebody else's */
            continue;
        for (int rest = file; rest > 0; rest /= 10)
            digits[n++] = (char)('0' + rest % 10);
        while (n > 0)
            link[at++] = digits[--n];
        size = readlink(link, path, sizeof(path) - 1);
        if (size <= 0)
            continue;
        path[size] = '\0';
        if (is_temporary(path, (size_t)size))
            unlink(path);
    }
}

/* There is nobody left to tell that it failed. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        errno = 0;
}

/* End here, the way the signal would have ended us, but cleanly. */
static void end_now(int number)
{
    sigset_t only;

    remove_open_files();
    for (int i = 0; i < n_leftovers; i++)
        if (unlink(leftovers[i]) != 0)
            rmdir(leftovers[i]);
    if (number != SIGPIPE) {
        if (on_terminal)
            say("\r\033[K");
        say(last_words);
    }
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    kill(getpid(), number);
    _exit(128 + number);
}

static void note_signal(int number)
{
    static const struct itimerval deadline = {.it_value = {.tv_usec = PATIENCE_MS * 1000}};
    int before = errno;

    if (signal_seen || number == SIGPIPE)
        end_now(signal_seen ? signal_seen : number);
    signal_seen = number;
    if (!takes_its_time)
        setitimer(ITIMER_REAL, &deadline, NULL);
    errno = before;
}

static void end_late(int number)
{
    (void)number;
    if (signal_seen)
        end_now(signal_seen);
}

/* Unless whoever started us, nohup for one, says that it is to be ignored. */
static void watch(int number, void (*handler)(int), bool even_if_ignored)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;

    sigemptyset(&action.sa_mask);
    if (even_if_ignored || (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
        sigaction(number, &action, NULL);
}

void cli_watch_signals(void)
{
    on_terminal = isatty(STDERR_FILENO);
    watch(SIGALRM, end_late, true);
    watch(SIGINT, note_signal, true);
    watch(SIGTERM, note_signal, true);
    watch(SIGHUP, note_signal, false);
    watch(SIGQUIT, note_signal, false);
    watch(SIGXCPU, note_signal, false);
    watch(SIGPIPE, note_signal, false);
    signal(SIGXFSZ, SIG_IGN);
}

void cli_wake_by_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        struct sigaction action;

        sigaction(numbers[i], NULL, &action);
        action.sa_flags &= ~SA_RESTART;
        sigaction(numbers[i], &action, NULL);
    }
}

bool cli_interrupted(void)
{
    return signal_seen != 0;
}

bool cli_ends_by_signal(void)
{
    return signal_seen != 0 && !takes_its_time;
}

void cli_end_by_signal(void)
{
    int number = signal_seen ? signal_seen : SIGINT;

    signal(number, SIG_DFL);
    raise(number);
}

void cli_take_time(void)
{
    takes_its_time = 1;
}

void cli_leave_behind(const char *path)
{
    if (path && n_leftovers < MOST_LEFTOVERS) {
        leftovers[n_leftovers] = path;
        n_leftovers = n_leftovers + 1;
    }
}

void cli_leave_nothing_behind(void)
{
    n_leftovers = 0;
}

void cli_set_last_words(const char *text)
{
    last_words = text ? text : "tacit: interrupted\n";
}

static void allow_looking(void)
{
    prctl(PR_SET_DUMPABLE, 1);
}

void cli_keep_no_core(bool hide)
{
    struct rlimit least = {.rlim_cur = 1, .rlim_max = 1};

    /* One byte is no core file, and other than 0 it also holds where cores are piped to a program. */
    if (setrlimit(RLIMIT_CORE, &least) != 0) {
        least.rlim_cur = least.rlim_max = 0;
        setrlimit(RLIMIT_CORE, &least);
    }
    if (hide && prctl(PR_SET_DUMPABLE, 0) == 0)
        atexit(allow_looking); /* nothing is left to hide, and leak checkers want to look */
}
