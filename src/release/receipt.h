/*
 * receipt.h -- what writing and checking receipts share.
 *
 * A receipt is one JSON document (docs/FORMATS.md) sealed like a model file: "sha256" is the checksum of the text of
 * everything else.
 */
#ifndef TCT_RECEIPT_H
#define TCT_RECEIPT_H

#include "part.h"

#define TCT_RECEIPT_FORMAT "tacit-receipt"
enum {
    TCT_RECEIPT_VERSION = 1,
    TCT_RECEIPT_VALUE = TCT_MAX_NAME + 8 /* room for the text of a value */
};

/* The text of an encoded value: read again, it is encoded as the same inputs, to the bit, whenever some text is. */
void tct_receipt_value(const tct_codec *codec, size_t attribute, const double *inputs, char text[TCT_RECEIPT_VALUE]);

/* The checksum of a document that has no "sha256" yet. */
tacit_status tct_receipt_seal(char hex[65], const json_t *json, tacit_error *err);

/* Check the text of a receipt; `file` is for messages. */
tacit_status tct_receipt_check(tacit_check *out, const tacit_model *model, const char *text, size_t size,
                               const char *file, tacit_error *err);

/* Probability of each class, p[n_classes], given what is known, under the model's Gaussian (first order around its mean
 * for networks).  order: the known attributes as they became known; it decides which one counts where the distribution
 * says that one of them already determines another. */
tacit_status tct_receipt_odds(double *p, const tct_claim *claim, const size_t *order, size_t n_order, tacit_error *err);
/* How exactly two computations of such a probability agree. */
double tct_receipt_tolerance(const tacit_model *model);

#endif
