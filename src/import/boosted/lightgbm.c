/*
 * lightgbm.c -- reading the text models of LightGBM.
 *
 * The file is lines KEY=VALUE: a head (classes, objective, names of the features), a part for each tree that begins with
 * "Tree=N", then figures and parameters, which do not matter here.  All numbers are doubles, written with 17 digits.
 * Trees are added up in double precision from 0; a forest (average_output) divides by the number of its rounds.  Leaves
 * carry their shrinkage already, those of DART too.
 *
 * What is done after the sum (exp, a division) may round differences away, or differ between mathematical libraries in
 * the last digits; proofs leave a slack for it.
 */
#include "lightgbm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_inside.h"
#include "json.h"
#include "lightgbm_inside.h"

static const size_t MORE_NODES = 1 << 20; /* that tests may need beyond those of the file */
static const double LEAST_SIGMOID = 1e-3, MOST_SIGMOID = 1e3;

tacit_status tct_lg_refuse(const tct_lg_reader *r, const char *why)
{
    return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "LightGBM model: %s", why);
}

/* ---- lines and words ---- */

/* The next line of a part, without its end; false: there is none. */
static bool next_line(tct_lg_span *part, tct_lg_span *line)
{
    const char *end;

    if (part->at >= part->end)
        return false;
    end = memchr(part->at, '\n', (size_t)(part->end - part->at));
    *line = (tct_lg_span){part->at, end ? end : part->end};
    part->at = end ? end + 1 : part->end;
    if (line->end > line->at && line->end[-1] == '\r')
        line->end--;
    return true;
}

static bool begins(tct_lg_span line, const char *text)
{
    size_t n = strlen(text);

    return (size_t)(line.end - line.at) >= n && memcmp(line.at, text, n) == 0;
}

bool tct_lg_find(tct_lg_span part, const char *key, tct_lg_span *value)
{
    size_t n = strlen(key);

    while (next_line(&part, value))
        if (begins(*value, key) && value->at + n < value->end && value->at[n] == '=') {
            value->at += n + 1;
            return true;
        }
    return false;
}

bool tct_lg_next_word(tct_lg_span *value, tct_lg_span *word)
{
    while (value->at < value->end && *value->at == ' ')
        value->at++;
    word->at = value->at;
    while (value->at < value->end && *value->at != ' ')
        value->at++;
    word->end = value->at;
    return word->at < word->end;
}

bool tct_lg_number(tct_lg_span word, double *out)
{
    return tct_parse_number(word.at, (size_t)(word.end - word.at), out) && isfinite(*out);
}

bool tct_lg_count(tct_lg_span word, size_t *out)
{
    double v;

    if (!tct_lg_number(word, &v) || !(v >= 0 && v < 0x1p31) || v != floor(v))
        return false;
    *out = (size_t)v;
    return true;
}

static tacit_status get_count(const tct_lg_reader *r, tct_lg_span head, const char *key, size_t *out)
{
    tct_lg_span value;

    if (tct_lg_find(head, key, &value) && tct_lg_count(value, out))
        return TACIT_OK;
    return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL, "LightGBM model: %s is missing, or no number", key);
}

/* ---- features ---- */

/* Are these names that LightGBM gives where it is given none? */
static bool are_default_names(tct_lg_span names)
{
    tct_lg_span word;
    char name[32];

    for (size_t f = 0; tct_lg_next_word(&names, &word); f++) {
        int n = snprintf(name, sizeof name, "Column_%zu", f);

        if ((size_t)(word.end - word.at) != (size_t)n || memcmp(word.at, name, (size_t)n) != 0)
            return false;
    }
    return true;
}

static tacit_status read_features(tct_lg_reader *r, tct_lg_span head, const tacit_table *table)
{
    tct_raw_trees *raw = r->raw;
    tct_lg_span names, word;
    size_t last, f = 0;
    tacit_status st = get_count(r, head, "max_feature_idx", &last);

    if (st)
        return st;
    raw->n_features = last + 1;
    if (!tct_lg_find(head, "feature_names", &names) || raw->n_features > (size_t)(names.end - names.at))
        return tct_lg_refuse(r, "feature_names are missing, or not as many as max_feature_idx says");
    r->parts = tct_calloc(raw->n_features, 1);
    if (!r->parts)
        return tct_fail_memory(r->err);
    if (are_default_names(names) && tct_csv_find(table->csv, "Column_0") == TACIT_NONE)
        return TACIT_OK;
    raw->names = tct_calloc(raw->n_features, sizeof *raw->names);
    if (!raw->names)
        return tct_fail_memory(r->err);
    for (; tct_lg_next_word(&names, &word); f++) {
        if (f == raw->n_features)
            return tct_lg_refuse(r, "feature_names are missing, or not as many as max_feature_idx says");
        raw->names[f] = tct_strndup(word.at, (size_t)(word.end - word.at));
        if (!raw->names[f])
            return tct_fail_memory(r->err);
    }
    return f == raw->n_features ? TACIT_OK
                                : tct_lg_refuse(r, "feature_names are missing, or not as many as max_feature_idx says");
}

/* The n-th feature that is a category by feature_infos, "2:0:1" and not "[0:2]" or "none"; and how many there are. */
static size_t find_category(tct_lg_span head, size_t n, size_t *count)
{
    tct_lg_span infos, word;
    size_t found = SIZE_MAX;

    *count = 0;
    if (!tct_lg_find(head, "feature_infos", &infos))
        return found;
    for (size_t f = 0; tct_lg_next_word(&infos, &word); f++)
        if (*word.at != '[' && !begins(word, "none") && (*count)++ == n)
            found = f;
    return found;
}

static tacit_status add_levels(const tct_lg_reader *r, size_t feature, const json_t *levels)
{
    tacit_status st = TACIT_OK;

    for (size_t k = 0; k < json_array_size(levels) && !st; k++) {
        const json_t *level = json_array_get(levels, k);
        char number[32];
        const char *name = number;

        if (json_is_string(level))
            name = json_string_value(level);
        else if (json_is_number(level))
            tct_format_number(json_number_value(level), number, sizeof number);
        else if (json_is_boolean(level))
            name = json_is_true(level) ? "True" : "False";
        else
            return tct_lg_refuse(r, "pandas_categorical has a level that is neither text nor number");
        st = tct_raw_add_level(r->raw, feature, name, (double)k, r->err);
    }
    return st;
}

/* Levels of the columns that pandas turned into codes, from the last line that says so. */
static tacit_status read_levels(const tct_lg_reader *r, tct_lg_span head, tct_lg_span file)
{
    static const char KEY[] = "pandas_categorical:";
    tct_lg_span line, value = {NULL, NULL};
    json_t *lists = NULL;
    size_t count;
    tacit_status st;

    while (next_line(&file, &line))
        if (begins(line, KEY))
            value = (tct_lg_span){line.at + sizeof KEY - 1, line.end};
    if (value.at == value.end || begins(value, "null"))
        return TACIT_OK;
    st = tct_json_parse(&lists, value.at, (size_t)(value.end - value.at), r->file, r->err);
    if (st)
        return st;
    find_category(head, 0, &count);
    if (json_array_size(lists) > 0 && json_array_size(lists) != count)
        st = tct_lg_refuse(r, "pandas_categorical and feature_infos do not tell which feature has which levels; train "
                              "on codes, or make all categories unordered");
    for (size_t k = 0; k < json_array_size(lists) && !st; k++) {
        size_t feature = find_category(head, k, &count);

        if (feature >= r->raw->n_features)
            st = tct_lg_refuse(r, "feature_infos has more features than there are");
        else
            st = add_levels(r, feature, json_array_get(lists, k));
    }
    json_decref(lists);
    return st;
}

/* ---- objective and decision ---- */

typedef enum rule { SIGMOID, SOFTMAX, SIGMOIDS } rule;

/* How scores become a label. */
typedef struct decision {
    rule rule;
    double sigmoid, rounds; /* factor of scores; what they are divided by */
    double least;
    bool above; /* strictly */
} decision;

/* As LightGBM computes it. */
static bool is_likely(double score, const void *context)
{
    const decision *d = context;
    double p = 1.0 / (1.0 + exp(-d->sigmoid * (score / d->rounds)));

    return d->above ? p > d->least : p >= d->least;
}

static tacit_status read_objective(tct_lg_reader *r, tct_lg_span head, decision *d)
{
    static const struct {
        const char *name;
        rule rule;
    } known[] = {{"binary", SIGMOID},          {"cross_entropy", SIGMOID}, {"xentropy", SIGMOID},
                 {"multiclass", SOFTMAX},      {"softmax", SOFTMAX},       {"multiclassova", SIGMOIDS},
                 {"multiclass_ova", SIGMOIDS}, {"ova", SIGMOIDS},          {"ovr", SIGMOIDS}};
    tct_lg_span value, word;
    size_t k = 0, n = sizeof known / sizeof *known;

    if (!tct_lg_find(head, "objective", &value) || !tct_lg_next_word(&value, &word))
        return tct_lg_refuse(r, "it does not name its objective: what was made of the scores of an objective of one's "
                                "own is not in the file");
    while (k < n && (strlen(known[k].name) != (size_t)(word.end - word.at) || !begins(word, known[k].name)))
        k++;
    if (k == n)
        return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                           "LightGBM model: the objective %.*s gives no label, or one that is not known here",
                           (int)(word.end - word.at < 40 ? word.end - word.at : 40), word.at);
    d->rule = known[k].rule;
    d->sigmoid = 1;
    while (tct_lg_next_word(&value, &word))
        if (begins(word, "sigmoid:")) {
            word.at += strlen("sigmoid:");
            if (!tct_lg_number(word, &d->sigmoid) || !(d->sigmoid >= LEAST_SIGMOID && d->sigmoid <= MOST_SIGMOID))
                return tct_lg_refuse(r, "sigmoid of the objective is no number from 0.001 to 1000");
        }
    return TACIT_OK;
}

static tacit_status read_head(tct_lg_reader *r, tct_lg_span head, decision *d)
{
    tct_lg_span version;
    size_t classes = 0;
    tacit_status st;

    if (!tct_lg_find(head, "version", &version) || version.end - version.at != 2 || version.at[0] != 'v' ||
        version.at[1] < '2' || version.at[1] > '4')
        return tct_lg_refuse(r, "the version is not one of v2, v3 and v4");
    if ((st = read_objective(r, head, d)) || (st = get_count(r, head, "num_class", &classes)) ||
        (st = get_count(r, head, "num_tree_per_iteration", &r->per_round)))
        return st;
    if (d->rule == SIGMOID ? classes != 1 : classes < 3 || classes > TCT_MAX_CLASSES)
        return tct_lg_refuse(r, classes == 2 ? "two classes as if they were more; train it with the objective binary"
                                             : "num_class does not go with the objective, or is more than 256");
    if (r->per_round != classes)
        return tct_lg_refuse(r, "num_tree_per_iteration is not the number of scores");
    r->raw->n_classes = d->rule == SIGMOID ? 2 : classes;
    r->raw->start = tct_calloc(r->raw->n_classes, sizeof *r->raw->start);
    return r->raw->start ? TACIT_OK : tct_fail_memory(r->err);
}

/* The largest size and the largest value of any score. */
static void bound_scores(const tct_raw_trees *raw, double *size, double *highest)
{
    *size = *highest = 0;
    for (size_t s = 0; s < raw->n_classes; s++) {
        double far = 0, high = 0;

        for (size_t k = 0; k < raw->n_trees; k++) {
            size_t end = k + 1 < raw->n_trees ? raw->roots[k + 1] : raw->n_nodes;
            double most = 0, top = -INFINITY;

            for (size_t i = raw->roots[k]; i < end && raw->scores[k] == s; i++)
                if (raw->nodes[i].feature < 0) {
                    most = fmax(most, fabs(raw->nodes[i].number));
                    top = fmax(top, raw->nodes[i].number);
                }
            far += most;
            high += raw->scores[k] == s ? top : 0;
        }
        *size = fmax(*size, far);
        *highest = fmax(*highest, high);
    }
}

/* Two scores that differ by more than the slack give two probabilities that differ in the same direction.  Near x the
 * sigmoid has the slope s (1 - s) >= exp(-x) / 4, and its values are good to 2^-51. */
static tacit_status set_decision(const tct_lg_reader *r, const decision *d)
{
    double size, highest, unit = d->rounds / d->sigmoid, far = 800 * unit;

    bound_scores(r->raw, &size, &highest);
    r->raw->slack = 0x1p-50 * unit + size * 0x1p-50;
    if (d->rule == SIGMOID) {
        r->raw->cut = tct_raw_least(false, -far, far, is_likely, d);
        return TACIT_OK;
    }
    if (!d->above)
        return tct_lg_refuse(r, "a threshold is for models of two classes");
    r->raw->slack += 0x1p-40 * unit;
    if (d->rule == SIGMOIDS)
        r->raw->slack += 0x1p-47 * exp(highest / unit) * unit;
    if (!(r->raw->slack < unit / 4) || !(r->raw->slack < 1))
        return tct_lg_refuse(r, "its scores are so large that probabilities in double precision do not tell the "
                                "classes apart");
    return TACIT_OK;
}

/* ---- the file ---- */

bool tct_lightgbm_looks_like(const char *bytes, size_t size)
{
    const tct_lg_span file = {bytes, bytes + size};

    return begins(file, "tree\n") || begins(file, "tree\r\n") || begins(file, "Tree=");
}

/* What follows up to the next tree, or to the end of the trees. */
static tct_lg_span take_part(tct_lg_span *file, bool *last)
{
    tct_lg_span part = *file, line;

    while (part.end = file->at, next_line(file, &line)) {
        *last = begins(line, "end of trees") || begins(line, "feature importances:") ||
                begins(line, "feature_importances:") || begins(line, "parameters:");
        if (*last || begins(line, "Tree="))
            return part;
    }
    *last = true;
    part.end = file->end;
    return part;
}

/* tree_sizes has an entry for each tree, which tells whether the file is whole. */
static tacit_status check_number(const tct_lg_reader *r, tct_lg_span head)
{
    tct_lg_span sizes, word;
    size_t n = 0;

    if (tct_lg_find(head, "tree_sizes", &sizes)) {
        while (tct_lg_next_word(&sizes, &word))
            n++;
        if (n != r->raw->n_trees)
            return tct_fail_at(r->err, TACIT_E_INPUT, r->file, 0, NULL,
                               "LightGBM model: it has %zu trees, but should have %zu", r->raw->n_trees, n);
    }
    if (r->raw->n_trees == 0 || r->raw->n_trees % r->per_round != 0)
        return tct_lg_refuse(r, "it has no trees, or not one of each class in the last round");
    return TACIT_OK;
}

tacit_status tct_lightgbm_read(tct_raw_trees *raw, const char *bytes, size_t size, const char *file,
                               const tacit_table *table, double threshold, tacit_error *err)
{
    tct_lg_reader r = {.raw = raw, .file = file, .most = size + MORE_NODES, .err = err};
    tct_lg_span whole = {bytes, bytes + size}, rest = whole, head, line;
    decision d = {.least = isnan(threshold) ? 0.5 : threshold, .above = isnan(threshold)};
    bool last = false, forest = false;
    tacit_status st;

    raw->file = file;
    if (begins(whole, "Tree="))
        return tct_lg_refuse(&r, "a tree without the head of the file, which has objective and classes");
    head = take_part(&rest, &last);
    for (tct_lg_span lines = head; next_line(&lines, &line);)
        forest = forest || (begins(line, "average_output") && line.end - line.at == 14);
    st = read_head(&r, head, &d);
    if (!st)
        st = read_features(&r, head, table);
    if (!st)
        st = read_levels(&r, head, whole);
    for (size_t k = 0; !last && !st; k++)
        st = tct_lg_read_tree(&r, take_part(&rest, &last), k);
    if (!st)
        st = check_number(&r, head);
    d.rounds = forest && !st ? (double)(raw->n_trees / r.per_round) : 1;
    if (!st)
        st = set_decision(&r, &d);
    tct_free(r.parts);
    return st;
}
