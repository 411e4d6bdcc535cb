/*
 * api_request.c -- reading request bodies.
 *
 * RFC 8259, strictly: UTF-8, no duplicate members, nothing after the value.  What we have no use for is still read
 * through, so that "no JSON" and "JSON with something unexpected in it" stay different problems.  Texts are decoded
 * into one block of the size of the body: decoded text and its terminator never need more than the text as written
 * with its quotes, or a number and the character that ends it.
 */
#include "api_request.h"

#include <string.h>

#include "base.h"
#include "limits.h"

typedef struct member {
    const char *name;
    size_t name_size;
    size_t offset; /* in srv_request */
    unsigned kinds;
    const char *expected;
} member;

#define NAME(text) text, sizeof(text) - 1

static const member SESSIONS_MEMBERS[] = {
    {NAME("public"), offsetof(srv_request, public_), SRV_OBJECT, "an object of attributes and values"},
    {NAME("delta"), offsetof(srv_request, delta), SRV_NUMBER, "a number"},
    {NAME("receipt"), offsetof(srv_request, receipt), SRV_TRUE | SRV_FALSE, "true or false"},
    {0},
};
static const member ANSWERS_MEMBERS[] = {
    {NAME("token"), offsetof(srv_request, token), SRV_STRING, "the token of the step before, a string"},
    {NAME("attribute"), offsetof(srv_request, attribute), SRV_STRING, "the name of an attribute, a string"},
    {NAME("value"), offsetof(srv_request, value), SRV_NUMBER | SRV_STRING | SRV_NULL, "a number, a string or null"},
    {NAME("refuse"), offsetof(srv_request, refuse), SRV_TRUE | SRV_FALSE, "true or false"},
    {NAME("unknown"), offsetof(srv_request, unknown), SRV_TRUE | SRV_FALSE, "true or false"},
    {NAME("receipt"), offsetof(srv_request, receipt), SRV_TRUE | SRV_FALSE, "true or false"},
    {0},
};
static const member RECEIPTS_MEMBERS[] = {
    {NAME("token"), offsetof(srv_request, token), SRV_STRING, "the token of a decided session, a string"},
    {0},
};
static const member *const MEMBERS[] = {
    [SRV_SESSIONS] = SESSIONS_MEMBERS, [SRV_ANSWERS] = ANSWERS_MEMBERS, [SRV_RECEIPTS] = RECEIPTS_MEMBERS};

typedef struct reader {
    const char *start, *at, *end;
    char *texts; /* free room for decoded texts */
    unsigned depth;
    const member *members;
    srv_request *request;
    size_t most_pairs;
    srv_reply *reply; /* filled by the first failure */
} reader;

static bool fail_json(reader *r, const char *expected)
{
    srv_problem(r->reply, SRV_BODY_NOT_JSON, "At byte %zu of the body: expected %s.", (size_t)(r->at - r->start) + 1,
                expected);
    return false;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

/* The next character, 0 at the end. */
static char peek(const reader *r)
{
    return r->at < r->end ? *r->at : '\0';
}

static bool take(reader *r, char c)
{
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* ---- strings ---- */

static bool take_hex(reader *r, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = peek(r);
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 16;

        if (digit == 16)
            return fail_json(r, "four hexadecimal digits");
        *code = 16 * *code + digit;
        r->at++;
    }
    return true;
}

static void put_character(reader *r, unsigned code)
{
    unsigned char *t = (unsigned char *)r->texts;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char FIRST[] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = n; i-- > 1; code >>= 6)
        t[i] = (unsigned char)(0x80 | (code & 0x3F));
    t[0] = (unsigned char)(FIRST[n] | code);
    r->texts += n;
}

static bool take_unicode(reader *r)
{
    unsigned code, low;

    if (!take_hex(r, &code))
        return false;
    if (code >= 0xDC00 && code <= 0xDFFF)
        return fail_json(r, "no second half of a surrogate pair");
    if (code >= 0xD800 && code <= 0xDBFF) {
        if (!take(r, '\\') || !take(r, 'u'))
            return fail_json(r, "the second half of a surrogate pair");
        if (!take_hex(r, &low))
            return false;
        if (low < 0xDC00 || low > 0xDFFF)
            return fail_json(r, "the second half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    put_character(r, code);
    return true;
}

static bool take_escape(reader *r)
{
    static const char NAMED[] = "\"\"\\\\//b\bf\fn\nr\rt\t"; /* letter, character, letter, character, ... */

    if (take(r, 'u'))
        return take_unicode(r);
    for (const char *pair = NAMED; *pair; pair += 2)
        if (take(r, *pair)) {
            *r->texts++ = pair[1];
            return true;
        }
    return fail_json(r, "an escape that JSON knows");
}

/* One character beyond ASCII: well-formed UTF-8 only. */
static bool take_utf8(reader *r)
{
    const unsigned char *s = (const unsigned char *)r->at;
    size_t left = (size_t)(r->end - r->at);
    size_t n = s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
    bool fine = n > 0 && n <= left;

    for (size_t i = 1; fine && i < n; i++)
        fine = (s[i] & 0xC0) == 0x80;
    if (!fine || (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0) || (s[0] == 0xF0 && s[1] < 0x90) ||
        (s[0] == 0xF4 && s[1] >= 0x90))
        return fail_json(r, "UTF-8");
    memcpy(r->texts, s, n);
    r->texts += n;
    r->at += n;
    return true;
}

/* Does one of eight bytes not stand for itself: a control character, a quote, a backslash, one beyond ASCII? */
static bool holds_special(const char bytes[8])
{
    const uint64_t ones = 0x0101010101010101, tops = 0x80 * ones;
    uint64_t word, quotes, backslashes;

    memcpy(&word, bytes, sizeof(word));
    quotes = word ^ '"' * ones;
    backslashes = word ^ '\\' * ones;
    /* A borrow out of a byte sets its top bit: it was smaller.  It may touch the next one too, but errs on our side. */
    return ((word | (word - 0x20 * ones) | (quotes - ones) | (backslashes - ones)) & tops) != 0;
}

/* As many characters as stand for themselves. */
static void take_plain(reader *r)
{
    const char *at = r->at;
    size_t size;

    while (r->end - at >= 8 && !holds_special(at))
        at += 8;
    while (at < r->end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' && *at != '\\')
        at++;
    size = (size_t)(at - r->at);
    memcpy(r->texts, r->at, size);
    r->texts += size;
    r->at = at;
}

/* A string, its opening quote still there. */
static bool read_string(reader *r, srv_field *field)
{
    char *start = r->texts;

    if (!take(r, '"'))
        return fail_json(r, "a string");
    while (!take(r, '"')) {
        unsigned char c = (unsigned char)peek(r);

        if (r->at >= r->end)
            return fail_json(r, "the end of a string");
        if (c < 0x20)
            return fail_json(r, "no control character in a string");
        if (c == '\\') {
            r->at++;
            if (!take_escape(r))
                return false;
        } else if (c >= 0x80) {
            if (!take_utf8(r))
                return false;
        } else {
            take_plain(r);
        }
    }
    *field = (srv_field){SRV_STRING, start, (size_t)(r->texts - start)};
    *r->texts++ = '\0';
    return true;
}

/* ---- other values ---- */

static bool take_digits(reader *r)
{
    if (peek(r) < '0' || peek(r) > '9')
        return fail_json(r, "a digit");
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return true;
}

static bool read_number(reader *r, srv_field *field)
{
    const char *start = r->at;
    size_t size;

    take(r, '-');
    if (!take(r, '0') && !take_digits(r))
        return false;
    if (take(r, '.') && !take_digits(r))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        if (!take_digits(r))
            return false;
    }
    if (r->at == r->end) /* a body is an object: something must follow, and the terminator takes its place */
        return fail_json(r, "more after a number");
    size = (size_t)(r->at - start);
    memcpy(r->texts, start, size);
    r->texts[size] = '\0';
    *field = (srv_field){SRV_NUMBER, r->texts, size};
    r->texts += size + 1;
    return true;
}

static bool read_word(reader *r, srv_field *field)
{
    static const struct {
        const char *word;
        srv_kind kind;
    } WORDS[] = {{"null", SRV_NULL}, {"true", SRV_TRUE}, {"false", SRV_FALSE}};

    for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++) {
        size_t size = strlen(WORDS[i].word);

        if ((size_t)(r->end - r->at) >= size && memcmp(r->at, WORDS[i].word, size) == 0) {
            r->at += size;
            *field = (srv_field){WORDS[i].kind, "", 0};
            return true;
        }
    }
    return fail_json(r, "a value");
}

static bool read_value(reader *r, srv_field *field);

static bool go_deeper(reader *r)
{
    if (++r->depth <= SRV_JSON_DEPTH)
        return true;
    srv_problem(r->reply, SRV_BODY_TOO_DEEP, "More than %d objects and arrays are inside each other.", SRV_JSON_DEPTH);
    return false;
}

/* What to do with a member whose name was read and whose value comes next. */
typedef bool member_reader(reader *r, const srv_field *name);

static bool read_members(reader *r, member_reader *read_member)
{
    bool more;

    if (!take(r, '{'))
        return fail_json(r, "an object");
    if (!go_deeper(r))
        return false;
    skip_blanks(r);
    for (more = !take(r, '}'); more; more = take(r, ',')) {
        srv_field name;

        skip_blanks(r);
        if (!read_string(r, &name))
            return false;
        skip_blanks(r);
        if (!take(r, ':'))
            return fail_json(r, "a colon");
        skip_blanks(r);
        if (!read_member(r, &name))
            return false;
        skip_blanks(r);
        if (peek(r) == '}') {
            r->at++;
            break;
        }
        if (peek(r) != ',')
            return fail_json(r, "a comma or a closing brace");
    }
    r->depth--;
    return true;
}

static bool drop_member(reader *r, const srv_field *name)
{
    srv_field value;

    (void)name;
    return read_value(r, &value);
}

static bool read_array(reader *r)
{
    srv_field value;
    bool more;

    if (!take(r, '[') || !go_deeper(r))
        return false;
    skip_blanks(r);
    for (more = !take(r, ']'); more; more = take(r, ',')) {
        skip_blanks(r);
        if (!read_value(r, &value))
            return false;
        skip_blanks(r);
        if (peek(r) == ']') {
            r->at++;
            break;
        }
        if (peek(r) != ',')
            return fail_json(r, "a comma or a closing bracket");
    }
    r->depth--;
    return true;
}

static bool read_value(reader *r, srv_field *field)
{
    char c = peek(r);

    *field = (srv_field){SRV_ABSENT, "", 0};
    if (c == '"')
        return read_string(r, field);
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r, field);
    if (c == '[') {
        field->kind = SRV_ARRAY;
        return read_array(r);
    }
    if (c == '{') {
        field->kind = SRV_OBJECT;
        return read_members(r, drop_member);
    }
    return read_word(r, field);
}

/* ---- the members we know ---- */

static bool is_member(const srv_field *field, const member *m)
{
    return field->size == m->name_size && memcmp(field->text, m->name, field->size) == 0;
}

/* One member of `public`. */
static bool read_pair(reader *r, const srv_field *name)
{
    srv_request *request = r->request;
    srv_pair *pair;

    if (request->n_pairs == r->most_pairs) {
        srv_problem(r->reply, SRV_BODY_MEMBER, "public: expected at most %zu members, one for each attribute.",
                    r->most_pairs);
        return false;
    }
    pair = &request->pairs[request->n_pairs];
    pair->name = *name;
    if (!read_value(r, &pair->value))
        return false;
    request->n_pairs++;
    return true;
}

static bool fail_unknown(reader *r, const srv_field *name)
{
    const char *names[sizeof(ANSWERS_MEMBERS) / sizeof(ANSWERS_MEMBERS[0])], *close;
    tct_text list = {0};
    size_t n = 0;

    for (const member *m = r->members; m->name; m++) {
        names[n++] = m->name;
        tct_text_printf(&list, "%s%s", n > 1 ? ", " : "", m->name);
    }
    close = tacit_suggest(name->text, names, n);
    if (close)
        srv_problem(r->reply, SRV_BODY_MEMBER, "There is a member that is not known; did you mean %s?", close);
    else
        srv_problem(r->reply, SRV_BODY_MEMBER, "There is a member that is none of: %s.", list.bytes ? list.bytes : "");
    tct_text_free(&list);
    return false;
}

static bool read_known(reader *r, const srv_field *name)
{
    const member *m = r->members;
    srv_field *field;
    bool fine;

    while (m->name && !is_member(name, m))
        m++;
    if (!m->name)
        return fail_unknown(r, name);
    field = (srv_field *)((char *)r->request + m->offset);
    if (field->kind != SRV_ABSENT) {
        srv_problem(r->reply, SRV_BODY_MEMBER, "%s: expected once, found twice.", m->name);
        return false;
    }
    if (field == &r->request->public_ && peek(r) == '{') {
        *field = (srv_field){SRV_OBJECT, "", 0};
        fine = read_members(r, read_pair);
    } else {
        fine = read_value(r, field);
    }
    if (fine && !(field->kind & m->kinds)) {
        srv_problem(r->reply, SRV_BODY_MEMBER, "%s: expected %s.", m->name, m->expected);
        return false;
    }
    return fine;
}

bool srv_request_read(srv_request *request, srv_request_kind kind, size_t most_pairs, const char *body, size_t size,
                      srv_reply *reply)
{
    reader r = {.start = body,
                .at = body,
                .end = body + size,
                .members = MEMBERS[kind],
                .request = request,
                .most_pairs = most_pairs,
                .reply = reply};
    bool fine = false;

    *request = (srv_request){.texts_size = size + 1};
    request->texts = tct_malloc(request->texts_size, 1);
    if (most_pairs > 0)
        request->pairs = tct_calloc(most_pairs, sizeof(*request->pairs));
    if (!request->texts || (most_pairs > 0 && !request->pairs)) {
        srv_problem(reply, SRV_INTERNAL, "Memory is short.");
        goto done;
    }
    r.texts = request->texts;
    skip_blanks(&r);
    if (!read_members(&r, read_known))
        goto done;
    skip_blanks(&r);
    fine = r.at == r.end || fail_json(&r, "nothing after the object");
done:
    if (!fine)
        srv_request_clear(request);
    return fine;
}

void srv_request_clear(srv_request *request)
{
    tct_free_wiped(request->texts, request->texts_size);
    tct_free(request->pairs);
    *request = (srv_request){0};
}
