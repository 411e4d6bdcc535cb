/*
 * audit_files.c -- the files that an audit can be written to.
 */
#include "audit_files.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"

int audit_files_check(const audit_files *files, const audit_said *said, const char *command, const cli_args *args)
{
    static const char *const names[] = {"json", "rows", "report", "partial"};
    const char *outputs[] = {files->json, files->rows, files->report, files->partial};
    const size_t n = sizeof(outputs) / sizeof(*outputs);
    int code = cli_refuse_same_outputs(command, names, outputs, n);

    for (size_t i = 0; i < n && code == CLI_DONE; i++) {
        for (size_t k = 0; k < args->n_operands && code == CLI_DONE; k++)
            code = cli_refuse_overwrite(outputs[i], args->operands[k]);
        if (code == CLI_DONE)
            code = cli_refuse_overwrite(outputs[i], said->about);
        if (code == CLI_DONE)
            code = cli_refuse_overwrite(outputs[i], said->necessity);
    }
    for (size_t i = 0; i < n && code == CLI_DONE; i++)
        code = cli_refuse_output(outputs[i]);
    return code;
}

bool audit_files_take_stdout(const audit_files *files)
{
    return cli_is_stdout(files->json) || cli_is_stdout(files->rows) || cli_is_stdout(files->report) ||
           cli_is_stdout(files->partial);
}

bool audit_files_tell(const audit_files *files, bool quiet, bool gated)
{
    return files->json || files->report || gated || !(quiet || files->partial);
}

bool audit_files_table(const audit_files *files, const tacit_audit *audit, size_t least, bool quiet)
{
    return !quiet && !audit_files_take_stdout(files) && tacit_audit_summary_get(audit)->people >= least;
}

int audit_files_enough(const audit_files *files, const tacit_audit *audit, size_t least, bool quiet, bool gated)
{
    uint64_t people = tacit_audit_summary_get(audit)->people;
    bool tell = audit_files_tell(files, quiet, gated);

    if (!tell && people < least && !quiet)
        fprintf(stderr,
                "tacit: note: %llu %s too few to report on: no table, only counts for tacit merge; --min-people sets "
                "the limit, %zu\n",
                (unsigned long long)people, people == 1 ? "person is" : "people are", least);
    if (!tell && !audit_files_table(files, audit, least, quiet))
        return CLI_DONE;
    if (people < least)
        return cli_complain(CLI_INPUT,
                            "%llu %s too few to report on: what is told could be about one of them; --min-people sets "
                            "the limit, %zu",
                            (unsigned long long)people, people == 1 ? "person is" : "people are", least);
    if (people < USUAL_LEAST_PEOPLE)
        fprintf(stderr, "tacit: note: a report about %llu %s can tell about single ones\n", (unsigned long long)people,
                people == 1 ? "person" : "people");
    return CLI_DONE;
}

int audit_files_write(const audit_files *files, const tacit_audit *audit, const tacit_audit_provenance *about)
{
    char *json = NULL, *page = NULL, *part = NULL;
    tacit_error err = {0};
    tacit_status status = TACIT_OK;
    int code;

    if (files->json)
        status = tacit_audit_json_about(&json, audit, about, &err);
    if (status == TACIT_OK && files->report)
        status = tacit_audit_html(&page, audit, about, &err);
    if (status == TACIT_OK && files->partial)
        status = tacit_audit_partial(&part, audit, about, &err);
    if (status == TACIT_OK && cli_interrupted()) {
        code = CLI_INTERRUPTED; /* what was there before stays */
        goto done;
    }
    if (status == TACIT_OK && json)
        status = tacit_file_write(files->json, json, strlen(json), &err);
    if (status == TACIT_OK && page)
        status = tacit_file_write(files->report, page, strlen(page), &err);
    if (status == TACIT_OK && part)
        status = tacit_file_write(files->partial, part, strlen(part), &err);
    code = status ? cli_fail(&err) : CLI_DONE;
done:
    tacit_text_free(json);
    tacit_text_free(page);
    tacit_text_free(part);
    return code;
}
