/*
 * proof_packed.c -- the tree of a long proof as text: six bits a character instead of numbers in words.
 *
 * First one bit per attribute: is it divided anywhere?  Then node by node in the order of the list (proof.h), most
 * significant bits first:
 *
 *     a leaf                  0
 *     an inner node           1, then the attribute's place among those divided, in as many bits as their number takes
 *       an interval           then 0: in the middle of what is left of it; or 1 and the 64 bits of the number
 *       a grid                then 0: in the middle of the indices left; or 1 and the index, in as many bits as its count takes
 *       a category            then one bit per level
 *
 * What is left of an attribute follows from the cuts above, beginning with its whole domain.  Most cuts are in the middle,
 * so a leaf and a cut take little more than a character together.  The text ends with the tree; bits that are over are 0.
 * What the cuts are worth is for the checker: nothing is taken on trust here but the shape.
 */
#include <math.h>
#include <string.h>

#include "proof.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
enum { BITS = 6, NUMBER_BITS = 64 };

/* What is left of every attribute where the walk is, and how it came there. */
typedef struct frame {
    size_t attribute;
    double low, high, at; /* before the cut; and where it was */
    bool right;
} frame;

typedef struct walk {
    const tct_codec *codec;
    double *low, *high; /* per attribute that is an interval or a grid: ends or indices */
    frame *path;
    size_t depth;
    bool over;
    size_t *divided, *places; /* the attributes that are; where each is among them */
    size_t n_divided;
} walk;

/* Bits on their way into a text, or out of one. */
typedef struct bits {
    char *text;          /* written */
    const char *from;    /* or read */
    size_t length, room; /* in characters; reading: room is where the text ends */
    unsigned left;       /* bits of the last character that are free, or not read yet */
    unsigned digit;
    bool failed;
} bits;

static unsigned bits_for(size_t count)
{
    unsigned n = 0;

    while (n < NUMBER_BITS - 1 && (UINT64_C(1) << n) < count)
        n++;
    return n;
}

/* ---- the walk ---- */

static void walk_clear(walk *w)
{
    size_t n = w->codec->schema->n_attributes;

    tct_free_wiped(w->low, n * sizeof(double));
    tct_free_wiped(w->high, n * sizeof(double));
    tct_free_wiped(w->path, TCT_PROOF_DEPTH * sizeof(frame));
    tct_free(w->divided);
    tct_free(w->places);
}

static bool walk_start(walk *w, const tct_codec *codec)
{
    size_t n = codec->schema->n_attributes;

    *w = (walk){.codec = codec,
                .low = tct_calloc(n, sizeof(double)),
                .high = tct_calloc(n, sizeof(double)),
                .path = tct_calloc(TCT_PROOF_DEPTH, sizeof(frame)),
                .divided = tct_calloc(n, sizeof(size_t)),
                .places = tct_calloc(n, sizeof(size_t))};
    if (!w->low || !w->high || !w->path || !w->divided || !w->places) {
        walk_clear(w);
        return false;
    }
    for (size_t a = 0; a < n; a++) {
        if (codec->domains[a].kind == TCT_BOX)
            tct_codec_range(codec, a, &w->low[a], &w->high[a]);
        else
            w->high[a] = (double)codec->domains[a].count - 1;
    }
    return true;
}

/* Attribute a is divided; in the order of the schema. */
static void walk_divides(walk *w, size_t a)
{
    w->places[a] = w->n_divided;
    w->divided[w->n_divided++] = a;
}

/* The middle of what is left of an interval or a grid. */
static double middle(const walk *w, size_t a)
{
    double extent = w->high[a] - w->low[a];

    return w->low[a] + (w->codec->domains[a].kind == TCT_BOX ? extent / 2 : floor((extent + 1) / 2));
}

/* To the left side of a cut; false where that is too deep. */
static bool walk_cut(walk *w, size_t a, double at)
{
    if (w->depth == TCT_PROOF_DEPTH)
        return false;
    w->path[w->depth++] = (frame){a, w->low[a], w->high[a], at, false};
    w->high[a] = w->codec->domains[a].kind == TCT_BOX ? at : at - 1;
    return true;
}

/* From a leaf to the part that comes next, if any. */
static void walk_leaf(walk *w)
{
    for (; w->depth > 0; w->depth--) {
        frame *f = &w->path[w->depth - 1];

        w->low[f->attribute] = f->low;
        w->high[f->attribute] = f->high;
        if (!f->right) {
            f->right = true;
            w->low[f->attribute] = f->at;
            return;
        }
    }
    w->over = true;
}

/* ---- writing ---- */

static void put_bits(bits *b, uint64_t value, unsigned count)
{
    while (count-- > 0 && !b->failed) {
        if (b->left == 0) {
            char *text = tct_grow(b->text, &b->room, b->length + 2, 1);

            b->failed = !text;
            if (b->failed)
                return;
            b->text = text;
            b->text[b->length++] = DIGITS[0];
            b->left = BITS;
            b->digit = 0;
        }
        b->digit |= (unsigned)(value >> count & 1) << --b->left;
        b->text[b->length - 1] = DIGITS[b->digit];
    }
}

static void put_cut(bits *b, const walk *w, const tct_proof *proof, const tct_proof_node *node)
{
    const tct_domain *domain = &w->codec->domains[node->attribute];
    uint64_t number = 0;

    put_bits(b, 1, 1);
    put_bits(b, w->places[node->attribute], bits_for(w->n_divided));
    if (domain->kind == TCT_ONEHOT) {
        for (size_t k = 0; k < domain->count; k++)
            put_bits(b, proof->levels[node->levels + k] != 0, 1);
        return;
    }
    put_bits(b, node->at != middle(w, node->attribute), 1);
    if (node->at == middle(w, node->attribute))
        return;
    if (domain->kind == TCT_BOX)
        memcpy(&number, &node->at, sizeof(number));
    else
        number = (uint64_t)node->at;
    put_bits(b, number, domain->kind == TCT_BOX ? NUMBER_BITS : bits_for(domain->count));
}

/* Which attributes are divided. */
static void put_divided(bits *b, walk *w, const tct_proof *proof)
{
    for (size_t a = 0; a < w->codec->schema->n_attributes; a++) {
        size_t n = 0;

        while (n < proof->n_nodes && proof->nodes[n].attribute != a)
            n++;
        put_bits(b, n < proof->n_nodes, 1);
        if (n < proof->n_nodes)
            walk_divides(w, a);
    }
}

char *tct_proof_pack(const tct_proof *proof, const tct_codec *codec)
{
    bits b = {0};
    walk w;

    if (!walk_start(&w, codec))
        return NULL;
    put_divided(&b, &w, proof);
    for (size_t n = 0; n < proof->n_nodes && !b.failed; n++) {
        const tct_proof_node *node = &proof->nodes[n];

        if (node->attribute == TACIT_NONE) {
            put_bits(&b, 0, 1);
            walk_leaf(&w);
        } else {
            put_cut(&b, &w, proof, node);
            b.failed = b.failed || !walk_cut(&w, node->attribute, node->at);
        }
    }
    walk_clear(&w);
    if (b.failed || !b.text) {
        tct_free_wiped(b.text, b.length);
        return NULL;
    }
    b.text[b.length] = '\0';
    return b.text;
}

/* ---- reading ---- */

static uint64_t take_bits(bits *b, unsigned count)
{
    uint64_t value = 0;

    while (count-- > 0 && !b->failed) {
        if (b->left == 0) {
            const char *digit = b->length < b->room ? strchr(DIGITS, b->from[b->length]) : NULL;

            b->failed = !digit || *digit == '\0';
            if (b->failed)
                return 0;
            b->digit = (unsigned)(digit - DIGITS);
            b->length++;
            b->left = BITS;
        }
        value = value << 1 | (b->digit >> --b->left & 1);
    }
    return value;
}

static tacit_status take_cut(bits *b, walk *w, tct_proof *proof, tacit_error *err)
{
    size_t place = (size_t)take_bits(b, bits_for(w->n_divided)), a, count = 0;
    unsigned char levels[TCT_MAX_LEVELS];
    const tct_domain *domain;
    uint64_t number;
    double at = 0;

    if (b->failed || place >= w->n_divided)
        return tct_fail(err, TACIT_E_INPUT, "node %zu of the proof is neither a leaf nor an attribute",
                        proof->n_nodes + 1);
    a = w->divided[place];
    domain = &w->codec->domains[a];
    if (domain->kind == TCT_ONEHOT) {
        for (; count < domain->count; count++)
            levels[count] = (unsigned char)take_bits(b, 1);
    } else if (take_bits(b, 1) == 0) {
        at = middle(w, a);
    } else {
        number = take_bits(b, domain->kind == TCT_BOX ? NUMBER_BITS : bits_for(domain->count));
        if (domain->kind == TCT_BOX)
            memcpy(&at, &number, sizeof(at));
        else
            at = (double)number;
    }
    if (b->failed)
        return tct_fail(err, TACIT_E_INPUT, "the proof ends too early");
    if (!walk_cut(w, a, at))
        return tct_fail(err, TACIT_E_INPUT, "the proof is more than %d levels deep", TCT_PROOF_DEPTH);
    return tct_proof_add_split(proof, a, at, count ? levels : NULL, count, err);
}

tacit_status tct_proof_unpack(tct_proof *proof, const char *text, size_t length, const tct_codec *codec,
                              tacit_error *err)
{
    bits b = {.from = text, .room = length};
    tacit_status st = TACIT_OK;
    walk w;

    if (!walk_start(&w, codec))
        return tct_fail_memory(err);
    for (size_t a = 0; a < codec->schema->n_attributes; a++)
        if (take_bits(&b, 1))
            walk_divides(&w, a);
    while (!st && !w.over) {
        bool cut = take_bits(&b, 1) != 0;

        if (b.failed)
            st = tct_fail(err, TACIT_E_INPUT, "the proof ends too early");
        else if (cut)
            st = take_cut(&b, &w, proof, err);
        else if (proof->n_leaves == TCT_PROOF_LEAVES)
            st = tct_fail(err, TACIT_E_INPUT, "the proof has more than %d leaves", TCT_PROOF_LEAVES);
        else if (!(st = tct_proof_add_leaf(proof, err)))
            walk_leaf(&w);
    }
    if (!st && (b.length < length || take_bits(&b, b.left) != 0))
        st = tct_fail(err, TACIT_E_INPUT, "the proof goes on behind its end");
    walk_clear(&w);
    return st;
}
