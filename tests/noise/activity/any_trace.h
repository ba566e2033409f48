/* tests/noise/activity/any_trace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Random traces of several nodes, and scripts that judge what is written of them.
 */
#pragma once

#include "activity/any_nit.h"
#include "check.h"
#include "noise/activity_trace.h"

#include <glib/gstdio.h>

/** Two or three nodes, ranks, daemons, unknown CPUs, overlaps, interrupts. */
static inline noise_nit *any_trace_nit_new(GRand *random)
{
    static const char *const NAMES[] = {"crond", "kworker/0:1", "say \"hi\"\\", "ksoftirqd/1",
                                        "crond"};
    noise_nit *nit = g_new0(noise_nit, 1);
    const uint32_t num_nodes = (uint32_t)g_rand_int_range(random, 1, 4);
    for (uint32_t n = 0; n < num_nodes; n++) {
        g_autofree char *name = g_strdup_printf("node%u", n);
        any_nit_add_node(nit, name, (uint32_t)g_rand_int_range(random, 1, 4),
                         1000000 + (uint64_t)g_rand_int_range(random, 0, 1000), 500000000);
        for (uint32_t t = 0; t < 6; t++) {
            const bool is_rank = t == 5;
            const noise_program_class kind = is_rank      ? NOISE_PROGRAM_APPLICATION
                                             : t % 2 == 1 ? NOISE_PROGRAM_KERNEL
                                             : t == 4     ? NOISE_PROGRAM_USER
                                                          : NOISE_PROGRAM_DAEMON;
            const uint32_t thread =
                any_nit_add_thread(nit, n, 100 + t, 1, is_rank ? "solver" : NAMES[t], kind,
                                   is_rank && num_nodes > 1 ? (int32_t)n : -1);
            for (unsigned i = 0; i < 40; i++) {
                const uint64_t from = 1000000 + (uint64_t)g_rand_int_range(random, 0, 490000000);
                const uint64_t to = from + (uint64_t)g_rand_int_range(random, 1, 20000000);
                noise_nit_activity *a = any_nit_add(
                    nit, thread,
                    (uint32_t)g_rand_int_range(random, 0, (gint32)nit->nodes[n].num_cpus), from, to,
                    (uint64_t)g_rand_int_range(random, 0, 9000000));
                a->slices = (uint32_t)g_rand_int_range(random, 0, 9);
                a->voluntary = (uint32_t)g_rand_int_range(random, 0, 3);
                a->cpu = g_rand_int_range(random, 0, 20) == 0 ? UINT32_MAX : a->cpu;
            }
        }
    }
    any_nit_sort(nit);
    nit->num_lines = 1;
    nit->lines = g_new0(noise_nit_line, 1);
    nit->lines[0].name = g_strdup("LOC: Local timer interrupts");
    nit->num_interrupts = 10;
    nit->interrupts = g_new0(noise_nit_interrupts, 10);
    for (uint32_t i = 0; i < 10; i++) {
        nit->interrupts[i] = (noise_nit_interrupts){
            .from = 1000000 + i * UINT64_C(1000), .to = 1001000 + i * UINT64_C(1000), .count = i};
    }
    return nit;
}

/** Run @p script on @p path; it must find nothing, unless @p finds says what. */
static inline void any_trace_judge(const char *script, const char *path, const char *finds)
{
    g_autofree char *program = g_build_filename(ACTIVITY_CHECKS, script, NULL);
    g_autofree char *file = g_strdup(path);
    char *argv[] = {program, file, NULL};
    g_autofree char *out = NULL;
    g_autofree char *err = NULL;
    int status = 0;
    g_autoptr(GError) error = NULL;
    CHECK(g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error),
          "%s", error != NULL ? error->message : "");
    if (finds == NULL) {
        CHECK(status == 0, "%s%s", out, err);
    } else {
        CHECK(status != 0 && out != NULL && strstr(out, finds) != NULL, "'%s' not in: %s%s", finds,
              out, err);
    }
}

typedef void any_trace_writer(const noise_activity_trace *trace, FILE *out);

/** What @p write writes. Owned by the caller. */
static inline char *any_trace_text(const noise_activity_trace *trace, any_trace_writer *write)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(trace, out);
    fclose(out);
    char *copy = g_strndup(text, size);
    free(text); /* NOLINT: open_memstream() allocates it */
    return copy;
}

typedef struct any_trace_damage {
    const char *from;
    const char *to;
    const char *finds;
} any_trace_damage;

/** A judge that finds nothing proves nothing: @p script, run on @p judged, finds each damage to the
 * text @p whole of the file @p path. */
static inline void any_trace_judge_damaged(const char *script, const char *judged, const char *path,
                                           const char *whole, const any_trace_damage *damage,
                                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_autoptr(GString) text = g_string_new(whole);
        CHECK(g_string_replace(text, damage[i].from, damage[i].to, 0) > 0, "row %zu", i);
        CHECK(g_file_set_contents(path, text->str, -1, NULL));
        any_trace_judge(script, judged, damage[i].finds);
    }
}
