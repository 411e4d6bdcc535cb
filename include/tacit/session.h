/*
 * tacit/session.h -- one person's questionnaire.  Part of tacit.h, which says what holds everywhere.
 */
#ifndef TACIT_SESSION_H
#define TACIT_SESSION_H

#include "certify.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacit_session tacit_session;

typedef enum tacit_rule {
    TACIT_RULE_AUTO = 0,       /* stop at 0; entropy from the delta on at which that asks for less */
    TACIT_RULE_ENTROPY = 1,    /* the paper's: smallest expected entropy, exact */
    TACIT_RULE_MARGIN = 2,     /* largest expected certified margin */
    TACIT_RULE_MONTECARLO = 3, /* the paper's, literally: entropy over 1000 samples; for comparison */
    TACIT_RULE_STOP = 4        /* most likely to be proven by the answer; else the largest margin */
} tacit_rule;

TACIT_API const char *tacit_rule_name(tacit_rule rule);
/* The rule called `name`; an unknown name is an error with a suggestion. */
TACIT_API tacit_status tacit_rule_from_name(tacit_rule *out, const char *name, tacit_error *err);

typedef struct tacit_release_options {
    size_t size;  /* see tacit.h */
    double delta; /* 0 <= delta < 0.5 */
    tacit_rule rule;
    uint64_t seed; /* of the Monte Carlo rule and of the outlook */
    /* Say how likely a decision is only once there is one.  While it is open, label and probability are 0 and NaN, in the
     * transcript as well.  Nothing else differs; steps of networks take a fraction of the time. */
    bool brief;
} tacit_release_options;

typedef enum tacit_settled {
    TACIT_OPEN = 0,         /* not settled: there is a next question */
    TACIT_CERTAIN = 1,      /* proven for every value of what was not asked */
    TACIT_LIKELY = 2,       /* probability >= 1 - delta under the model's distribution, or as calibrated */
    TACIT_ALL_REVEALED = 3, /* nothing is left to ask: the ordinary decision */
    TACIT_UNSETTLED = 4     /* refusals leave it open: the most likely label, with its probability */
} tacit_settled;

TACIT_API const char *tacit_settled_name(tacit_settled settled); /* "certain", "likely", "all revealed", ... */

/* Where it is likely or unsettled, of five or more classes of a model whose scores are sums (tacit_model_info.additive), the
 * probability is three standard errors below its estimate. */
typedef struct tacit_decision {
    tacit_settled settled;
    size_t label;       /* representative label; while open, the most likely one */
    double probability; /* of that label: 1 when certain or all revealed */
    size_t asked;       /* sensitive attributes answered */
    size_t not_known;   /* of these, how many by not knowing */
    size_t refused;     /* attributes refused */
    double cost;        /* of the sensitive attributes answered */
} tacit_decision;

/* One line of the transcript. */
typedef struct tacit_event {
    size_t attribute;
    bool refused;
    bool clipped;
    bool not_known; /* the answer was that it is not known: a typical value counts, which nobody said */
    tacit_role role;
    tacit_settled settled; /* after it; after all of them where several were given together */
    size_t label;          /* most likely label after it */
    double probability;
} tacit_event;

/* The nominal probability from which on `delta` counts as kept under `rule`: 1 - delta, or with a calibration the least
 * for which at most delta were observed to fail.  Infinite when only a proof will do: delta = 0, nothing observed that
 * allows delta, or a rule other than the one observed (entropy, which AUTO is where that asks for less).  NaN on lack of
 * memory. */
TACIT_API double tacit_model_confidence(const tacit_model *model, tacit_rule rule, double delta);

TACIT_API tacit_status tacit_session_open(tacit_session **out, const tacit_model *model,
                                          const tacit_release_options *options, tacit_error *err);
/* Wipes. */
TACIT_API void tacit_session_free(tacit_session *session);
/* The attribute to ask next, TACIT_NONE when there is a decision.  Public attributes not yet known come
 * first, in schema order; they do not count as asked.  Asking twice gives the same answer. */
TACIT_API tacit_status tacit_session_next(tacit_session *session, size_t *attribute, tacit_error *err);
/* Give or refuse an attribute that is not known or refused yet: the one asked for, or another.  A refused
 * attribute stays unknown for good. */
TACIT_API tacit_status tacit_session_answer(tacit_session *session, size_t attribute, const char *text,
                                            tacit_error *err);
/* "I do not know", where the schema says that missing is a value of the attribute (tacit_attribute.missing_is_value):
 * then the typical value counts.  Elsewhere it is an error (TACIT_E_INPUT): who does not know, refuses.  An answer that is
 * empty, or the level that stands for "missing", is the same. */
TACIT_API tacit_status tacit_session_answer_unknown(tacit_session *session, size_t attribute, tacit_error *err);
TACIT_API tacit_status tacit_session_refuse(tacit_session *session, size_t attribute, tacit_error *err);
/* What is known of an attribute without its value: it lies from `from` to `to`, both included and written as answers are
 * (NULL: the end of its domain); for numbers, integers and ordinal categories.  Or it is one of these levels; for
 * categories, of ordinal ones levels that follow each other.  The attribute stays open: it can be narrowed again (an empty
 * rest is an error), answered within what is left (TACIT_E_INPUT otherwise), or refused.  Nothing of it is in the transcript.
 *
 * Ranges count in proofs: a decision is certain when it is the same for every value within them.  They do not count in
 * probabilities, which rest on the answers alone; so as long as a narrowed attribute is open, nothing is settled as likely,
 * and delta is kept by proof.  The outlook does not look at them either.  Receipts and saved states cannot tell of them, and
 * are refused (TACIT_E_USAGE) until the attribute is answered. */
TACIT_API tacit_status tacit_session_narrow(tacit_session *session, size_t attribute, const char *from, const char *to,
                                            tacit_error *err);
TACIT_API tacit_status tacit_session_narrow_levels(tacit_session *session, size_t attribute, const size_t *levels,
                                                   size_t n_levels, tacit_error *err);
/* Take back the last answer, refusal or narrowing; an error when there is none. */
TACIT_API tacit_status tacit_session_undo(tacit_session *session, tacit_error *err);
/* Where things stand; a decision once next gives TACIT_NONE. */
TACIT_API tacit_status tacit_session_decision(tacit_session *session, tacit_decision *out, tacit_error *err);
typedef struct tacit_outlook {
    size_t at_most; /* sensitive attributes that can still be asked */
    double about;   /* how many more it takes on average over people drawn from what is known */
    double settles; /* share of those people whose decision the next answer settles */
} tacit_outlook;
/* What lies ahead, in thousandths; all zero once there is a decision.  With two classes and delta = 0 it is reckoned.
 * Otherwise people are drawn: so many, 0: 64, or 8 for models of over 100 inputs. */
TACIT_API tacit_status tacit_session_outlook(tacit_session *session, size_t draws, tacit_outlook *out,
                                             tacit_error *err);
TACIT_API size_t tacit_session_events(const tacit_session *session);
TACIT_API const tacit_event *tacit_session_event(const tacit_session *session, size_t index);
/* What the session knows. */
TACIT_API const tacit_person *tacit_session_person(const tacit_session *session);
/* The rule in use: what AUTO became. */
TACIT_API tacit_rule tacit_session_rule(const tacit_session *session);
/* Give all public attributes that `person`, of the same model, knows and the session does not, together.  One that is
 * missing where that is no answer is an error. */
TACIT_API tacit_status tacit_session_give_public(tacit_session *session, const tacit_person *person, tacit_error *err);
/* Answer every question from a fully known person until there is a decision; attributes not asked are not read.  What is
 * missing in the person's row counts as it does in an audit, and is noted as not known.  With more than 1024 inputs the
 * public attributes are given together, as by tacit_session_give_public. */
TACIT_API tacit_status tacit_session_replay(tacit_session *session, const tacit_person *person, tacit_error *err);

/* Begin again, for another person: answers are wiped, options may differ; what was computed about the model stays and
 * makes the next steps quick.  On failure nothing is known and the options are the old ones. */
TACIT_API tacit_status tacit_session_restart(tacit_session *session, const tacit_release_options *options,
                                             tacit_error *err);
/* Answers and transcript as bytes, to go on elsewhere or later; for a model always this many.  Wipe them: personal. */
TACIT_API size_t tacit_session_state_size(const tacit_model *model);
TACIT_API tacit_status tacit_session_save(const tacit_session *session, unsigned char *bytes, tacit_error *err);
/* Put a session where the saved one was.  Options are not part of the bytes; with the same ones, next question,
 * decision, transcript and receipt are the same to the bit.  The caller sees to it that model and roles are the same.
 * Bytes that make no sense for the model are TACIT_E_INPUT, and nothing is known then. */
TACIT_API tacit_status tacit_session_restore(tacit_session *session, const unsigned char *bytes, size_t size,
                                             tacit_error *err);

#ifdef __cplusplus
}
#endif
#endif
