/*
 * audit.c -- how much of what a file holds was needed to decide?
 *
 *     audit MODEL.tacit PEOPLE.csv
 */
#include <stdio.h>

#include <tacit.h>

int main(int argc, char **argv)
{
    static const double deltas[] = {0, 0.05, 0.1};
    tacit_audit_options options = {.deltas = deltas, .n_deltas = 3};
    tacit_model *model = NULL;
    tacit_audit *audit = NULL;
    tacit_error err = {0};

    if (argc != 3)
        return fprintf(stderr, "usage: audit MODEL.tacit PEOPLE.csv\n"), 2;
    if (tacit_model_load(&model, argv[1], &err) || tacit_audit_csv(&audit, model, argv[2], NULL, &options, &err)) {
        fprintf(stderr, "audit: %s\n", err.message);
        tacit_model_free(model);
        return 1;
    }

    const tacit_audit_summary *all = tacit_audit_summary_get(audit);
    printf("%llu people, %zu sensitive attributes\n", (unsigned long long)all->people, all->n_sensitive);
    printf("smallest sets that settle the decision: %.2f on average\n", all->opt_mean_asked);
    for (size_t i = 0; i < all->n_results; i++) {
        const tacit_audit_result *r = tacit_audit_result_get(audit, i);
        printf("delta %-4g asked %.2f on average, nothing of %.0f %%, fidelity %.4f\n", r->delta, r->mean_asked,
               100 * r->none_asked, r->fidelity);
    }

    tacit_audit_free(audit);
    tacit_model_free(model);
    return 0;
}
