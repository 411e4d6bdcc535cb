/*
 * fuzz_trees.c -- any bytes as a model file of XGBoost, JSON or UBJSON; see fuzz_trees.h.
 */
#include "fuzz_trees.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char PEOPLE[] = "income,age,debt,years,ratio,children,outcome\n"
                                 "1000.5,30,-5e3,3,0.0002,0,0\n"
                                 "2500,61,1e4,39,0.0009,5,1\n"
                                 ",45,0,20,,2,1\n"
                                 "800,18,20000,0,1e-9,1,0\n";

    fuzz_trees_import(PEOPLE, sizeof PEOPLE - 1, data, size);
    return 0;
}
