/*
 * fuzz_lightgbm.c -- any bytes as a text model of LightGBM; see fuzz_trees.h.
 */
#include "fuzz_trees.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char PEOPLE[] = "income,age,debt,years,ratio,job,outcome\n"
                                 "1000.5,30,-5e3,3,0.0002,clerk,0\n"
                                 "2500,61,0,39,0,smith,1\n"
                                 ",45,1e-36,20,,nurse,1\n"
                                 "800,18,20000,0,1e-9,,0\n";

    fuzz_trees_import(PEOPLE, sizeof PEOPLE - 1, data, size);
    return 0;
}
