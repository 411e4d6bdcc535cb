/*
 * fuzz_described.c -- any bytes as a description of a classifier; see fuzz_trees.h.
 */
#include "fuzz_trees.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char PEOPLE[] = "age,income,gain,rooms,housing,outcome\n"
                                 "20,1000.5,0,1,own,0\n"
                                 "61,2500,-2,2,rent,1\n"
                                 "45,,1,3,,1\n"
                                 "18,800,2,4,family,0\n";

    fuzz_trees_import(PEOPLE, sizeof PEOPLE - 1, data, size);
    return 0;
}
