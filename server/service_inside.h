/*
 * service_inside.h -- the inside of a service and its workers, for the endpoints.
 */
#ifndef SRV_SERVICE_INSIDE_H
#define SRV_SERVICE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "forks.h"
#include "service.h"
#include "token.h"

/* A piece of JSON written once. */
typedef struct srv_text {
    char *bytes;
    size_t size;
} srv_text;

/* What happened with a model since the service was made; about nobody in particular. */
typedef struct srv_counts {
    atomic_uint_fast64_t *decisions;       /* per class and way of being settled: [class * SRV_SETTLED + settled] */
    atomic_uint_fast64_t refusals, forked; /* questions that were refused; decisions that were too many */
} srv_counts;

enum { SRV_SETTLED = TACIT_UNSETTLED + 1 };

struct srv_model {
    size_t index;
    char name[SRV_MAX_MODEL_NAME + 1];
    const tacit_model *model;
    const tacit_schema *schema;
    size_t n_attributes;
    unsigned char hash[SRV_HASH_SIZE];
    size_t state_size;
    size_t draws; /* for the outlook */
    bool heavy;
    size_t step_size;   /* bytes */
    size_t *by_name;    /* attributes in the order of their names */
    srv_text *objects;  /* per attribute: its object, without the closing brace */
    srv_text *names;    /* per attribute: its name as a JSON string */
    srv_text *outcomes; /* per class: its name as a JSON string */
    srv_text about;     /* the body of v1/model */
    srv_counts *counts;
};

struct srv_service {
    srv_settings settings;
    const srv_keys *keys;
    srv_forks *forks; /* NULL: decisions are not counted */
    srv_model *models;
    size_t n_models;
    srv_text list, key_list; /* the bodies of v1/models and v1/key */
    size_t longest_body;
    pthread_key_t mine; /* the worker of a thread */
    pthread_mutex_t lock;
    srv_worker *workers; /* all there are */
};

/* What a worker needs for one model, made when it is first asked for; nothing about a person between requests. */
typedef struct srv_workspace {
    tacit_session *session;
    double delta; /* of the session */
    tacit_person *person;
    unsigned char *state; /* state_size bytes */
    char *token;          /* room for a token of the model and its terminator */
} srv_workspace;

struct srv_worker {
    srv_service *service;
    srv_worker *next;
    bool taken; /* by a thread */
    size_t n_workspaces;
    srv_workspace *workspaces; /* per model */
};

/* Attribute called so, or TACIT_NONE. */
size_t srv_model_find(const srv_model *model, const char *name, size_t size);

/* The worker's things for a model; no session yet. */
tacit_status srv_workspace_open(srv_workspace **out, srv_worker *worker, const srv_model *model, tacit_error *err);
/* A session with nobody's answers on it. */
tacit_status srv_workspace_begin(srv_workspace *workspace, const srv_model *model, double delta, tacit_error *err);
/* Forget the person. */
void srv_workspace_close(srv_workspace *workspace, const srv_model *model);

/* service_texts.c: write the bodies that never change, and their parts; false when memory is short. */
bool srv_texts_model(srv_model *model, const srv_settings *settings);
bool srv_texts_service(srv_service *service);
void srv_texts_clear(srv_model *model);

#endif
