/*
 * session_state.c -- a session as bytes.
 *
 * A byte for the layout, a byte of nothing, the number of events (2); then for every attribute the room that its value
 * can need; then for every attribute 12 bytes for the event that comes so far into the session: attribute (2), what
 * happened and how it was settled then (1), the label then (1) and its probability (8).  Little endian.  What is not
 * used is zero, so there is one spelling for every state, and its length says nothing about the answers.
 *
 * A value is a number for domains that are intervals, 8 bytes, else which one of the domain it is, in one to three
 * bytes or 8, as the last one needs; the codec makes the same inputs of it again, to the bit.
 */
#include <math.h>
#include <string.h>

#include "session.h"

enum {
    LAYOUT = 3,
    HEAD = 4,
    EVENT = 12,
    REFUSED = 1, /* what happened */
    CLIPPED = 2,
    UNKNOWN = 3, /* the value that counts is the typical one */
    SETTLED = 16 /* times how it was settled */
};

_Static_assert(TCT_MAX_CLASSES <= 256, "labels that fit into a byte");

static void put(unsigned char *bytes, uint64_t word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

static uint64_t get(const unsigned char *bytes, size_t size)
{
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* How likely the label is; of a brief session, while it is open, nobody was told. */
static bool may_be_told(uint64_t settled, uint64_t label, double probability)
{
    if (isnan(probability))
        return settled == TACIT_OPEN && label == 0 && bits_of(probability) == bits_of(NAN);
    return probability >= 0 && probability <= 1;
}

/* Bytes of a value. */
static size_t value_size(const tct_domain *domain)
{
    if (domain->kind == TCT_BOX)
        return 8;
    return domain->count <= 1 << 8 ? 1 : domain->count <= 1 << 16 ? 2 : domain->count <= 1 << 24 ? 3 : 8;
}

static size_t values_size(const tct_codec *codec)
{
    size_t size = 0;

    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        size += value_size(&codec->domains[a]);
    return size;
}

/* A value in 64 bits. */
static uint64_t pack_value(const tct_codec *codec, size_t attribute, const double *inputs)
{
    const tct_domain *domain = &codec->domains[attribute];

    if (domain->kind == TCT_BOX)
        return bits_of(*inputs);
    if (domain->kind == TCT_GRID)
        return (uint64_t)llround((*inputs + 1) / 2 * (double)(domain->count - 1));
    for (size_t k = 0; k + 1 < domain->count; k++)
        if (inputs[k] == 1)
            return k;
    return domain->count - 1;
}

/* The other way; false when it is no value of the domain. */
static bool unpack_value(const tct_codec *codec, size_t attribute, uint64_t word, double *inputs)
{
    const tct_domain *domain = &codec->domains[attribute];
    double low, high;

    if (domain->kind != TCT_BOX) {
        if (word >= domain->count)
            return false;
        tct_codec_value(codec, attribute, (size_t)word, inputs);
        return true;
    }
    tct_codec_range(codec, attribute, &low, &high);
    *inputs = from_bits(word);
    return *inputs >= low && *inputs <= high;
}

static void pack_event(unsigned char *bytes, const tacit_event *event)
{
    unsigned what = event->refused ? REFUSED : event->clipped ? CLIPPED : event->not_known ? UNKNOWN : 0;

    put(bytes + 2, what | SETTLED * (unsigned)event->settled, 1);
    put(bytes, event->attribute, 2);
    put(bytes + 3, event->label, 1);
    put(bytes + 4, bits_of(event->probability), 8);
}

/* Can an answer with these inputs have been clipped? */
static bool may_be_clipped(const tct_codec *codec, size_t attribute, const double *inputs)
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];

    return a->type != TACIT_CATEGORY && (a->min == a->max || fabs(*inputs) == 1);
}

/* Not known: the inputs are the typical ones.  Known: they are not the level that stands for "missing". */
static bool may_be_known(const tct_codec *codec, size_t attribute, const double *inputs, bool known)
{
    double typical[TCT_MAX_LEVELS];

    if (known)
        return !tct_is_missing_level(codec, attribute, inputs);
    return tct_typical_value(codec, attribute, typical) &&
           memcmp(typical, inputs, codec->domains[attribute].width * sizeof(double)) == 0;
}

/* The next event, with the value that goes with it, into the session.  False when they make no sense. */
static bool unpack_event(tacit_session *s, const unsigned char *bytes, const uint64_t *values)
{
    const tacit_schema *schema = s->model->schema;
    uint64_t a = get(bytes, 2), what = bytes[2] % SETTLED, settled = bytes[2] / SETTLED, label = bytes[3], value;
    double probability = from_bits(get(bytes + 4, 8)), *inputs;

    if (a >= schema->n_attributes || s->person->known[a] || s->refused[a] || what > UNKNOWN ||
        settled > TACIT_UNSETTLED || label >= schema->n_classes || !may_be_told(settled, label, probability))
        return false;
    value = values[a];
    inputs = s->person->x + s->model->codec->domains[a].first;
    if (what == REFUSED) {
        if (value != 0)
            return false;
        s->refused[a] = 1;
    } else {
        s->person->known[a] = 1; /* before anything is written, so that it is forgotten again */
        if (!unpack_value(s->model->codec, a, value, inputs) ||
            (what == CLIPPED && !may_be_clipped(s->model->codec, a, inputs)) ||
            !may_be_known(s->model->codec, a, inputs, what != UNKNOWN))
            return false;
        s->person->unknown[a] = what == UNKNOWN;
        s->person->clipped[a] = what == CLIPPED;
    }
    s->events[s->n_events++] = (tacit_event){.attribute = a,
                                             .refused = what == REFUSED,
                                             .clipped = what == CLIPPED,
                                             .not_known = what == UNKNOWN,
                                             .role = schema->attributes[a].role,
                                             .settled = (tacit_settled)settled,
                                             .label = label,
                                             .probability = probability};
    return true;
}

/* Everything into a session that knows nothing. */
static bool unpack(tacit_session *s, const unsigned char *bytes)
{
    const tct_codec *codec = s->model->codec;
    size_t n = codec->schema->n_attributes, n_events = get(bytes + 2, 2);
    const unsigned char *at = bytes + HEAD, *events = bytes + s->state_size - n * EVENT;
    uint64_t values[TCT_MAX_ATTRIBUTES];
    bool fine = bytes[0] == LAYOUT && bytes[1] == 0 && n_events <= n;
    unsigned char more = 0; /* behind the events */

    for (size_t a = 0; a < n; a++) {
        size_t size = value_size(&codec->domains[a]);

        values[a] = get(at, size);
        at += size;
    }
    for (size_t e = 0; e < n_events && fine; e++)
        fine = unpack_event(s, events + e * EVENT, values);
    for (size_t i = fine ? n_events * EVENT : n * EVENT; i < n * EVENT; i++)
        more |= events[i];
    for (size_t a = 0; a < n && fine; a++)
        fine = s->person->known[a] || values[a] == 0;
    tct_wipe(values, n * sizeof *values);
    return fine && more == 0;
}

size_t tacit_session_state_size(const tacit_model *model)
{
    return HEAD + values_size(model->codec) + model->schema->n_attributes * EVENT;
}

tacit_status tacit_session_save(const tacit_session *s, unsigned char *bytes, tacit_error *err)
{
    const tct_codec *codec = s->model->codec;
    unsigned char *at = bytes + HEAD;
    tacit_status st = tct_session_refuse_narrowed(s, "a saved state", err);

    memset(bytes, 0, s->state_size);
    if (st)
        return st;
    bytes[0] = LAYOUT;
    put(bytes + 2, s->n_events, 2);
    for (size_t a = 0; a < codec->schema->n_attributes; a++) {
        size_t size = value_size(&codec->domains[a]);

        if (s->person->known[a])
            put(at, pack_value(codec, a, s->person->x + codec->domains[a].first), size);
        at += size;
    }
    for (size_t e = 0; e < s->n_events; e++)
        pack_event(at + e * EVENT, &s->events[e]);
    return TACIT_OK;
}

tacit_status tacit_session_restore(tacit_session *s, const unsigned char *bytes, size_t size, tacit_error *err)
{
    tct_session_clear(s);
    tct_walker_next_person(s->walker);
    if (size == s->state_size && unpack(s, bytes))
        return TACIT_OK;
    tct_session_clear(s);
    return tct_fail(err, TACIT_E_INPUT, "not the state of a session with this model");
}
