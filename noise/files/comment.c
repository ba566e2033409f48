/* noise/files/comment.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_file. */
#include "files/comment.h"

#include "files/decimal.h"
#include "files/header.h"

#include <string.h>

/* What the first line says that begins with @p head. */
static void keep_first(const char *line, const char *head, char **value)
{
    if (*value == NULL && g_str_has_prefix(line, head)) {
        *value = g_strstrip(g_utf8_make_valid(line + strlen(head), -1));
    }
}

static bool take_sources(noise_reader *r, const noise_header *header)
{
    JsonNode *source = noise_header_source(header, 0);
    if (source != NULL && (r->runs->len > 0 || r->start->len > 0)) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the header names sources, but stands behind detours");
    }
    for (guint i = 0; source != NULL; source = noise_header_source(header, ++i)) {
        const char *name = noise_header_text(source, "name");
        const char *kind = noise_header_text(source, "kind");
        if (name == NULL || name[0] == '\0') {
            return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                     "source %u of the header has no name", i);
        }
        if (noise_reader_source(r, name, kind != NULL ? kind : "not known",
                                noise_header_text(source, "evidence")) != i) {
            return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                     "two sources of the header are called '%s'", name);
        }
    }
    return true;
}

static bool read_json(noise_reader *r, const char *json)
{
    noise_header header;
    g_autofree char *why = NULL;
    r->json = g_strstrip(g_strdup(json));
    if (!noise_header_parse(r->json, &header, &why)) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line, "%s", why);
    }
    const bool ok = take_sources(r, &header);
    const char *method = noise_header_text(header.root, "method");
    const char *note = noise_header_text(header.root, "note");
    if (ok && r->method == NULL) {
        r->method = g_strdup(method);
    }
    if (ok && note != NULL) {
        noise_reader_note(r, note);
    }
    noise_header_clear(&header);
    return ok;
}

bool noise_comment_read(noise_reader *r, const char *line)
{
    static const char JSON[] = "# ripple:";
    keep_first(line, "# Sysname :", &r->system);
    keep_first(line, "# Nodename:", &r->host);
    keep_first(line, "# Release :", &r->release);
    keep_first(line, "# Benchmark Method:", &r->method);
    return !g_str_has_prefix(line, JSON) || r->json != NULL || read_json(r, line + strlen(JSON));
}

bool noise_comment_period(noise_reader *r, const char *line, sim_time *period)
{
    static const char PERIOD[] = "# Measurement period:";
    if (!g_str_has_prefix(line, PERIOD)) {
        return true;
    }
    const char *number = line + strlen(PERIOD);
    number += strspn(number, " \t");
    const char *at = number;
    char shown[NOISE_FILE_FIELD];
    const sim_time value = noise_decimal_parse(&at, 12); /* s to ps */
    at += strspn(at, " \ts\r");
    if (value < 0 || *at != '\0') {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the measurement period '%s' is not a time in s",
                                 noise_reader_field(number, shown));
    }
    *period = value;
    return true;
}

bool noise_comment_end_run(noise_reader *r, const char *line,
                           bool (*end)(noise_reader *reader, sim_time stated))
{
    sim_time period = -1;
    if (!noise_comment_period(r, line, &period)) {
        return false;
    }
    const bool ends = period >= 0 || g_str_has_prefix(line, "# Benchmark Method");
    return !ends || end(r, period);
}
