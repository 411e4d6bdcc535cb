/*
 * reply.c -- replies, problems, and the text they are made of.
 *
 * A body lies behind a small head that holds its room: enough to wipe all of it when only the pointer is left.  Each
 * thread keeps a few wiped bodies of the usual room for its next replies, since blocks of that size are slow to come by.
 */
#include "reply.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base.h"

enum { DETAIL_ROOM = 512, USUAL_ROOM = 4096, MOST_SPARE = 64, THOUSAND = 1000 };

typedef struct head {
    alignas(max_align_t) size_t room;
    size_t written;    /* at most so much of it */
    struct head *next; /* spare ones ... */
    size_t n_spare;    /* ... from here on */
} head;

static const struct {
    const char *code;
    unsigned status;
    const char *title;
} PROBLEMS[SRV_PROBLEMS] = {
    [SRV_TOKEN_IS_MALFORMED] = {"token-malformed", 400, "This is not a token"},
    [SRV_TOKEN_IS_TAMPERED] = {"token-tampered", 400, "The token was changed"},
    [SRV_TOKEN_HAS_UNKNOWN_KEY] = {"token-unknown-key", 401, "The token was made with a key that is not known here"},
    [SRV_TOKEN_HAS_OTHER_MODEL] = {"token-other-model", 401, "The token belongs to another model"},
    [SRV_TOKEN_IS_EXPIRED] = {"token-expired", 401, "The token has expired"},
    [SRV_TOKEN_HAS_OTHER_DELTA] = {"token-other-delta", 401, "The token was begun with another delta"},
    [SRV_BODY_NOT_JSON] = {"body-not-json", 400, "The body is not JSON"},
    [SRV_BODY_TOO_DEEP] = {"body-too-deep", 400, "The body is nested too deeply"},
    [SRV_BODY_MEMBER] = {"body-member", 422, "A member of the body is not what was expected"},
    [SRV_ATTRIBUTE_UNKNOWN] = {"attribute-unknown", 422, "There is no such attribute"},
    [SRV_ATTRIBUTE_CLOSED] = {"attribute-closed", 409, "The attribute was answered or refused before"},
    [SRV_ATTRIBUTE_NOT_ASKED] = {"attribute-not-asked", 409, "Another attribute was asked for"},
    [SRV_DELTA_NOT_ALLOWED] = {"delta-not-allowed", 422, "This delta may not be asked for"},
    [SRV_SESSION_DECIDED] = {"session-decided", 409, "There is a decision already"},
    [SRV_SESSION_OPEN] = {"session-open", 409, "There is no decision yet"},
    [SRV_BODY_TOO_LARGE] = {"body-too-large", 413, "The body is too large"},
    [SRV_HEADERS_TOO_LARGE] = {"headers-too-large", 431, "The headers are too large"},
    [SRV_TOO_MANY_SESSIONS] = {"too-many-sessions", 429, "Too many sessions were begun"},
    [SRV_TOO_MANY_DECISIONS] = {"too-many-decisions", 429, "Too many decisions were made"},
    [SRV_TOO_MUCH_WORK] = {"too-much-work", 429, "Too much was asked for"},
    [SRV_TOO_MANY_FROM_ADDRESS] = {"too-many-connections", 429, "Too many connections from one address"},
    [SRV_TOO_MANY_CONNECTIONS] = {"too-many-connections", 503, "Too many connections"},
    [SRV_TOO_SLOW] = {"too-slow", 408, "The request took too long to arrive"},
    [SRV_BAD_REQUEST] = {"bad-request", 400, "The request could be read in more than one way"},
    [SRV_MISDIRECTED] = {"misdirected", 421, "This server is not for that host"},
    [SRV_NOT_FOUND] = {"not-found", 404, "There is nothing here"},
    [SRV_METHOD_NOT_ALLOWED] = {"method-not-allowed", 405, "This method is not possible here"},
    [SRV_MEDIA_TYPE] = {"media-type", 415, "The body must be application/json"},
    [SRV_INTERNAL] = {"internal", 500, "Something went wrong on the server"},
};

static const char PROBLEM_TYPE[] = "application/problem+json";

const char *srv_problem_name(srv_problem_code code)
{
    return PROBLEMS[code].code;
}

unsigned srv_problem_status(srv_problem_code code)
{
    return PROBLEMS[code].status;
}

/* A text that was cut off ends with a whole character. */
static void trim_character(char *text, size_t size)
{
    size_t start = size;

    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0)
        text[start - 1] = '\0';
}

void srv_problem(srv_reply *reply, srv_problem_code code, const char *format, ...)
{
    static const char WITHOUT_MEMORY[] =
        "{\"type\":\"urn:tacit:problem:internal\",\"title\":\"Something went wrong on the server\",\"status\":500,"
        "\"detail\":\"Memory is short.\",\"code\":\"internal\"}";
    char detail[DETAIL_ROOM];
    srv_out out;
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(detail, sizeof(detail), format, arguments) >= (int)sizeof(detail))
        trim_character(detail, sizeof(detail) - 1);
    va_end(arguments);
    srv_out_start(&out, DETAIL_ROOM);
    srv_out_text(&out, "{\"type\":\"urn:tacit:problem:");
    srv_out_text(&out, PROBLEMS[code].code);
    srv_out_text(&out, "\",\"title\":");
    srv_out_string(&out, PROBLEMS[code].title);
    srv_out_text(&out, ",\"status\":");
    srv_out_count(&out, PROBLEMS[code].status);
    srv_out_text(&out, ",\"detail\":");
    srv_out_string(&out, detail);
    srv_out_text(&out, ",\"code\":\"");
    srv_out_text(&out, PROBLEMS[code].code);
    srv_out_text(&out, "\"}");
    if (out.failed) {
        srv_out_drop(&out);
        srv_reply_shared(reply, PROBLEM_TYPE, WITHOUT_MEMORY, sizeof(WITHOUT_MEMORY) - 1);
        code = SRV_INTERNAL;
    } else {
        srv_out_finish(&out, reply);
    }
    reply->status = PROBLEMS[code].status;
    reply->type = PROBLEM_TYPE;
    reply->problem = PROBLEMS[code].code;
}

void srv_reply_shared(srv_reply *reply, const char *type, const char *body, size_t size)
{
    *reply = (srv_reply){.status = 200, .type = type, .body = body, .size = size, .shared = true};
}

void srv_reply_clear(srv_reply *reply)
{
    if (!reply->shared)
        srv_body_free((void *)(uintptr_t)reply->body);
    *reply = (srv_reply){0};
}

static head *head_of(void *body)
{
    return (head *)body - 1;
}

/* ---- the spare bodies of a thread ---- */

static pthread_once_t spare_once = PTHREAD_ONCE_INIT;
static pthread_key_t spare_key;
static bool spare_possible;

static void free_blocks(void *first)
{
    for (head *block = first, *next; block; block = next) {
        next = block->next;
        tct_free(block);
    }
}

static void make_spare_key(void)
{
    spare_possible = pthread_key_create(&spare_key, free_blocks) == 0;
}

/* Keep a wiped block for later; false when there are enough. */
static bool keep_spare(head *block)
{
    pthread_once(&spare_once, make_spare_key);
    block->next = spare_possible ? pthread_getspecific(spare_key) : NULL;
    block->n_spare = block->next ? block->next->n_spare + 1 : 1;
    return spare_possible && block->n_spare <= MOST_SPARE && pthread_setspecific(spare_key, block) == 0;
}

static head *take_spare(void)
{
    head *block;

    pthread_once(&spare_once, make_spare_key);
    block = spare_possible ? pthread_getspecific(spare_key) : NULL;
    if (block)
        pthread_setspecific(spare_key, block->next);
    return block;
}

void srv_body_free(void *body)
{
    head *block;

    if (!body)
        return;
    block = head_of(body);
    tct_wipe(body, block->written);
    if (block->room != USUAL_ROOM || !keep_spare(block))
        tct_free(block);
}

/* ---- writing ---- */

/* A body with this room, or NULL. */
static char *new_body(size_t room)
{
    head *block = NULL;

    if (room <= USUAL_ROOM) {
        room = USUAL_ROOM;
        block = take_spare();
    }
    if (!block && room < SIZE_MAX - sizeof(head)) {
        block = tct_malloc(sizeof(head) + room, 1);
        if (block)
            *block = (head){.room = room};
    }
    if (!block)
        return NULL;
    block->written = room; /* nobody knows yet */
    return (char *)(block + 1);
}

void srv_out_start(srv_out *out, size_t room)
{
    *out = (srv_out){.body = new_body(room)};
    out->failed = !out->body;
    out->room = out->body ? head_of(out->body)->room : 0;
}

bool srv_out_grow(srv_out *out, size_t more)
{
    size_t room;
    char *body;

    if (out->failed || more <= out->room - out->size)
        return !out->failed;
    room = more < SIZE_MAX / 4 && out->size < SIZE_MAX / 4 ? 2 * (out->size + more) : SIZE_MAX;
    body = new_body(room);
    if (!body) {
        out->failed = true;
        out->room = out->size; /* later writes come here, too */
        return false;
    }
    memcpy(body, out->body, out->size);
    srv_body_free(out->body);
    out->body = body;
    out->room = head_of(body)->room;
    return true;
}

/* Texts come from schemas and from our own code, which are valid UTF-8: only what JSON reserves is to be escaped, and
 * '<', so that a body is harmless inside a page too. */
void srv_out_string(srv_out *out, const char *text)
{
    srv_out_bytes(out, "\"", 1);
    while (*text) {
        size_t plain = 0;
        char escape[8];

        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\' && text[plain] != '<' &&
               text[plain] != 0x7F)
            plain++;
        srv_out_bytes(out, text, plain);
        text += plain;
        if (*text) {
            snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)(unsigned char)*text++);
            srv_out_bytes(out, escape, 6);
        }
    }
    srv_out_bytes(out, "\"", 1);
}

void srv_out_count(srv_out *out, uint64_t value)
{
    char digits[20];
    size_t n = 0;

    do
        digits[sizeof(digits) - ++n] = (char)('0' + value % 10);
    while (value /= 10);
    srv_out_bytes(out, digits + sizeof(digits) - n, n);
}

/* Whole numbers of thousandths, as most are here, without the way through printf.  False: it is none. */
static bool put_thousandths(srv_out *out, double value)
{
    double scaled = value * THOUSAND;
    uint64_t whole;
    char digits[4] = ".";
    size_t n = 3;

    if (!(scaled >= 0 && scaled < 1e9) || (scaled == 0 && signbit(value)))
        return false;
    whole = (uint64_t)(scaled + 0.5);
    if ((double)whole / THOUSAND != value)
        return false;
    srv_out_count(out, whole / THOUSAND);
    whole %= THOUSAND;
    for (size_t i = n; i > 0; i--, whole /= 10)
        digits[i] = (char)('0' + whole % 10);
    while (n > 0 && digits[n] == '0')
        n--;
    if (n > 0)
        srv_out_bytes(out, digits, n + 1);
    return true;
}

void srv_out_number(srv_out *out, double value)
{
    char text[32] = "null";

    if (put_thousandths(out, value))
        return;
    if (value - value == 0) /* finite */
        tct_format_number(value, text, sizeof(text));
    srv_out_text(out, text);
}

void srv_out_finish(srv_out *out, srv_reply *reply)
{
    if (out->failed) {
        srv_out_drop(out);
        srv_problem(reply, SRV_INTERNAL, "Memory is short.");
        return;
    }
    head_of(out->body)->written = out->size;
    *reply = (srv_reply){.status = 200, .type = "application/json", .body = out->body, .size = out->size};
    *out = (srv_out){0};
}

void srv_out_drop(srv_out *out)
{
    srv_body_free(out->body);
    *out = (srv_out){0};
}

void srv_reply_pad(srv_reply *reply, size_t step)
{
    char *body = (char *)(uintptr_t)reply->body;
    size_t more = (step - reply->size % step) % step;
    srv_out out;

    if (!body || reply->shared)
        return;
    out = (srv_out){.body = body, .size = reply->size, .room = head_of(body)->room};
    if (!srv_out_grow(&out, more))
        return;
    memset(out.body + out.size, ' ', more);
    reply->body = out.body;
    reply->size += more;
    reply->padded = true;
    head_of(out.body)->written = reply->size;
}
