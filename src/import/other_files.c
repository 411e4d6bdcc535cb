/*
 * other_files.c -- telling the formats that are not read, by their first bytes.
 *
 * Pickles and their like run code when they are opened and depend on the versions of libraries; old binary formats do
 * not say what they hold.  Whoever has one of these has the library that wrote it, which can write another.
 */
#include "other_files.h"

#include <string.h>

#define ANEW "load the model and write it anew with "
#define DUMP                                                                                                           \
    "a dump of trees, which lacks intercept, objective and classes: write the model with XGBoost's "                   \
    "save_model(\"model.json\")"

/* A name with its length before it, as XGBoost's old format has them; its end, or 0. */
static size_t skip_name(const unsigned char *bytes, size_t size, size_t at, const char *const *names, size_t n)
{
    uint64_t length = 0;

    if (at + 8 > size)
        return 0;
    for (size_t i = 0; i < 8; i++)
        length |= (uint64_t)bytes[at + i] << 8 * i;
    at += 8;
    if (length == 0 || length > 64 || length > size - at)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (bytes[at + i] < '!' || bytes[at + i] > '~')
            return 0;
    if (n == 0)
        return at + length;
    for (size_t k = 0; k < n; k++)
        if (strlen(names[k]) == length && memcmp(bytes + at, names[k], length) == 0)
            return at + length;
    return 0;
}

/* XGBoost's old format: 136 bytes of numbers, the objective, the booster. */
static bool is_old_xgboost(const char *bytes, size_t size)
{
    static const char *const boosters[] = {"gbtree", "gblinear", "dart"};
    const unsigned char *b = (const unsigned char *)bytes;
    size_t after = skip_name(b, size, 136, NULL, 0);

    if (size >= 4 && (memcmp(bytes, "binf", 4) == 0 || memcmp(bytes, "bs64", 4) == 0))
        return true;
    return after > 0 && skip_name(b, size, after, boosters, 3) > 0;
}

/* A pickle begins with its protocol, and a frame or the first of what it holds. */
static bool is_pickle(const char *bytes, size_t size)
{
    return size >= 3 && (unsigned char)bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5 && bytes[2] != '\0' &&
           strchr("\x95}](cX\x8c\x63", bytes[2]);
}

const char *tct_other_file(const char *bytes, size_t size)
{
    static const struct {
        const char *begin;
        size_t size;
        const char *what;
    } known[] = {
        {"CBM1", 4, "CatBoost's binary format (cbm): " ANEW "save_model(\"model.json\", format=\"json\")"},
        {"______LightGBM_Binary_File_Token______", 38,
         "a data set of LightGBM, no model: write the model with save_model(\"model.txt\")"},
        {"PK\3\4", 4, "a zip archive, as PyTorch and Keras write their models: export the model as ONNX"},
        {"\x89HDF", 4, "an HDF5 file, as Keras writes its models: export the model as ONNX"},
        {"\x1f\x8b", 2,
         "packed by gzip (joblib and R pack models so): unpack it, and if it is a pickle, write the "
         "model in its library's own text format or as ONNX"},
        {"x\x9c", 2,
         "packed by zlib, as joblib does: write the model in its library's own text format (XGBoost, "
         "LightGBM, CatBoost) or as ONNX"},
        {"<?xml", 5, "an XML file: PMML is not read; export the model as ONNX"},
        {"<PMML", 5, "an XML file: PMML is not read; export the model as ONNX"},
        {"booster[", 8, DUMP},
    };

    if (size == 0)
        return "the file is empty";
    if (is_old_xgboost(bytes, size))
        return "XGBoost's old binary format: " ANEW "save_model(\"model.json\")";
    if (is_pickle(bytes, size))
        return "a pickle (pickle or joblib), which runs code when it is opened: write the model with save_model to "
               "JSON (XGBoost, CatBoost) or text (LightGBM), or export it as ONNX (scikit-learn)";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size >= known[i].size && memcmp(bytes, known[i].begin, known[i].size) == 0)
            return known[i].what;
    return NULL;
}

const char *tct_other_json(const json_t *root)
{
    if (json_is_array(root))
        return DUMP;
    if (json_object_get(root, "tree_info"))
        return "a dump of LightGBM (dump_model), which rounds numbers: write the model with save_model(\"model.txt\")";
    return "JSON, but no model of XGBoost (it has no member 'learner') or CatBoost (no 'oblivious_trees')";
}
