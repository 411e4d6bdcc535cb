/*
 * trainer.c -- training and judging on some attributes of some people, for any kind of model.
 */
#include "choose.h"
#include "train.h"

enum { CHUNK = 256 }; /* people scored together */

size_t tct_inputs_of(size_t *columns, const tct_codec *codec, const size_t *kept, size_t n_kept)
{
    size_t d = 0;

    for (size_t j = 0; j < n_kept; j++)
        for (size_t i = 0; i < codec->domains[kept[j]].width; i++)
            columns[d++] = codec->domains[kept[j]].first + i;
    return d;
}

/* Training tells its progress; here that only matters as an occasion to stop. */
static bool keep_going(void *context, uint64_t done, uint64_t total)
{
    const tct_watch *watch = context;

    (void)done, (void)total;
    return watch->tick(watch->context, 0, NULL) == TACIT_OK;
}

tacit_status tct_train_part(tct_classifier **out, const tct_encoded_rows *part, const tct_inputs *inputs,
                            size_t n_classes, const tacit_fit_options *fit, const tct_watch *watch, tacit_error *err)
{
    tct_watch mine = *watch;
    tacit_fit_options options = *fit;
    tacit_model_info info = {0};
    const tct_trainer *trainer;
    tacit_status st = tct_trainer_find(&trainer, options.kind, err);

    *out = NULL;
    options.threads = 1;
    options.progress = keep_going;
    options.progress_context = &mine;
    return st ? st
              : trainer->train(out, part->x, part->n, part->labels, part->n, inputs, n_classes, &options, &info, err);
}

tacit_status tct_judge(double *loss, size_t *right, const tct_classifier *classifier, const tct_encoded_rows *part,
                       tacit_error *err)
{
    size_t d = classifier->n_inputs, n_scores = classifier->n_scores, agree = 0;
    double *points = tct_malloc(CHUNK * d + 1, sizeof *points), *scores = tct_malloc(CHUNK * n_scores, sizeof *scores);
    double *rows = tct_malloc(CHUNK * n_scores, sizeof *rows), sum = 0;
    tacit_status st = points && scores && rows ? TACIT_OK : tct_fail_memory(err);

    for (size_t first = 0; first < part->n && !st; first += CHUNK) {
        size_t m = part->n - first < CHUNK ? part->n - first : CHUNK;

        for (size_t i = 0; i < d; i++)
            for (size_t r = 0; r < m; r++)
                points[r * d + i] = part->x[i * part->n + first + r];
        classifier->ops->scores(classifier, points, m, scores);
        for (size_t r = 0; r < m; r++) {
            agree += tct_label(scores + r * n_scores, n_scores) == (size_t)part->labels[first + r];
            for (size_t s = 0; s < n_scores; s++)
                rows[s * CHUNK + r] = scores[r * n_scores + s];
        }
        if (loss)
            sum += tct_log_losses(part->labels + first, m, n_scores, rows, CHUNK);
    }
    if (loss)
        *loss = sum;
    if (right)
        *right = agree;
    tct_free_wiped(points, CHUNK * d * sizeof *points);
    tct_free_wiped(scores, CHUNK * n_scores * sizeof *scores);
    tct_free_wiped(rows, CHUNK * n_scores * sizeof *rows);
    return st;
}
