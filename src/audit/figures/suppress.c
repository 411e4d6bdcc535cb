/*
 * suppress.c -- hiding rows until no small set of people follows from those that are left.
 *
 * Atoms that belong to the same rows cannot be told apart by anything published: they are put together into classes,
 * and every set in the span of the rows is a union of classes.  A set of fewer than `least` people consists of small
 * classes, of fewer than `least` people each.  So
 *
 *   1. the matrix of rows and classes, 0 and 1, large classes first, is brought into echelon form.  What is left below
 *      the large classes spans W, everything in the span that speaks of small classes only.  W = 0: nothing follows;
 *   2. otherwise, with W in reduced form, a set in W is a sum of basis rows: those in whose pivots it is 1.  Sums of
 *      rows whose pivots have fewer than `least` people are tried, guided by the entries that are neither 0 nor 1.
 *
 * If a set is found, one of the rows that it takes is hidden, the smallest of the table at hand, and all is done again.
 * Tables before it are safe without it, so it always has one.  In the end rows are shown again that follow anyway from
 * what is shown and have people enough: hiding them protects nobody.
 *
 * Numbers are counted modulo the prime 2^61 - 1.  What follows in fractions follows there too unless the prime divides
 * a denominator, a determinant of zeros and ones; what follows only there hides a row for nothing.
 *
 * Work is counted.  A table for which it does not suffice is withheld.
 */
#include "suppress.h"

#include <string.h>

#include "ordinals.h"

__extension__ typedef unsigned __int128 wide;

static const uint64_t PRIME = ((uint64_t)1 << 61) - 1;
static const uint64_t USUAL_WORK = 500000000;
static const size_t MOST_ENTRIES = (size_t)1 << 23; /* of the matrix */
static const uint64_t MOST_SUMS = 20000;            /* tried for one basis */

/* ---------------------------------------------------------------- counting modulo a prime */

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;

    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t subtract(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;

    return add((uint64_t)(product & PRIME), (uint64_t)(product >> 61));
}

static uint64_t invert(uint64_t a)
{
    uint64_t result = 1;

    for (uint64_t e = PRIME - 2; e > 0; e >>= 1) { /* a^(p - 2) */
        if (e & 1)
            result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

/* ---------------------------------------------------------------- rows and classes */

typedef struct row {
    size_t table, group; /* table TACIT_NONE: the total */
    uint64_t people;
} row;

/* What is published of the tables up to the one at hand, as a matrix. */
typedef struct state {
    const tct_tables *t;
    bool *const *shown;
    size_t table;     /* at hand */
    uint64_t **sizes; /* [table][group]: people */
    uint64_t work;    /* left */
    row *rows;
    size_t n_rows;
    uint32_t **row_of;  /* [table][group]: the number of its row, where it is shown */
    uint32_t *class_of; /* per atom: column of the matrix */
    uint64_t *people;   /* per class */
    size_t n_classes, n_large;
    uint64_t *matrix; /* n_rows x width: classes, then what each row is made of */
    size_t width;
    size_t *pivots;        /* columns, of rows 0 ... rank - 1 */
    size_t rank, W_begins; /* rows of W: W_begins ... rank - 1 */
    size_t *filled;        /* scratch: columns where a row is not 0 */
} state;

static void clear_matrix(state *s)
{
    tct_free(s->rows);
    tct_free(s->class_of);
    tct_free(s->people);
    tct_free(s->matrix);
    tct_free(s->pivots);
    tct_free(s->filled);
    s->rows = NULL;
    s->class_of = NULL;
    s->people = NULL;
    s->matrix = NULL;
    s->pivots = s->filled = NULL;
}

static bool spend(state *s, uint64_t work)
{
    s->work -= work < s->work ? work : s->work;
    return s->work > 0;
}

static tacit_status list_rows(state *s, tacit_error *err)
{
    size_t most = 1;

    for (size_t t = 0; t <= s->table; t++)
        most += s->t->n_groups[t];
    s->rows = tct_malloc(most, sizeof *s->rows);
    if (!s->rows)
        return tct_fail_memory(err);
    s->rows[0] = (row){.table = TACIT_NONE};
    s->n_rows = 1;
    for (size_t t = 0; t <= s->table; t++)
        for (size_t g = 0; g < s->t->n_groups[t]; g++)
            if (s->shown[t][g]) {
                s->row_of[t][g] = (uint32_t)s->n_rows;
                s->rows[s->n_rows++] = (row){t, g, s->sizes[t][g]};
            }
    return TACIT_OK;
}

/* Atoms that are in the same rows get the same number; large classes first. */
static tacit_status find_classes(state *s, tacit_error *err)
{
    tct_ordinals classes = {0};
    uint32_t *key = tct_malloc(s->table + 1, sizeof *key), *column = NULL;
    uint64_t *people = NULL;
    tacit_status st = TACIT_OK;

    s->class_of = tct_malloc(s->t->n_atoms + 1, sizeof *s->class_of);
    if (!key || !s->class_of)
        st = tct_fail_memory(err);
    for (size_t a = 0; a < s->t->n_atoms && !st; a++) {
        size_t number = 0;

        for (size_t t = 0; t <= s->table; t++)
            key[t] = s->shown[t][s->t->group_of[t][a]] ? s->t->group_of[t][a] : UINT32_MAX;
        st = tct_ordinals_add(&classes, key, (s->table + 1) * sizeof *key, &number, err);
        s->class_of[a] = (uint32_t)number;
    }
    s->n_classes = classes.n;
    tct_ordinals_clear(&classes);
    if (!st) {
        people = tct_calloc(s->n_classes + 1, sizeof *people);
        column = tct_calloc(s->n_classes + 1, sizeof *column);
        s->people = tct_calloc(s->n_classes + 1, sizeof *s->people);
        if (!people || !column || !s->people)
            st = tct_fail_memory(err);
    }
    for (size_t a = 0; a < s->t->n_atoms && !st; a++)
        people[s->class_of[a]] += s->t->people[a];
    s->n_large = 0;
    for (size_t c = 0; c < s->n_classes && !st; c++)
        if (people[c] >= s->t->least)
            column[c] = (uint32_t)s->n_large++;
    for (size_t c = 0, at = s->n_large; c < s->n_classes && !st; c++) {
        if (people[c] < s->t->least)
            column[c] = (uint32_t)at++;
        s->people[column[c]] = people[c];
    }
    for (size_t a = 0; a < s->t->n_atoms && !st; a++)
        s->class_of[a] = column[s->class_of[a]];
    tct_free(key);
    tct_free(column);
    tct_free(people);
    return st;
}

/* *exhausted: too large to be worked on. */
static tacit_status make_matrix(state *s, bool *exhausted, tacit_error *err)
{
    tacit_status st;

    clear_matrix(s);
    st = list_rows(s, err);
    if (!st)
        st = find_classes(s, err);
    if (st)
        return st;
    s->width = s->n_classes + s->n_rows;
    *exhausted = s->n_rows == 0 || s->width > MOST_ENTRIES / s->n_rows || !spend(s, s->t->n_atoms * (s->table + 2));
    if (*exhausted)
        return TACIT_OK;
    s->matrix = tct_calloc(s->n_rows * s->width, sizeof *s->matrix);
    s->pivots = tct_malloc(s->n_rows, sizeof *s->pivots);
    s->filled = tct_malloc(s->width, sizeof *s->filled);
    if (!s->matrix || !s->pivots || !s->filled)
        return tct_fail_memory(err);
    for (size_t a = 0; a < s->t->n_atoms; a++) {
        s->matrix[s->class_of[a]] = 1;
        for (size_t t = 0; t <= s->table; t++) {
            uint32_t group = s->t->group_of[t][a];

            if (s->shown[t][group])
                s->matrix[s->row_of[t][group] * s->width + s->class_of[a]] = 1;
        }
    }
    for (size_t i = 0; i < s->n_rows; i++)
        s->matrix[i * s->width + s->n_classes + i] = 1;
    return TACIT_OK;
}

/* ---------------------------------------------------------------- echelon form */

static void swap_rows(state *s, size_t a, size_t b)
{
    uint64_t *x = s->matrix + a * s->width, *y = s->matrix + b * s->width;

    for (size_t i = 0; a != b && i < s->width; i++) {
        uint64_t keep = x[i];

        x[i] = y[i];
        y[i] = keep;
    }
}

/* Take the pivot row, which has a 1 in its column, off rows from ... to - 1. */
static bool take_off(state *s, size_t pivot, size_t column, size_t from, size_t to)
{
    const uint64_t *source = s->matrix + pivot * s->width;
    size_t n = 0;

    for (size_t i = column; i < s->width; i++)
        if (source[i])
            s->filled[n++] = i;
    for (size_t r = from; r < to; r++) {
        uint64_t *target = s->matrix + r * s->width, factor = target[column];

        if (factor == 0 || r == pivot)
            continue;
        for (size_t i = 0; i < n; i++)
            target[s->filled[i]] = subtract(target[s->filled[i]], multiply(factor, source[s->filled[i]]));
        if (!spend(s, n))
            return false;
    }
    return spend(s, s->width - column);
}

/* Large classes: echelon form, what is below has zeros there.  Small ones: reduced among those below.  False: work has
 * run out. */
static bool reduce(state *s)
{
    s->rank = s->W_begins = 0;
    for (size_t column = 0; column < s->n_classes && s->rank < s->n_rows; column++) {
        size_t found = s->rank;
        uint64_t *pivot, factor;

        if (column == s->n_large)
            s->W_begins = s->rank;
        while (found < s->n_rows && s->matrix[found * s->width + column] == 0)
            found++;
        if (found == s->n_rows)
            continue;
        swap_rows(s, s->rank, found);
        pivot = s->matrix + s->rank * s->width;
        factor = invert(pivot[column]);
        for (size_t i = column; i < s->width; i++)
            pivot[i] = multiply(pivot[i], factor);
        s->pivots[s->rank] = column;
        if (!take_off(s, s->rank, column, column < s->n_large ? s->rank + 1 : s->W_begins, s->n_rows))
            return false;
        s->rank++;
    }
    s->W_begins = 0; /* again: rows may have ended before the small classes began */
    while (s->W_begins < s->rank && s->pivots[s->W_begins] < s->n_large)
        s->W_begins++;
    return true;
}

/* ---------------------------------------------------------------- small sets in W */

enum { UNDECIDED, TAKEN, LEFT };

/* A sum of basis rows of W being built. */
typedef struct search {
    state *s;
    size_t n_basis, n_small; /* rows of W, small classes */
    uint64_t *sum;           /* per small class */
    size_t *choices;         /* per basis row */
    uint64_t pivot_people, tries;
    bool exhausted;
} search;

static const uint64_t *basis_row(const search *q, size_t i)
{
    return q->s->matrix + (q->s->W_begins + i) * q->s->width + q->s->n_large;
}

static uint64_t pivot_people(const search *q, size_t i)
{
    return q->s->people[q->s->pivots[q->s->W_begins + i]];
}

static void take(search *q, size_t i, bool back)
{
    const uint64_t *basis = basis_row(q, i);

    for (size_t c = 0; c < q->n_small; c++)
        q->sum[c] = back ? subtract(q->sum[c], basis[c]) : add(q->sum[c], basis[c]);
    q->pivot_people += back ? -pivot_people(q, i) : pivot_people(q, i);
}

/* May taking row i mend the sum?  `column`: an entry that is neither 0 nor 1, or n_small: all are, but there are too
 * many people, and some class must go. */
static bool may_mend(const search *q, size_t i, size_t column)
{
    const uint64_t *basis = basis_row(q, i);

    if (column < q->n_small)
        return basis[column] != 0;
    for (size_t c = 0; c < q->n_small; c++)
        if (q->sum[c] == 1 && basis[c] != 0)
            return true;
    return false;
}

static bool extend(search *q, size_t depth);

/* Each row that may mend the sum, with those before it left out. */
static bool extend_by_one(search *q, size_t column, size_t depth)
{
    size_t first_left = TACIT_NONE;
    bool found = false;

    for (size_t i = 0; i < q->n_basis && !found && !q->exhausted; i++) {
        if (q->choices[i] != UNDECIDED || !may_mend(q, i, column))
            continue;
        if (q->pivot_people + pivot_people(q, i) < q->s->t->least) {
            q->choices[i] = TAKEN;
            take(q, i, false);
            found = extend(q, depth + 1);
            if (!found)
                take(q, i, true);
        }
        if (!found) {
            q->choices[i] = LEFT + depth; /* undone below, by those who left it */
            first_left = first_left == TACIT_NONE ? i : first_left;
        }
    }
    for (size_t i = first_left; !found && i < q->n_basis; i++)
        if (q->choices[i] == LEFT + depth)
            q->choices[i] = UNDECIDED;
    return found;
}

/* Is the sum a small set, or can it become one?  Then it is, afterwards. */
static bool extend(search *q, size_t depth)
{
    uint64_t people = 0;
    size_t odd = q->n_small;

    q->exhausted = q->exhausted || ++q->tries > MOST_SUMS || !spend(q->s, 4 * q->n_small + q->n_basis);
    if (q->exhausted)
        return false;
    for (size_t c = 0; c < q->n_small && odd == q->n_small; c++) {
        odd = q->sum[c] > 1 ? c : odd;
        people += q->sum[c] == 1 ? q->s->people[q->s->n_large + c] : 0;
    }
    if (odd == q->n_small && people < q->s->t->least)
        return true;
    return extend_by_one(q, odd, depth);
}

/* Which rows (used: n_rows) a small set is made of; *found false: there is none.  When that cannot be told, all rows
 * that W is made of. */
static tacit_status find_small(state *s, bool *used, bool *found, tacit_error *err)
{
    search q = {.s = s, .n_basis = s->rank - s->W_begins, .n_small = s->n_classes - s->n_large};

    *found = false;
    if (q.n_basis == 0)
        return TACIT_OK;
    q.sum = tct_calloc(q.n_small + 1, sizeof *q.sum);
    q.choices = tct_calloc(q.n_basis + 1, sizeof *q.choices);
    if (!q.sum || !q.choices) {
        tct_free(q.sum);
        tct_free(q.choices);
        return tct_fail_memory(err);
    }
    for (size_t i = 0; i < q.n_basis && !*found && !q.exhausted; i++) { /* the first row that is taken */
        if (pivot_people(&q, i) < s->t->least) {
            q.choices[i] = TAKEN;
            take(&q, i, false);
            *found = extend(&q, 1);
            if (!*found)
                take(&q, i, true);
        }
        if (!*found)
            q.choices[i] = LEFT;
    }
    if (q.exhausted)
        *found = true;
    for (size_t r = 0; r < s->n_rows && *found; r++) {
        uint64_t part = 0;

        for (size_t i = 0; i < q.n_basis; i++) {
            uint64_t share = s->matrix[(s->W_begins + i) * s->width + s->n_classes + r];

            if (q.exhausted)
                part |= share;
            else if (q.choices[i] == TAKEN)
                part = add(part, share);
        }
        used[r] = part != 0;
    }
    tct_free(q.sum);
    tct_free(q.choices);
    return TACIT_OK;
}

/* ---------------------------------------------------------------- one table after the other */

/* Hide the smallest row of the table at hand among those used; the last of equals. */
static bool hide_one(state *s, const bool *used)
{
    const row *smallest = NULL;

    for (size_t i = 0; i < s->n_rows; i++)
        if (used[i] && s->rows[i].table == s->table && (!smallest || s->rows[i].people <= smallest->people))
            smallest = &s->rows[i];
    if (smallest)
        s->shown[s->table][smallest->group] = false;
    return smallest != NULL;
}

static void withhold(state *s, bool *withheld)
{
    memset(s->shown[s->table], 0, s->t->n_groups[s->table] * sizeof **s->shown);
    *withheld = true;
}

/* Does a hidden group follow from what is shown?  In `vector`: one entry per class. */
static bool follows(state *s, size_t group, uint64_t *vector)
{
    for (size_t c = 0; c < s->n_classes; c++)
        vector[c] = PRIME; /* not seen yet */
    for (size_t a = 0; a < s->t->n_atoms; a++) {
        uint64_t inside = s->t->group_of[s->table][a] == group, *entry = &vector[s->class_of[a]];

        if (*entry != PRIME && *entry != inside)
            return false;
        *entry = inside;
    }
    for (size_t r = 0; r < s->rank; r++) {
        const uint64_t *basis = s->matrix + r * s->width;
        uint64_t factor = vector[s->pivots[r]];

        for (size_t c = s->pivots[r]; factor && c < s->n_classes; c++)
            vector[c] = subtract(vector[c], multiply(factor, basis[c]));
    }
    for (size_t c = 0; c < s->n_classes; c++)
        if (vector[c])
            return false;
    return true;
}

static tacit_status show_again(state *s, tacit_error *err)
{
    uint64_t *vector = tct_malloc(s->n_classes + 1, sizeof *vector);

    if (!vector)
        return tct_fail_memory(err);
    for (size_t g = 0; g < s->t->n_groups[s->table]; g++)
        if (!s->shown[s->table][g] && s->sizes[s->table][g] >= s->t->least &&
            spend(s, s->t->n_atoms + s->rank * s->n_classes))
            s->shown[s->table][g] = follows(s, g, vector);
    tct_free(vector);
    return TACIT_OK;
}

static tacit_status protect_table(state *s, bool *withheld, tacit_error *err)
{
    bool found = true, exhausted = false, *used;
    tacit_status st = TACIT_OK;

    for (size_t g = 0; g < s->t->n_groups[s->table]; g++)
        s->shown[s->table][g] = s->sizes[s->table][g] >= s->t->least;
    while (found && !st) {
        st = make_matrix(s, &exhausted, err);
        if (st)
            return st;
        if (exhausted || !reduce(s)) {
            withhold(s, withheld);
            return TACIT_OK;
        }
        used = tct_calloc(s->n_rows, sizeof *used);
        st = used ? find_small(s, used, &found, err) : tct_fail_memory(err);
        if (!st && found && !hide_one(s, used)) {
            withhold(s, withheld);
            found = false;
        }
        tct_free(used);
    }
    return st || *withheld ? st : show_again(s, err);
}

static tacit_status count_sizes(state *s, uint64_t *everybody, tacit_error *err)
{
    const tct_tables *t = s->t;

    s->sizes = tct_calloc(t->n_tables + 1, sizeof *s->sizes);
    s->row_of = tct_calloc(t->n_tables + 1, sizeof *s->row_of);
    if (!s->sizes || !s->row_of)
        return tct_fail_memory(err);
    for (size_t i = 0; i < t->n_tables; i++) {
        s->sizes[i] = tct_calloc(t->n_groups[i] + 1, sizeof **s->sizes);
        s->row_of[i] = tct_calloc(t->n_groups[i] + 1, sizeof **s->row_of);
        if (!s->sizes[i] || !s->row_of[i])
            return tct_fail_memory(err);
        for (size_t a = 0; a < t->n_atoms; a++)
            s->sizes[i][t->group_of[i][a]] += t->people[a];
    }
    for (size_t a = 0; a < t->n_atoms; a++)
        *everybody += t->people[a];
    return TACIT_OK;
}

tacit_status tct_suppress(const tct_tables *t, bool *const *shown, bool *withheld, tacit_error *err)
{
    state s = {.t = t, .shown = shown, .work = t->work ? t->work : USUAL_WORK};
    uint64_t everybody = 0;
    tacit_status st = count_sizes(&s, &everybody, err);

    for (s.table = 0; s.table < t->n_tables && !st; s.table++) {
        withheld[s.table] = false;
        if (everybody < t->least) /* they are few themselves: nobody is told apart */
            memset(shown[s.table], 0, t->n_groups[s.table] * sizeof **shown);
        else
            st = protect_table(&s, &withheld[s.table], err);
    }
    clear_matrix(&s);
    for (size_t i = 0; s.sizes && s.row_of && i < t->n_tables; i++) {
        tct_free(s.sizes[i]);
        tct_free(s.row_of[i]);
    }
    tct_free(s.sizes);
    tct_free(s.row_of);
    return st;
}
