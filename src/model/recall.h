/*
 * recall.h -- a table of what was found for people, by what is known of them: which attributes, and their values.
 *
 * Of a fixed size: who comes later may take another's place.  It holds people's values, so only those have one who have
 * them anyway (audits, experiments), and it is wiped.
 */
#ifndef TCT_RECALL_H
#define TCT_RECALL_H

#include "encode.h"

typedef struct tct_recall tct_recall;
/* size: bytes of what is found.  room: bytes that the table may take, about; what nobody touched takes no memory. */
tacit_status tct_recall_new(tct_recall **out, const tct_codec *codec, size_t size, size_t room, tacit_error *err);
void tct_recall_free(tct_recall *recall); /* wipes */
void tct_recall_forget(tct_recall *recall);
/* x: read where known; a level is told by where its 1 is.  NULL: nobody like that was seen. */
void *tct_recall_find(tct_recall *recall, const unsigned char *known, const double *x);
/* Right after tct_recall_find found nothing: a place for what is found. */
void *tct_recall_place(tct_recall *recall);

#endif
