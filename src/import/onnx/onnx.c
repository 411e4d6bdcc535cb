/*
 * onnx.c -- a classifier from an ONNX file: decode the bytes, walk the graph once, keep the scores at its end.
 *
 * The nodes of a graph come in an order in which each reads only what was made before, so one pass suffices, and a
 * cycle shows as a name that is not there yet.  The walk starts with the network's inputs as affine functions of the
 * encoded ones (onnx_inside.h), so what comes out at the end needs no further translation.  Scores are worked out in
 * double precision from the file's numbers; a runtime that calculates in single precision may give another label to
 * people whose scores are closer than its rounding.
 */
#include "onnx.h"

#include <math.h>

#include "mlp.h"
#include "onnx_inside.h"

/* ---- decoding ---- */

/* How much the decoder may still take, and how it ended. */
typedef struct budget {
    size_t left;
    bool no_memory, too_large;
} budget;

static void *decoder_alloc(void *data, size_t size)
{
    budget *b = data;
    void *block = NULL;

    if (size > b->left) {
        b->too_large = true;
        return NULL;
    }
    b->left -= size;
    block = tct_malloc(size, 1);
    b->no_memory = b->no_memory || !block;
    return block;
}

static void decoder_free(void *data, void *block)
{
    (void)data;
    tct_free(block);
}

static tacit_status decode(TctOnnx__ModelProto **out, ProtobufCAllocator *allocator, const void *bytes, size_t size,
                           const char *file, tacit_error *err)
{
    const budget *b = allocator->allocator_data;

    *out = tct_onnx__model_proto__unpack(allocator, size, bytes);
    if (*out && (*out)->graph)
        return TACIT_OK;
    if (b->no_memory)
        return tct_fail_memory(err);
    if (b->too_large)
        return tct_fail(err, TACIT_E_INPUT, "%.200s: takes more than the %d MiB of memory allowed", file,
                        TCT_ONNX_BYTES >> 20);
    return tct_fail(err, TACIT_E_INPUT,
                    "%.200s: not an ONNX file, or a damaged one, nor a model file of XGBoost, LightGBM or CatBoost",
                    file);
}

/* ---- the operators there are ---- */

typedef struct operator_row {
    const char *name;
    bool ml; /* of domain ai.onnx.ml */
    size_t min_inputs, max_inputs;
    const char *attributes; /* that are understood, a blank around each */
    tct_onnx_operator *run;
} operator_row;

static const operator_row OPERATORS[] = {
    {"Add", false, 2, 2, "", tct_onnx_arithmetic},
    {"ArgMax", false, 1, 1, " axis keepdims select_last_index ", tct_onnx_argmax},
    {"ArrayFeatureExtractor", true, 2, 2, "", tct_onnx_feature_extractor},
    {"BatchNormalization", false, 5, 5, " epsilon momentum spatial training_mode ", tct_onnx_batch_normalization},
    {"Cast", false, 1, 1, " to saturate ", tct_onnx_cast},
    {"Clip", false, 1, 3, " min max ", tct_onnx_clip},
    {"Concat", false, 1, SIZE_MAX, " axis ", tct_onnx_concat},
    {"Constant", false, 0, 0, " value ", tct_onnx_constant},
    {"Div", false, 2, 2, "", tct_onnx_arithmetic},
    {"FeatureVectorizer", true, 1, SIZE_MAX, " inputdimensions ", tct_onnx_vectorizer},
    {"Flatten", false, 1, 1, " axis ", tct_onnx_flatten},
    {"Gather", false, 2, 2, " axis ", tct_onnx_pick},
    {"Gemm", false, 2, 3, " alpha beta transA transB ", tct_onnx_gemm},
    {"Identity", false, 1, 1, "", tct_onnx_identity},
    {"Imputer", true, 1, 1, " imputed_value_floats imputed_value_int64s replaced_value_float replaced_value_int64 ",
     tct_onnx_imputer},
    {"LabelEncoder", true, 1, 1,
     " classes_strings default_float default_int64 default_string keys_floats keys_int64s keys_strings values_floats "
     "values_int64s values_strings ",
     tct_onnx_label_encoder},
    {"LeakyRelu", false, 1, 1, " alpha ", tct_onnx_leaky_relu},
    {"LinearClassifier", true, 1, 1,
     " classlabels_ints classlabels_strings coefficients intercepts multi_class post_transform ",
     tct_onnx_linear_classifier},
    {"LogSoftmax", false, 1, 1, " axis ", tct_onnx_softmax},
    {"MatMul", false, 2, 2, "", tct_onnx_matmul},
    {"Mul", false, 2, 2, "", tct_onnx_arithmetic},
    {"Normalizer", true, 1, 1, " norm ", tct_onnx_normalizer},
    {"OneHotEncoder", true, 1, 1, " cats_int64s cats_strings zeros ", tct_onnx_one_hot},
    {"Relu", false, 1, 1, "", tct_onnx_relu},
    {"Reshape", false, 2, 2, " allowzero ", tct_onnx_reshape},
    {"Scaler", true, 1, 1, " offset scale ", tct_onnx_scaler},
    {"Sigmoid", false, 1, 1, "", tct_onnx_sigmoid},
    {"Softmax", false, 1, 1, " axis ", tct_onnx_softmax},
    {"Squeeze", false, 1, 2, " axes ", tct_onnx_squeeze},
    {"Sub", false, 2, 2, "", tct_onnx_arithmetic},
    {"TreeEnsembleClassifier", true, 1, 1,
     " base_values base_values_as_tensor class_ids class_nodeids class_treeids class_weights class_weights_as_tensor "
     "classlabels_int64s classlabels_strings nodes_falsenodeids nodes_featureids nodes_hitrates "
     "nodes_hitrates_as_tensor nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_treeids "
     "nodes_truenodeids nodes_values nodes_values_as_tensor post_transform ",
     tct_onnx_tree_ensemble},
    {"Unsqueeze", false, 1, 2, " axes ", tct_onnx_unsqueeze},
    {"ZipMap", true, 1, 1, " classlabels_int64s classlabels_strings ", tct_onnx_zipmap},
};
enum { N_OPERATORS = sizeof(OPERATORS) / sizeof(OPERATORS[0]) };

static tacit_status find_operator(tct_onnx *o, const operator_row **out, const TctOnnx__NodeProto *node)
{
    const char *domain = node->domain ? node->domain : "";
    bool ml = strcmp(domain, "ai.onnx.ml") == 0, standard = !*domain || strcmp(domain, "ai.onnx") == 0;
    char list[800];
    size_t used = 0;

    for (size_t k = 0; k < N_OPERATORS; k++) {
        *out = &OPERATORS[k];
        if ((*out)->ml == ml && (ml || standard) && strcmp((*out)->name, o->op) == 0)
            return TACIT_OK;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", k ? ", " : "", (*out)->name);
    }
    *out = NULL;
    if (ml || standard)
        return tct_onnx_fail(o, "this operator is not supported; supported are %s", list);
    return tct_onnx_fail(o, "operators of domain '%.60s' are not supported; supported are %s", domain, list);
}

/* ---- the walk ---- */

static tacit_status define_initializers(tct_onnx *o)
{
    for (size_t i = 0; i < o->graph->n_initializer; i++) {
        const TctOnnx__TensorProto *proto = o->graph->initializer[i];
        const char *name = proto->name ? proto->name : "";
        tct_value value = {.kind = TCT_TENSOR};
        tacit_status st = tct_onnx_tensor(o, &value.tensor, proto, "initializer", name);

        if (!st)
            st = tct_onnx_define(o, name, &value);
        if (st)
            return st;
    }
    return TACIT_OK;
}

/* Does the node look like its operator, and is everything it reads there? */
static tacit_status check_node(tct_onnx *o, const TctOnnx__NodeProto *node, const operator_row *row)
{
    if (node->n_input < row->min_inputs || node->n_input > row->max_inputs)
        return tct_onnx_fail(o, "has %zu inputs", node->n_input);
    for (size_t i = 0; i < node->n_input; i++) {
        if (!*node->input[i] && i < row->min_inputs)
            return tct_onnx_fail(o, "input %zu is missing", i + 1);
        if (*node->input[i] && !tct_onnx_input(o, node, i))
            return tct_onnx_fail(o, "reads '%.60s', which nothing before it makes", node->input[i]);
    }
    for (size_t i = 0; i < node->n_attribute; i++) {
        const char *name = node->attribute[i]->name ? node->attribute[i]->name : "";
        char wanted[66];
        snprintf(wanted, sizeof(wanted), " %.63s ", name);
        if (!strstr(row->attributes, wanted))
            return tct_onnx_fail(o, "attribute '%.60s' is not supported", name);
    }
    return TACIT_OK;
}

static tacit_status run_nodes(tct_onnx *o)
{
    if (o->graph->n_node > TCT_ONNX_NODES)
        return tct_onnx_fail(o, "%zu nodes; at most %d are read", o->graph->n_node, TCT_ONNX_NODES);
    for (size_t i = 0; i < o->graph->n_node; i++) {
        const TctOnnx__NodeProto *node = o->graph->node[i];
        const operator_row *row = NULL;
        tacit_status st;

        o->node = i + 1;
        o->op = node->op_type ? node->op_type : "";
        if ((st = find_operator(o, &row, node)) || (st = check_node(o, node, row)) || (st = row->run(o, node)))
            return st;
    }
    o->node = 0;
    return TACIT_OK;
}

/* ---- the end of the walk ---- */

static bool same_names(const tct_value *a, const tct_value *b)
{
    for (size_t c = 0; c < a->columns; c++) {
        if (strcmp(a->names[c], b->names[c]) != 0)
            return false;
    }
    return true;
}

/* All outputs of a classifier tell of the same scores: label, probabilities, a map of them. */
static tacit_status find_answer(tct_onnx *o, tct_value *answer)
{
    const char *first = NULL;

    for (size_t i = 0; i < o->graph->n_output; i++) {
        const char *name = o->graph->output[i]->name ? o->graph->output[i]->name : "";
        uint32_t index = tct_lookup_find(&o->names, name, strlen(name));
        const tct_value *value = index == TCT_LOOKUP_NONE ? NULL : o->values[index];
        if (!value)
            return tct_onnx_fail(o, "output '%.60s' is made by no node", name);
        if (value->kind == TCT_TENSOR || value->whole || value->rest || (!value->scores && !value->trees))
            return tct_onnx_fail(o, "output '%.60s' is neither scores nor probabilities nor a label", name);
        if (!first) {
            *answer = *value;
            first = name;
            continue;
        }
        if (value->scores != answer->scores || value->trees != answer->trees || value->columns != answer->columns)
            return tct_onnx_fail(o, "outputs '%.60s' and '%.60s' come from different scores: which one decides?", first,
                                 name);
        if (answer->names && value->names && !same_names(answer, value))
            return tct_onnx_fail(o, "outputs '%.60s' and '%.60s' name the classes differently", first, name);
        if (!answer->names)
            answer->names = value->names;
    }
    return first ? TACIT_OK : tct_onnx_fail(o, "the graph has no output");
}

/* The class of the schema with this name, also by value ("1" is "1.0"); TACIT_NONE when there is none. */
static size_t find_class(const tacit_schema *schema, const char *name)
{
    double number, other;
    bool numeric = tct_parse_number(name, strlen(name), &number);

    for (size_t c = 0; c < schema->n_classes; c++) {
        if (strcmp(schema->classes[c], name) == 0)
            return c;
    }
    for (size_t c = 0; c < schema->n_classes && numeric; c++) {
        if (tct_parse_number(schema->classes[c], strlen(schema->classes[c]), &other) && number == other)
            return c;
    }
    return TACIT_NONE;
}

/* Are the names 0, 1, 2, ..., and none of them a class of the schema?  Then they are only indices. */
static bool are_indices(const tacit_schema *schema, const tct_value *answer)
{
    for (size_t k = 0; k < answer->columns; k++) {
        double number;
        if (!tct_parse_number(answer->names[k], strlen(answer->names[k]), &number) || number != (double)k ||
            find_class(schema, answer->names[k]) != TACIT_NONE)
            return false;
    }
    return true;
}

tacit_status tct_onnx_match_classes(tct_onnx *o, const tct_value *answer, size_t column[TCT_MAX_CLASSES])
{
    const tacit_schema *schema = o->codec->schema;
    size_t n = schema->n_classes, columns = answer->scores && answer->scores->width == 1 ? 2 : answer->columns;
    bool named = answer->names && !are_indices(schema, answer);

    if (columns != n || (answer->names && answer->columns != n))
        return tct_onnx_fail(o, "the model tells %zu classes apart, but column %s of the schema has %zu", columns,
                             schema->label, n);
    for (size_t c = 0; c < n; c++)
        column[c] = named ? TACIT_NONE : c;
    for (size_t k = 0; k < n && named; k++) {
        size_t c = find_class(schema, answer->names[k]);
        if (c == TACIT_NONE)
            return tct_onnx_fail(o, "the network knows a class '%.60s', which is not a class of %s in the schema",
                                 answer->names[k], schema->label);
        if (column[c] != TACIT_NONE)
            return tct_onnx_fail(o, "the network names class '%.60s' twice", answer->names[k]);
        column[c] = k;
    }
    return TACIT_OK;
}

/* The scores as the classifier wants them: one for two classes, else one per class in the order of the schema. */
static const tct_affine *arrange(tct_onnx *o, const tct_affine *scores, size_t n_classes, const size_t *column)
{
    size_t width = scores->width, n_scores = n_classes == 2 ? 1 : n_classes;
    double *matrix = tct_onnx_alloc(o, n_scores * width, sizeof(double));

    if (!matrix)
        return NULL;
    if (width == 1) {
        matrix[0] = column[1] == 1 ? 1 : -1;
    } else if (n_scores == 1) {
        matrix[column[1]] = 1;
        matrix[column[0]] = -1;
    } else {
        for (size_t c = 0; c < n_classes; c++)
            matrix[c * width + column[c]] = 1;
    }
    return tct_affine_product(o, scores, matrix, 1, width, n_scores, NULL);
}

/* The chain of layers that ends in these scores. */
tacit_status tct_onnx_build(tct_onnx *o, tct_classifier **out, const tct_affine *scores, const size_t *column)
{
    size_t n_classes = o->codec->schema->n_classes, n_layers, sizes[TCT_MAX_LAYERS + 1];
    const double *weights[TCT_MAX_LAYERS], *bias[TCT_MAX_LAYERS];
    const tct_affine *layer = arrange(o, scores, n_classes, column);
    tacit_error error;
    tacit_status st;

    if (!layer)
        return o->error.status;
    n_layers = layer->base->depth + 1;
    for (size_t l = n_layers; l-- > 0; layer = layer->base->of) {
        weights[l] = tct_affine_weights(o, layer);
        if (!weights[l])
            return o->error.status;
        bias[l] = layer->bias;
        sizes[l + 1] = layer->width;
        sizes[l] = layer->base->width;
    }
    st = n_layers == 1 ? tct_linear_new(out, sizes[0], n_classes, weights[0], bias[0], &error)
                       : tct_mlp_new(out, n_classes, n_layers, sizes, weights, bias, &error);
    if (st == TACIT_E_MEMORY)
        return tct_fail_memory(&o->error);
    return st ? tct_onnx_fail(o, "%s", error.message) : TACIT_OK;
}

static tacit_status walk(tct_onnx *o, tct_classifier **out, const tacit_table *table)
{
    size_t n_classes = o->codec->schema->n_classes, column[TCT_MAX_CLASSES];
    tct_value answer = {0};
    tacit_status st;

    if (o->opset != 0 && o->opset < 7)
        return tct_onnx_fail(o, "operator set %lld; 7 and later are read", (long long)o->opset);
    if ((st = define_initializers(o)) || (st = tct_onnx_inputs(o)) || (st = run_nodes(o)) ||
        (st = find_answer(o, &answer)) || (st = tct_onnx_match_classes(o, &answer, column)))
        return st;
    if (answer.trees) {
        if (!isnan(o->threshold) && n_classes == 2 && column[1] != 1)
            return tct_onnx_fail(o, "a threshold is about the second class: put the classes into the ensemble's order");
        st = isnan(o->threshold) ? TACIT_OK : tct_onnx_trees_threshold(o);
        if (!st)
            st = tct_onnx_trees_arrange(o, column);
        return st ? st : tct_raw_fit(out, &o->trees, o->codec->schema, table, &o->error);
    }
    return tct_onnx_build(o, out, answer.scores, column);
}

static void read_opset(tct_onnx *o, const TctOnnx__ModelProto *model)
{
    for (size_t i = 0; i < model->n_opset_import; i++) {
        const TctOnnx__OperatorSetIdProto *set = model->opset_import[i];
        if (!set->domain || !*set->domain || strcmp(set->domain, "ai.onnx") == 0)
            o->opset = set->has_version ? set->version : 0;
    }
}

tacit_status tct_onnx_parse(tct_classifier **out, const void *bytes, size_t size, const char *file,
                            const tct_codec *codec, const tacit_table *table, double threshold, tacit_error *err)
{
    budget left = {.left = TCT_ONNX_BYTES};
    ProtobufCAllocator allocator = {decoder_alloc, decoder_free, &left};
    tct_onnx o = {.file = file, .codec = codec, .threshold = threshold};
    TctOnnx__ModelProto *model = NULL;
    tacit_status st;

    *out = NULL;
    st = decode(&model, &allocator, bytes, size, file, err);
    if (st)
        goto done;
    o.graph = model->graph;
    read_opset(&o, model);
    st = walk(&o, out, table);
    if (st && err)
        *err = o.error;
done:
    tct_raw_clear(&o.trees);
    tct_onnx_release(&o);
    tct_lookup_clear(&o.names);
    tct_free(o.values);
    if (model)
        tct_onnx__model_proto__free_unpacked(model, &allocator);
    return st;
}

/* One column, as far as the file says. */
static bool is_column(const TctOnnx__ValueInfoProto *input)
{
    const TctOnnx__TensorShapeProto *shape =
        input->type && input->type->tensor_type ? input->type->tensor_type->shape : NULL;

    return input->name && *input->name && shape && shape->n_dim == 2 && shape->dim[1]->has_dim_value &&
           shape->dim[1]->dim_value == 1;
}

static bool takes_texts(const TctOnnx__ValueInfoProto *input)
{
    const TctOnnx__TensorTypeProto *tensor = input->type ? input->type->tensor_type : NULL;

    return tensor && tensor->has_elem_type && tensor->elem_type == TCT_ONNX_STRING;
}

static bool has_trees(const TctOnnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++)
        if (graph->node[i]->op_type && strcmp(graph->node[i]->op_type, "TreeEnsembleClassifier") == 0)
            return true;
    return false;
}

/* Names of the inputs, where each is a column, and which of them take texts. */
static tacit_status copy_names(tct_raw_trees *out, const TctOnnx__GraphProto *graph, tacit_error *err)
{
    size_t n = graph->n_input;
    bool any = false;

    out->worded = tct_calloc(n + 1, sizeof *out->worded);
    if (!out->worded)
        return tct_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        any = (out->worded[i] = takes_texts(graph->input[i])) || any;
    if (!any) {
        tct_free(out->worded);
        out->worded = NULL;
    }
    for (size_t i = 0; i < n; i++)
        if (!is_column(graph->input[i]))
            return TACIT_OK;
    out->names = tct_calloc(n + 1, sizeof *out->names);
    if (!out->names)
        return tct_fail_memory(err);
    out->n_features = n;
    for (size_t i = 0; i < n; i++) {
        out->names[i] = tct_strdup(graph->input[i]->name);
        if (!out->names[i])
            return tct_fail_memory(err);
    }
    return TACIT_OK;
}

tacit_status tct_onnx_columns(tct_raw_trees *out, bool *trees, const void *bytes, size_t size, const char *file,
                              tacit_error *err)
{
    budget left = {.left = TCT_ONNX_BYTES};
    ProtobufCAllocator allocator = {decoder_alloc, decoder_free, &left};
    TctOnnx__ModelProto *model = NULL;
    tacit_status st = decode(&model, &allocator, bytes, size, file, err);

    *trees = false;
    out->file = file;
    if (!st) {
        *trees = has_trees(model->graph);
        st = copy_names(out, model->graph, err);
    }
    if (model)
        tct_onnx__model_proto__free_unpacked(model, &allocator);
    return st;
}
