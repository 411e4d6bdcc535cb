/*
 * onnx_memory.h -- reading an ONNX file while memory runs out.  Include after <cmocka.h>.
 */
#ifndef TEST_ONNX_MEMORY_H
#define TEST_ONNX_MEMORY_H

#include "onnx_tests.h"

/* Every allocation of reading it fails once; there must be more than `least`. */
static inline void onnx_fail_once(const char *schema, const void *bytes, size_t size, uint64_t least)
{
    tct_codec *codec = make_codec(schema);
    tacit_status st = TACIT_E_MEMORY;
    uint64_t nth = 0;

    while (st) {
        tct_classifier *c = NULL;

        tct_memory_fail_at(++nth, false);
        st = tct_onnx_parse(&c, bytes, size, "net.onnx", codec, NULL, NAN, NULL);
        tct_memory_fail_at(0, false);
        assert_true(st == TACIT_OK || st == TACIT_E_MEMORY);
        assert_int_equal(c == NULL, st != TACIT_OK);
        if (c)
            c->ops->free(c);
    }
    print_message("%u allocations, each failed once\n", (unsigned)nth - 1);
    assert_true(nth > least);
    free_codec(codec);
}

#endif
