/*
 * odds.h -- which of up to four normal scores is the largest: quick probabilities, for many mean scores at a time.
 *
 * For rules, which only order questions: each probability is within 1e-6 of the exact one of law.h.  What follows from
 * the covariance is prepared once; then mean scores come in blocks of TCT_ODDS_LANES, score after score: score s of
 * lane j is means[s * TCT_ODDS_LANES + j].  The same bits on every processor.
 */
#ifndef TCT_ODDS_H
#define TCT_ODDS_H

#include <stdbool.h>
#include <stddef.h>

enum { TCT_ODDS_LANES = 8, TCT_ODDS_SCORES = 4, TCT_ODDS_MARGINS = 3 };
/* Doubles a prepared class may keep in the caller's buffer. */
enum { TCT_ODDS_NODE = 12, TCT_ODDS_BUFFER = 32 * TCT_ODDS_NODE };

/* Two margins: an integral over the correlation, from none or from +-1. */
typedef struct tct_odds_pair {
    double r;
    bool steep;
    double spread;       /* sqrt(1 - r^2), steep only */
    double nodes[6 * 3]; /* see odds_lanes.c */
} tct_odds_pair;

typedef enum tct_odds_method {
    TCT_ODDS_PATH,    /* an integral over correlations */
    TCT_ODDS_LINE,    /* all margins are one variable, up to sign */
    TCT_ODDS_ADAPTIVE /* the same, too steep for few nodes: as many as it takes */
} tct_odds_method;

/* One class against up to three others. */
typedef struct tct_odds_class {
    size_t own, n;
    size_t other[TCT_ODDS_MARGINS];
    double inverse[TCT_ODDS_MARGINS];      /* of the margin's standard deviation */
    bool same[TCT_ODDS_MARGINS];           /* no variance to speak of: a tie goes to the lower index */
    tct_odds_pair pairs[TCT_ODDS_MARGINS]; /* pairs[i]: the margins other than i; with two margins, pairs[0] */
    tct_odds_method method;
    size_t first;     /* three margins: the one whose correlations grow along the path */
    size_t n_nodes;   /* of the path */
    double *nodes;    /* n_nodes x TCT_ODDS_NODE */
    double angles[3]; /* adaptive: see tct_tvn_angles */
} tct_odds_class;

typedef struct tct_odds {
    size_t k;
    tct_odds_class classes[TCT_ODDS_SCORES];
} tct_odds;

/* Class `own` against others[n], n <= 3, none of them decided at the means to come, when scores have covariance cov
 * (k x k).  buffer: TCT_ODDS_BUFFER doubles, used as long as `c` is. */
void tct_odds_class_prepare(tct_odds_class *c, const double *cov, size_t k, size_t own, const size_t *others, size_t n,
                            double *buffer);
/* All classes, 2 <= k <= 4.  buffer: k * TCT_ODDS_BUFFER doubles; returns how many from its front are in use. */
size_t tct_odds_prepare(tct_odds *odds, const double *cov, size_t k, double *buffer);

enum { TCT_ODDS_POINTS = 64 };
/* Class probabilities at up to TCT_ODDS_POINTS points, 2 <= k <= 4: means n x k, covs n x k x k, p n x k.  What a point
 * gets does not depend on the others; where covariances are the same bits it is quicker. */
void tct_class_odds_each(const double *means, const double *covs, size_t n, size_t k, double *p);

/* The inner loops, for the processor at hand or for any; for tests. */
typedef struct tct_odds_loops {
    /* Probability of one class, at the first n: p[TCT_ODDS_LANES]. */
    void (*one)(const tct_odds_class *c, const double *means, size_t n, double *p);
    /* Of all classes: p[k x TCT_ODDS_LANES]. */
    void (*all)(const tct_odds *odds, const double *means, double *p);
    /* Sum over the lanes of weight times the entropy of the label. */
    double (*entropy)(const tct_odds *odds, const double *means, const double *weights);
} tct_odds_loops;
const tct_odds_loops *tct_odds_best(void);

#endif
