/*
 * audit_said.c -- what is said about an audit on the command line.  Files are read and checked before the work: a mistake
 * in one should not cost an hour.
 */
#include "audit_said.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_BYTES = 16 << 20 };

const char *const audit_languages[] = {"en", "de", NULL};

static int read_text(char **out, const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0, got;

    if (!file)
        return cli_complain(CLI_INPUT, "cannot read %s: %s", path, strerror(errno));
    do {
        text = cli_realloc(text, size + 65537, 1);
        got = fread(text + size, 1, 65536, file);
        size += got;
    } while (got > 0 && size <= MOST_BYTES);
    text[size] = 0;
    if (ferror(file) || size > MOST_BYTES || strlen(text) != size) {
        fclose(file);
        free(text);
        return cli_complain(CLI_INPUT, "cannot read %s: %s", path, size > MOST_BYTES ? "too long" : "not a text");
    }
    fclose(file);
    *out = text;
    return CLI_DONE;
}

/* One of the texts by itself, so that the message can name its file. */
static int check_text(const tacit_audit_provenance *about, const char *path)
{
    tacit_error err = {0};
    tacit_status status = tacit_report_check(about, &err);

    return status ? cli_complain(status == TACIT_E_INPUT ? CLI_INPUT : CLI_INTERNAL, "%s: %s", path, err.message)
                  : CLI_DONE;
}

int audit_said_read(audit_said_texts *out, const audit_said *said)
{
    int code = CLI_DONE;

    *out = (audit_said_texts){0};
    if (said->about)
        code = read_text(&out->about, said->about);
    if (code == CLI_DONE && said->about)
        code = check_text(&(tacit_audit_provenance){.about_json = out->about}, said->about);
    if (code == CLI_DONE && said->necessity)
        code = read_text(&out->necessity, said->necessity);
    if (code == CLI_DONE && said->necessity)
        code = check_text(&(tacit_audit_provenance){.necessity = out->necessity}, said->necessity);
    if (code != CLI_DONE)
        audit_said_free(out);
    return code;
}

void audit_said_free(audit_said_texts *texts)
{
    free(texts->about);
    free(texts->necessity);
    *texts = (audit_said_texts){0};
}

void audit_said_put(tacit_audit_provenance *about, const audit_said *said, const audit_said_texts *texts)
{
    about->lang = audit_languages[said->lang];
    about->about_json = texts->about;
    about->necessity = texts->necessity;
}
