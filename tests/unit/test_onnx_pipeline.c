/*
 * test_onnx_pipeline.c -- what stands between a table and a model in an ONNX file: columns by name, encoders, an imputer,
 * picking and joining columns, in front of a linear model, against the formula by hand; and what is refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "make_onnx.h"
#include "onnx_tests.h"

/* The columns of MIXED_TWO. */
static void columns(net *n)
{
    *n = (net){.opset = 13};
    net_input(n, "city", ONNX_STRING, 0, 1);
    net_input(n, "age", ONNX_FLOAT, 0, 1);
    net_input(n, "grade", ONNX_STRING, 0, 1);
}

static tacit_status parse(const net *n, const char *schema, tct_classifier **c, tacit_error *err)
{
    tct_codec *codec = make_codec(schema);
    static pb file;
    tacit_status st;

    file.size = 0;
    net_model(n, &file);
    st = tct_onnx_parse(c, file.bytes, file.size, "net.onnx", codec, NULL, NAN, err);
    free_codec(codec);
    return st;
}

/* The score of everybody: score(age, grade from 0, city from 0). */
static void expect(const net *n, double (*score)(double, int, int))
{
    tct_classifier *c = NULL;
    tacit_error err = {0};

    if (parse(n, MIXED_TWO, &c, &err))
        fail_msg("%s", err.message);
    for (int grade = 0; grade < 3; grade++)
        for (int city = 0; city < 3; city++)
            for (double age = 18; age <= 78; age += 15) {
                double x[5] = {(age - 48) / 30, grade - 1.0, city == 0, city == 1, city == 2}, f = NAN;
                double wanted = score(age, grade, city);

                c->ops->scores(c, x, 1, &f);
                if (!(fabs(f - wanted) < 1e-12 * fmax(1, fabs(wanted))))
                    fail_msg("age %g, grade %d, city %d: score %.17g, expected %.17g", age, grade, city, f, wanted);
            }
    c->ops->free(c);
}

static void refuse(const net *n, const char *schema, const char *expected)
{
    tct_classifier *c = NULL;
    tacit_error err = {0};

    assert_int_equal(parse(n, schema, &c, &err), TACIT_E_INPUT);
    if (!strstr(err.message, expected))
        fail_msg("'%s', expected '%s'", err.message, expected);
}

/* Categories in an order of their own, one of them unknown to the schema and one to the encoder. */
static double by_name_score(double age, int grade, int city)
{
    static const double of_city[] = {0, 5, 7}, of_grade[] = {1, 0.5, 0};

    return of_city[city] + 2 * ((age - 40) * 0.5) + 4 * of_grade[grade];
}

static void onnx_pipeline__columns_by_name(void **state)
{
    const float w[] = {7, 5, 11, 2, 4}, offset = 40, half = 0.5f;
    const float grades[] = {0.5f, 1};
    static net n;
    pb a = {.size = 0};

    (void)state;
    columns(&n);
    net_floats(&n, "w", 5, 1, w);
    attr_texts(&a, "cats_strings", "rome,paris,lima");
    attr_int(&a, "zeros", 1);
    net_node(&n, "ml:OneHotEncoder", "city", "c3", &a);
    net_node(&n, "Flatten", "c3", "c", NULL);
    a.size = 0;
    attr_floats(&a, "offset", &offset, 1);
    attr_floats(&a, "scale", &half, 1);
    net_node(&n, "ml:Scaler", "age", "s", &a);
    a.size = 0;
    attr_texts(&a, "keys_strings", "middle,low");
    attr_floats(&a, "values_floats", grades, 2);
    attr_float(&a, "default_float", 0);
    net_node(&n, "ml:LabelEncoder", "grade", "g", &a);
    a.size = 0;
    attr_int(&a, "axis", 1);
    net_node(&n, "Concat", "c,s,g", "all", &a);
    net_node(&n, "MatMul", "all,w", "y", NULL);
    net_output(&n, "y");
    expect(&n, by_name_score);
}

/* A matrix of codes: an attribute a column, in the order of the schema. */
static double matrix_score(double age, int grade, int city)
{
    static const double of_city[] = {-1, 0, 3};

    return age - 10 * grade + of_city[city];
}

static void onnx_pipeline__matrix_of_attributes(void **state)
{
    const float w[] = {1, -10, -1, 3};
    const int64_t numbers[] = {0, 1}, city[] = {2}, rows[] = {-1, 2}, cats[] = {0, 2};
    static net n;
    pb a = {.size = 0};

    (void)state;
    n = (net){.opset = 13};
    net_input(&n, "x", ONNX_FLOAT, 0, 3);
    net_floats(&n, "w", 4, 1, w);
    net_raw(&n, "numbers", ONNX_INT64, 2, 0, numbers, sizeof numbers);
    net_raw(&n, "which", ONNX_INT64, 1, 0, city, sizeof city);
    net_raw(&n, "rows", ONNX_INT64, 2, 0, rows, sizeof rows);
    attr_int(&a, "axis", 1);
    net_node(&n, "Gather", "x,numbers", "n", &a);
    net_node(&n, "ml:ArrayFeatureExtractor", "x,which", "c", NULL);
    a.size = 0;
    attr_int(&a, "to", ONNX_INT64);
    net_node(&n, "Cast", "c", "ci", &a);
    a.size = 0;
    attr_ints(&a, "cats_int64s", cats, 2);
    net_node(&n, "ml:OneHotEncoder", "ci", "c3", &a);
    net_node(&n, "Reshape", "c3,rows", "c2", NULL);
    net_node(&n, "ml:FeatureVectorizer", "n,c2", "all", NULL);
    net_node(&n, "MatMul", "all,w", "y", NULL);
    net_output(&n, "y");
    expect(&n, matrix_score);
}

/* Three dimensions joined along the last and squeezed; but 0, 0, 1 is no line. */
static void onnx_pipeline__an_ordinal_category_that_bends(void **state)
{
    const float w[] = {2, 3, 1}, by = 48; /* the middle of the domain is what stands for a missing age */
    const int64_t axes = 1;
    static net n;
    pb a = {.size = 0};

    (void)state;
    columns(&n);
    net_floats(&n, "w", 3, 1, w);
    net_raw(&n, "axes", ONNX_INT64, 1, 0, &axes, sizeof axes);
    attr_texts(&a, "cats_strings", "paris");
    net_node(&n, "ml:OneHotEncoder", "city", "c", &a);
    a.size = 0;
    attr_texts(&a, "cats_strings", "high");
    net_node(&n, "ml:OneHotEncoder", "grade", "g", &a);
    a.size = 0;
    attr_int(&a, "axis", 2);
    net_node(&n, "Concat", "c,g", "cg", &a);
    net_node(&n, "Squeeze", "cg,axes", "flat", NULL);
    a.size = 0;
    attr_floats(&a, "imputed_value_floats", &by, 1);
    attr_float(&a, "replaced_value_float", NAN);
    net_node(&n, "ml:Imputer", "age", "i", &a);
    a.size = 0;
    attr_int(&a, "axis", 1);
    net_node(&n, "Concat", "flat,i", "all", &a);
    net_node(&n, "MatMul", "all,w", "y", NULL);
    net_output(&n, "y");
    refuse(
        &n, MIXED_TWO,
        "attribute 'grade' is ordinal in the schema, but the pipeline makes numbers of its levels that are not equally "
        "far apart: let its encoding be onehot");
}

/* A category that is one-hot in the schema, and an imputer that agrees with it. */
static double squeezed_score(double age, int grade, int city)
{
    (void)grade;
    return age + (city == 1 ? 2 : city == 2 ? 3 : 0);
}

static void onnx_pipeline__squeezed(void **state)
{
    const float w[] = {2, 3, 1}, by = 48;
    const int64_t axes = 1;
    static net n;
    pb a = {.size = 0};

    (void)state;
    columns(&n);
    net_floats(&n, "w", 3, 1, w);
    net_raw(&n, "axes", ONNX_INT64, 1, 0, &axes, sizeof axes);
    attr_texts(&a, "cats_strings", "paris,rome");
    net_node(&n, "ml:OneHotEncoder", "city", "c", &a);
    net_node(&n, "Squeeze", "c,axes", "flat", NULL);
    a.size = 0;
    attr_floats(&a, "imputed_value_floats", &by, 1);
    attr_float(&a, "replaced_value_float", NAN);
    net_node(&n, "ml:Imputer", "age", "i", &a);
    a.size = 0;
    attr_int(&a, "axis", 1);
    net_node(&n, "Concat", "flat,i", "all", &a);
    net_node(&n, "MatMul", "all,w", "y", NULL);
    net_output(&n, "y");
    expect(&n, squeezed_score);
}

/* ---- refusals ---- */

/* One node on the columns, then a sum of what comes out. */
static void refuse_node(const char *op, const char *inputs, const pb *attributes, const char *expected)
{
    const float one = 1;
    static net n;

    columns(&n);
    net_floats(&n, "w", 1, 1, &one);
    net_node(&n, op, inputs, "z", attributes);
    net_node(&n, "MatMul", "z,w", "y", NULL);
    net_output(&n, "y");
    refuse(&n, MIXED_TWO, expected);
}

static void onnx_pipeline__refusals(void **state)
{
    const float by[] = {40};
    const int64_t ints[] = {1, 2}, far = 4;
    pb a = {.size = 0};
    static net n;

    (void)state;
    refuse_node("Identity", "city", NULL,
                "attribute 'city' is still a text: a OneHotEncoder or LabelEncoder must come");
    attr_texts(&a, "cats_strings", "rome");
    refuse_node("ml:OneHotEncoder", "age", &a, "attribute 'age' is a number in the schema; let it be a category");
    refuse_node("ml:OneHotEncoder", "city", &a, "has three dimensions, as a OneHotEncoder makes them");
    attr_int(&a, "zeros", 0);
    refuse_node("ml:OneHotEncoder", "city", &a, "does not know the level 'oslo' of 'city', and stops where zeros is 0");
    a.size = 0;
    refuse_node("ml:OneHotEncoder", "city", &a, "expected either cats_strings or cats_int64s");
    attr_ints(&a, "cats_int64s", ints, 2);
    refuse_node("ml:OneHotEncoder", "city", &a, "knows categories that are numbers, but reads texts");
    a.size = 0;
    attr_floats(&a, "imputed_value_floats", by, 1);
    refuse_node("ml:Imputer", "age", &a, "does not say which value it replaces");
    attr_float(&a, "replaced_value_float", NAN);
    refuse_node(
        "ml:Imputer", "age", &a,
        "the Imputer makes another number of a missing 'age' than the schema, which says what stands for it: let "
        "its fill be 40");
    refuse_node("ml:Imputer", "city", &a, "of texts is not defined; expected float or int64");
    a.size = 0;
    attr_floats(&a, "imputed_value_floats", by, 1);
    attr_float(&a, "replaced_value_float", -1);
    refuse_node("ml:Imputer", "age", &a, "replaces one number of 'age' by another");
    a.size = 0;
    attr_texts(&a, "keys_strings", "rome");
    refuse_node("ml:LabelEncoder", "city", &a, "expected as many keys as values");
    attr_ints(&a, "values_int64s", ints, 1);
    refuse_node("ml:LabelEncoder", "city", &a, "is of an integer type; a Cast to float must come first");
    a.size = 0;
    attr_int(&a, "to", ONNX_FLOAT);
    refuse_node("Cast", "city", &a, "of texts to numbers; a OneHotEncoder or LabelEncoder says what they count as");
    refuse_node("ml:Normalizer", "age", NULL, "of the network's inputs is not linear");
    refuse_node("ml:FeatureVectorizer", "age,city", NULL, "input 2 is not of the type of the first");
    columns(&n);
    net_raw(&n, "far", ONNX_INT64, 1, 0, &far, sizeof far);
    net_node(&n, "ml:ArrayFeatureExtractor", "age,far", "y", NULL);
    net_output(&n, "y");
    refuse(&n, MIXED_TWO, "picks column 4 of 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(onnx_pipeline__columns_by_name),
        cmocka_unit_test(onnx_pipeline__matrix_of_attributes),
        cmocka_unit_test(onnx_pipeline__an_ordinal_category_that_bends),
        cmocka_unit_test(onnx_pipeline__squeezed),
        cmocka_unit_test(onnx_pipeline__refusals),
    };

    return cmocka_run_group_tests_name("onnx_pipeline", tests, NULL, NULL);
}
