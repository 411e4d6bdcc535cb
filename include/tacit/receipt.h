/*
 * tacit/receipt.h -- a decision in writing, and its check.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_RECEIPT_H
#define TACIT_RECEIPT_H

#include "session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A receipt's own number and time.  "": none. */
typedef struct tacit_receipt_stamp {
    char id[33];   /* 128 bits in hexadecimal digits, small letters */
    char time[21]; /* UTC: "2026-01-31T23:59:59Z" */
    char order
        [8]; /* who chose what was answered next: "rule", every question was the one that the rule asks; "person" */
} tacit_receipt_stamp;

/* A random number, and the time now or at so many seconds after the beginning of 1970. */
TACIT_API tacit_status tacit_receipt_stamp_now(tacit_receipt_stamp *out, tacit_error *err);
TACIT_API tacit_status tacit_receipt_stamp_at(tacit_receipt_stamp *out, int64_t seconds, tacit_error *err);

/* The receipt of a decision, as JSON text (docs/FORMATS.md): what was asked and answered in which order, what was not
 * asked, the decision, and for one that is certain what it takes to prove it again.  It holds the person's answers.
 * What was not known is told apart from what was answered.  stamp (NULL allowed): its number and time, checked for
 * their form.
 * An error while there is no decision yet.  May take long for a large network.  Free with tacit_text_free.
 * *unproven (NULL allowed): the decision is certain, but the proof would be too long or is within rounding, and was
 * left out; the decision stands, and the receipt does not check. */
TACIT_API tacit_status tacit_session_receipt(char **out, tacit_session *session, const tacit_receipt_stamp *stamp,
                                             bool *unproven, tacit_error *err);

/* What checking a receipt found. */
typedef struct tacit_check {
    bool valid;
    char reason[256];      /* what is wrong with it, "" when valid; names attributes, never a value */
    size_t label;          /* the decision; TACIT_NONE unless valid */
    tacit_settled settled; /* and how it was settled; TACIT_OPEN unless valid */
    double probability;
    size_t leaves;             /* parts of the domain that were proven one by one; 0 unless certain */
    bool is_signed;            /* it carries a signature, and the signature is right; false unless valid */
    bool trusted;              /* by the trusted key */
    char key[48];              /* public key of the signature in base64, "" when not signed */
    size_t version;            /* of the receipt: before 2 it does not tell what was not known from what was answered */
    size_t not_known;          /* answers, public ones included, that were not known and counted as typical */
    tacit_receipt_stamp stamp; /* its number and time, "" where it has none; all "" and 0 unless valid */
    double delta;              /* how often the decision was allowed to differ; whoever made the receipt chose it */
} tacit_check;

/* The receipt with a signature at its end, by an Ed25519 key: its secret seed, 32 bytes, and its public key behind it
 * (what libsodium calls the secret key).  Free with tacit_text_free. */
TACIT_API tacit_status tacit_receipt_sign(char **out, const char *receipt, const unsigned char key[64],
                                          tacit_error *err);

/* Check a receipt against the model it was made with: that nothing was changed, and that its decision follows from its
 * answers.  A proof is checked by code of its own, which shares nothing with the search that decided when to stop.  A
 * signature must be right, and by trusted_key: a public key in base64, or several with commas; NULL: by anybody, or
 * none at all.  A file that is no receipt is an error; a receipt that is wrong is not valid. */
TACIT_API tacit_status tacit_check_receipt(tacit_check *out, const tacit_model *model, const char *path,
                                           const char *trusted_key, tacit_error *err);
/* The same for a receipt in memory, as tacit_session_receipt gives it. */
TACIT_API tacit_status tacit_check_receipt_text(tacit_check *out, const tacit_model *model, const char *text,
                                                size_t size, const char *trusted_key, tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
