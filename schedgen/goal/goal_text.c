/* schedgen/goal/goal_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "goal/goal_text_private.h"

#include <string.h>

uint64_t sched_goal_text_line(const goal_text *t, const char *at)
{
    uint64_t line = 1;
    for (const char *p = t->data; p < at; p++) {
        line += *p == '\n';
    }
    return line;
}

/* The text at a place, for a message: up to the end of the line, printable. Owned. */
static char *excerpt(const goal_text *t, const char *at)
{
    const char *end = at;
    while (end < t->scan.end && *end != '\n' && *end != '\r' && end - at < 40) {
        end++;
    }
    if (end == at) {
        return g_strdup(at == t->scan.end ? "end of file" : "end of line");
    }
    g_autofree char *valid = g_utf8_make_valid(at, end - at);
    for (char *c = valid; *c != '\0'; c++) {
        *c = g_ascii_iscntrl(*c) ? '?' : *c;
    }
    return g_strdup(g_strchomp(valid));
}

bool sched_goal_text_fail_at(const goal_text *t, const char *at, const char *what)
{
    if (*t->error != NULL) {
        return false;
    }
    g_autofree char *text = excerpt(t, at);
    g_set_error(t->error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%" G_GUINT64_FORMAT ": %s: '%s'",
                t->name, sched_goal_text_line(t, at), what, text);
    return false;
}

bool sched_goal_text_fail(const goal_text *t, const char *what)
{
    return sched_goal_text_fail_at(t, t->scan.at, what);
}

/* The scan is at a slash. @return false if it is no comment, or one without end (an error) */
static bool skip_comment(goal_text *t)
{
    goal_scan *scan = &t->scan;
    if (goal_scan_word(scan, "//", 2)) {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline != NULL ? newline : scan->end;
        return true;
    }
    const char *begin = scan->at;
    if (!goal_scan_word(scan, "/*", 2)) {
        return sched_goal_text_fail(t, "neither a statement nor a comment");
    }
    for (;;) {
        const char *star = memchr(scan->at, '*', (size_t)(scan->end - scan->at));
        if (star == NULL || star + 1 == scan->end) {
            return sched_goal_text_fail_at(t, begin, "comment without end");
        }
        scan->at = star + 1;
        if (goal_scan_char(scan, '/')) {
            return true;
        }
    }
}

bool sched_goal_text_skip_filler(goal_text *t)
{
    goal_scan *scan = &t->scan;
    while (scan->at < scan->end) {
        const char *before = scan->at;
        goal_scan_blanks(scan);
        if (goal_scan_newline(scan)) {
            continue;
        }
        if (t->strict && scan->at > before && scan->at < scan->end) {
            return sched_goal_text_fail_at(t, before,
                                           "indented (the reference converter misreads it)");
        }
        if (scan->at == scan->end || *scan->at != '/') {
            return true;
        }
        if (!skip_comment(t)) {
            return false;
        }
    }
    return true;
}

void sched_goal_text_skip_blanks(goal_text *t)
{
    goal_scan_blanks(&t->scan);
    while (!t->strict && t->scan.end - t->scan.at >= 2 && memcmp(t->scan.at, "/*", 2) == 0) {
        if (!skip_comment(t)) {
            return;
        }
        goal_scan_blanks(&t->scan);
    }
}

bool sched_goal_text_end_statement(goal_text *t)
{
    goal_scan_blanks(&t->scan);
    if (!t->strict && t->scan.at < t->scan.end && *t->scan.at == '/') {
        if (!skip_comment(t)) {
            return false;
        }
        return true; /* what follows a block comment may as well be the next statement */
    }
    return t->scan.at == t->scan.end || goal_scan_newline(&t->scan) ||
           sched_goal_text_fail(t, "the statement should end here");
}

bool sched_goal_text_number(goal_text *t, uint64_t max, const char *what, uint64_t *out)
{
    sched_goal_text_skip_blanks(t);
    const char *at = t->scan.at;
    bool fits;
    if (!goal_scan_number(&t->scan, out, &fits)) {
        return sched_goal_text_fail(t, what);
    }
    if (!fits || *out > max) {
        g_autofree char *message = g_strconcat(what, " is out of range", NULL);
        return sched_goal_text_fail_at(t, at, message);
    }
    return true;
}
