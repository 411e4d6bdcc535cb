/*
 * serve_http.c -- serving: keys, models, the socket, and waiting for the end.  The only file of the program that looks
 * into server/.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "http.h"
#include "keys.h"
#include "limits.h"
#include "serve.h"
#include "service.h"

enum { SPARE_FILES = 64 }; /* beside connections */

/* What is read from files, and may be read again. */
typedef struct served {
    srv_keys *keys;
    bool made_up; /* the key was not read from a file: it stays as long as the process */
    size_t n_models;
    tacit_model **models;
    char (*names)[SRV_MAX_MODEL_NAME + 1];
    srv_service *service;
} served;

typedef struct serving {
    const serve_settings *settings;
    const char *const *paths; /* of models */
    size_t n_paths;
    size_t connections;
    served *now;
    srv_http *http;
} serving;

/* Standard files that were closed would be handed out again, to sockets, and the log would speak into them. */
static int fill_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != file)
            return CLI_INTERNAL; /* and nowhere to say so */
    return CLI_DONE;
}

static void harden(const serve_settings *settings)
{
#ifdef M_PERTURB
    if (settings->tls_cert) /* the TLS library does not wipe what it has decrypted: whatever is freed is overwritten */
        mallopt(M_PERTURB, 0x55);
#else
    (void)settings;
#endif
    signal(SIGPIPE, SIG_IGN);
}

/* As many open files as there may be connections. */
static int make_room(serving *s)
{
    size_t extra = SRV_TURNED_AWAY + SRV_MAX_THREADS + SPARE_FILES;
    struct rlimit files;

    s->connections = s->settings->connections;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return CLI_DONE;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_max == RLIM_INFINITY || files.rlim_max >= s->connections + extra)
        return CLI_DONE;
    if (s->settings->connections_given)
        return cli_complain(CLI_INPUT, "--connections %zu: needs %zu open files, the system allows %llu",
                            s->connections, s->connections + extra, (unsigned long long)files.rlim_max);
    s->connections = files.rlim_max > 2 * extra ? (size_t)files.rlim_max - extra : (size_t)files.rlim_max / 2;
    cli_note("at most %zu connections at a time: the system allows %llu open files (ulimit -n)", s->connections,
             (unsigned long long)files.rlim_max);
    return CLI_DONE;
}

/* Where no file has a key, the one that was made up goes on. */
static int read_keys(served *d, const cli_texts *files, const char *signing, srv_keys *before)
{
    tacit_error err = {0};

    d->made_up = files->count == 0;
    if (d->made_up && before) {
        d->keys = before;
        return CLI_DONE;
    }
    if (srv_keys_new(&d->keys, &err))
        return cli_fail(&err);
    for (size_t i = 0; i < files->count; i++)
        if (srv_keys_add_file(d->keys, files->items[i], &err))
            return cli_fail(&err);
    if (d->made_up && srv_keys_add_random(d->keys, &err))
        return cli_fail(&err);
    if (signing && srv_keys_sign_with_file(d->keys, signing, &err))
        return cli_fail(&err);
    return CLI_DONE;
}

static int load_models(served *d, const serving *s)
{
    int code = CLI_DONE;

    d->models = cli_alloc(s->n_paths, sizeof(*d->models));
    d->names = cli_alloc(s->n_paths, sizeof(*d->names));
    d->n_models = s->n_paths;
    for (size_t i = 0; i < s->n_paths && code == CLI_DONE; i++) {
        code = cli_load_model(&d->models[i], s->paths[i], s->settings->sensitive, s->settings->public_);
        srv_model_name_from_path(d->names[i], s->paths[i]);
    }
    return code;
}

static int make_service(served *d, const serve_settings *given)
{
    srv_settings settings = {.token_seconds = (int64_t)ceil(given->token_minutes * 60),
                             .delta = given->delta,
                             .delta_min = given->delta_min,
                             .delta_max = given->delta_max,
                             .free_order = given->free_order,
                             .forks = (uint32_t)given->forks};
    srv_model_file *files = cli_alloc(d->n_models, sizeof(*files));
    tacit_error err = {0};
    tacit_status status;

    for (size_t i = 0; i < d->n_models; i++)
        files[i] = (srv_model_file){.name = d->names[i], .model = d->models[i]};
    status = srv_service_new(&d->service, &settings, files, d->n_models, d->keys, &err);
    free(files);
    return status ? cli_fail(&err) : CLI_DONE;
}

/* A key that was made up lives on unless this is the end. */
static void free_served(served *d, bool with_keys)
{
    if (!d)
        return;
    srv_service_free(d->service);
    if (with_keys || !d->made_up)
        srv_keys_free(d->keys);
    for (size_t i = 0; i < d->n_models; i++)
        tacit_model_free(d->models[i]);
    free(d->models);
    free(d->names);
    free(d);
}

static void forget_served(void *context)
{
    free_served(context, false);
}

/* Models and keys as their files are now. */
static int read_files(served **out, const serving *s, srv_keys *before)
{
    served *d = cli_alloc(1, sizeof(*d));
    int code = load_models(d, s);

    if (code == CLI_DONE)
        code = read_keys(d, &s->settings->keys, s->settings->signing_key, before);
    if (code == CLI_DONE)
        code = make_service(d, s->settings);
    if (code != CLI_DONE) {
        free_served(d, !before);
        d = NULL;
    }
    *out = d;
    return code;
}

static int check_origins(const cli_texts *origins, const char *option, bool star)
{
    for (size_t i = 0; i < origins->count; i++)
        if (!srv_http_is_origin(origins->items[i]) && !(star && strcmp(origins->items[i], "*") == 0))
            return cli_complain(CLI_USAGE, "--%s: expected an origin such as https://shop.example, without a path",
                                option);
    return CLI_DONE;
}

static int start(serving *s)
{
    const serve_settings *given = s->settings;
    srv_http_settings settings = {.listen = given->listen,
                                  .admin = given->admin,
                                  .tls_cert = given->tls_cert,
                                  .tls_key = given->tls_key,
                                  .cors = given->cors.items,
                                  .n_cors = given->cors.count,
                                  .embed = given->embed.items,
                                  .n_embed = given->embed.count,
                                  .behind_proxy = given->behind_proxy,
                                  .threads = given->threads,
                                  .connections = s->connections,
                                  .per_address = given->per_address,
                                  .rate = given->rate,
                                  .work = given->work,
                                  .idle_seconds = given->idle_seconds,
                                  .request_seconds = given->request_seconds,
                                  .time_step = given->time_step,
                                  .no_log = given->no_log,
                                  .json_log = strcmp(given->log, "json") == 0};
    tacit_error err = {0};

    if (srv_http_start(&s->http, s->now->service, &settings, &err))
        return cli_fail(&err);
    return CLI_DONE;
}

/* Keys are for one's own eyes. */
static void doubt_key(const char *path)
{
    struct stat about;

    if (path && stat(path, &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & 077))
        cli_note("%s: others may read this key (chmod 600)", path);
}

/* What one would rather know. */
static void tell_doubts(const serving *s)
{
    const serve_settings *given = s->settings;

    if (given->keys.count == 0)
        cli_note("no --key: sessions end with this process, and no other server can go on with them");
    for (size_t i = 0; i < given->keys.count; i++)
        doubt_key(given->keys.items[i]);
    doubt_key(given->signing_key);
    doubt_key(given->tls_key);
    if (!srv_http_is_local(s->http) && !given->tls_cert && !given->behind_proxy)
        cli_note("answers travel unencrypted: give --tls-cert, or put a proxy in front");
    if (!srv_http_admin_is_local(s->http))
        cli_note("--admin %s: whoever reaches it sees health and metrics, without TLS", given->admin);
}

static void tell(const serving *s)
{
    const char *url = srv_http_url(s->http);

    printf("listening on %s\n", url);
    if (srv_http_admin_url(s->http))
        printf("  health, readiness and metrics on %s\n", srv_http_admin_url(s->http));
    for (size_t i = 0; i < s->now->n_models && s->now->n_models > 1; i++)
        printf("  %sm/%s/\n", url, s->now->names[i]);
    fflush(stdout);
}

static volatile sig_atomic_t hung_up;

static void note_hangup(int number)
{
    (void)number;
    hung_up = 1;
}

/* Unless nohup says that there is none. */
static void watch_hangup(void)
{
    struct sigaction action = {.sa_handler = note_hangup}, before;

    sigemptyset(&action.sa_mask);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

/* Read everything again; what cannot be read leaves everything as it was. */
static void reload(serving *s)
{
    served *fresh = NULL;
    tacit_error err = {0};
    int code = read_files(&fresh, s, s->now->keys);

    if (code == CLI_DONE && srv_http_reload_tls(s->http, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE && srv_http_replace(s->http, fresh->service, forget_served, s->now, &err))
        code = cli_fail(&err);
    if (code == CLI_DONE)
        s->now = fresh;
    else
        free_served(fresh, false);
    cli_note("%s", code == CLI_DONE ? "models, keys and certificates were read again" : "everything stays as it was");
}

/* Signals are for this thread alone, and only while it waits for them. */
static int serve_until_signal(serving *s)
{
    bool on_terminal = isatty(STDIN_FILENO); /* whose end is ours; otherwise a hangup says that files have changed */
    sigset_t ends, before;
    int code;

    watch_hangup();
    sigemptyset(&ends);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGQUIT);
    sigaddset(&ends, SIGXCPU);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    code = start(s); /* its threads inherit the mask */
    if (code == CLI_DONE) {
        tell_doubts(s);
        tell(s);
        while (!cli_interrupted() && !(hung_up && on_terminal)) {
            sigsuspend(&before);
            if (hung_up && !on_terminal) {
                hung_up = 0;
                reload(s);
            }
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL); /* from here on a second signal ends us at once */
    if (code == CLI_DONE && s->settings->drain_seconds > 0) {
        srv_http_leave(s->http);
        sleep((unsigned)s->settings->drain_seconds);
    }
    srv_http_stop(s->http);
    return code;
}

int serve_run(const char *const *models, size_t n_models, const serve_settings *settings)
{
    serving s = {.settings = settings, .paths = models, .n_paths = n_models};
    int code = fill_standard_files();

    if (strcmp(settings->log, "json") == 0)
        cli_say_objects();
    if (code == CLI_DONE)
        code = check_origins(&settings->cors, "cors", true);
    if (code == CLI_DONE)
        code = check_origins(&settings->embed, "embed", false);
    harden(settings);
    if (code == CLI_DONE)
        code = make_room(&s);
    if (code == CLI_DONE)
        code = read_files(&s.now, &s, NULL);
    cli_take_time();
    if (code == CLI_DONE)
        code = serve_until_signal(&s);
    free_served(s.now, true);
    return code;
}
