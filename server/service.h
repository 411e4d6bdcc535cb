/*
 * service.h -- what a server serves: models under names, keys, settings.  Immutable once made, shared by all threads.
 *
 * What is expensive and not to be shared, the sessions with what they have computed about their models, lives in
 * workers: a thread takes one for the time of a request.  Workers hold nothing about a person between two requests.
 */
#ifndef SRV_SERVICE_H
#define SRV_SERVICE_H

#include "keys.h"
#include "reply.h"

enum {
    SRV_MAX_MODELS = 256,          /* served by one process */
    SRV_MAX_MODEL_NAME = 64,       /* bytes of a model's name */
    SRV_MAX_TOKEN_MINUTES = 10080, /* that a token is good for: a week */
    SRV_FORKS_PER_CLIENT = 64,     /* times as many decisions may come to one client as to one session */
    SRV_BODY_PER_ATTRIBUTE = 512,  /* bytes of a body that an attribute and its value can need */
    SRV_HEAVY_INPUTS = 512,        /* a model with more variables is not for the threads that serve connections */
    SRV_OUTLOOK_LINEAR = 8,        /* people drawn to say what lies ahead; linear models */
    SRV_OUTLOOK_NETWORK = 4        /* the same for networks, whose proofs take longer */
};

typedef struct srv_settings {
    int64_t token_seconds;              /* a token is good for so long, and each step gives a new one; > 0 */
    double delta, delta_min, delta_max; /* delta of a session that does not ask for one, and what may be asked for */
    bool free_order;                    /* what was not asked may be answered, too */
    uint32_t forks;                     /* decisions of one session within token_seconds; 0: any number */
} srv_settings;

/* A model to serve, borrowed: it must live as long as the service. */
typedef struct srv_model_file {
    const char *name; /* letters, digits, '-', '_', '.'; not starting with '.' */
    const tacit_model *model;
} srv_model_file;

typedef struct srv_service srv_service;
typedef struct srv_model srv_model;
typedef struct srv_worker srv_worker;

/* A model's name from the name of its file: without folder and extension, and with '-' for what a name cannot hold. */
void srv_model_name_from_path(char name[SRV_MAX_MODEL_NAME + 1], const char *path);

/* Keys are borrowed and hold at least one.  Two models of one name are an error. */
tacit_status srv_service_new(srv_service **out, const srv_settings *settings, const srv_model_file *files,
                             size_t n_files, const srv_keys *keys, tacit_error *err);
/* No thread may be using a worker any more. */
void srv_service_free(srv_service *service); /* NULL allowed */

size_t srv_service_models(const srv_service *service);
const srv_model *srv_service_model(const srv_service *service, size_t index);
/* The model called so, or NULL. */
const srv_model *srv_service_find(const srv_service *service, const char *name, size_t size);
const char *srv_model_name(const srv_model *model);
/* What every step of it is filled up to, receipts aside; bytes. */
size_t srv_model_step_size(const srv_model *model);
/* Does a step of it take longer than others should wait for? */
bool srv_model_is_heavy(const srv_model *model);
/* Bytes that the token and the public attributes of the largest model can need in a body. */
size_t srv_service_longest_body(const srv_service *service);

/* Decisions by model, label and status, refusals, and decisions that were too many, as Prometheus text. */
void srv_service_counts(const srv_service *service, srv_out *out);

/* The worker of the calling thread, for one request at a time, until the thread ends; then another one may have it.
 * NULL when memory is short. */
srv_worker *srv_worker_mine(srv_service *service);

#endif
