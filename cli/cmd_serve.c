/*
 * cmd_serve.c -- tacit serve: the questionnaire as a page and an HTTP API.
 */
#include <string.h>

#include "cli.h"
#include "commands.h"
#include "limits.h"
#include "serve.h"

static int check_settings(const serve_settings *s)
{
    if (!s->tls_cert != !s->tls_key)
        return cli_complain(CLI_USAGE, "--tls-cert and --tls-key go together");
    if (s->delta < s->delta_min || s->delta > s->delta_max)
        return cli_complain(CLI_USAGE, "--delta-min may not be above --delta, nor --delta-max below it");
    if (strcmp(s->log, "text") != 0 && strcmp(s->log, "json") != 0)
        return cli_complain(CLI_USAGE, "--log: expected text or json");
    if (s->sensitive && s->public_)
        return cli_complain(CLI_USAGE, "--sensitive and --public exclude each other: give one of them");
    return CLI_DONE;
}

static int run_serve(const cli_args *args, void *settings)
{
    serve_settings *s = settings;
    int code;

    if (!cli_was_given(&cli_command_serve, args, "delta-min"))
        s->delta_min = s->delta;
    if (!cli_was_given(&cli_command_serve, args, "delta-max"))
        s->delta_max = s->delta;
    s->connections_given = cli_was_given(&cli_command_serve, args, "connections");
    code = check_settings(s);
    return code == CLI_DONE ? serve_run(args->operands, args->n_operands, s) : code;
}

static const serve_settings defaults = {.listen = "127.0.0.1:8080",
                                        .token_minutes = SRV_TOKEN_MINUTES,
                                        .connections = SRV_CONNECTIONS,
                                        .per_address = SRV_PER_ADDRESS,
                                        .rate = SRV_SESSIONS_PER_SECOND,
                                        .work = SRV_WORK_SHARE,
                                        .forks = SRV_FORKS,
                                        .idle_seconds = SRV_IDLE_SECONDS,
                                        .request_seconds = SRV_REQUEST_SECONDS,
                                        .time_step = SRV_TIME_STEP,
                                        .log = "text"};

static const cli_option options[] = {
    {.name = "listen",
     .kind = CLI_TEXT,
     .argument = "HOST:PORT",
     .help =
         "Where to listen, for example [::1]:8080; port 0 takes any that is free. Or unix:PATH, a socket in the file "
         "system. Default: 127.0.0.1:8080.",
     .offset = offsetof(serve_settings, listen)},
    {.name = "admin",
     .kind = CLI_TEXT,
     .argument = "ADDRESS",
     .help = "Answer /healthz, /readyz and /metrics there, and not where people come: HOST:PORT or unix:PATH.",
     .offset = offsetof(serve_settings, admin)},
    {.name = "key",
     .kind = CLI_TEXTS,
     .argument = "FILE",
     .help = "32 random bytes that seal sessions and sign receipts; servers with the same key can stand in for each "
             "other. Given again: older keys, whose sessions can still be finished. Without it a key is made up and "
             "sessions end with the process.",
     .offset = offsetof(serve_settings, keys)},
    {.name = "signing-key",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "32 other random bytes that sign receipts, so that --key can be replaced without new signatures. Default: "
             "what "
             "signs is derived from --key.",
     .offset = offsetof(serve_settings, signing_key)},
    {.name = "token-minutes",
     .kind = CLI_NUMBER,
     .argument = "N",
     .help = "How long an answer may take. Default: 30.",
     .offset = offsetof(serve_settings, token_minutes),
     .above_min = true,
     .max = 10080},
    {.name = "delta",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "How often the decision may differ from the one with everything known, from 0 to below 0.5. Default: 0, "
             "never, proven.",
     .offset = offsetof(serve_settings, delta),
     .max = 0.5,
     .below_max = true},
    {.name = "delta-min",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "The smallest delta that a client may ask for. Default: that of --delta.",
     .offset = offsetof(serve_settings, delta_min),
     .max = 0.5,
     .below_max = true},
    {.name = "delta-max",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "The largest. Default: that of --delta.",
     .offset = offsetof(serve_settings, delta_max),
     .max = 0.5,
     .below_max = true},
    {.name = "free-order",
     .kind = CLI_FLAG,
     .help =
         "Let clients answer what was not asked. Whoever chooses the order can make errors in their favour likelier "
         "where delta is above 0; receipts say so.",
     .offset = offsetof(serve_settings, free_order)},
    {.name = "sensitive",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as sensitive and all others as public, whatever the model file says.",
     .offset = offsetof(serve_settings, sensitive)},
    {.name = "public",
     .kind = CLI_TEXT,
     .argument = "LIST",
     .help = "Count these attributes as public and all others as sensitive.",
     .offset = offsetof(serve_settings, public_)},
    {.name = "threads",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Default: all cores.",
     .offset = offsetof(serve_settings, threads),
     .min = 1,
     .max = SRV_MAX_THREADS},
    {.name = "time-step",
     .kind = CLI_COUNT,
     .argument = "MS",
     .help =
         "Answers that take long (networks, receipts) leave after one, two, four, eight, ... times so many "
         "milliseconds, because how long they really took would say a lot about the person; 0: at once. Default: 25.",
     .offset = offsetof(serve_settings, time_step),
     .max = SRV_MAX_TIME_STEP},
    {.name = "log",
     .kind = CLI_TEXT,
     .argument = "FORMAT",
     .help = "Of the access log: text (default), or json, with a number for each request that its answer has too.",
     .offset = offsetof(serve_settings, log)},
    {.name = "no-log",
     .kind = CLI_FLAG,
     .help = "No access log. It has a line for each request, without addresses and values.",
     .offset = offsetof(serve_settings, no_log)},
    {.name = "tls-cert",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "A certificate (PEM), with those that vouch for it: serve HTTPS.",
     .offset = offsetof(serve_settings, tls_cert),
     .heading = "Who may use it"},
    {.name = "tls-key",
     .kind = CLI_TEXT,
     .argument = "FILE",
     .help = "Its private key (PEM).",
     .offset = offsetof(serve_settings, tls_key)},
    {.name = "behind-proxy",
     .kind = CLI_FLAG,
     .help = "A proxy of yours stands in front: believe the last address in X-Forwarded-For, and do not count "
             "connections by address.",
     .offset = offsetof(serve_settings, behind_proxy)},
    {.name = "cors",
     .kind = CLI_TEXTS,
     .argument = "ORIGIN",
     .help = "Let scripts of this site use the API, for example https://shop.example; * for all. May be given again.",
     .offset = offsetof(serve_settings, cors)},
    {.name = "embed",
     .kind = CLI_TEXTS,
     .argument = "ORIGIN",
     .help = "Let this site show the page in a frame. May be given again.",
     .offset = offsetof(serve_settings, embed)},
    {.name = "connections",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "At a time. Default: 4096.",
     .offset = offsetof(serve_settings, connections),
     .min = 1,
     .max = SRV_MAX_CONNECTIONS,
     .heading = "Limits; whoever meets one is told, and the next is served"},
    {.name = "per-address",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Connections from one address at a time; 0: any number. Default: 64.",
     .offset = offsetof(serve_settings, per_address),
     .max = SRV_MAX_CONNECTIONS},
    {.name = "rate",
     .kind = CLI_NUMBER,
     .argument = "N",
     .help = "Sessions that one address may begin, and receipts it may fetch, in a second; 0: any number. Default: 20.",
     .offset = offsetof(serve_settings, rate),
     .max = 1000000},
    {.name = "work",
     .kind = CLI_NUMBER,
     .argument = "X",
     .help = "Processors that one address may keep busy, on the average, with what takes long (networks, receipts); 0: "
             "any number. Default: 0.5.",
     .offset = offsetof(serve_settings, work),
     .max = 1024},
    {.name = "forks",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "Decisions that one session may come to by changing answers, within --token-minutes, and one address 64 "
             "times as many; 0: any number. Default: 8.",
     .offset = offsetof(serve_settings, forks),
     .max = 1000000},
    {.name = "idle-seconds",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "How long a connection may say nothing. Default: 60.",
     .offset = offsetof(serve_settings, idle_seconds),
     .min = 1,
     .max = SRV_MAX_SECONDS},
    {.name = "drain-seconds",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "When told to stop, go on for so long, but say that it is not ready (/readyz) and end connections after "
             "their answer, so that proxies go elsewhere. Default: 0.",
     .offset = offsetof(serve_settings, drain_seconds),
     .max = SRV_MAX_SECONDS},
    {.name = "request-seconds",
     .kind = CLI_COUNT,
     .argument = "N",
     .help = "How long a request may take to arrive. Default: 15.",
     .offset = offsetof(serve_settings, request_seconds),
     .min = 1,
     .max = SRV_MAX_SECONDS},
    {0},
};

const cli_command cli_command_serve = {
    .name = "serve",
    .summary = "the questionnaire, as a web page and an HTTP API",
    .usage = "MODEL... [options]",
    .text = "Serves a page that asks only what the decision needs, and the API behind it: /v1/openapi.json describes "
            "it. Several models have paths of their own, /m/NAME/, NAME being the file's name without extension. "
            "Nothing about anybody is stored: what was answered travels in a sealed token. SIGTERM and SIGINT "
            "end it after requests under way are answered; SIGHUP has models, keys and certificates read again.",
    .examples = "head -c 32 /dev/urandom > tacit.key\ntacit serve loans.tacit --key tacit.key",
    .options = options,
    .operands = (const char *const[]){"MODEL", NULL},
    .optional = CLI_ANY,
    .settings_size = sizeof(serve_settings),
    .defaults = &defaults,
    .run = run_serve,
};
