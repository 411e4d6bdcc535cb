/*
 * session_narrow.c -- attributes of which a session knows a range or a set of levels, but no value.
 *
 * The ranges are those of a region (model/region.h): the session's region is what was answered, within them.  Encoding never
 * falls where a value grows, so every value between two ends is encoded between the inputs of these ends, rounding included.
 *
 * Ranges serve proofs only.  What is likely rests on a belief that knows answers and nothing of ranges, so with an open range
 * nothing counts as likely: the promise is kept by proof.
 *
 * Each narrowing is remembered with what was there before and how many answers there were, so that undo goes back in the
 * order in which things were said.
 */
#include <math.h>
#include <string.h>

#include "session.h"

struct tct_narrowing {
    size_t attribute, n_events; /* how many events there were before it */
    double *before;             /* low of the attribute's inputs, then high */
};

/* Room for one more narrowing, and ranges to narrow. */
static tacit_status prepare(tacit_session *s, size_t attribute, tacit_error *err)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];
    tct_region region = tct_region_of(s->model->codec, s->person->known, s->person->x);
    struct tct_narrowing *more;
    double *before;
    tacit_status st = s->ranges.low ? TACIT_OK : tct_ranges_of(&s->ranges, &region, err);

    if (st)
        return st;
    more = tct_realloc(s->narrowings, s->n_narrowings + 1, sizeof *more);
    if (!more)
        return tct_fail_memory(err);
    s->narrowings = more;
    before = tct_malloc(2 * domain->width, sizeof *before);
    if (!before)
        return tct_fail_memory(err);
    memcpy(before, s->ranges.low + domain->first, domain->width * sizeof *before);
    memcpy(before + domain->width, s->ranges.high + domain->first, domain->width * sizeof *before);
    more[s->n_narrowings++] = (struct tct_narrowing){attribute, s->n_events, before};
    s->cached = false;
    return TACIT_OK;
}

void tct_session_widen(tacit_session *s)
{
    struct tct_narrowing *last = &s->narrowings[--s->n_narrowings];
    const tct_domain *domain = &s->model->codec->domains[last->attribute];

    memcpy(s->ranges.low + domain->first, last->before, domain->width * sizeof(double));
    memcpy(s->ranges.high + domain->first, last->before + domain->width, domain->width * sizeof(double));
    tct_free_wiped(last->before, 2 * domain->width * sizeof(double));
    s->cached = false;
}

bool tct_session_narrowed_last(const tacit_session *s)
{
    return s->n_narrowings > 0 && s->narrowings[s->n_narrowings - 1].n_events == s->n_events;
}

void tct_session_widen_all(tacit_session *s)
{
    while (s->n_narrowings > 0)
        tct_session_widen(s);
    tct_free(s->narrowings);
    s->narrowings = NULL;
    tct_ranges_clear(&s->ranges);
}

size_t tct_session_narrowed(const tacit_session *s)
{
    for (size_t i = 0; i < s->n_narrowings; i++)
        if (!s->person->known[s->narrowings[i].attribute])
            return s->narrowings[i].attribute;
    return TACIT_NONE;
}

tacit_status tct_session_refuse_narrowed(const tacit_session *s, const char *what, tacit_error *err)
{
    size_t attribute = tct_session_narrowed(s);

    if (attribute == TACIT_NONE)
        return TACIT_OK;
    return tct_fail(err, TACIT_E_USAGE, "%s cannot tell that attribute %s was narrowed: answer it, or take that back",
                    what, s->model->schema->attributes[attribute].name);
}

/* Do the inputs lie in what the attribute was narrowed to? */
static bool is_within(const tacit_session *s, size_t attribute, const double *inputs)
{
    unsigned char known[TCT_MAX_ATTRIBUTES] = {0};
    tct_region region = tct_region_of(s->model->codec, known, s->person->x);

    region = tct_region_within(&region, &s->ranges);
    return tct_region_holds(&region, attribute, inputs);
}

tacit_status tct_session_check_range(const tacit_session *s, size_t attribute, const double *inputs, tacit_error *err)
{
    if (!s->ranges.low || is_within(s, attribute, inputs)) /* most sessions narrow nothing */
        return TACIT_OK;
    return tct_fail(err, TACIT_E_INPUT, "%s lies outside what was said about it before",
                    s->model->schema->attributes[attribute].name);
}

tacit_status tct_session_prove(const tacit_session *s, const tct_stage *stage, tct_look *look, tacit_error *err)
{
    tct_region region = tct_region_of(s->model->codec, stage->known, s->person->x);
    tct_finding finding = {0};
    tacit_status st;

    region = tct_region_within(&region, &s->ranges);
    st = tct_certify(&finding, s->model, &region, err);
    if (!st && finding.verdict == TACIT_CERTIFIED)
        *look = (tct_look){TACIT_CERTAIN, finding.label, 1};
    return st;
}

/* One end of a range as inputs; NULL: the end of the domain. */
static tacit_status encode_end(const tacit_session *s, size_t attribute, const char *text, bool last, double *input,
                               tacit_error *err)
{
    const tct_codec *codec = s->model->codec;
    tct_encode_counts counts = {0};
    double low, high;

    tct_codec_range(codec, attribute, &low, &high);
    *input = last ? high : low;
    if (!text)
        return TACIT_OK;
    if (!*text)
        return tct_fail(err, TACIT_E_INPUT, "an end of the range of %s is empty",
                        codec->schema->attributes[attribute].name);
    return tct_encode_cell(codec, attribute, text, strlen(text), false, false, input, &counts, NULL, 0, err);
}

/* The attribute lies between these, as regions have it, and where it was before. */
static tacit_status cut_down(tacit_session *s, size_t attribute, double from, double to, tacit_error *err)
{
    double *low = s->ranges.low + s->model->codec->domains[attribute].first;
    double *high = s->ranges.high + s->model->codec->domains[attribute].first;

    *low = from > *low ? from : *low;
    *high = to < *high ? to : *high;
    if (*low <= *high)
        return TACIT_OK;
    tct_session_widen(s);
    return tct_fail(err, TACIT_E_INPUT, "nothing of %s is left between these ends",
                    s->model->schema->attributes[attribute].name);
}

tacit_status tacit_session_narrow(tacit_session *s, size_t attribute, const char *from, const char *to,
                                  tacit_error *err)
{
    const tct_domain *domain;
    double low, high;
    tacit_status st = tct_session_check_open(s, attribute, err);

    if (st)
        return st;
    domain = &s->model->codec->domains[attribute];
    if (domain->kind == TCT_ONEHOT)
        return tct_fail(err, TACIT_E_USAGE, "%s has no order: say which levels it may be",
                        s->model->schema->attributes[attribute].name);
    st = encode_end(s, attribute, from, false, &low, err);
    if (!st)
        st = encode_end(s, attribute, to, true, &high, err);
    if (!st)
        st = prepare(s, attribute, err);
    if (st)
        return st;
    if (domain->kind == TCT_GRID) { /* indices */
        low = rint((low + 1) / 2 * (double)(domain->count - 1));
        high = rint((high + 1) / 2 * (double)(domain->count - 1));
    }
    return cut_down(s, attribute, low, high, err);
}

/* One-hot: only levels that are marked stay. */
static tacit_status keep_levels(tacit_session *s, size_t attribute, const bool *wanted, tacit_error *err)
{
    const tct_domain *domain = &s->model->codec->domains[attribute];
    double *low = s->ranges.low + domain->first, left = 0;

    for (size_t k = 0; k < domain->count; k++) {
        low[k] = wanted[k] ? low[k] : 0;
        left += low[k];
    }
    if (left > 0)
        return TACIT_OK;
    tct_session_widen(s);
    return tct_fail(err, TACIT_E_INPUT, "none of these levels of %s was left",
                    s->model->schema->attributes[attribute].name);
}

tacit_status tacit_session_narrow_levels(tacit_session *s, size_t attribute, const size_t *levels, size_t n_levels,
                                         tacit_error *err)
{
    bool wanted[TCT_MAX_LEVELS] = {false};
    const tacit_attribute *a;
    size_t first = SIZE_MAX, last = 0, different = 0;
    tacit_status st = tct_session_check_open(s, attribute, err);

    if (st)
        return st;
    a = &s->model->schema->attributes[attribute];
    if (a->type != TACIT_CATEGORY || n_levels == 0)
        return tct_fail(err, TACIT_E_USAGE, "%s",
                        a->type != TACIT_CATEGORY ? "only categories have levels" : "at least one level must be left");
    for (size_t i = 0; i < n_levels; i++) {
        if (levels[i] >= a->n_levels)
            return tct_fail(err, TACIT_E_USAGE, "%s has no level %zu", a->name, levels[i]);
        different += !wanted[levels[i]];
        wanted[levels[i]] = true;
        first = levels[i] < first ? levels[i] : first;
        last = levels[i] > last ? levels[i] : last;
    }
    if (a->encoding == TACIT_ORDINAL && different != last - first + 1)
        return tct_fail(err, TACIT_E_USAGE, "%s has an order: its levels must follow each other", a->name);
    st = prepare(s, attribute, err);
    if (st)
        return st;
    return a->encoding == TACIT_ORDINAL ? cut_down(s, attribute, (double)first, (double)last, err)
                                        : keep_levels(s, attribute, wanted, err);
}
