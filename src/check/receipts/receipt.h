/*
 * receipt.h -- what writing and checking receipts share.
 *
 * A receipt is one JSON document (docs/FORMATS.md) sealed like a model file: "sha256" is the checksum of the text of
 * everything else, except the "signature" that may follow it.
 */
#ifndef TCT_RECEIPT_H
#define TCT_RECEIPT_H

#include "claim.h"
#include "proof.h"

#define TCT_RECEIPT_FORMAT "tacit-receipt"
/* How the text of a receipt goes on once all else is written: the checksum, its closing quote, and the end. */
#define TCT_RECEIPT_SEAL ",\n  \"sha256\": \""
#define TCT_RECEIPT_END "\n}\n"
enum {
    TCT_RECEIPT_VERSION = 2,             /* 1 knew neither what is not known nor texts, number and time */
    TCT_RECEIPT_ID = 32,                 /* digits of its number */
    TCT_RECEIPT_VALUE = TCT_MAX_NAME + 8 /* room for the text of a value */
};

/* ---- receipt_value.c ---- */

/* The text of an encoded value: read again, it is encoded as the same inputs, to the bit, whenever some text is.  Of a
 * number read by cells it is the cell: the number itself is not kept. */
void tct_receipt_value(const tct_codec *codec, size_t attribute, const double *inputs, char text[TCT_RECEIPT_VALUE]);

/* Read it again; false: it is no such text, or a number outside its domain. */
bool tct_receipt_read(const tct_codec *codec, size_t attribute, const char *text, double *inputs);

/* The text of a document with one more member (", ..." and so on) before TCT_RECEIPT_END, with which it ends.  In one
 * piece, so that no part of somebody's answers stays behind.  NULL on lack of memory. */
char *tct_receipt_append(const char *text, const char *member);

/* ---- receipt_texts.c ---- */

/* Texts for what the receipt names by codes, and what the person should be told; `{}` when nothing is said.  asked and
 * given: the lists of answers, of which those that are not known have no text.  NULL on lack of memory. */
json_t *tct_receipt_texts(const tacit_schema *schema, size_t label, const json_t *asked, const json_t *given);
json_t *tct_receipt_notices(const tacit_schema *schema);
bool tct_receipt_is_time(const char *text);
bool tct_receipt_is_id(const char *text);

/* ---- receipt_sign.c ---- */

/* Take "signature" out of a document.  Absent: *key is "".  Otherwise it must be a right signature of a receipt with
 * this checksum, and key becomes its public key; what is wrong with it is TACIT_E_INPUT. */
tacit_status tct_signature_check(char key[48], json_t *json, const char *sealed, tacit_error *err);
/* Is `key` among the comma-separated `trusted` ones?  A list that holds anything but public keys is TACIT_E_USAGE. */
tacit_status tct_signature_trusts(bool *out, const char *trusted, const char *key, tacit_error *err);

/* ---- receipt_check.c ---- */

/* Check the text of a receipt; `file` is for messages. */
tacit_status tct_receipt_check(tacit_check *out, const tacit_model *model, const char *text, size_t size,
                               const char *file, const char *trusted_key, tacit_error *err);

/* ---- receipt_odds.c ---- */

/* Probability of each class, p[n_classes], given what is known, under the model's Gaussian (by drawing people unless it is
 * linear).  order: the known attributes as they became known; it decides which one counts where the distribution
 * says that one of them already determines another. */
tacit_status tct_receipt_odds(double *p, const tct_claim *claim, const size_t *order, size_t n_order, tacit_error *err);
/* How far above and below such a probability, computed here, the one in a receipt may be. */
void tct_receipt_tolerance(const tacit_model *model, double probability, double *above, double *below);
/* What a promise is compared with: the probability, or where people were drawn the lower end of an interval for it.
 * false: people drawn cannot have given this probability. */
bool tct_receipt_sure(const tacit_model *model, double probability, double *sure);

#endif
