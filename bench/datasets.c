/*
 * datasets.c -- where the public data sets lie under their folder, and how each of them is read.
 */
#include "datasets.h"

#include <stdio.h>
#include <string.h>

static const dataset sets[] = {
    {"bank", "bank/bank-full.csv", "y", NULL, {.separator = ';'}},
    {"credit", "credit/UCI_Credit_Card.csv", "default.payment.next.month", "ID", {.separator = ','}},
    {"insurance", "insurance/Car_Insurance_Claim.csv", "OUTCOME", "ID", {.separator = ','}},
    {"adult",
     "adult/adult.data",
     "income",
     NULL,
     {.separator = ',',
      .missing = "?",
      .no_header = true,
      .names =
          "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
          "capital-loss,hours-per-week,native-country,income"}},
    {"customer", "customer/Train.csv", "Segmentation", "ID", {.separator = ','}},
    {"fetal", "fetal/fetal_health.csv", "fetal_health", NULL, {.separator = ','}},
};
enum { N_SETS = sizeof(sets) / sizeof(sets[0]) };

const dataset *dataset_get(size_t index)
{
    return index < N_SETS ? &sets[index] : NULL;
}

const dataset *dataset_find(const char *name)
{
    for (size_t i = 0; i < N_SETS; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

bool dataset_listed(const char *list, const char *name)
{
    size_t size = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == '\0'))
            return true;
    }
    return false;
}

tacit_status dataset_read(tacit_table **out, const dataset *set, const char *folder, size_t threads, bool *missing,
                          tacit_error *err)
{
    char path[4096];
    FILE *probe;

    *out = NULL;
    snprintf(path, sizeof(path), "%s/%s", folder, set->path);
    probe = fopen(path, "rb");
    *missing = !probe;
    if (!probe) {
        printf("%s: no file %s: left out\n\n", set->name, path);
        return TACIT_OK;
    }
    fclose(probe);
    return tacit_table_read(out, path, &set->csv, threads, err);
}

tacit_status dataset_schema(tacit_schema **out, const dataset *set, const tacit_table *table, uint64_t seed,
                            tacit_error *err)
{
    tacit_infer_options infer = {
        .label = set->label, .encoding = TACIT_ORDINAL, .drop = set->drop, .test_share = 0.3, .seed = seed};

    return tacit_schema_infer(out, table, &infer, err);
}

uint64_t dataset_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void dataset_draw(const tacit_schema *schema, size_t size, uint64_t seed, char *list, size_t room)
{
    size_t n = tacit_schema_attributes(schema), left = size, used = 0;
    uint64_t state = seed;

    list[0] = '\0';
    for (size_t i = 0; i < n && left > 0; i++) {
        if (dataset_random(&state) % (n - i) >= left)
            continue;
        used += (size_t)snprintf(list + used, used < room ? room - used : 0, "%s%s", used ? "," : "",
                                 tacit_schema_attribute(schema, i)->name);
        left--;
    }
}
