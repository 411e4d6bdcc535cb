/*
 * proof.c -- the tree of a proof as a growing list, and its way into a file and back.
 */
#include "proof.h"

#include <string.h>

static tacit_status add_node(tct_proof *proof, tct_proof_node node, tacit_error *err)
{
    tct_proof_node *nodes = tct_grow(proof->nodes, &proof->room, proof->n_nodes + 1, sizeof(*nodes));

    if (!nodes)
        return tct_fail_memory(err);
    proof->nodes = nodes;
    proof->nodes[proof->n_nodes++] = node;
    return TACIT_OK;
}

void tct_proof_clear(tct_proof *proof)
{
    tct_free_wiped(proof->nodes, proof->n_nodes * sizeof(*proof->nodes));
    tct_free_wiped(proof->levels, proof->n_levels);
    *proof = (tct_proof){0};
}

tacit_status tct_proof_add_leaf(tct_proof *proof, tacit_error *err)
{
    tacit_status st = add_node(proof, (tct_proof_node){.attribute = TACIT_NONE}, err);

    proof->n_leaves += !st;
    return st;
}

tacit_status tct_proof_add_split(tct_proof *proof, size_t attribute, double at, const unsigned char *levels,
                                 size_t count, tacit_error *err)
{
    unsigned char *room = tct_grow(proof->levels, &proof->levels_room, proof->n_levels + count, 1);
    tacit_status st;

    if (!room)
        return tct_fail_memory(err);
    proof->levels = room;
    st = add_node(proof, (tct_proof_node){attribute, at, proof->n_levels}, err);
    if (st)
        return st;
    if (count)
        memcpy(proof->levels + proof->n_levels, levels, count);
    proof->n_levels += count;
    return TACIT_OK;
}

/* Where a node divides its attribute, as JSON. */
static json_t *cut_to_json(const tct_proof *proof, const tct_proof_node *node, const tct_domain *domain)
{
    char text[TCT_MAX_LEVELS + 1];

    if (domain->kind == TCT_BOX)
        return json_real(node->at);
    if (domain->kind == TCT_GRID)
        return json_integer((json_int_t)node->at);
    for (size_t k = 0; k < domain->count; k++)
        text[k] = proof->levels[node->levels + k] ? '1' : '0';
    return json_stringn(text, domain->count);
}

/* As text. */
static json_t *packed_to_json(const tct_proof *proof, const tct_codec *codec)
{
    char *text = tct_proof_pack(proof, codec);
    json_t *json = text ? json_string(text) : NULL;

    tct_free_wiped(text, text ? strlen(text) : 0);
    return json;
}

static json_t *list_to_json(const tct_proof *proof, const tct_codec *codec)
{
    json_t *list = json_array();
    bool failed = !list;

    for (size_t n = 0; n < proof->n_nodes && !failed; n++) {
        const tct_proof_node *node = &proof->nodes[n];

        if (node->attribute == TACIT_NONE)
            failed = json_array_append_new(list, json_integer(-1)) != 0;
        else
            failed = json_array_append_new(list, json_integer((json_int_t)node->attribute)) ||
                     json_array_append_new(list, cut_to_json(proof, node, &codec->domains[node->attribute]));
    }
    if (failed) {
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *tct_proof_to_json(const tct_proof *proof, const tct_codec *codec)
{
    return proof->n_nodes > TCT_PROOF_LISTED ? packed_to_json(proof, codec) : list_to_json(proof, codec);
}

/* An inner node: the cut of `attribute` as read. */
static tacit_status read_cut(tct_proof *proof, size_t attribute, const json_t *cut, const tct_domain *domain,
                             tacit_error *err)
{
    unsigned char levels[TCT_MAX_LEVELS];
    const char *text = json_string_value(cut);

    if (domain->kind != TCT_ONEHOT) {
        if (domain->kind == TCT_BOX ? !json_is_number(cut) : !json_is_integer(cut))
            return tct_fail(err, TACIT_E_INPUT, "the proof divides an attribute at something that is no number");
        return tct_proof_add_split(proof, attribute, json_number_value(cut), NULL, 0, err);
    }
    if (!text || json_string_length(cut) != domain->count || strspn(text, "01") != domain->count)
        return tct_fail(err, TACIT_E_INPUT, "the proof divides a category by something that is no set of its levels");
    for (size_t k = 0; k < domain->count; k++)
        levels[k] = text[k] == '1';
    return tct_proof_add_split(proof, attribute, 0, levels, domain->count, err);
}

static tacit_status list_from_json(tct_proof *proof, const json_t *list, const tct_codec *codec, tacit_error *err)
{
    size_t count = json_array_size(list);
    tacit_status st = TACIT_OK;

    for (size_t i = 0; i < count && !st; i++) {
        const json_t *head = json_array_get(list, i);
        json_int_t number = json_integer_value(head);

        if (!json_is_integer(head) || number < -1 || number >= (json_int_t)codec->schema->n_attributes)
            st = tct_fail(err, TACIT_E_INPUT, "node %zu of the proof is neither a leaf nor an attribute",
                          proof->n_nodes + 1);
        else if (number == -1 && proof->n_leaves == TCT_PROOF_LEAVES)
            st = tct_fail(err, TACIT_E_INPUT, "the proof has more than %d leaves", TCT_PROOF_LEAVES);
        else if (number == -1)
            st = tct_proof_add_leaf(proof, err);
        else if (i + 1 == count)
            st = tct_fail(err, TACIT_E_INPUT, "the proof ends too early");
        else
            st = read_cut(proof, (size_t)number, json_array_get(list, ++i), &codec->domains[number], err);
    }
    return st;
}

tacit_status tct_proof_from_json(tct_proof *proof, const json_t *json, const tct_codec *codec, tacit_error *err)
{
    if (json_is_string(json))
        return tct_proof_unpack(proof, json_string_value(json), json_string_length(json), codec, err);
    return list_from_json(proof, json, codec, err);
}
