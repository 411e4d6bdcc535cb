/*
 * service_texts.c -- the JSON that is the same for everybody: written when the service starts.
 */
#include <string.h>

#include "base.h"
#include "service_inside.h"

/* Keep what was written, in no more memory than it needs; replies take theirs by the block. */
static bool keep(srv_text *text, srv_out *out)
{
    *text = (srv_text){.bytes = out->failed ? NULL : tct_malloc(out->size + 1, 1)};
    if (text->bytes) {
        memcpy(text->bytes, out->body, out->size);
        text->size = out->size;
    }
    srv_out_drop(out);
    return text->bytes;
}

static bool keep_string(srv_text *text, const char *string)
{
    srv_out out;

    srv_out_start(&out, strlen(string) + 2);
    srv_out_string(&out, string);
    return keep(text, &out);
}

static void put_member(srv_out *out, const char *name, const char *value)
{
    srv_out_text(out, ",");
    srv_out_string(out, name);
    srv_out_text(out, ":");
    srv_out_string(out, value);
}

static void put_number(srv_out *out, const char *name, double value)
{
    srv_out_text(out, ",");
    srv_out_string(out, name);
    srv_out_text(out, ":");
    srv_out_number(out, value);
}

/* An attribute, its object left open for more members. */
static void put_attribute(srv_out *out, const tacit_model *model, size_t attribute)
{
    static const char *const TYPES[] = {"number", "integer", "category"};
    const tacit_attribute *a = tacit_schema_attribute(tacit_model_schema(model), attribute);

    srv_out_text(out, "{\"name\":");
    srv_out_string(out, a->name);
    put_member(out, "role", a->role == TACIT_PUBLIC ? "public" : "sensitive");
    put_member(out, "type", TYPES[a->type]);
    if (a->type == TACIT_CATEGORY) {
        size_t n = 0;

        srv_out_text(out, ",\"levels\":[");
        for (size_t k = 0; k < a->n_levels; k++) {
            if (k == a->missing_level) /* not knowing is no choice among others */
                continue;
            srv_out_text(out, n++ ? "," : "");
            srv_out_string(out, a->levels[k]);
        }
        srv_out_text(out, "]");
    } else {
        put_number(out, "min", a->min);
        put_number(out, "max", a->max);
        srv_out_text(out, tacit_model_as_given(model, attribute) ? ",\"as_given\":true" : ",\"as_given\":false");
    }
    srv_out_text(out, ",\"missing_allowed\":");
    srv_out_text(out, a->missing_is_value ? "true" : "false");
    srv_out_text(out, tacit_model_reads(model, attribute) ? ",\"matters\":true" : ",\"matters\":false");
    put_member(out, "question", a->question);
    put_member(out, "help", a->help);
    put_number(out, "cost", a->cost);
}

static void put_settings(srv_out *out, const srv_settings *settings)
{
    srv_out_text(out, ",\"delta\":{\"default\":");
    srv_out_number(out, settings->delta);
    put_number(out, "min", settings->delta_min);
    put_number(out, "max", settings->delta_max);
    srv_out_text(out, "}");
    put_number(out, "token_minutes", (double)settings->token_seconds / 60);
}

static bool write_about(srv_model *m, const srv_settings *settings)
{
    const tacit_model_info *info = tacit_model_info_get(m->model);
    char *texts = NULL;
    srv_out out;

    if (tacit_schema_texts(&texts, m->schema, NULL))
        return false;
    srv_out_start(&out, 4096);
    srv_out_text(&out, "{\"name\":");
    srv_out_string(&out, m->name);
    put_member(&out, "model_hash", info->model_hash);
    put_member(&out, "kind", info->kind);
    put_member(&out, "label", tacit_schema_label(m->schema));
    srv_out_text(&out, ",\"classes\":[");
    for (size_t c = 0; c < tacit_schema_classes(m->schema); c++) {
        srv_out_text(&out, c ? "," : "");
        srv_out_bytes(&out, m->outcomes[c].bytes, m->outcomes[c].size);
    }
    srv_out_text(&out, "]");
    put_settings(&out, settings);
    srv_out_text(&out, ",\"calibrated\":");
    srv_out_text(&out, tacit_model_calibration(m->model) ? "true" : "false");
    put_member(&out, "version", tacit_version());
    srv_out_text(&out, ",\"attributes\":[");
    for (size_t a = 0; a < m->n_attributes; a++) {
        srv_out_text(&out, a ? "," : "");
        srv_out_bytes(&out, m->objects[a].bytes, m->objects[a].size);
        srv_out_text(&out, "}");
    }
    srv_out_text(&out, "],\"texts\":");
    srv_out_text(&out, texts);
    srv_out_text(&out, "}");
    tacit_text_free(texts);
    return keep(&m->about, &out);
}

bool srv_texts_model(srv_model *m, const srv_settings *settings)
{
    size_t n_classes = tacit_schema_classes(m->schema);

    m->objects = tct_calloc(m->n_attributes, sizeof(*m->objects));
    m->names = tct_calloc(m->n_attributes, sizeof(*m->names));
    m->outcomes = tct_calloc(n_classes, sizeof(*m->outcomes));
    if (!m->objects || !m->names || !m->outcomes)
        return false;
    for (size_t c = 0; c < n_classes; c++)
        if (!keep_string(&m->outcomes[c], tacit_schema_class(m->schema, c)))
            return false;
    for (size_t a = 0; a < m->n_attributes; a++) {
        const tacit_attribute *attribute = tacit_schema_attribute(m->schema, a);
        srv_out out;

        srv_out_start(&out, 512);
        put_attribute(&out, m->model, a);
        if (!keep(&m->objects[a], &out) || !keep_string(&m->names[a], attribute->name))
            return false;
    }
    return write_about(m, settings);
}

static bool write_list(srv_service *service)
{
    srv_out out;

    srv_out_start(&out, 256 * service->n_models);
    srv_out_text(&out, "{\"models\":[");
    for (size_t i = 0; i < service->n_models; i++) {
        const srv_model *m = &service->models[i];

        srv_out_text(&out, i ? ",{\"name\":" : "{\"name\":");
        srv_out_string(&out, m->name);
        srv_out_text(&out, ",\"path\":\"/m/"); /* names need no escaping */
        srv_out_text(&out, m->name);
        srv_out_text(&out, "/\"");
        put_member(&out, "label", tacit_schema_label(m->schema));
        put_member(&out, "model_hash", tacit_model_info_get(m->model)->model_hash);
        srv_out_text(&out, "}");
    }
    srv_out_text(&out, "]}");
    return keep(&service->list, &out);
}

static void put_key(srv_out *out, const srv_keys *keys, size_t index)
{
    srv_out_text(out, "\"key\":");
    srv_out_string(out, srv_keys_public(keys, index));
    put_member(out, "key_id", srv_keys_id_text(keys, index));
}

static bool write_keys(srv_service *service)
{
    srv_out out;

    srv_out_start(&out, 1024);
    srv_out_text(&out, "{\"algorithm\":\"ed25519\",");
    put_key(&out, service->keys, 0);
    srv_out_text(&out, ",\"keys\":[");
    for (size_t i = 0; i < srv_keys_count(service->keys); i++) {
        if (i > 0 && strcmp(srv_keys_public(service->keys, i), srv_keys_public(service->keys, 0)) == 0)
            continue; /* one key signs for all */
        srv_out_text(&out, i ? ",{" : "{");
        put_key(&out, service->keys, i);
        srv_out_text(&out, "}");
    }
    srv_out_text(&out, "]}");
    return keep(&service->key_list, &out);
}

bool srv_texts_service(srv_service *service)
{
    return write_list(service) && write_keys(service);
}

/* ---- counts ---- */

/* The value of a Prometheus label: quotes, backslashes and line ends are escaped. */
static void put_label(srv_out *out, const char *name, const char *value)
{
    srv_out_text(out, name);
    srv_out_text(out, "=\"");
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            srv_out_text(out, "\\");
        srv_out_bytes(out, *value == '\n' ? " " : value, 1);
    }
    srv_out_text(out, "\"");
}

static void put_count(srv_out *out, const char *metric, const srv_model *m, uint64_t count)
{
    srv_out_text(out, metric);
    srv_out_text(out, "{");
    put_label(out, "model", m->name);
    srv_out_text(out, "} ");
    srv_out_count(out, count);
    srv_out_text(out, "\n");
}

static void put_decisions(srv_out *out, const srv_model *m)
{
    for (size_t c = 0; c < tacit_schema_classes(m->schema); c++)
        for (int s = TACIT_CERTAIN; s < SRV_SETTLED; s++) {
            uint64_t count = atomic_load(&m->counts->decisions[c * SRV_SETTLED + (size_t)s]);

            if (count == 0)
                continue;
            srv_out_text(out, "tacit_decisions_total{");
            put_label(out, "model", m->name);
            srv_out_text(out, ",");
            put_label(out, "label", tacit_schema_class(m->schema, c));
            srv_out_text(out, ",");
            put_label(out, "status", tacit_settled_name((tacit_settled)s));
            srv_out_text(out, "} ");
            srv_out_count(out, count);
            srv_out_text(out, "\n");
        }
}

void srv_service_counts(const srv_service *service, srv_out *out)
{
    srv_out_text(out, "# HELP tacit_decisions_total Decisions by model, label and how they were settled.\n"
                      "# TYPE tacit_decisions_total counter\n");
    for (size_t i = 0; i < service->n_models; i++)
        put_decisions(out, &service->models[i]);
    srv_out_text(out, "# HELP tacit_refusals_total Questions that were refused.\n"
                      "# TYPE tacit_refusals_total counter\n");
    for (size_t i = 0; i < service->n_models; i++)
        put_count(out, "tacit_refusals_total", &service->models[i], atomic_load(&service->models[i].counts->refusals));
    srv_out_text(out, "# HELP tacit_forks_refused_total Decisions that were too many for one session or address.\n"
                      "# TYPE tacit_forks_refused_total counter\n");
    for (size_t i = 0; i < service->n_models; i++)
        put_count(out, "tacit_forks_refused_total", &service->models[i],
                  atomic_load(&service->models[i].counts->forked));
}

static void free_texts(srv_text *texts, size_t n)
{
    for (size_t i = 0; texts && i < n; i++)
        tct_free(texts[i].bytes);
    tct_free(texts);
}

void srv_texts_clear(srv_model *m)
{
    free_texts(m->objects, m->n_attributes);
    free_texts(m->names, m->n_attributes);
    free_texts(m->outcomes, m->schema ? tacit_schema_classes(m->schema) : 0);
    tct_free(m->about.bytes);
}
