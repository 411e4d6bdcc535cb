/*
 * data_in.c -- reading people to learn from: `fit`, `import`, `experiment`.
 */
#include "data_in.h"

#include <stdlib.h>

#include "audit_files.h"
#include "terminal.h"

/* Types, domains, roles; once more where rows had to be left out, which must not have a say in them. */
static int find_schema(tacit_schema **schema, tacit_table *table, const data_in *in)
{
    tacit_error err = {0};
    size_t dropped = 0;

    if (tacit_schema_infer(schema, table, &in->infer, &err) || tacit_table_drop_bad(table, *schema, &dropped, &err))
        return cli_fail(&err);
    if (dropped == 0)
        return CLI_DONE;
    tacit_schema_free(*schema);
    return tacit_schema_infer(schema, table, &in->infer, &err) ? cli_fail(&err) : CLI_DONE;
}

int data_in_read(tacit_table **table, tacit_schema **schema, const char *path, const data_in *in)
{
    tacit_csv_options csv = in->csv;
    tacit_error err = {0};
    size_t dropped;
    int code;

    if (*schema)
        tacit_schema_csv(*schema, &csv);
    csv.defer_bad = true;
    code = cli_check_csv(&csv);
    if (code != CLI_DONE)
        return code;
    if (tacit_table_read(table, path, &csv, in->threads, &err))
        return cli_fail(&err);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    if (in->skip_unlabelled &&
        tacit_table_drop_unlabelled(*table, *schema ? tacit_schema_label(*schema) : in->infer.label, &err))
        return cli_fail(&err);
    if (!*schema)
        return find_schema(schema, *table, in);
    if (tacit_table_drop_bad(*table, *schema, &dropped, &err) || tacit_table_check(*table, *schema, &err))
        return cli_fail(&err);
    return CLI_DONE;
}

void data_in_note_few(const tacit_table *table, double test_share)
{
    double held_out = (double)tacit_table_rows(table) * test_share;

    if (held_out < USUAL_LEAST_PEOPLE)
        cli_note("about %.0f %s held out at a time: what is measured on so few can tell about single ones", held_out,
                 held_out < 1.5 ? "person is" : "people are");
}

void data_in_print_skipped(FILE *out, const tacit_table *table)
{
    char count[32];

    if (tacit_table_skipped(table)) {
        term_count(tacit_table_skipped(table), count, sizeof(count));
        fprintf(out, "  left out %s bad row%s\n", count, tacit_table_skipped(table) == 1 ? "" : "s");
    }
    if (tacit_table_unlabelled(table)) {
        term_count(tacit_table_unlabelled(table), count, sizeof(count));
        fprintf(out, "  left out %s row%s without label\n", count, tacit_table_unlabelled(table) == 1 ? "" : "s");
    }
}

void data_in_print_remarks(FILE *out, const tacit_schema *schema, size_t most)
{
    size_t n = tacit_schema_remarks(schema), shown = n <= most ? n : most - 1;

    for (size_t i = 0; i < shown; i++) {
        char *text = term_clean(tacit_schema_remark(schema, i)->text, 0);

        fprintf(out, "  %s ", i ? "        " : "remarks ");
        term_wrap(out, 11, 11, term.width, text);
        free(text);
    }
    if (shown < n)
        fprintf(out, "           ... and %zu more remarks: see tacit show\n", n - shown);
}
