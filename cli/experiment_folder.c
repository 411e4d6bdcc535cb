/*
 * experiment_folder.c -- see experiment_folder.h.
 *
 * While an experiment runs its folder holds the journal; once the results are all in place the journal goes.  So a
 * folder with a journal is unfinished, whatever else is in it, and one without a journal but with a summary is finished.
 */
#include "experiment_folder.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const double PAPER_RATE = 0.001; /* of networks, where none is given */

static const char *const file_names[FOLDER_FILES] = {[FOLDER_RESULTS] = "results.csv",
                                                     [FOLDER_SECONDS] = "seconds.csv",
                                                     [FOLDER_SUMMARY] = "summary.json",
                                                     [FOLDER_REPORT] = "report.html",
                                                     [FOLDER_JOURNAL] = "journal.jsonl"};

void folder_look(experiment_folder *folder, const char *path)
{
    memset(folder, 0, sizeof(*folder));
    folder->path = path;
    for (size_t i = 0; i < FOLDER_FILES; i++)
        folder->files[i] = cli_format("%s/%s", path, file_names[i]);
    folder->has_journal = access(folder->files[FOLDER_JOURNAL], F_OK) == 0;
    folder->has_summary = access(folder->files[FOLDER_SUMMARY], F_OK) == 0;
}

void folder_free(experiment_folder *folder)
{
    for (size_t i = 0; i < FOLDER_FILES; i++)
        free(folder->files[i]);
}

int folder_refuse_overwrite(const experiment_folder *folder, const char *input)
{
    int code = CLI_DONE;

    for (size_t i = 0; i < FOLDER_FILES && code == CLI_DONE; i++)
        code = cli_refuse_overwrite(folder->files[i], input);
    return code;
}

int folder_make(experiment_folder *folder)
{
    struct stat info;

    folder->made = mkdir(folder->path, 0777) == 0;
    if (!folder->made && errno != EEXIST)
        return cli_complain(CLI_INPUT, "cannot make the folder %s: %s", folder->path, strerror(errno));
    if (stat(folder->path, &info) || !S_ISDIR(info.st_mode))
        return cli_complain(CLI_INPUT, "cannot make the folder %s: a file is in its place", folder->path);
    return CLI_DONE;
}

void folder_unmake(const experiment_folder *folder)
{
    if (!folder->has_journal)
        unlink(folder->files[FOLDER_JOURNAL]);
    if (folder->made)
        rmdir(folder->path);
}

/* ---- is it the same experiment? ---- */

static char *write_value(const json_t *value);

static char *write_list(const json_t *list)
{
    char *text = cli_format("%s", "");

    for (size_t i = 0; i < json_array_size(list); i++) {
        char *item = write_value(json_array_get(list, i)), *longer = cli_format("%s%s%s", text, i ? "," : "", item);

        free(item);
        free(text);
        text = longer;
    }
    return text;
}

/* A text, a number, yes or no, or a list of them, as on the command line; "" for anything else. */
static char *write_value(const json_t *value)
{
    if (json_is_string(value))
        return cli_format("%s", json_string_value(value));
    if (json_is_integer(value))
        return cli_format("%lld", (long long)json_integer_value(value));
    if (json_is_real(value))
        return cli_format("%.15g", json_real_value(value));
    if (json_is_boolean(value))
        return cli_format("%s", json_is_true(value) ? "on" : "off");
    return write_list(value);
}

/* One setting: complains when it is not what we have.  Takes `ours` over. */
static int compare_setting(const experiment_folder *folder, const json_t *settings, const char *key, char *ours)
{
    char *theirs = write_value(json_object_get(settings, key));
    int code = CLI_DONE;

    if (strcmp(theirs, ours) != 0)
        code = cli_complain(CLI_INPUT,
                            "%s was made with %s %s, not %s: leave --resume out to run it anew and replace what is "
                            "there",
                            folder->files[FOLDER_SUMMARY], key, theirs, ours);
    free(theirs);
    free(ours);
    return code;
}

static char *write_sizes(const tacit_experiment_options *options)
{
    char *text = cli_format("%s", "");

    for (size_t i = 0; i < options->n_sizes; i++) {
        char *longer = cli_format("%s%s%zu", text, i ? "," : "", options->sizes[i]);

        free(text);
        text = longer;
    }
    return text;
}

static char *write_deltas(const tacit_experiment_options *options)
{
    char *text = cli_format("%s", "");

    for (size_t i = 0; i < options->n_deltas; i++) {
        char *longer = cli_format("%s%s%.15g", text, i ? "," : "", options->deltas[i]);

        free(text);
        text = longer;
    }
    return text;
}

/* A setting of trees, which summaries without any do not have. */
static char *write_for_trees(const tacit_experiment_options *options, double value)
{
    for (size_t k = 0; tacit_fit_kinds[k]; k++)
        if (tacit_fit_has_trees(tacit_fit_kinds[k]) && strstr(options->kinds, tacit_fit_kinds[k]))
            return cli_format("%.15g", value);
    return cli_format("%s", "");
}

static int compare_settings(const experiment_folder *folder, const json_t *there,
                            const tacit_experiment_options *options)
{
    const tacit_fit_options *fit = &options->fit;
    struct {
        const char *key;
        char *ours;
    } settings[] = {{"models", cli_format("%s", options->kinds)},
                    {"methods", cli_format("%s", options->methods)},
                    {"sizes", write_sizes(options)},
                    {"repetitions", cli_format("%zu", options->reps)},
                    {"deltas", write_deltas(options)},
                    {"seed", cli_format("%llu", (unsigned long long)options->seed)},
                    {"test_share", cli_format("%.15g", options->test_share)},
                    {"hidden", cli_format("%s", fit->hidden)},
                    {"epochs", cli_format("%zu", fit->epochs)},
                    {"batch", cli_format("%zu", fit->batch)},
                    {"rate", cli_format("%.15g", fit->rate > 0 ? fit->rate : PAPER_RATE)},
                    {"momentum", cli_format("%.15g", fit->momentum)},
                    {"adam", cli_format("%s", fit->adam ? "on" : "off")},
                    {"patience", cli_format("%zu", fit->patience)},
                    {"tree_count", write_for_trees(options, (double)fit->trees)},
                    {"tree_depth", write_for_trees(options, (double)fit->depth)},
                    {"tree_rate", write_for_trees(options, fit->rate)},
                    {"opt_people", cli_format("%zu", options->opt_people)},
                    {"grid_people", cli_format("%zu", options->grid_people)}};
    int code = CLI_DONE;

    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
        if (code == CLI_DONE)
            code = compare_setting(folder, there, settings[i].key, settings[i].ours);
        else
            free(settings[i].ours);
    return code;
}

/* A whole text file; NULL when it is empty or cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (file && getdelim(&text, &room, '\0', file) <= 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

int folder_compare(const experiment_folder *folder, const tacit_table *table, const tacit_experiment_options *options,
                   char **summary)
{
    const char *path = folder->files[FOLDER_SUMMARY], *hash, *format, *version;
    json_t *json;
    int code = CLI_DONE;

    *summary = read_text(path);
    json = *summary ? json_loads(*summary, 0, NULL) : NULL;
    format = json_string_value(json_object_get(json, "format"));
    hash = json_string_value(json_object_get(json_object_get(json, "data"), "sha256"));
    version = json_string_value(json_object_get(json, "tacit"));
    if (!format || strcmp(format, "tacit-experiment") != 0 || !hash || !version)
        code = cli_complain(CLI_INPUT, "%s is no summary of an experiment: leave --resume out to replace it", path);
    else if (strcmp(hash, tacit_table_hash(table)) != 0)
        code = cli_complain(CLI_INPUT, "%s was made with other data: leave --resume out to run it anew", path);
    else if (strcmp(version, tacit_version()) != 0)
        code = cli_complain(CLI_INPUT, "%s was made by Tacit %s: leave --resume out to run it anew", path, version);
    else
        code = compare_settings(folder, json_object_get(json, "settings"), options);
    json_decref(json);
    if (code != CLI_DONE) {
        free(*summary);
        *summary = NULL;
    }
    return code;
}

/* ---- writing ---- */

static tacit_status write_file(const char *path, const char *text, tacit_error *err)
{
    return tacit_file_write(path, text, strlen(text), err);
}

int folder_write(const experiment_folder *folder, const tacit_experiment *experiment, char **summary, bool *pages)
{
    char *results = NULL, *seconds = NULL, *page = NULL;
    tacit_error err = {0};
    tacit_status status;

    *summary = NULL;
    *pages = true;
    if ((status = tacit_experiment_csv(&results, experiment, &err)) ||
        (status = tacit_experiment_seconds(&seconds, experiment, &err)) ||
        (status = tacit_experiment_json(summary, experiment, &err)))
        goto done;
    status = tacit_experiment_html(&page, experiment, &err);
    *pages = status != TACIT_E_USAGE;
    if (status == TACIT_E_USAGE)
        unlink(folder->files[FOLDER_REPORT]); /* of an earlier run: it would not be about this one */
    else if (status || (status = write_file(folder->files[FOLDER_REPORT], page, &err)))
        goto done;
    if ((status = write_file(folder->files[FOLDER_RESULTS], results, &err)) ||
        (status = write_file(folder->files[FOLDER_SECONDS], seconds, &err)) ||
        (status = write_file(folder->files[FOLDER_SUMMARY], *summary, &err)))
        goto done;
    unlink(folder->files[FOLDER_JOURNAL]);
done:
    tacit_text_free(results);
    tacit_text_free(seconds);
    tacit_text_free(page);
    return status ? cli_fail(&err) : CLI_DONE;
}
