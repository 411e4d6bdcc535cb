/*
 * serve.h -- what tacit serve was told; and serving, which needs GnuTLS (serve_http.c) or cannot be done
 * (serve_absent.c).
 */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "options.h"

typedef struct serve_settings {
    const char *listen, *admin;
    cli_texts keys;
    const char *signing_key;
    double token_minutes;
    double delta, delta_min, delta_max; /* the last two: -1 unless given */
    const char *tls_cert, *tls_key;
    cli_texts cors, embed;
    bool free_order;
    size_t forks;
    double work;
    bool behind_proxy;
    size_t threads, connections, per_address;
    bool connections_given;
    double rate;
    size_t idle_seconds, request_seconds, drain_seconds, time_step;
    bool no_log;
    const char *log; /* "text", "json" */
    const char *sensitive, *public_;
} serve_settings;

/* Serve these model files until a signal comes; an exit code. */
int serve_run(const char *const *models, size_t n_models, const serve_settings *settings);

#endif
