/*
 * packed.c -- a large symmetric matrix in a model file, without writing its numbers out.
 *
 * 5,000 inputs have 25 million covariances: as text 600 MB and minutes.  Row i is one text instead: its first i + 1
 * numbers, eight bytes each, the lowest first, in base64.  Nothing is rounded, what is symmetric is said once, and one
 * number has one spelling, so that load followed by save gives the same bytes here too.
 */
#include <math.h>
#include <string.h>

#include "json_put.h"
#include "model_parts.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { BYTES = 8, NO_DIGIT = 64 };

static size_t text_size(size_t count)
{
    return (count * BYTES + 2) / 3 * 4;
}

/* The byte at a position of the doubles. */
static unsigned char byte_at(const double *values, size_t at)
{
    uint64_t bits;

    memcpy(&bits, &values[at / BYTES], sizeof bits);
    return (unsigned char)(bits >> (8 * (at % BYTES)));
}

static void pack(char *text, const double *values, size_t count)
{
    size_t n = count * BYTES;

    for (size_t at = 0; at < n; at += 3, text += 4) {
        size_t left = n - at;
        uint32_t three = (uint32_t)byte_at(values, at) << 16;

        three |= left > 1 ? (uint32_t)byte_at(values, at + 1) << 8 : 0;
        three |= left > 2 ? byte_at(values, at + 2) : 0;
        text[0] = DIGITS[three >> 18];
        text[1] = DIGITS[three >> 12 & 63];
        text[2] = left > 1 ? DIGITS[three >> 6 & 63] : '=';
        text[3] = left > 2 ? DIGITS[three & 63] : '=';
    }
}

/* False unless the text is what pack() makes of finite numbers.  digit: of each character, or NO_DIGIT. */
static bool unpack(double *values, size_t count, const char *text, const unsigned char digit[256])
{
    size_t n = count * BYTES;
    uint64_t bits = 0;

    for (size_t at = 0; at < n;) {
        size_t group = at / 3 * 4, left = n - at / 3 * 3 < 3 ? n - at / 3 * 3 : 3;
        const unsigned char *four = (const unsigned char *)text + group;
        uint32_t a = digit[four[0]], b = digit[four[1]], c = left > 1 ? digit[four[2]] : 0,
                 d = left > 2 ? digit[four[3]] : 0, three = a << 18 | b << 12 | c << 6 | d;

        if ((a | b | c | d) >= NO_DIGIT || (left < 2 && (four[2] != '=' || (b & 15))) ||
            (left < 3 && (four[3] != '=' || (left == 2 && (c & 3)))))
            return false;
        for (size_t k = 0; k < left; k++, at++) {
            bits |= (uint64_t)(three >> (16 - 8 * k) & 255) << (8 * (at % BYTES));
            if (at % BYTES == BYTES - 1) {
                memcpy(&values[at / BYTES], &bits, sizeof bits);
                if (!isfinite(values[at / BYTES]))
                    return false;
                bits = 0;
            }
        }
    }
    return true;
}

json_t *tct_packed_to_json(const double *matrix, size_t d)
{
    char *text = tct_malloc(text_size(d) + 1, 1);
    json_t *rows = text ? json_array() : NULL;

    for (size_t i = 0; i < d && rows; i++) {
        pack(text, matrix + i * d, i + 1);
        tct_append(&rows, json_stringn(text, text_size(i + 1)));
    }
    tct_free(text);
    return rows;
}

tacit_status tct_packed_from_json(double *out, size_t d, const json_t *object, const char *key, const tct_json_at *at,
                                  tacit_error *err)
{
    const tct_json_at list = {.parent = at, .key = key};
    unsigned char digit[256];
    json_t *rows = NULL;
    tacit_status st = tct_json_get_array(&rows, object, key, at, err);

    if (st)
        return st;
    if (json_array_size(rows) != d)
        return tct_json_fail(at, key, err, "expected %zu rows, not %zu", d, json_array_size(rows));
    memset(digit, NO_DIGIT, sizeof digit);
    for (size_t k = 0; k < NO_DIGIT; k++)
        digit[(unsigned char)DIGITS[k]] = (unsigned char)k;
    for (size_t i = 0; i < d; i++) {
        const tct_json_at place = {.parent = &list, .index = i};
        const json_t *row = json_array_get(rows, i);

        if (!json_is_string(row) || json_string_length(row) != text_size(i + 1) ||
            !unpack(out + i * d, i + 1, json_string_value(row), digit))
            return tct_json_fail(&place, NULL, err, "expected %zu numbers of eight bytes in base64", i + 1);
        for (size_t j = 0; j < i; j++)
            out[j * d + i] = out[i * d + j];
    }
    return TACIT_OK;
}
