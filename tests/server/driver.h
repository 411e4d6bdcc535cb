/*
 * driver.h -- the real program as a server, and a small HTTP client on plain sockets.  What goes wrong fails the test
 * that is running.
 */
#ifndef TEST_DRIVER_H
#define TEST_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { DRIVER_PATH = 512, DRIVER_ARGUMENTS = 32 };

/* ---- the server ---- */

typedef struct server {
    pid_t pid;
    int port;
    bool six;               /* it listens on ::1 */
    char talk[DRIVER_PATH]; /* file with its standard output and error */
    const char *host;       /* where to listen; NULL: 127.0.0.1 */
    int wanted_port;        /* 0: any */
} server;

/* A folder for this test program, removed with all that is in it when the program ends. */
const char *scratch_folder(void);
/* A path in it; stays valid. */
const char *scratch_path(const char *name);
/* A file in it. */
const char *scratch_file(const char *name, const void *bytes, size_t size, unsigned mode);

/* All of a file; free it. */
char *read_text(const char *path);

/* Start `tacit serve ARGUMENTS --listen 127.0.0.1:0` and wait until it listens; the list ends with NULL. */
void server_start(server *s, const char *const *arguments);
/* The same with the demo's model and nothing else. */
void server_start_plain(server *s);
/* The same without standard input, output and error. */
void server_start_mute(server *s);
extern const char demo_model[];
/* A body for /v1/sessions: the public attributes of somebody of the demo, who is asked for more. */
extern const char somebody[];
/* Send a signal and wait for the end; the status of waitpid. */
int server_end(server *s, int signal);
/* SIGTERM, and it must end with 0. */
void server_stop(server *s);
/* Everything it said so far; free it. */
char *server_talk(const server *s);
/* Start `tacit ARGUMENTS`; what it prints goes to the file `out`. */
pid_t launch_tacit(const char *const *arguments, const char *out);
/* Run `tacit ARGUMENTS` to its end; the exit code.  What it printed goes to the file `out` unless that is NULL. */
int run_tacit(const char *const *arguments, const char *out);

/* Run a command by the shell; does it end with 0? */
bool run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- the client ---- */

typedef struct answer {
    int status; /* 0: the connection was closed without an answer */
    char *head; /* all lines of it */
    char *body; /* terminated */
    size_t size;
    bool has_body; /* HEAD has none */
} answer;

int client_open(const server *s);
/* The same, but -1 when nobody listens. */
int client_try(const server *s);
/* false: the other side does not take it any more. */
bool client_send(int fd, const void *bytes, size_t size);
bool client_say(int fd, const char *text);
/* Read one answer; `head_only` where the request was HEAD. */
answer client_read(int fd, bool head_only);
/* Has the other side closed without saying anything more?  Waits for it. */
bool client_closed(int fd);
void answer_free(answer *a);
/* The value of a header, of static memory; NULL: there is none. */
const char *answer_header(const answer *a, const char *name);
/* Is this the problem with that status and code? */
bool answer_is_problem(const answer *a, int status, const char *code);

/* What stands in the member "token" of a step; free it. */
char *answer_token(const answer *a);

/* One request on a connection of its own.  `body` NULL: none, else a JSON text. */
answer ask(const server *s, const char *method, const char *path, const char *body);
/* The same, written by the caller, all of it. */
answer ask_text(const server *s, const char *text);
/* The same on a connection that stays open. */
answer ask_on(int fd, const char *method, const char *path, const char *body);
/* Is the next client served?  Fails the test otherwise. */
void assert_serves(const server *s);

#endif
