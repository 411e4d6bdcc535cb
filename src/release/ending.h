/*
 * ending.h -- how a person's walk ended: after how many questions, how it was settled, with which label.
 *
 * The one form of it: walks, batches of walks, chains, counts and rows all hold this.  Where there are two classes, what
 * is not the number of questions fits into a small number, 1 + 2 settled + label, and 0 says that it has not ended.
 */
#ifndef TCT_ENDING_H
#define TCT_ENDING_H

#include <stdint.h>

#include "tacit.h"

typedef struct tct_ending {
    uint16_t asked;  /* questions; there are at most 8192 attributes */
    uint8_t settled; /* tacit_settled */
    uint8_t label;   /* there are at most 256 classes */
} tct_ending;

#define TCT_ENDING_PACKED(settled, label) (1 + 2 * (settled) + (label))
enum { TCT_ENDINGS_PACKED = TCT_ENDING_PACKED(TACIT_ALL_REVEALED, 1) + 1 }; /* so many numbers */

static inline tct_ending tct_ending_of(uint16_t asked, uint8_t packed)
{
    return (tct_ending){asked, (uint8_t)((packed - 1) >> 1), (packed - 1) & 1};
}

#endif
