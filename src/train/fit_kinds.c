/*
 * fit_kinds.c -- from the options of a fit to those of each kind's training: what was left open gets its usual value
 * here, and the model is told what it came to.
 */
#include <math.h>
#include <string.h>

#include "train.h"
#include "trees.h"

static const char HIDDEN[] = "10,10";
enum { PAPER_EPOCHS = 300, PAPER_BATCH = 32 };
static const double PAPER_RATE = 0.001;
/* The usual, found by trying on the six data sets and on small samples of them (docs/NETWORKS.md). */
enum { STEPS = 4000, LEAST_EPOCHS = 10, BATCHES = 100, LEAST_BATCH = 32, MOST_BATCH = 128 };
static const double RATE = 0.01, NARROW = 0.2;
/* Trees, likewise (docs/TREES.md). */
enum { ROUNDS = 100, DEPTH = 4 };
static const double TREES_RATE = 0.1;

/* "10,10" -> 10, 10. */
static tacit_status parse_hidden(size_t sizes[TCT_MAX_LAYERS], size_t *count, const char *text, tacit_error *err)
{
    tct_names names = {0};
    tacit_status st = tct_names_split(&names, text, err);

    *count = names.count;
    if (!st && names.count >= TCT_MAX_LAYERS)
        st = tct_fail(err, TACIT_E_USAGE, "at most %d hidden layers", TCT_MAX_LAYERS - 1);
    for (size_t l = 0; l < names.count && !st; l++) {
        const char *digits = names.items[l];
        size_t size = 0;
        for (; *digits >= '0' && *digits <= '9' && size <= TCT_MAX_WIDTH; digits++)
            size = 10 * size + (size_t)(*digits - '0');
        if (*digits || size == 0 || size > TCT_MAX_WIDTH)
            st = tct_fail(err, TACIT_E_USAGE,
                          "sizes of hidden layers are whole numbers from 1 to %d, separated by commas, as in %s",
                          TCT_MAX_WIDTH, HIDDEN);
        sizes[l] = size;
    }
    tct_names_free(&names);
    return st;
}

void tct_fit_fill_paper(tacit_fit_options *options)
{
    options->paper = true;
    options->hidden = options->hidden ? options->hidden : HIDDEN;
    options->epochs = options->epochs ? options->epochs : PAPER_EPOCHS;
    options->batch = options->batch ? options->batch : PAPER_BATCH;
    options->rate = options->rate == 0 ? PAPER_RATE : options->rate;
}

/* The usual for n rows: as many steps, however many rows there are, unless they are so many that each would be seen
 * only a few times. */
static void fill_usual(tacit_fit_options *options, size_t n)
{
    size_t batch = n / BATCHES, steps;

    batch = batch < LEAST_BATCH ? LEAST_BATCH : batch > MOST_BATCH ? MOST_BATCH : batch;
    options->hidden = options->hidden ? options->hidden : HIDDEN;
    options->batch = options->batch ? options->batch : batch;
    steps = n / options->batch + (n % options->batch > 0);
    if (options->epochs == 0 && steps > 0)
        options->epochs = (STEPS + steps - 1) / steps > LEAST_EPOCHS ? (STEPS + steps - 1) / steps : LEAST_EPOCHS;
    options->rate = options->rate == 0 ? RATE : options->rate;
    options->adam = options->adam || options->momentum == 0;
}

/* A penalty that was asked for is on the weights as they are, and so is the paper's; else on weights per spread. */
static tacit_status begin_logistic(tct_input_spread *spread, size_t n_inputs, const tacit_fit_options *options,
                                   tacit_model_info *info, tacit_error *err)
{
    info->l2 = options->l2 > 0 ? options->l2 : 1;
    info->standardised = !options->paper && options->l2 == 0;
    return tct_spread_init(spread, info->standardised ? n_inputs : 0, err);
}

static tacit_status fit_logistic(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                                 const tct_inputs *inputs, size_t n_classes, const tacit_fit_options *options,
                                 tacit_model_info *info, tacit_error *err)
{
    size_t n_inputs = inputs->n;
    tct_input_spread spread = {0};
    tacit_status st = begin_logistic(&spread, n_inputs, options, info, err);

    *out = NULL;
    for (size_t i = 0; i < n_inputs && info->standardised && !st; i++)
        st = tct_spread_measure(&spread, i, x + i * stride, n, err);
    if (!st)
        st = tct_train_logistic(out, x, stride, labels, n, n_inputs, n_classes, info->l2,
                                info->standardised ? &spread : NULL, options->threads, options->progress,
                                options->progress_context, err);
    tct_spread_clear(&spread);
    return st;
}

static tacit_status fit_logistic_compact(tct_classifier **out, const tct_encoded *people, size_t n_classes,
                                         const tacit_fit_options *options, tacit_model_info *info, tacit_error *err)
{
    const tct_codec *codec = people->codec;
    size_t n_attributes = codec->schema->n_attributes, n_columns = 0;
    size_t *inputs = tct_malloc(codec->n_inputs + 1, sizeof *inputs);
    size_t *first = tct_malloc(n_attributes + 1, sizeof *first);
    const uint16_t **levels = tct_malloc(n_attributes + 1, sizeof *levels);
    tct_levelled points = {.x = people->train.x, .n = people->train.n, .n_inputs = codec->n_inputs};
    tct_input_spread spread = {0};
    tacit_status st =
        inputs && first && levels ? begin_logistic(&spread, codec->n_inputs, options, info, err) : tct_fail_memory(err);

    *out = NULL;
    for (size_t a = 0; a < n_attributes && !st; a++) {
        for (size_t i = 0; i < people->compact->domains[a].width && !st; i++, n_columns++) {
            inputs[n_columns] = codec->domains[a].first + i;
            if (info->standardised)
                st = tct_spread_measure(&spread, inputs[n_columns], points.x + n_columns * points.n, points.n, err);
        }
        if (!people->train.levels[a])
            continue;
        first[points.n_categories] = codec->domains[a].first;
        levels[points.n_categories++] = people->train.levels[a];
    }
    points.inputs = inputs;
    points.n_columns = n_columns;
    points.first = first;
    points.levels = levels;
    points.labels = people->train.labels;
    points.spread = info->standardised ? &spread : NULL;
    if (!st)
        st = tct_train_logistic_levelled(out, &points, n_classes, info->l2, options->threads, options->progress,
                                         options->progress_context, err);
    tct_free(inputs);
    tct_free(first);
    tct_free(levels);
    tct_spread_clear(&spread);
    return st;
}

/* The model's record of its training. */
static void tell(tacit_model_info *info, const tct_mlp_options *train, const tct_mlp_outcome *outcome)
{
    info->l2 = train->l2;
    info->epochs = train->epochs;
    info->batch = train->batch;
    info->rate = train->rate;
    info->momentum = train->momentum;
    info->adam = train->adam;
    info->patience = train->patience;
    info->cosine = train->cosine;
    info->standardised = train->standardise;
    info->epochs_run = outcome->epochs;
    info->loss = outcome->loss;
}

static tacit_status fit_mlp(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                            const tct_inputs *inputs, size_t n_classes, const tacit_fit_options *options,
                            tacit_model_info *info, tacit_error *err)
{
    bool usual = !options->paper, choose = usual && options->l2 == 0;
    size_t hidden[TCT_MAX_LAYERS];
    tacit_fit_options filled = *options;
    tct_mlp_options train = {.hidden = hidden,
                             .momentum = options->momentum,
                             .l2 = options->l2,
                             .patience = options->patience,
                             .seed = options->seed,
                             .standardise = usual,
                             .narrow = usual ? NARROW : 0,
                             .cosine = usual};
    tct_mlp_outcome outcome = {0};
    tacit_status st;

    *out = NULL;
    if (usual)
        fill_usual(&filled, n);
    else
        tct_fit_fill_paper(&filled);
    train.epochs = filled.epochs;
    train.batch = filled.batch;
    train.rate = filled.rate;
    train.adam = filled.adam;
    st = parse_hidden(hidden, &train.n_hidden, filled.hidden, err);
    if (!st && choose)
        st = tct_train_mlp_chosen(out, &train.l2, x, stride, labels, n, inputs->n, n_classes, &train, options->threads,
                                  &outcome, options->progress, options->progress_context, err);
    else if (!st)
        st = tct_train_mlp(out, x, stride, labels, n, inputs->n, n_classes, &train, &outcome, options->progress,
                           options->progress_context, err);
    tell(info, &train, &outcome);
    info->l2_chosen = choose;
    return st;
}

static tacit_status fit_trees(tct_classifier **out, const double *x, size_t stride, const int32_t *labels, size_t n,
                              const tct_inputs *inputs, size_t n_classes, const tacit_fit_options *options,
                              tacit_model_info *info, tacit_error *err)
{
    const double p = options->threshold > 0 ? options->threshold : 0.5;
    const tct_trees_options train = {.rounds = options->trees ? options->trees : ROUNDS,
                                     .depth = options->depth ? options->depth : DEPTH,
                                     .threads = options->threads,
                                     .rate = options->rate != 0 ? options->rate : TREES_RATE,
                                     .l2 = options->l2 > 0 ? options->l2 : 1,
                                     .cut = n_classes == 2 ? log(p / (1 - p)) : 0};

    info->l2 = train.l2;
    info->rate = train.rate;
    info->depth = train.depth;
    return tct_train_trees(out, x, stride, labels, n, inputs, n_classes, &train, options->progress,
                           options->progress_context, err);
}

/* A kind that can be trained is one row here; the first is the usual. */
static const tct_trainer TRAINERS[] = {
    {.kind = &tct_linear_ops, .train = fit_logistic, .compact = fit_logistic_compact, .logit = true},
    {.kind = &tct_mlp_ops, .train = fit_mlp, .layers = true},
    {.kind = &tct_trees_ops,
     .train = fit_trees,
     .trees = true,
     .read = tct_boost_cells,
     .reduce = tct_trees_forget_cuts},
};
enum { N_TRAINERS = sizeof TRAINERS / sizeof *TRAINERS };

/* Their names, where a constant is needed; the same order. */
const char *const tacit_fit_kinds[N_TRAINERS + 1] = {"logistic", "mlp", "trees"};

static const tct_trainer *find(const char *kind)
{
    for (size_t k = 0; kind && k < N_TRAINERS; k++)
        if (strcmp(TRAINERS[k].kind->kind, kind) == 0)
            return &TRAINERS[k];
    return NULL;
}

bool tacit_fit_has_layers(const char *kind)
{
    const tct_trainer *trainer = find(kind);

    return trainer && trainer->layers;
}

bool tacit_fit_has_trees(const char *kind)
{
    const tct_trainer *trainer = find(kind);

    return trainer && trainer->trees;
}

tacit_status tct_trainer_find(const tct_trainer **out, const char *name, tacit_error *err)
{
    const tct_classifier_ops *kind = NULL;
    tacit_status st = tct_classifier_kind(&kind, name ? name : TRAINERS[0].kind->kind, err);

    *out = NULL;
    for (size_t k = 0; k < N_TRAINERS; k++)
        if (!st && TRAINERS[k].kind == kind)
            *out = &TRAINERS[k];
    if (!st && !*out)
        st = tct_fail(err, TACIT_E_USAGE, "models of kind '%s' are not trained here", kind->kind);
    return st;
}
