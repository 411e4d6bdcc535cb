/*
 * encode_quick.c -- looking for multipliers.  A dozen levels are worth a long search for multipliers that send them to
 * 16 slots, which fit into registers.  Otherwise a table has at least four slots per spelling; random multipliers then
 * send twenty levels to different slots in every few attempts.  With many levels that never happens: the plain way.
 */
#include "encode_quick.h"

#include "codec_inside.h"
#include "csv_inside.h"

enum { ATTEMPTS = 200, MOST_BITS = 10, FEW_BITS = 4, FEW_LEVELS = 12, FEW_ATTEMPTS = 4000 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MASK(n) ((n) >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * ((n)&7)) - 1)
#else
#define MASK(n) ((n) >= 8 ? ~(uint64_t)0 : ~(~(uint64_t)0 >> 8 * ((n)&7)))
#endif
#define MASKS(n)                                                                                                       \
    {                                                                                                                  \
        MASK(n), (n) > 8 ? MASK((n)-8) : 0                                                                             \
    }

const uint64_t tct_quick_masks[TCT_QUICK_BYTES + 1][2] = {
    MASKS(0), MASKS(1),  MASKS(2),  MASKS(3),  MASKS(4),  MASKS(5),  MASKS(6),  MASKS(7), MASKS(8),
    MASKS(9), MASKS(10), MASKS(11), MASKS(12), MASKS(13), MASKS(14), MASKS(15), MASKS(16)};

static void clear_slots(tct_quick_slot *slots, size_t n)
{
    for (size_t i = 0; i < n; i++)
        slots[i] = (tct_quick_slot){.second = 1};
}

/* Place the spellings that fit and do not mean "missing"; false when two of them meet. */
static bool place_spellings(const tct_quick *quick, const char *const *names, size_t count, const tct_csv *csv,
                            bool grid)
{
    for (size_t i = 0; i < count; i++) {
        char bytes[2 * TCT_QUICK_BYTES] = {0};
        size_t size = strlen(names[i]);
        tct_quick_slot *slot, made = {.value = grid ? tct_grid_value(i, count) : 0, .index = (uint32_t)i};

        if (size > TCT_QUICK_BYTES || tct_csv_missing(csv, names[i], size))
            continue;
        memcpy(bytes, names[i], size);
        memcpy(&made.first, bytes, 8);
        memcpy(&made.second, bytes + 8, 8);
        slot = &quick->slots[(made.first * quick->factors[0] + made.second * quick->factors[1]) >> quick->shift];
        if (slot->first || slot->second != 1)
            return false;
        *slot = made;
    }
    return true;
}

/* Look for multipliers for 2^bits slots, for which there is room. */
static bool find_factors(tct_quick *quick, const char *const *names, size_t count, const tct_csv *csv, bool grid,
                         unsigned bits, size_t attempts, tct_random *random)
{
    quick->shift = 64 - bits;
    for (size_t i = 0; i < attempts; i++) {
        quick->factors[0] = tct_random_bits(random) | 1;
        quick->factors[1] = tct_random_bits(random) | 1;
        clear_slots(quick->slots, (size_t)1 << bits);
        if (place_spellings(quick, names, count, csv, grid))
            return true;
    }
    return false;
}

/* Without such multipliers quick->slots stays NULL. */
static tacit_status fill_quick(tct_quick *quick, const char *const *names, size_t count, const tct_csv *csv, bool grid,
                               tacit_error *err)
{
    tct_random random;
    unsigned bits = FEW_BITS;

    tct_random_seed(&random, count, 0);
    while (bits < MOST_BITS && (size_t)1 << bits < 4 * count)
        bits++;
    if (count == 0 || count > (size_t)1 << bits)
        return TACIT_OK;
    quick->slots = tct_calloc((size_t)1 << bits, sizeof(*quick->slots));
    if (!quick->slots)
        return tct_fail_memory(err);
    if ((count <= FEW_LEVELS && find_factors(quick, names, count, csv, grid, FEW_BITS, FEW_ATTEMPTS, &random)) ||
        find_factors(quick, names, count, csv, grid, bits, ATTEMPTS, &random))
        return TACIT_OK;
    tct_free(quick->slots);
    quick->slots = NULL;
    return TACIT_OK;
}

/* Is some marker, like -1 or 999, what tct_quick_whole takes for a number? */
static bool is_digits_marked(const tct_csv *csv)
{
    for (size_t i = 0; i < csv->missing.count; i++) {
        const char *digits = csv->missing.items[i] + (csv->missing.items[i][0] == '-');

        if (digits[0] && strspn(digits, "0123456789") == strlen(digits))
            return true;
    }
    return false;
}

tacit_status tct_quick_new(tct_quick **out, const tct_codec *codec, const tct_csv *csv, tacit_error *err)
{
    const tacit_schema *schema = codec->schema;
    size_t n = schema->n_attributes;
    tct_quick *quick = tct_calloc(n + 1, sizeof(*quick));
    tacit_status st = TACIT_OK;

    *out = quick;
    if (!quick)
        return tct_fail_memory(err);
    for (size_t a = 0; !st && a < n; a++) {
        const tacit_attribute *attribute = &schema->attributes[a];

        if (attribute->type == TACIT_CATEGORY)
            st = fill_quick(&quick[a], attribute->levels, attribute->n_levels, csv, codec->domains[a].kind == TCT_GRID,
                            err);
        quick[a].digits = !is_digits_marked(csv);
    }
    if (!st)
        st = fill_quick(&quick[n], (const char *const *)schema->classes, schema->n_classes, csv, false, err);
    return st;
}

void tct_quick_free(tct_quick *quick, const tct_codec *codec)
{
    for (size_t i = 0; quick && i <= codec->schema->n_attributes; i++)
        tct_free(quick[i].slots);
    tct_free(quick);
}
