/*
 * columns.c -- people who are in memory already: columns into a model, an audit and one answer a person, without a file.
 *
 *     columns
 */
#include <stdio.h>

#include <tacit.h>

enum { PEOPLE = 2000 };

/* Made up, so that there is something to decide about. */
static double income[PEOPLE];
static int32_t age[PEOPLE];
static int8_t job[PEOPLE];
static const char *outcome[PEOPLE];
static const char *const jobs[] = {"clerk", "nurse", "smith"};

static void make_people(void)
{
    for (int i = 0; i < PEOPLE; i++) {
        age[i] = 20 + i * 37 % 45;
        income[i] = 1000 + i * 733 % 3000;
        job[i] = (int8_t)(i * 7 % 4 - 1); /* -1: not known */
        outcome[i] = income[i] + 40 * age[i] + 300 * job[i] + i * 31 % 700 > 4500 ? "yes" : "no";
    }
}

int main(void)
{
    static const double deltas[] = {0, 0.05};
    const tacit_column columns[] = {
        {.name = "age", .type = TACIT_COLUMN_INT32, .values = age},
        {.name = "income", .type = TACIT_COLUMN_FLOAT64, .values = income},
        {.name = "job", .type = TACIT_COLUMN_INT8, .values = job, .levels = jobs, .n_levels = 3},
        {.name = "outcome", .type = TACIT_COLUMN_TEXT, .values = outcome},
    };
    tacit_infer_options infer = {.size = sizeof infer, .label = "outcome", .public_ = "income", .test_share = 0.3};
    tacit_fit_options fit = {.size = sizeof fit, .test_share = 0.3};
    tacit_audit_options options = {
        .size = sizeof options, .deltas = deltas, .n_deltas = 2, .part = TACIT_PART_HELD_OUT, .keep_people = true};
    tacit_table *table = NULL;
    tacit_schema *schema = NULL;
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    tacit_error err = {0};
    int failed;

    make_people();
    failed = tacit_table_build(&table, "people", columns, 4, PEOPLE, NULL, 0, &err) ||
             tacit_schema_infer(&schema, table, &infer, &err) || tacit_fit(&model, table, schema, &fit, &err) ||
             tacit_audit_table(&audit, model, table, &options, &err);
    if (failed)
        fprintf(stderr, "columns: %s\n", err.message);
    for (size_t i = 0; !failed && i < 2; i++) {
        const tacit_audit_people *people = tacit_audit_people_get(audit, i);
        size_t nothing = 0, agree = 0;

        for (size_t p = 0; p < people->people; p++) {
            nothing += people->asked[p] == 0;
            agree += people->labels[p] == people->full_labels[p];
        }
        printf("delta %g: of %zu people held out, %zu were asked nothing, %zu got the label with everything known\n",
               deltas[i], people->people, nothing, agree);
    }
    tacit_audit_free(audit);
    tacit_model_free(model);
    tacit_schema_free(schema);
    tacit_table_free(table);
    return failed;
}
