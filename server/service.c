/*
 * service.c -- models, keys and settings put together, and the workers that serve them.
 */
#include "service.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "limits.h"
#include "service_inside.h"

/* Of sessions: the same everywhere, so that all servers draw the same people for the outlook. */
enum { SESSION_SEED = 1 };

static bool fits_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
}

void srv_model_name_from_path(char name[SRV_MAX_MODEL_NAME + 1], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t size = dot && dot > start ? (size_t)(dot - start) : strlen(start);

    size = size < SRV_MAX_MODEL_NAME ? size : SRV_MAX_MODEL_NAME;
    for (size_t i = 0; i < size; i++)
        name[i] = fits_name(start[i]) && !(i == 0 && start[i] == '.') ? start[i] : '-';
    name[size] = '\0';
}

/* ---- making one ---- */

static tacit_status check_settings(const srv_settings *s, tacit_error *err)
{
    if (s->token_seconds <= 0 || s->token_seconds > (int64_t)SRV_MAX_TOKEN_MINUTES * 60)
        return tct_fail(err, TACIT_E_USAGE, "tokens must be good for more than 0 and at most %d minutes",
                        SRV_MAX_TOKEN_MINUTES);
    if (!(s->delta_min >= 0 && s->delta_max < 0.5))
        return tct_fail(err, TACIT_E_USAGE, "delta must be at least 0 and below 0.5");
    if (!(s->delta_min <= s->delta && s->delta <= s->delta_max))
        return tct_fail(err, TACIT_E_USAGE, "delta must be from delta-min to delta-max");
    return TACIT_OK;
}

static tacit_status check_name(const srv_service *service, const char *name, tacit_error *err)
{
    size_t size = strlen(name);
    bool fine = size > 0 && size <= SRV_MAX_MODEL_NAME && name[0] != '.';

    for (size_t i = 0; i < size; i++)
        fine = fine && fits_name(name[i]);
    if (!fine)
        return tct_fail(err, TACIT_E_USAGE,
                        "a model's name has 1 to %d letters, digits, '-', '_' and '.', and no '.' in front",
                        SRV_MAX_MODEL_NAME);
    if (srv_service_find(service, name, size))
        return tct_fail(err, TACIT_E_USAGE, "two models are called %s", name);
    return TACIT_OK;
}

static int compare_names(const void *a, const void *b, void *schema)
{
    return strcmp(tacit_schema_attribute(schema, *(const size_t *)a)->name,
                  tacit_schema_attribute(schema, *(const size_t *)b)->name);
}

/* One size for all steps of a model, or it would tell which question was asked: no attribute's name stands in more than
 * two lists, and one object of an attribute, or one outcome, is in a step. */
static size_t longest_step(const srv_model *m)
{
    size_t names = 0, largest = 0, size;

    for (size_t a = 0; a < m->n_attributes; a++) {
        size_t object = m->objects[a].size + m->names[a].size;

        names += m->names[a].size + 1;
        largest = object > largest ? object : largest;
    }
    for (size_t c = 0; c < tacit_schema_classes(m->schema); c++)
        largest = m->outcomes[c].size > largest ? m->outcomes[c].size : largest;
    size = srv_token_length(m->state_size) + 2 * names + largest + SRV_STEP_TEXTS;
    return (size + SRV_REPLY_STEP - 1) / SRV_REPLY_STEP * SRV_REPLY_STEP;
}

static tacit_status add_model(srv_service *service, const srv_model_file *file, tacit_error *err)
{
    srv_model *m = &service->models[service->n_models];
    const tacit_model_info *info = tacit_model_info_get(file->model);
    size_t longest, size = 0;
    tacit_status st = check_name(service, file->name, err);

    if (st)
        return st;
    m->index = service->n_models++; /* from here on freed with the service */
    memcpy(m->name, file->name, strlen(file->name));
    m->model = file->model;
    m->schema = tacit_model_schema(file->model);
    m->n_attributes = tacit_schema_attributes(m->schema);
    m->state_size = tacit_session_state_size(file->model);
    m->heavy = !info->additive || info->variables > SRV_HEAVY_INPUTS;
    m->draws = info->additive ? SRV_OUTLOOK_LINEAR : SRV_OUTLOOK_NETWORK;
    if (sodium_hex2bin(m->hash, sizeof(m->hash), info->model_hash, strlen(info->model_hash), NULL, &size, NULL) ||
        size != sizeof(m->hash))
        return tct_fail(err, TACIT_E_INTERNAL, "the hash of model %s is none", m->name);
    m->by_name = tct_malloc(m->n_attributes, sizeof(*m->by_name));
    if (!m->by_name || !srv_texts_model(m, &service->settings))
        return tct_fail_memory(err);
    m->step_size = longest_step(m);
    m->counts = tct_calloc(1, sizeof(*m->counts));
    if (m->counts)
        m->counts->decisions = tct_calloc(tacit_schema_classes(m->schema) * SRV_SETTLED, sizeof(*m->counts->decisions));
    if (!m->counts || !m->counts->decisions)
        return tct_fail_memory(err);
    for (size_t a = 0; a < m->n_attributes; a++)
        m->by_name[a] = a;
    qsort_r(m->by_name, m->n_attributes, sizeof(*m->by_name), compare_names, (void *)(uintptr_t)m->schema);
    longest = SRV_BODY_PER_ATTRIBUTE * m->n_attributes + srv_token_length(m->state_size);
    service->longest_body = longest > service->longest_body ? longest : service->longest_body;
    return TACIT_OK;
}

/* What a thread does at its end: others may have its worker. */
static void leave_worker(void *context)
{
    srv_worker *worker = context;

    pthread_mutex_lock(&worker->service->lock);
    worker->taken = false;
    pthread_mutex_unlock(&worker->service->lock);
}

tacit_status srv_service_new(srv_service **out, const srv_settings *settings, const srv_model_file *files,
                             size_t n_files, const srv_keys *keys, tacit_error *err)
{
    srv_service *service = NULL;
    tacit_status st = check_settings(settings, err);

    *out = NULL;
    if (st)
        return st;
    if (n_files == 0 || n_files > SRV_MAX_MODELS)
        return tct_fail(err, TACIT_E_USAGE, "expected 1 to %d models", SRV_MAX_MODELS);
    if (srv_keys_count(keys) == 0)
        return tct_fail(err, TACIT_E_USAGE, "expected a key");
    service = tct_calloc(1, sizeof(*service));
    if (!service)
        return tct_fail_memory(err);
    if (pthread_key_create(&service->mine, leave_worker)) {
        tct_free(service);
        return tct_fail(err, TACIT_E_MEMORY, "there are too many services in one program");
    }
    pthread_mutex_init(&service->lock, NULL);
    service->settings = *settings;
    service->keys = keys;
    service->models = tct_calloc(n_files, sizeof(*service->models));
    st = service->models ? TACIT_OK : tct_fail_memory(err);
    if (!st && settings->forks > 0)
        st = srv_forks_new(&service->forks, settings->token_seconds, err);
    for (size_t i = 0; i < n_files && !st; i++)
        st = add_model(service, &files[i], err);
    if (!st && !srv_texts_service(service))
        st = tct_fail_memory(err);
    if (!st) {
        *out = service;
        service = NULL;
    }
    srv_service_free(service);
    return st;
}

static void free_worker(srv_worker *worker)
{
    if (!worker)
        return;
    for (size_t i = 0; worker->workspaces && i < worker->n_workspaces; i++) {
        tacit_session_free(worker->workspaces[i].session);
        tacit_person_free(worker->workspaces[i].person);
        tct_free(worker->workspaces[i].state); /* wiped after each use */
        tct_free(worker->workspaces[i].token);
    }
    tct_free(worker->workspaces);
    tct_free(worker);
}

void srv_service_free(srv_service *service)
{
    if (!service)
        return;
    while (service->workers) {
        srv_worker *next = service->workers->next;

        free_worker(service->workers);
        service->workers = next;
    }
    for (size_t i = 0; i < service->n_models; i++) {
        tct_free(service->models[i].by_name);
        if (service->models[i].counts)
            tct_free(service->models[i].counts->decisions);
        tct_free(service->models[i].counts);
        srv_texts_clear(&service->models[i]);
    }
    srv_forks_free(service->forks);
    tct_free(service->models);
    tct_free(service->list.bytes);
    tct_free(service->key_list.bytes);
    pthread_key_delete(service->mine);
    pthread_mutex_destroy(&service->lock);
    tct_free(service);
}

/* ---- looking at it ---- */

size_t srv_service_models(const srv_service *service)
{
    return service->n_models;
}

const srv_model *srv_service_model(const srv_service *service, size_t index)
{
    return &service->models[index];
}

const srv_model *srv_service_find(const srv_service *service, const char *name, size_t size)
{
    for (size_t i = 0; i < service->n_models; i++)
        if (strlen(service->models[i].name) == size && memcmp(service->models[i].name, name, size) == 0)
            return &service->models[i];
    return NULL;
}

const char *srv_model_name(const srv_model *model)
{
    return model->name;
}

size_t srv_model_step_size(const srv_model *model)
{
    return model->step_size;
}

bool srv_model_is_heavy(const srv_model *model)
{
    return model->heavy;
}

size_t srv_service_longest_body(const srv_service *service)
{
    return service->longest_body;
}

size_t srv_model_find(const srv_model *m, const char *name, size_t size)
{
    size_t low = 0, high = m->n_attributes;

    if (strlen(name) != size) /* a NUL inside: no name has one */
        return TACIT_NONE;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, tacit_schema_attribute(m->schema, m->by_name[middle])->name);

        if (order == 0)
            return m->by_name[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return TACIT_NONE;
}

/* ---- workers ---- */

static srv_worker *new_worker(srv_service *service)
{
    srv_worker *worker = tct_calloc(1, sizeof(*worker));

    if (!worker)
        return NULL;
    worker->service = service;
    worker->n_workspaces = service->n_models;
    worker->workspaces = tct_calloc(worker->n_workspaces, sizeof(*worker->workspaces));
    if (!worker->workspaces) {
        free_worker(worker);
        return NULL;
    }
    return worker;
}

/* One that some thread left behind, or a new one. */
static srv_worker *take_worker(srv_service *service)
{
    srv_worker *worker;

    pthread_mutex_lock(&service->lock);
    worker = service->workers;
    while (worker && worker->taken)
        worker = worker->next;
    if (!worker) {
        worker = new_worker(service);
        if (worker) {
            worker->next = service->workers;
            service->workers = worker;
        }
    }
    if (worker)
        worker->taken = true;
    pthread_mutex_unlock(&service->lock);
    return worker;
}

srv_worker *srv_worker_mine(srv_service *service)
{
    srv_worker *worker = pthread_getspecific(service->mine);

    if (worker)
        return worker;
    worker = take_worker(service);
    if (worker && pthread_setspecific(service->mine, worker)) {
        leave_worker(worker);
        worker = NULL;
    }
    return worker;
}

static tacit_release_options options_for(double delta)
{
    return (tacit_release_options){.size = sizeof(tacit_release_options),
                                   .delta = delta,
                                   .rule = TACIT_RULE_AUTO,
                                   .seed = SESSION_SEED,
                                   .brief = true};
}

tacit_status srv_workspace_open(srv_workspace **out, srv_worker *worker, const srv_model *m, tacit_error *err)
{
    srv_workspace *workspace = &worker->workspaces[m->index];

    *out = workspace;
    if (!workspace->state)
        workspace->state = tct_calloc(m->state_size, 1);
    if (!workspace->token)
        workspace->token = tct_calloc(srv_token_length(m->state_size) + 1, 1);
    if (!workspace->state || !workspace->token)
        return tct_fail_memory(err);
    return workspace->person ? TACIT_OK : tacit_person_new(&workspace->person, m->model, err);
}

tacit_status srv_workspace_begin(srv_workspace *workspace, const srv_model *m, double delta, tacit_error *err)
{
    tacit_release_options options = options_for(delta);
    tacit_status st = TACIT_OK;

    if (!workspace->session)
        st = tacit_session_open(&workspace->session, m->model, &options, err);
    else if (workspace->delta !=
             delta) /* closed workspaces hold nobody's answers: most sessions can go on as they are */
        st = tacit_session_restart(workspace->session, &options, err);
    if (!st)
        workspace->delta = delta;
    return st;
}

void srv_workspace_close(srv_workspace *workspace, const srv_model *m)
{
    tacit_release_options options = options_for(workspace->delta);

    if (workspace->state)
        tct_wipe(workspace->state, m->state_size);
    for (size_t a = 0; workspace->person && a < m->n_attributes; a++)
        if (tacit_person_knows(workspace->person, a))
            tacit_person_unset(workspace->person, a);
    if (workspace->session && tacit_session_restart(workspace->session, &options, NULL)) {
        tacit_session_free(workspace->session);
        workspace->session = NULL;
    }
}
