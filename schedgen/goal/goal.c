/* schedgen/goal/goal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_goal_text, test_goal_binary. */
#include "sched/goal.h"

#include "goal/goal_private.h"
#include "goal/goal_scan.h"
#include "sched/reader.h"
#include "sim/byte_order_mark.h"

#include <stdio.h>

#define PROBE_BYTES (1 << 16)

static bool is_binary(const char *data, size_t len)
{
    if (len < 8) {
        return false;
    }
    uint64_t magic = 0;
    for (int i = 7; i >= 0; i--) {
        magic = magic << 8 | (unsigned char)data[i];
    }
    return magic == GOAL_MAGIC || magic == GOAL_MAGIC_CONSUMED;
}

/* Past blanks, line ends and comments. */
static void skip_to_token(goal_scan *scan)
{
    const char *before;
    do {
        before = scan->at;
        goal_scan_blanks(scan);
        (void)goal_scan_newline(scan);
        const char *end = NULL;
        if (goal_scan_word(scan, "//", 2)) {
            end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        } else if (goal_scan_word(scan, "/*", 2)) {
            end = g_strstr_len(scan->at, scan->end - scan->at, "*/");
            end = end != NULL ? end + 2 : NULL;
        } else {
            end = scan->at;
        }
        scan->at = end != NULL ? end : scan->end;
    } while (scan->at > before);
}

static bool is_text(const char *data, size_t len)
{
    goal_scan scan = {data, data + len};
    skip_to_token(&scan);
    goal_label word;
    if (!goal_scan_label(&scan, &word) ||
        !(goal_label_is(&word, "num_ranks") || goal_label_is(&word, "rank"))) {
        return false;
    }
    goal_scan_blanks(&scan);
    return scan.at < scan.end && goal_is_digit(*scan.at);
}

/* The first bytes of a file; none of what cannot be read. Owned by the caller. */
static char *read_head(const char *path, size_t *len)
{
    *len = 0;
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rb") : NULL;
    char *data = g_malloc(PROBE_BYTES);
    if (file != NULL) {
        *len = fread(data, 1, PROBE_BYTES, file);
        (void)fclose(file);
    }
    return data;
}

bool sched_goal_probe(const char *path)
{
    size_t len;
    g_autofree char *data = read_head(path, &len);
    return is_binary(data, len) || is_text(data, len);
}

bool sched_goal_is_text(const char *path)
{
    size_t len;
    g_autofree char *data = read_head(path, &len);
    return !is_binary(data, len) && is_text(data, len);
}

sim_graph *sched_goal_read_data(const char *name, const char *data, size_t len, bool strict,
                                GError **error)
{
    if (is_binary(data, len)) {
        return sched_goal_binary_read(name, (const unsigned char *)data, len, false, error);
    }
    return sim_byte_order_mark_refuse(name, data, len, SCHED_ERROR, SCHED_ERROR_BAD_FILE, error)
               ? sched_goal_text_read(name, data, len, strict, error)
               : NULL;
}

sim_graph *sched_goal_read(const char *path, bool strict, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &cause);
    if (file == NULL) {
        g_set_error_literal(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, cause->message);
        return NULL;
    }
    const char *data = g_mapped_file_get_contents(file); /* NULL for an empty file */
    const size_t len = g_mapped_file_get_length(file);
    if (data != NULL && is_binary(data, len)) {
        return sched_goal_binary_read(path, (const unsigned char *)data, len, true, error);
    }
    return sched_goal_read_data(path, data != NULL ? data : "", len, strict, error);
}

static bool open_goal(const char *path, const sched_read_options *options, sched_input *out,
                      GError **error)
{
    sim_graph *graph = sched_goal_read(path, options->strict, error);
    if (graph == NULL) {
        return false;
    }
    out->graph = graph;
    return true;
}

const sched_reader sched_reader_goal = {
    .name = "GOAL",
    .forms = "GOAL text or binary",
    .description = "GOAL schedule",
    .probe = sched_goal_probe,
    .open = open_goal,
};
