/*
 * check_alone.c -- a checker of receipts made of the layers that the checker may use, and of nothing else.
 *
 *     check_alone MODEL.tacit RECEIPT.json
 *
 * Linked with all objects of these layers, not with an archive from which a linker would pick: an object that used the
 * search would not link.
 */
#include <stdio.h>

#include <tacit.h>

int main(int argc, char **argv)
{
    tacit_model *model = NULL;
    tacit_check check = {0};
    tacit_error err = {0};
    tacit_status status;

    if (argc != 3)
        return fprintf(stderr, "usage: check_alone MODEL.tacit RECEIPT.json\n"), 2;
    status = tacit_model_load(&model, argv[1], &err);
    if (!status)
        status = tacit_check_receipt(&check, model, argv[2], NULL, &err);
    if (status)
        fprintf(stderr, "check_alone: %s\n", err.message);
    else if (!check.valid)
        printf("not valid: %s\n", check.reason);
    else
        printf("valid: %s, %zu parts\n", tacit_settled_name(check.settled), check.leaves);
    tacit_model_free(model);
    return status ? 2 : check.valid ? 0 : 1;
}
