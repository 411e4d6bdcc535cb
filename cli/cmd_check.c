/*
 * cmd_check.c -- tacit check: is a receipt true?
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "commands.h"
#include "jsonout.h"
#include "terminal.h"

typedef struct check_settings {
    const char *model;
    bool json;
} check_settings;

static void print_json(const tacit_schema *schema, const tacit_check *found)
{
    json_out json = {0};

    json_begin(&json, NULL, '{');
    json_truth(&json, "valid", found->valid);
    json_text(&json, "reason", found->valid ? NULL : found->reason);
    json_text(&json, "label", found->valid ? tacit_schema_class(schema, found->label) : NULL);
    json_text(&json, "status", found->valid ? tacit_settled_name(found->settled) : NULL);
    json_number(&json, "probability", found->valid ? found->probability : NAN);
    json_count(&json, "leaves", found->leaves);
    json_end(&json, '}');
}

/* What was checked, in one line. */
static char *tell_how(const tacit_check *found)
{
    char probability[24];

    switch (found->settled) {
    case TACIT_CERTAIN:
        return cli_format("proven again for every value of what was not given (%zu part%s of the domain)",
                          found->leaves, found->leaves == 1 ? "" : "s");
    case TACIT_ALL_REVEALED:
        return cli_format("everything was given, and the model decides so");
    default:
        term_percent(found->probability, 1, probability, sizeof(probability));
        return cli_format("probability %s, computed again", probability);
    }
}

static void print_text(const tacit_schema *schema, const tacit_check *found)
{
    char *label, *how;

    if (!found->valid) {
        char *reason = term_clean(found->reason, 0);

        printf("%snot valid%s: %s\n", term_on(STYLE_WARN), term_on(STYLE_PLAIN), reason);
        free(reason);
        return;
    }
    label = term_clean(tacit_schema_class(schema, found->label), 0);
    how = tell_how(found);
    printf("%svalid%s: %s, %s\n  %s\n", term_on(STYLE_GOOD), term_on(STYLE_PLAIN), label,
           tacit_settled_name(found->settled), how);
    free(label);
    free(how);
}

static int run_check(const cli_args *args, void *settings)
{
    const check_settings *s = settings;
    tacit_model *model = NULL;
    tacit_check found = {0};
    tacit_error err = {0};
    int code;

    if (!s->model)
        return cli_complain(CLI_USAGE, "check needs --model: the model that the receipt was made with");
    code = cli_load_model(&model, s->model, NULL, NULL);
    if (code == CLI_DONE && tacit_check_receipt(&found, model, args->operands[0], &err))
        code = cli_fail(&err);
    if (code == CLI_DONE) {
        (s->json ? print_json : print_text)(tacit_model_schema(model), &found);
        code = found.valid ? CLI_DONE : CLI_NEGATIVE;
    }
    tacit_model_free(model);
    return code;
}

static const cli_option options[] = {
    {.name = "model",
     .kind = CLI_TEXT,
     .argument = "MODEL",
     .help = "The model that the receipt was made with.",
     .offset = offsetof(check_settings, model)},
    {.name = "json", .kind = CLI_FLAG, .help = "Print it as JSON.", .offset = offsetof(check_settings, json)},
    {0},
};

const cli_command cli_command_check = {
    .name = "check",
    .summary = "is a receipt true?",
    .usage = "RECEIPT --model MODEL [--json]",
    .text = "Checks a receipt written by tacit ask --receipt: that nothing in it was changed, and that the decision "
            "follows from the answers. A decision that is certain is proven again, by code that shares nothing with "
            "what decided when to stop. Exit code 1, and the reason, when it is not valid.",
    .examples = "tacit check receipt.json --model loans.tacit",
    .options = options,
    .operands = (const char *const[]){"RECEIPT", NULL},
    .settings_size = sizeof(check_settings),
    .run = run_check,
};
