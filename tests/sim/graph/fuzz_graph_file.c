/* tests/sim/graph/fuzz_graph_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a program of the native form, with the right magic and checksums, or nothing but
 * checksums would be tried: refused with a message, or saved as the same bytes twice; and run
 * without harm, verified or not.
 */
#include "fuzz.h"
#include "sim/graph_file.h"
#include "sim/run.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* docs/formats.md, "The native form". */
enum { BYTES = 16, SECTIONS = 64, NUM_SECTIONS = 9, CHECKSUM = 64 + 24 * 9, HEAD = 288 };

static void seal(char *data, size_t size)
{
    static const char magic[8] = {'\x89', 'R', 'P', 'L', '\r', '\n', '\x1a', '\n'};
    const uint32_t order_version[2] = {0x01020304, 1};
    const uint64_t bytes = size;
    memcpy(data, magic, sizeof magic);
    memcpy(data + 8, order_version, sizeof order_version);
    memcpy(data + BYTES, &bytes, sizeof bytes);
    for (size_t k = 0; k < NUM_SECTIONS; k++) {
        uint64_t section[3];
        memcpy(section, data + SECTIONS + 24 * k, sizeof section);
        if (section[0] <= size && section[1] <= size - section[0]) {
            section[2] = XXH3_64bits(data + section[0], section[1]);
            memcpy(data + SECTIONS + 24 * k, section, sizeof section);
        }
    }
    const uint64_t sum = XXH3_64bits(data, CHECKSUM);
    memcpy(data + CHECKSUM, &sum, sizeof sum);
}

static char *save(const sim_graph *graph, gsize *len)
{
    char *data = NULL;
    if (!sim_graph_save(graph, "fuzz.rpl", NULL) ||
        !g_file_get_contents("fuzz.rpl", &data, len, NULL)) {
        abort();
    }
    return data;
}

static void run(sim_graph *graph)
{
    const sim_params params = {.L = 1000, .o = 100, .S = 100};
    if (sim_graph_num_ranks(graph) < 1000) { /* or much is allocated for nothing */
        sim_result_free(sim_run(sim_graph_program(graph), &params, NULL, NULL));
    }
}

static void save_twice(const sim_graph *graph)
{
    gsize len;
    gsize len_again;
    g_autofree char *bytes = save(graph, &len);
    g_autoptr(sim_graph) back = sim_graph_map_data("f", bytes, len, SIM_GRAPH_VERIFY, NULL);
    if (back == NULL) {
        abort();
    }
    g_autofree char *again = save(back, &len_again);
    if (len != len_again || memcmp(bytes, again, len) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD) {
        return 0;
    }
    g_autofree char *input = g_memdup2(data, size);
    seal(input, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sim_graph_map_data("f", input, size, SIM_GRAPH_VERIFY, &error);
    if (graph != NULL) {
        save_twice(graph);
        run(graph);
    } else if (error == NULL || error->message[0] == '\0') {
        abort();
    }
    g_autoptr(sim_graph) trusted = sim_graph_map_data("f", input, size, SIM_GRAPH_TRUST, NULL);
    if (trusted != NULL) {
        run(trusted);
    }
    return 0;
}
