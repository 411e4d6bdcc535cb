/*
 * Packed matrices of model files: every finite number comes back, and what nobody would have written is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "model_parts.h"

enum { D = 7 };

static const tct_json_at AT = {"m.tacit", NULL, NULL, 0};

static json_t *make_packed(double *matrix)
{
    static const double odd[] = {0.0, -0.0, 1.0, DBL_MIN / 4, DBL_MAX, -DBL_MAX, 0.1, 1.0 / 3};
    json_t *object = json_object();

    for (size_t i = 0; i < D; i++)
        for (size_t j = 0; j <= i; j++)
            matrix[i * D + j] = matrix[j * D + i] = odd[(3 * i + j) % 8];
    assert_int_equal(json_object_set_new(object, "m", tct_packed_to_json(matrix, D)), 0);
    return object;
}

static void packed__comes_back_to_the_bit(void **state)
{
    double matrix[D * D], back[D * D];
    json_t *object = make_packed(matrix);

    (void)state;
    assert_int_equal(tct_packed_from_json(back, D, object, "m", &AT, NULL), TACIT_OK);
    assert_memory_equal(matrix, back, sizeof matrix);
    json_decref(object);
}

static void refuse(size_t row, const char *text, const char *message)
{
    double matrix[D * D];
    json_t *object = make_packed(matrix), *rows = json_object_get(object, "m");
    tacit_error err = {0};

    assert_int_equal(json_array_set_new(rows, row, text ? json_string(text) : json_integer(3)), 0);
    assert_int_equal(tct_packed_from_json(matrix, D, object, "m", &AT, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, message));
    json_decref(object);
}

static void packed__refuses_what_nobody_wrote(void **state)
{
    double matrix[D * D];
    json_t *object = make_packed(matrix);
    tacit_error err = {0};

    (void)state;
    refuse(0, "AAAAAAAA8D8", "m[0]: expected 1 numbers of eight bytes in base64");
    refuse(0, "AAAAAAAA8D8==", "m[0]: expected");
    refuse(0, "AAAAAAAA8D9=", "m[0]: expected"); /* bits left over */
    refuse(0, "AAAAAAAA8D-=", "m[0]: expected");
    refuse(0, "AAAAAAAA8D8A", "m[0]: expected");
    refuse(0, "AAAAAAAA8H8=", "m[0]: expected"); /* infinite */
    refuse(0, "AAAAAAAA+H8=", "m[0]: expected"); /* no number */
    refuse(3, "AAAAAAAA8D8=", "m[3]: expected 4 numbers");
    refuse(2, NULL, "m[2]: expected 3 numbers");
    assert_int_equal(tct_packed_from_json(matrix, D + 1, object, "m", &AT, &err), TACIT_E_INPUT);
    assert_non_null(strstr(err.message, "expected 8 rows, not 7"));
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed__comes_back_to_the_bit),
        cmocka_unit_test(packed__refuses_what_nobody_wrote),
    };

    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
