/*
 * sniff.c -- looking at the first lines of a CSV, and at a record that does not end: plain, byte by byte.
 */
#include "sniff.h"

#define SNIFF_RECORDS 50

static const char candidates[] = {',', ';', '\t', '|'};
#define N_CANDIDATES (sizeof(candidates))

/* How often each candidate stands outside quotes in the record at `at`; returns where the next one begins. */
static size_t count_candidates(const char *bytes, size_t size, size_t at, size_t counts[N_CANDIDATES])
{
    bool inside = false;

    memset(counts, 0, N_CANDIDATES * sizeof(*counts));
    for (; at < size && (inside || bytes[at] != '\n'); at++) {
        inside ^= bytes[at] == '"';
        for (size_t c = 0; c < N_CANDIDATES && !inside; c++)
            counts[c] += bytes[at] == candidates[c];
    }
    return at < size ? at + 1 : size;
}

static bool is_blank_line(const char *bytes, size_t start, size_t end)
{
    return end == start + 1 || (end == start + 2 && bytes[start] == '\r');
}

char tct_sniff_separator(const char *bytes, size_t size)
{
    size_t header[N_CANDIDATES], counts[N_CANDIDATES], agree[N_CANDIDATES] = {0}, best = 0;
    size_t at = count_candidates(bytes, size, 0, header);

    for (size_t n = 0; n < SNIFF_RECORDS && at < size;) {
        size_t next = count_candidates(bytes, size, at, counts);

        /* The last record may be cut off. */
        if (!is_blank_line(bytes, at, next) && (next < size || bytes[size - 1] == '\n')) {
            for (size_t c = 0; c < N_CANDIDATES; c++)
                agree[c] += header[c] > 0 && counts[c] == header[c];
            n++;
        }
        at = next;
    }
    for (size_t c = 1; c < N_CANDIDATES; c++)
        if (header[c] > 0 &&
            (header[best] == 0 || agree[c] > agree[best] || (agree[c] == agree[best] && header[c] > header[best])))
            best = c;
    return candidates[best];
}

size_t tct_sniff_cells(const char *record, char separator)
{
    bool inside = false;
    size_t cells = 1;

    for (; inside || *record != '\n'; record++) {
        inside ^= *record == '"';
        cells += !inside && *record == separator;
    }
    return cells;
}

tct_trouble_kind tct_sniff_quotes(const char *record, size_t size, char separator)
{
    for (size_t i = 0; i < size; i++) {
        while (i < size && (record[i] == ' ' || record[i] == '\t') && record[i] != separator)
            i++;
        if (i < size && record[i] == '"') {
            for (i++; i < size && (record[i] != '"' || (i + 1 < size && record[i + 1] == '"')); i++)
                i += record[i] == '"';
            if (i >= size)
                return TCT_TROUBLE_NONE;
            for (i++; i < size && record[i] != separator && record[i] != '\n'; i++)
                if (record[i] != ' ' && record[i] != '\t' && record[i] != '\r')
                    return TCT_TROUBLE_QUOTE_AFTER;
        } else {
            for (; i < size && record[i] != separator && record[i] != '\n'; i++)
                if (record[i] == '"')
                    return TCT_TROUBLE_QUOTE_INSIDE;
        }
    }
    return TCT_TROUBLE_NONE;
}
