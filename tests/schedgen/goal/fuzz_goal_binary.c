/* tests/schedgen/goal/fuzz_goal_binary.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes behind the magic of GOAL binary: refused with a message, or written so that it is
 * read back and written the same again.
 */
#include "fuzz.h"
#include "sched/goal.h"

#include <stdlib.h>
#include <string.h>

static char *write_binary(const sim_graph *graph, gsize *len)
{
    char *data = NULL;
    if (!sched_goal_write_binary(graph, "fuzz.bin", NULL) ||
        !g_file_get_contents("fuzz.bin", &data, len, NULL)) {
        abort();
    }
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8) {
        return 0;
    }
    /* The right magic, or nearly all mutations would be text. */
    g_autofree char *input = g_memdup2(data, size);
    memcpy(input, "\x7f\x10\0\0\0\0\0", 8);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sched_goal_read_data("f", input, size, false, &error);
    if (graph == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    gsize len;
    gsize len_again;
    g_autofree char *bytes = write_binary(graph, &len);
    g_autoptr(sim_graph) back = sched_goal_read_data("f", bytes, len, false, NULL);
    if (back == NULL) {
        abort();
    }
    g_autofree char *again = write_binary(back, &len_again);
    if (len != len_again || memcmp(bytes, again, len) != 0) {
        abort();
    }
    return 0;
}
