/* tests/apps/watched_node.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "watched_node.h"

#include "check.h"
#include "nit/nit_writer.h"
#include "system/node_watch.h"

#include <string.h>

void watched_node_write(const char *folder, watched_time when, const noise_nit_thread *threads,
                        size_t num_threads, const noise_nit_activity *activities,
                        size_t num_activities)
{
    g_autofree char *path = g_build_filename(folder, APP_NODE_WATCH_FILE, NULL);
    uint32_t cpus[] = {0, 1};
    noise_nit_clocks clocks = {.monotonic = when.begin, .realtime = 1};
    char name[] = "n07", boot[] = WATCHED_NODE_BOOT, kernel[] = "6.1";
    const noise_nit_node node = {.name = name,
                                 .boot_id = boot,
                                 .kernel = kernel,
                                 .num_cpus = 2,
                                 .cpus = cpus,
                                 .core = cpus,
                                 .clk_tck = 100,
                                 .clocks = &clocks,
                                 .num_clocks = 1};
    noise_nit_writer *w = noise_nit_writer_new(path, &node, NULL);
    for (size_t i = 0; i < num_threads; i++) {
        (void)noise_nit_writer_thread(w, &threads[i]);
    }
    for (size_t i = 0; i < num_activities; i++) {
        noise_nit_writer_activity(w, &activities[i], false);
    }
    CHECK(noise_nit_writer_close(w, when.begin + when.length, NULL));
}

void watched_rank_write(const char *folder, watched_time when, uint32_t rank,
                        const noise_switch_record *records, size_t num)
{
    g_autofree char *name = g_strdup_printf("%s/" NOISE_SWITCH_FILE "%u", folder, rank);
    noise_switch_header h = {.version = NOISE_SWITCH_VERSION,
                             .header_bytes = sizeof h,
                             .record_bytes = sizeof(noise_switch_record),
                             .rank = rank,
                             .num_ranks = 2,
                             .pid = WATCHED_NODE_RANK0 + rank,
                             .tid = WATCHED_NODE_RANK0 + rank,
                             .is_whole = 1,
                             .begin = {when.begin, 1},
                             .end = {when.begin + when.length, when.length},
                             .init_enter = when.begin,
                             .boot_id = WATCHED_NODE_BOOT,
                             .host = "n07",
                             .allowed = {(uint8_t)(1U << rank)}};
    memcpy(h.magic, NOISE_SWITCH_MAGIC, sizeof h.magic);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)&h, sizeof h);
    if (num > 0) {
        g_byte_array_append(bytes, (const guint8 *)records, (guint)(num * sizeof *records));
    }
    CHECK(g_file_set_contents(name, (const char *)bytes->data, (gssize)bytes->len, NULL));
}
