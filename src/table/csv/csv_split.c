/*
 * csv_split.c -- a block of whole records into cells.
 *
 * A cell ends at a separator or a line feed outside quotes (see scan.c).  Text is taken 64 bytes at a time.  Most
 * words are smooth: no blanks or control characters, every quote that opens follows an end of a cell, every quote
 * that closes is followed by one.  Then the ends and the closing quotes say everything, and no byte is looked at.  In
 * the other words each cell is looked at; what is not plain there (blanks to trim, doubled quotes, a carriage return,
 * misplaced quotes) goes to tidy_cell.  The twin takes every word for rough.
 *
 *     58;"management"; "say ""hi""" \r\n    ->    58 | management | say "hi"
 */
#include <assert.h>

#include "csv_inside.h"
#include "scan_wide.h"

/* A cell being tidied: bytes[start ... end). */
typedef struct span {
    size_t start, end;
} span;

/* Where the splitter stands. */
typedef struct place {
    tct_cell *row, *cell; /* first of this record, next to write */
    size_t start;         /* of the next cell */
    size_t nul;           /* first NUL byte, SIZE_MAX: none so far */
    uint64_t inside;      /* all ones: the next word begins inside quotes */
    uint64_t quotes;      /* between the start of the next cell and the next word */
    uint64_t ended;       /* 1: the last byte ended a cell, 3: a record */
    uint64_t closed;      /* 1: the last byte was a closing quote */
    bool rough;           /* the part of the next cell that was seen is not smooth */
} place;

/* One word of 64 bytes from bytes[base] on. */
typedef struct word {
    size_t base;
    uint64_t quote, newline; /* newline: outside quotes only */
    uint64_t ends;           /* of cells */
    uint64_t behind;         /* bytes right behind a closing quote */
    uint64_t in;             /* bytes inside quotes */
    uint64_t odd;            /* what makes it rough */
} word;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void trim_blanks(const char *bytes, span *cell)
{
    while (cell->start < cell->end && is_blank(bytes[cell->start]))
        cell->start++;
    while (cell->end > cell->start && is_blank(bytes[cell->end - 1]))
        cell->end--;
}

/* Trim, take the quotes off, undo doubled quotes in place. */
static __attribute__((noinline)) tct_trouble_kind tidy_cell(char *bytes, span *cell)
{
    size_t to, from;

    if (bytes[cell->end] == '\n' && cell->end > cell->start && bytes[cell->end - 1] == '\r')
        cell->end--;
    trim_blanks(bytes, cell);
    if (!memchr(bytes + cell->start, '"', cell->end - cell->start))
        return TCT_TROUBLE_NONE;
    if (bytes[cell->start] != '"')
        return TCT_TROUBLE_QUOTE_INSIDE;
    to = from = ++cell->start;
    while (from < cell->end && (bytes[from] != '"' || (from + 1 < cell->end && bytes[from + 1] == '"')))
        from += 1 + (bytes[from] == '"');
    if (from + 1 != cell->end)
        return TCT_TROUBLE_QUOTE_AFTER; /* and nothing was moved */
    for (from = to; from + 1 < cell->end; from++) {
        bytes[to++] = bytes[from];
        from += bytes[from] == '"';
    }
    cell->end = to;
    return TCT_TROUBLE_NONE;
}

/* Cells of the record from `start`, the beginning of a cell outside quotes, to its end. */
static size_t count_cells(const char *bytes, size_t start, char separator)
{
    bool inside = false;
    size_t cells = 1;

    for (; inside || bytes[start] != '\n'; start++) {
        inside ^= bytes[start] == '"';
        cells += !inside && bytes[start] == separator;
    }
    return cells;
}

/* The first NUL byte among those marked in `low`, SIZE_MAX when there is none. */
static size_t find_nul(const char *bytes, size_t base, uint64_t low)
{
    for (; low; low &= low - 1) {
        size_t at = base + (size_t)__builtin_ctzll(low);

        if (bytes[at] == '\0')
            return at;
    }
    return SIZE_MAX;
}

TCT_INLINED bool stop_at(tct_trouble *trouble, tct_trouble_kind kind, const tct_block *block, const place *at,
                         size_t n_columns)
{
    trouble->kind = kind;
    trouble->row = (size_t)(at->row - block->cells) / n_columns;
    trouble->column = (size_t)(at->cell - at->row);
    return false;
}

/* The record has ended at bytes[end]. */
TCT_INLINED bool end_row(const tct_block *block, size_t n_columns, size_t end, place *at, tct_trouble *trouble)
{
    size_t cells = (size_t)(at->cell - at->row);

    if (__builtin_expect(at->nul < end, false))
        return stop_at(trouble, TCT_TROUBLE_NUL, block, at, n_columns);
    if (__builtin_expect(cells != n_columns || n_columns == 1, false)) {
        size_t size = end - at->start;

        if (cells == 1 && (size == 0 || (size == 1 && block->bytes[at->start] == '\r'))) {
            at->cell = at->row; /* a blank line */
            return true;
        }
        trouble->cells = cells;
        if (cells != n_columns)
            return stop_at(trouble, TCT_TROUBLE_RAGGED, block, at, n_columns);
    }
    at->row = at->cell;
    return true;
}

/* The records that end in a smooth word, the first cell of which is `first`: mostly one or none, without a branch. */
TCT_INLINED bool end_rows(tct_block *block, size_t n_columns, const word *w, tct_cell *first, place *at,
                          tct_trouble *trouble)
{
    uint64_t newline = w->newline;

    do {
        tct_cell *end = first + __builtin_popcountll(w->ends & (newline ^ (newline - 1)));

        end = newline ? end : at->row + n_columns;
        if (__builtin_expect((size_t)(end - at->row) != n_columns, false)) {
            trouble->cells = (size_t)(end - at->row);
            return stop_at(trouble, TCT_TROUBLE_RAGGED, block, at, n_columns);
        }
        at->row = newline ? end : at->row;
        newline &= newline - 1;
    } while (__builtin_expect(newline != 0, false));
    return true;
}

/* The cells that end in a smooth word: quoted where a closing quote stands before the end, else plain. */
typedef bool (*smooth_fn)(tct_block *block, size_t n_columns, const word *w, place *at, tct_trouble *trouble);
TCT_INLINED bool split_smooth(tct_block *block, size_t n_columns, const word *w, place *at, tct_trouble *trouble)
{
    tct_cell *first = at->cell;
    size_t start = at->start;

    for (uint64_t ends = w->ends; ends; ends &= ends - 1) {
        size_t bit = (size_t)__builtin_ctzll(ends), quoted = w->behind >> bit & 1;

        *at->cell++ = (tct_cell){{(uint32_t)(start + quoted), (uint32_t)(w->base + bit - start - 2 * quoted)}};
        start = w->base + bit + 1;
    }
    at->start = start;
    return end_rows(block, n_columns, w, first, at, trouble);
}

/* The cells that end in any word. */
TCT_INLINED bool split_rough(tct_block *block, size_t n_columns, const word *w, place *at, tct_trouble *trouble)
{
    char *bytes = block->bytes;
    uint64_t quotes_before = at->quotes, quotes_done = 0;

    for (uint64_t ends = w->ends; ends; ends &= ends - 1) {
        size_t end = w->base + (size_t)__builtin_ctzll(ends);
        uint64_t quotes_here = (uint64_t)__builtin_popcountll(w->quote & ((ends & -ends) - 1));
        uint64_t quotes = quotes_before + quotes_here - quotes_done;
        char first = bytes[at->start], last = bytes[end - (end > at->start)];
        bool quoted = (quotes == 2) & (first == '"') & (last == '"');
        bool odd = (quotes != 2 * (uint64_t)quoted) | (first == ' ') | (first == '\t') | (last == ' ') |
                   (last == '\t') | (last == '\r');
        span cell = {at->start + quoted, end - quoted};

        if (odd) {
            tct_trouble_kind kind;

            cell = (span){at->start, end};
            kind = tidy_cell(bytes, &cell);
            if (kind)
                return stop_at(trouble, at->nul < end ? TCT_TROUBLE_NUL : kind, block, at, n_columns);
        }
        *at->cell++ = (tct_cell){{(uint32_t)cell.start, (uint32_t)(cell.end - cell.start)}};
        if (w->newline & ends & -ends && !end_row(block, n_columns, end, at, trouble))
            return false;
        at->start = end + 1;
        quotes_done = quotes_here;
        quotes_before = 0;
    }
    return true;
}

/* Which bytes end cells, and whether the word is smooth.  parity: tct_parity_before of its quotes. */
TCT_INLINED word look_at_word(const tct_masks *masks, uint64_t parity, size_t base, const place *at)
{
    uint64_t in = parity ^ at->inside, begins;
    word w = {.base = base, .quote = masks->quote, .newline = masks->newline & ~in, .in = in};

    w.ends = w.newline | (masks->separator & ~in);
    w.behind = (w.quote & ~in) << 1 | at->closed;
    begins = w.ends << 1 | (at->ended & 1);
    w.odd =
        masks->low | (w.quote & in & ~begins) | (w.behind & ~w.ends) | (w.newline & (w.newline << 1 | at->ended >> 1));
    return w;
}

/* Carry on to the next word. */
TCT_INLINED void pass_word(const word *w, place *at)
{
    /* Bytes behind the last end. */
    uint64_t rest = w->ends ? ~(uint64_t)1 << (63 - __builtin_clzll(w->ends)) : ~(uint64_t)0;
    uint64_t quotes = (uint64_t)__builtin_popcountll(w->quote & rest);

    at->quotes = w->ends ? quotes : at->quotes + quotes;
    at->rough = (w->odd & rest) != 0 || (at->rough && !w->ends);
    at->ended = w->ends >> 63 | w->newline >> 63 << 1;
    at->closed = (w->quote & ~w->in) >> 63;
    at->inside = w->in >> 63 ? ~(uint64_t)0 : 0;
}

/* Has the record that is not over yet more cells than it may have?  Then that is the trouble. */
TCT_INLINED bool too_many_cells(const tct_block *block, size_t n_columns, char separator, const place *at,
                                tct_trouble *trouble)
{
    if (__builtin_expect((size_t)(at->cell - at->row) <= n_columns, true))
        return false;
    trouble->cells = (size_t)(at->cell - at->row) + count_cells(block->bytes, at->start, separator);
    stop_at(trouble, TCT_TROUBLE_RAGGED, block, at, n_columns);
    return true;
}

/* One word.  False: it has trouble. */
TCT_INLINED bool split_word(tct_block *block, size_t n_columns, char separator, const tct_masks *masks, const word *w,
                            place *at, tct_trouble *trouble, smooth_fn smooth)
{
    if (smooth && __builtin_expect(!w->odd && !at->rough && at->nul == SIZE_MAX, true)) {
        if (!smooth(block, n_columns, w, at, trouble))
            return false;
    } else {
        if (masks->low && at->nul == SIZE_MAX)
            at->nul = find_nul(block->bytes, w->base, masks->low);
        if (!split_rough(block, n_columns, w, at, trouble))
            return false;
    }
    pass_word(w, at);
    return !too_many_cells(block, n_columns, separator, at, trouble);
}

static place begin_block(const tct_block *block)
{
    return (place){.row = block->cells, .cell = block->cells, .nul = SIZE_MAX, .ended = 3};
}

/* Fill block->cells, which have room for one row and 64 cells more than the block has. */
TCT_INLINED void split_rows(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble, tct_scan_fn scan,
                            smooth_fn smooth)
{
    tct_masks masks[TCT_SCAN_WORDS];
    place at = begin_block(block);

    for (size_t group = 0; group < block->size; group += TCT_SCAN_WORDS * 64) {
        size_t here = block->size - group < TCT_SCAN_WORDS * 64 ? block->size - group : TCT_SCAN_WORDS * 64;

        scan(block->bytes + group, here, separator, masks);
        for (size_t i = 0; i * 64 < here; i++) {
            word w = look_at_word(&masks[i], tct_parity_before(masks[i].quote), group + i * 64, &at);

            if (!split_word(block, n_columns, separator, &masks[i], &w, &at, trouble, smooth))
                return;
        }
    }
    assert((size_t)(at.cell - block->cells) == block->n_rows * n_columns);
}

TCT_FOR_AVX2 static void split_rows_avx2(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble)
{
    split_rows(block, n_columns, separator, trouble, tct_scan_avx2, split_smooth);
}

#if defined(__x86_64__)
/* As split_smooth, sixteen cells at a time: the places of the ends are squeezed together, a cell begins behind the end
 * before it. */
TCT_FOR_AVX512_TEXT static inline void write_cells(tct_cell *out, const word *w, size_t start)
{
    const __m512i places =
        _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928, 0x2726252423222120,
                         0x1f1e1d1c1b1a1918, 0x1716151413121110, 0x0f0e0d0c0b0a0908, 0x0706050403020100);
    const __m512i lower = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i upper = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
    const __m512i one = _mm512_set1_epi32(1), two = _mm512_set1_epi32(2);
    __m512i ends = _mm512_maskz_compress_epi8(w->ends, places), before = _mm512_set1_epi32((int)start);
    uint64_t quoted = _pext_u64(w->behind, w->ends);
    int left = __builtin_popcountll(w->ends);

    do { /* mostly once */
        __m512i end =
            _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(ends)), _mm512_set1_epi32((int)w->base));
        __m512i next = _mm512_add_epi32(end, one), from = _mm512_alignr_epi32(next, before, 15);
        __m512i size = _mm512_sub_epi32(end, from);

        from = _mm512_mask_add_epi32(from, (__mmask16)quoted, from, one);
        size = _mm512_mask_sub_epi32(size, (__mmask16)quoted, size, two);
        _mm512_storeu_si512(out, _mm512_permutex2var_epi32(from, lower, size));
        _mm512_storeu_si512(out + 8, _mm512_permutex2var_epi32(from, upper, size));
        before = next;
        ends = _mm512_alignr_epi64(ends, ends, 2); /* the next 16 bytes */
        quoted >>= 16;
        out += 16;
        left -= 16;
    } while (__builtin_expect(left > 0, false));
}

/* Smooth words from `base` on, with everything in registers; returns where they end.  What pass_word finds out is
 * simpler there: a cell that is not over has one quote if it is inside quotes, two if the last byte closed it. */
TCT_FOR_AVX512_TEXT static size_t split_smoothly(tct_block *block, size_t n_columns, char separator, size_t base,
                                                 place *state, tct_trouble *trouble)
{
    place at = *state;
    tct_masks masks;

    for (; base < block->size; base += 64) {
        tct_cell *first = at.cell;
        word w;

        tct_scan_word(block->bytes + base, block->size - base, separator, &masks);
        w = look_at_word(&masks, tct_parity_avx512(masks.quote), base, &at);
        if (__builtin_expect(w.odd != 0, false))
            break;
        write_cells(first, &w, at.start);
        at.cell += __builtin_popcountll(w.ends);
        at.start = w.ends ? base + 64 - (size_t)__builtin_clzll(w.ends) : at.start;
        at.ended = w.ends >> 63 | w.newline >> 63 << 1;
        at.closed = (w.quote & ~w.in) >> 63;
        at.inside = w.in >> 63 ? ~(uint64_t)0 : 0;
        if (!end_rows(block, n_columns, &w, first, &at, trouble) ||
            too_many_cells(block, n_columns, separator, &at, trouble))
            return base;
    }
    state->cell = at.cell;
    state->row = at.row;
    state->start = at.start;
    state->ended = at.ended;
    state->closed = at.closed;
    state->inside = at.inside;
    state->quotes = (at.inside & 1) + 2 * at.closed;
    return base;
}

/* One word, whatever it is. */
TCT_FOR_AVX512_TEXT static bool split_closely(tct_block *block, size_t n_columns, char separator, size_t base,
                                              place *at, tct_trouble *trouble)
{
    tct_masks masks;
    word w;

    tct_scan_word(block->bytes + base, block->size - base, separator, &masks);
    w = look_at_word(&masks, tct_parity_avx512(masks.quote), base, at);
    return split_word(block, n_columns, separator, &masks, &w, at, trouble, NULL);
}

TCT_FOR_AVX512_TEXT static void split_rows_avx512(tct_block *block, size_t n_columns, char separator,
                                                  tct_trouble *trouble)
{
    place at = begin_block(block);

    for (size_t base = 0; base < block->size; base += 64) {
        if (!at.rough && at.nul == SIZE_MAX)
            base = split_smoothly(block, n_columns, separator, base, &at, trouble);
        if (trouble->kind)
            return;
        if (base < block->size && !split_closely(block, n_columns, separator, base, &at, trouble))
            return;
    }
    assert((size_t)(at.cell - block->cells) == block->n_rows * n_columns);
}
#else
static void split_rows_avx512(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble)
{
    split_rows_avx2(block, n_columns, separator, trouble);
}
#endif

static tacit_status reserve_cells(tct_block *block, size_t n_columns, tacit_error *err)
{
    size_t room;

    if (__builtin_mul_overflow(block->n_rows + 1, n_columns, &room) || room > SIZE_MAX - 64)
        return tct_fail_memory(err);
    room += 64;
    if (room <= block->cells_room)
        return TACIT_OK;
    tct_free(block->cells);
    room += room / 8; /* the next block may have a few more */
    block->cells = tct_malloc(room, sizeof(*block->cells));
    block->cells_room = block->cells ? room : 0;
    return block->cells ? TACIT_OK : tct_fail_memory(err);
}

tacit_status tct_split_block(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble, tacit_error *err)
{
    tct_simd level = tct_simd_level();
    tacit_status st;

    if (level == TCT_SIMD_PLAIN)
        return tct_split_block_plain(block, n_columns, separator, trouble, err);
    trouble->kind = TCT_TROUBLE_NONE;
    st = reserve_cells(block, n_columns, err);
    if (!st && level >= TCT_SIMD_AVX512_TEXT)
        split_rows_avx512(block, n_columns, separator, trouble);
    else if (!st)
        split_rows_avx2(block, n_columns, separator, trouble);
    return st;
}

tacit_status tct_split_block_plain(tct_block *block, size_t n_columns, char separator, tct_trouble *trouble,
                                   tacit_error *err)
{
    tacit_status st = reserve_cells(block, n_columns, err);

    trouble->kind = TCT_TROUBLE_NONE;
    if (!st)
        split_rows(block, n_columns, separator, trouble, tct_scan_plain, NULL);
    return st;
}

const char *tct_trouble_text(tct_trouble_kind kind)
{
    switch (kind) {
    case TCT_TROUBLE_QUOTE_INSIDE:
        return "quote inside an unquoted cell";
    case TCT_TROUBLE_QUOTE_AFTER:
        return "text behind the closing quote";
    case TCT_TROUBLE_NUL:
        return "NUL byte";
    default:
        return "wrong number of cells";
    }
}
