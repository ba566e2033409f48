/* tests/schedgen/goal/fuzz_goal_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as GOAL text: refused with a message, or written so that the strict reader takes it
 * and writes the same again.
 */
#include "fuzz.h"
#include "sched/goal.h"

#include <stdlib.h>

static char *write_text(const sim_graph *graph, gsize *len)
{
    char *text = NULL;
    if (!sched_goal_write_text(graph, "fuzz.goal", NULL) ||
        !g_file_get_contents("fuzz.goal", &text, len, NULL)) {
        abort();
    }
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) strict = sched_goal_read_data("f", (const char *)data, size, true, NULL);
    g_autoptr(sim_graph) graph = sched_goal_read_data("f", (const char *)data, size, false, &error);
    if (graph == NULL) {
        /* What the reference takes, we take. */
        if (error == NULL || error->message[0] == '\0' || strict != NULL) {
            abort();
        }
        return 0;
    }
    if (sim_graph_num_ranks(graph) > 1000) {
        return 0; /* a number of ranks, and little else: slow to write */
    }
    gsize len;
    gsize len_again;
    g_autofree char *text = write_text(graph, &len);
    g_autoptr(sim_graph) back = sched_goal_read_data("f", text, len, true, NULL);
    if (back == NULL) {
        abort();
    }
    g_autofree char *again = write_text(back, &len_again);
    if (g_strcmp0(text, again) != 0) {
        abort();
    }
    return 0;
}
