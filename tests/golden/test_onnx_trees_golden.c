/*
 * test_onnx_trees_golden.c -- ensembles and pipelines from ONNX files, imported: everybody has the label and, to the bit,
 * the sums that the operators give them (make_onnx_trees.py).  TACIT_ONNX_TREES_FOLDER names another folder of such models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden_trees.h"

static void onnx_trees_golden__labels_and_sums(void **state)
{
    (void)state;
    golden_trees_compare("TACIT_ONNX_TREES_FOLDER", TEST_DATA_DIR "/onnx_trees", ".onnx", 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_trees_golden__labels_and_sums),
    };

    return cmocka_run_group_tests_name("onnx_trees_golden", tests, NULL, NULL);
}
