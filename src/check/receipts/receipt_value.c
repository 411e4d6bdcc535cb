/*
 * receipt_value.c -- how receipts are written where the check must know it: the text of a value, one member more.
 */
#include <math.h>
#include <string.h>

#include "cells.h"
#include "receipt.h"

enum { NEIGHBOURS = 8 }; /* doubles tried on both sides of a value to find one that is encoded as wanted */

/* Is `text` encoded as these inputs, without being clipped? */
static bool reads_as(const tct_codec *codec, size_t attribute, const char *text, double input)
{
    tct_encode_counts counts = {0};
    double read;

    return tct_encode_cell(codec, attribute, text, strlen(text), false, false, &read, &counts, NULL, 0, NULL) ==
               TACIT_OK &&
           read == input && counts.clipped == 0;
}

/* Which cell a number read by cells is in. */
static size_t index_of(const tct_codec *codec, size_t attribute, double input)
{
    return (size_t)lround((input + 1) / 2 * ((double)codec->domains[attribute].count - 1));
}

void tct_receipt_value(const tct_codec *codec, size_t attribute, const double *inputs, char text[TCT_RECEIPT_VALUE])
{
    const tacit_attribute *a = &codec->schema->attributes[attribute];
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);
    double value, up, down;
    char exact[32];

    if (cells) {
        tct_cell_text(cells, index_of(codec, attribute, *inputs), text, TCT_RECEIPT_VALUE);
        return;
    }
    tct_decode_cell(codec, attribute, inputs, text, TCT_RECEIPT_VALUE);
    if (a->type != TACIT_NUMBER || reads_as(codec, attribute, text, *inputs))
        return;
    value = *inputs <= -1 ? a->min : *inputs >= 1 ? a->max : a->min + (*inputs + 1) / 2 * (a->max - a->min);
    up = down = fmin(fmax(value, a->min), a->max);
    for (int i = 0; i <= NEIGHBOURS; i++) {
        tct_format_number(up, exact, sizeof(exact));
        if (!reads_as(codec, attribute, exact, *inputs))
            tct_format_number(down, exact, sizeof(exact));
        if (reads_as(codec, attribute, exact, *inputs)) {
            snprintf(text, TCT_RECEIPT_VALUE, "%s", exact);
            break;
        }
        up = nextafter(up, INFINITY);
        down = nextafter(down, -INFINITY);
    }
    tct_wipe(exact, sizeof(exact));
}

bool tct_receipt_read(const tct_codec *codec, size_t attribute, const char *text, double *inputs)
{
    const struct tct_cells *cells = tct_codec_cells(codec, attribute);
    tct_encode_counts counts = {0};
    char cell[TCT_RECEIPT_VALUE];

    if (!cells)
        return tct_encode_cell(codec, attribute, text, strlen(text), *text == '\0', false, inputs, &counts, NULL, 0,
                               NULL) == TACIT_OK &&
               counts.clipped == 0;
    for (size_t k = 0; k <= cells->n_cuts; k++) {
        tct_cell_text(cells, k, cell, sizeof cell);
        if (strcmp(cell, text) == 0) {
            tct_codec_value(codec, attribute, k, inputs);
            return true;
        }
    }
    return false;
}

char *tct_receipt_append(const char *text, const char *member)
{
    const size_t end = sizeof(TCT_RECEIPT_END) - 1, before = strlen(text) - end, room = strlen(member) + end + 1;
    char *longer = tct_malloc(before + room, 1);

    if (longer) {
        memcpy(longer, text, before);
        snprintf(longer + before, room, "%s%s", member, TCT_RECEIPT_END);
    }
    return longer;
}
