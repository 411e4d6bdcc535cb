/*
 * proof.h -- how a proof about a network is written down: as a tree that divides the domain of what is unknown.
 *
 * An inner node divides one attribute: an interval at a number, a grid at an index, the levels of a category into a set
 * and the rest.  A leaf claims that every point of its part has the label.  The two sides of a node are its part cut in
 * two, so a tree cannot leave anything out; whether its leaves are true is for the checker.
 *
 * The nodes are kept in the order of a walk that takes the left side first (preorder), which is also how they are
 * written: a flat list, for an inner node the attribute's number and where it is divided, for a leaf -1.
 *
 *     [2, 0.5, -1, 4, "0110", -1, -1]      attribute 2 at 0.5; left of it a leaf; right of it attribute 4, levels 1
 *                                          and 2 on the left and the rest on the right, both leaves
 *
 * Trees of more than TCT_PROOF_LISTED nodes are written as text instead (proof_packed.c).  Either is read at any size.
 */
#ifndef TCT_PROOF_H
#define TCT_PROOF_H

#include "json.h"
#include "region.h"

enum {
    TCT_PROOF_LEAVES = 200000, /* more are neither made nor read */
    TCT_PROOF_DEPTH = 500,     /* nodes from the root down to a leaf */
    TCT_PROOF_LISTED = 255
};

typedef struct tct_proof_node {
    size_t attribute; /* TACIT_NONE: a leaf */
    double at;        /* TCT_BOX: left is <= at, right is >= at.  TCT_GRID: left are the indices below at */
    size_t levels;    /* TCT_ONEHOT: left are the levels k with proof->levels[levels + k] set */
} tct_proof_node;

/* Zero-initialised is empty. */
typedef struct tct_proof {
    tct_proof_node *nodes;
    size_t n_nodes, room;
    size_t n_leaves;
    unsigned char *levels;
    size_t n_levels, levels_room;
} tct_proof;

/* What a node that is no leaf does. */
static inline tct_cut tct_proof_cut(const tct_proof *proof, const tct_proof_node *node)
{
    return (tct_cut){node->attribute, node->at, proof->levels + node->levels};
}

void tct_proof_clear(tct_proof *proof); /* wipes: where boxes are cut depends on what a person answered */

tacit_status tct_proof_add_leaf(tct_proof *proof, tacit_error *err);
/* levels: `count` bytes for TCT_ONEHOT, else NULL and 0. */
tacit_status tct_proof_add_split(tct_proof *proof, size_t attribute, double at, const unsigned char *levels,
                                 size_t count, tacit_error *err);

/* A list, or a text where the tree is large.  NULL on lack of memory. */
json_t *tct_proof_to_json(const tct_proof *proof, const tct_codec *codec);
/* Only what a list of nodes looks like is checked here; that it is one whole tree is seen by walking it. */
tacit_status tct_proof_from_json(tct_proof *proof, const json_t *json, const tct_codec *codec, tacit_error *err);

/* ---- proof_packed.c ---- */

/* A whole tree as text, NULL on lack of memory.  Freeing should wipe. */
char *tct_proof_pack(const tct_proof *proof, const tct_codec *codec);
/* The other way round; what comes out is one whole tree. */
tacit_status tct_proof_unpack(tct_proof *proof, const char *text, size_t length, const tct_codec *codec,
                              tacit_error *err);

#endif
