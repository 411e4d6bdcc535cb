/*
 * verifier_inside.h -- what verifier.c, netattack.c and netsearch.c share: one question being decided.
 */
#ifndef TCT_VERIFIER_INSIDE_H
#define TCT_VERIFIER_INSIDE_H

#include "netbounds.h"
#include "verifier.h"

enum {
    TCT_BATCH = 64,       /* completions evaluated at a time */
    TCT_SEEN = 16,        /* completions kept from one question to the next */
    TCT_DEEPEST = 3,      /* halvings of a box before its parts are bounded anew, at most */
    TCT_ENUMERATE = 20000 /* up to so many completions may be evaluated one by one */
};

/* A box that is not proven yet, for one margin.  Its numbers follow it in memory: the box, the
 * side of it that is in doubt, the phases. */
typedef struct tct_net_node {
    struct tct_net_node *child, *sibling; /* of the heap it is in */
    double lower;
} tct_net_node;

/* A box being halved: what is left of it, a half, the side in doubt, and what is known of neurons there. */
typedef struct tct_net_level {
    double *box, *half, *side;
    unsigned char *phases;
} tct_net_level;

/* The boxes to be looked at for one margin: the most doubtful first, or the newest when memory is short. */
typedef struct tct_net_queue {
    tct_net_node *heap, *stack;
} tct_net_queue;

struct tct_verifier {
    const tct_classifier *classifier;
    const tct_codec *codec;
    tct_netbounds *nb;
    size_t d; /* inputs */

    /* the question */
    double *base;         /* d: what is known, elsewhere whatever */
    double *witness[2];   /* d each: a completion with `label`; one with another */
    size_t label;         /* TACIT_NONE until a completion was evaluated */
    bool told;            /* of a region since the last tct_verifier_forget */
    bool refuted;         /* both witnesses stand */
    bool given_up;        /* a box could not be settled: margin within rounding of 0, or no room left */
    uint64_t nodes;       /* boxes bounded */
    uint64_t max_nodes;   /* the budget for that, ... */
    uint64_t max_work;    /* ... and for the products that the engine forms (nb->work) */
    size_t n_completions; /* at most TCT_ENUMERATE + 1 */
    size_t open_rows[TCT_MAX_CLASSES], n_open; /* margins not proven at once, the most doubtful first */

    /* completions seen, the last TCT_SEEN */
    double *seen;
    size_t n_seen, next_seen;

    /* scratch */
    double *batch, *scores; /* TCT_BATCH completions and what they score */
    double *box;
    tct_net_level levels[TCT_DEEPEST];
    double *point, *gradient, *start;
    double *trials;           /* TCT_POINTS points */
    double *best, best_value; /* free inputs where an open margin was seen to be least, that margin, ... */
    size_t best_row;          /* ... and which one */
    unsigned char *phases;
    size_t *digits;

    /* memory of the search: blocks of doubling size, pieces handed out and taken back */
    char *blocks[32];
    size_t n_blocks, block, used; /* blocks there are; where we are */
    size_t node_size;
    size_t live_bytes; /* of nodes in queues */
    tct_net_node *spare;
    tct_net_queue queues[TCT_MAX_CLASSES];
    size_t turn;

    char *block_of_arena, *arena; /* as allocated, as used */
    size_t arena_size;
};

/* Evaluate the first n completions in batch: the first one ever gives the label, one with another label refutes. */
void tct_verifier_look(tct_verifier *v, size_t n);
/* The completion with these free inputs into row r of batch. */
void tct_verifier_complete(tct_verifier *v, const double *point, size_t r);
/* The two in one. */
bool tct_verifier_try(tct_verifier *v, const double *point);

/* Is there budget left? */
bool tct_verifier_may_go_on(const tct_verifier *v);

/* ---- netattack.c ---- */

/* The middle of the region: n_free values. */
void tct_attack_centre(tct_verifier *v, double *point);
/* Set attributes of a completion whose value is not one of their domain to some value that is. */
void tct_attack_project(const tct_verifier *v, double *x);
/* Look for a completion that loses an open margin, following gradients from several points; other points for each
 * round. */
void tct_attack(tct_verifier *v, uint64_t round);

/* ---- netsearch.c ---- */

/* Begin with the whole region: finds the open margins and queues it for each. */
tacit_status tct_search_start(tct_verifier *v, tacit_error *err);
/* Go on until everything is proven, a completion refutes, or `nodes` boxes have been bounded in all, or max_nodes. */
tacit_status tct_search_run(tct_verifier *v, uint64_t nodes, tacit_error *err);
/* Is any box left? */
bool tct_search_done(const tct_verifier *v);
/* Boxes of a margin that wait, the most doubtful first (k = 0), then others that are: the completion (n_free values) where
 * what is known of box k puts the margin lowest.  False when there is none. */
bool tct_search_corner(tct_verifier *v, size_t row, size_t k, double *point);
void tct_search_free(tct_verifier *v); /* the blocks; wipes */

#endif
