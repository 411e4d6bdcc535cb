/*
 * train.c -- a model from a file of people.
 *
 *     train PEOPLE.csv LABEL MODEL.tacit
 *
 * Needs the library tacit-train beside tacit; the other examples do not.
 */
#include <stdio.h>

#include <tacit.h>

int main(int argc, char **argv)
{
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_error err = {0};
    tacit_status status;

    if (argc != 4)
        return fprintf(stderr, "usage: train PEOPLE.csv LABEL MODEL.tacit\n"), 2;
    /* The same rows are held out of both: what is measured on them was learnt from the others. */
    tacit_infer_options infer = {.label = argv[2], .test_share = 0.3, .seed = 1};
    tacit_fit_options fit = {.test_share = infer.test_share, .seed = infer.seed};

    status = tacit_table_read(&table, argv[1], NULL, 0, &err);
    if (!status)
        status = tacit_schema_infer(&schema, table, &infer, &err);
    if (!status)
        status = tacit_fit(&model, table, schema, &fit, &err);
    if (!status)
        status = tacit_model_save(model, argv[3], &err);
    if (status) {
        fprintf(stderr, "train: %s\n", err.message);
    } else {
        const tacit_model_info *info = tacit_model_info_get(model);
        printf("%zu people to learn from; right about %.1f %% of %zu others\n", info->train_rows,
               100 * info->test_accuracy, info->test_rows);
    }

    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return status ? 1 : 0;
}
