/*
 * test_xgboost_golden.c -- models of XGBoost, imported: everybody has the label and, to the bit, the margins that XGBoost
 * gives them (make_xgboost.py).  TACIT_XGBOOST_FOLDER names another folder of such models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "golden_trees.h"

static void xgboost_golden__json(void **state)
{
    (void)state;
    golden_trees_compare("TACIT_XGBOOST_FOLDER", TEST_DATA_DIR "/xgboost", ".json", 12);
}

static void xgboost_golden__ubjson(void **state)
{
    (void)state;
    golden_trees_compare("TACIT_XGBOOST_FOLDER", TEST_DATA_DIR "/xgboost", ".ubj", 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xgboost_golden__json),
        cmocka_unit_test(xgboost_golden__ubjson),
    };

    return cmocka_run_group_tests_name("xgboost_golden", tests, NULL, NULL);
}
