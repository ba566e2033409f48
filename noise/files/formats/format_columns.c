/* noise/files/formats/format_columns.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
/**
 * @file
 * Start and length in ns, and in divided files the index of the source: LogGOPSim's columns,
 * Netgauge's selfish output, Ripple's own.
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"

#include <string.h>

static bool probe(const char *head)
{
    (void)head;
    return true;
}

static bool read_comment(noise_reader *r, const char *line)
{
    sim_time period = -1;
    if (!noise_comment_period(r, line, &period)) {
        return false;
    }
    if (period >= 0) {
        noise_reader_end_run(r, period);
    }
    if (g_str_has_prefix(line, "# Benchmark Method") || g_str_has_prefix(line, "# Time [ns]")) {
        noise_reader_end_run(r, -1);
    }
    return noise_comment_read(r, line);
}

/* The third column, if the file is divided. */
static bool read_source(const noise_reader *r, const char **at, uint32_t *source)
{
    *source = NOISE_NO_SOURCE;
    if (r->sources->len == 0) {
        return true;
    }
    char text[NOISE_FILE_FIELD];
    *at += strspn(*at, " \t");
    const char *column = *at;
    char *end = NULL;
    const guint64 index =
        g_ascii_isdigit(*column) ? g_ascii_strtoull(column, &end, 10) : UINT64_MAX;
    *at = end != NULL ? end : column;
    if (index >= r->sources->len) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the source '%s' is not one of the %u of the header, from 0",
                                 noise_reader_field(column, text), r->sources->len);
    }
    *source = (uint32_t)index;
    return true;
}

static bool read_detour(noise_reader *r, const char *line)
{
    char shown[NOISE_FILE_FIELD];
    const char *at = line;
    const sim_time start = noise_decimal_parse(&at, 3); /* ns to ps */
    if (start < 0 || (*at != ' ' && *at != '\t')) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the start '%s' is not a time in ns followed by a length",
                                 noise_reader_field(line, shown));
    }
    at += strspn(at, " \t");
    const char *second = at;
    const sim_time length = noise_decimal_parse(&at, 3);
    uint32_t source;
    if (length > 0 && !read_source(r, &at, &source)) {
        return false;
    }
    if (length <= 0 || at[strspn(at, " \t\r")] != '\0') {
        return noise_reader_fail(
            r, NOISE_ERROR_BAD_FILE, r->line,
            "the length '%s' is not a time above 0 in ns, alone up to the end of the line",
            noise_reader_field(second, shown));
    }
    const guint n = r->start->len;
    if (start == 0 && n > 0 && g_array_index(r->start, sim_time, n - 1) > 0) {
        noise_reader_end_run(r, -1);
    }
    return noise_reader_add(r, start, length, source, line);
}

static bool read_line(noise_reader *r, const char *line)
{
    return *line == '#' ? read_comment(r, line) : read_detour(r, line);
}

const noise_file_format noise_format_columns = {
    .name = "two columns",
    .probe = probe,
    .line = read_line,
};
