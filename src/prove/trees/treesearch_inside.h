/*
 * treesearch_inside.h -- what treesearch.c and treekept.c share.
 */
#ifndef TCT_TREESEARCH_INSIDE_H
#define TCT_TREESEARCH_INSIDE_H

#include "treesearch.h"

enum {
    TCT_ROOT_SWEEPS = 3,
    TCT_SEARCH_LEAVES = 30000, /* with more, rules do without searches */
    TCT_KEPT_CLASSES = 4       /* with more, too many margins would have to be kept */
};

/* One margin over the region that is kept, as the first sweeps left it. */
typedef struct tct_tree_kept {
    tct_treegrid *grid; /* NULL until it is needed */
    bool ready;         /* it is about the region that is kept */
    bool proven;        /* everywhere there */
    tct_tree_list state;
} tct_tree_kept;

/* People who refute answers (treescreen.c), about the region that is kept. */
typedef struct tct_tree_screen {
    size_t label;          /* all of whose margins are kept; TACIT_NONE: nothing is screened */
    size_t most, n_people; /* people with what is known put in */
    size_t n_tried;        /* people that they were taken from */
    uint32_t *people;      /* cells */
    int64_t *totals;       /* per person and class: the margin over it, in its grid's units */
    size_t *done;          /* per attribute: people whose answers were looked at */
    unsigned char *marks;  /* per cell of all attributes: somebody has the label, somebody has not */
    uint32_t *nearest;     /* per cell, twice: the person with the least and the largest margin there */
    int64_t *ends;         /* that margin */
    bool made;             /* the two people for this region */
    tct_tree_list reach, sums, way;
} tct_tree_screen;

struct tct_treesearch {
    const tacit_model *model;
    const tct_trees *trees;
    tct_treetable *table;
    tct_treegrid *grid; /* the region of the question */
    tct_treegrid *at;   /* the grid that is searched: that one, or one that is kept */
    size_t n;           /* attributes */
    uint32_t *pool, *seen, *start, *point, *witness[2];
    uint32_t *looked; /* people looked at for the question at hand */
    size_t n_pool, n_seen, next_seen;
    double *profile; /* per cell of the attribute with most */
    size_t n_profile;
    tct_tree_list frames, raised; /* raised: bounds of slices */
    size_t frames_used, depth;    /* bytes, boxes */
    double *leads;                /* per cell of all attributes */
    size_t *first_lead;           /* per attribute */
    size_t n_leads;
    /* the question */
    size_t label;
    bool refuted, given_up;
    uint64_t boxes, budget;
    /* what is kept of a region (treekept.c) */
    tct_treegrid *base; /* that region; its trees are not looked at */
    bool has_base;
    tct_region skipped;  /* the region before, where it was decided without us; codec NULL: it was not */
    tct_tree_kept *kept; /* per margin, n_kept of them */
    size_t n_kept;
    tct_tree_screen screen;
};

/* What the trees add to a person's margin over a class for every cell of an attribute, the rest as it is: into `profile`. */
void tct_treesearch_profile(tct_treesearch *s, const uint32_t *cells, size_t attribute, size_t label, size_t against);
/* Look at a completion: another label refutes. */
bool tct_treesearch_look(tct_treesearch *s, const uint32_t *cells);
/* The completion, within the question's region, at the cells that the last sweep of a grid found worst, or at the first
 * living ones. */
void tct_treesearch_point(tct_treesearch *s, const tct_treegrid *g, bool first);

/* The k-th of the people seen to be extreme, moved into the region of a grid; false: there are no more. */
bool tct_treesearch_extreme(const tct_treesearch *s, size_t k, const tct_treegrid *region, uint32_t *cells);

/* most: people who are ever looked at. */
tacit_status tct_treescreen_init(tct_treesearch *s, size_t most, tacit_error *err);
void tct_treescreen_clear(tct_treesearch *s);
void tct_treescreen_forget(tct_treesearch *s);
/* The margins of a label are ready for the region that is kept. */
void tct_treescreen_begin(tct_treesearch *s, size_t label);
/* Somebody within the region that is kept. */
tacit_status tct_treescreen_add(tct_treesearch *s, const uint32_t *cells, tacit_error *err);
/* Make the margin of a grid small for somebody within its box, one axis after the other, until none has a better living cell. */
tacit_status tct_treescreen_descend(tct_treesearch *s, const tct_treegrid *g, uint32_t *cells, tacit_error *err);
/* Is the question, which is what is kept with one answer put in, refuted by people who were looked at?  *looked: some were for
 * this attribute. */
bool tct_treescreen_refutes(const tct_treesearch *s, bool *looked);

/* Room for what is kept; nothing is. */
tacit_status tct_treekept_init(tct_treesearch *s, tacit_error *err);
void tct_treekept_clear(tct_treesearch *s);
void tct_treekept_forget(tct_treesearch *s);
/* Before a question that may be followed by others about less: keep its region, unless it is, but for one attribute, the one that
 * is kept. */
void tct_treekept_begin(tct_treesearch *s);
/* A question was decided anew, with what was kept of `skipped` not there, or by what is kept of the region before: make
 * ready to decide it the other way.  False: there is none. */
bool tct_treekept_other_way(tct_treesearch *s, const tct_region *region, tct_region skipped);
/* Does what is kept say whether the label beats another class all over the question's region?  *done: it does, proven or
 * refuted.  *here: it may, if it is searched: `at` is the grid, as the first sweeps left it. */
tacit_status tct_treekept_try(tct_treesearch *s, size_t against, bool *done, bool *here, tacit_error *err);

#endif
