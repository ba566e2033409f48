/* tests/apps/scores/disturbed_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "scores/disturbed_ring.h"

#include "sim/unit.h"

#include <glib.h>
#include <stdio.h>

enum { COMPUTE_US = 4000, JITTER_US = 80 };

static GPtrArray *begin(uint32_t ranks)
{
    GPtrArray *texts = g_ptr_array_new();
    for (uint32_t r = 0; r < ranks; r++) {
        GString *text = g_string_new("# htor's PMPI Tracer 0.1 Output File\n# time: never\n"
                                     "# hostname: here.there\n# uname: Linux\n");
        g_string_append(text, "MPI_Init:-:1:1:1000\n");
        g_ptr_array_add(texts, text);
    }
    return texts;
}

static void finish(GPtrArray *texts, const char *folder, const int64_t *now, uint32_t ranks)
{
    for (uint32_t r = 0; r < ranks; r++) {
        GString *text = g_ptr_array_index(texts, r);
        g_string_append_printf(text, "MPI_Finalize:%" G_GINT64_FORMAT ":-\n", now[r] + 10);
        g_autofree char *name = g_strdup_printf("%s/pmpi-trace-rank-%u.txt", folder, r);
        g_autoptr(GError) error = NULL;
        (void)g_file_set_contents(name, text->str, (gssize)text->len, &error);
        g_assert_no_error(error);
        g_string_free(text, TRUE);
    }
    g_ptr_array_unref(texts);
}

/* One call in the record of @p rank; us. */
static void add(GPtrArray *texts, const disturbed_ring *ring, bool is_send, uint32_t rank,
                uint32_t peer, int64_t enter, int64_t leave)
{
    GString *text = g_ptr_array_index(texts, rank);
    if (ring->changed) {
        g_string_append_printf(text, "MPI_Barrier:%" G_GINT64_FORMAT ":900,%u,%u:", enter, rank,
                               ring->ranks);
    } else {
        g_string_append_printf(text, "MPI_%s:%" G_GINT64_FORMAT ":64:1024:12,1,1:%u:0:900,%u,%u:%s",
                               is_send ? "Send" : "Recv", enter, peer, rank, ring->ranks,
                               is_send ? "" : "0:");
    }
    g_string_append_printf(text, "%" G_GINT64_FORMAT "\n", leave);
}

sim_time disturbed_ring_write(const disturbed_ring *ring, const char *folder)
{
    const uint32_t n = ring->ranks;
    g_autoptr(GRand) random = g_rand_new_with_seed(ring->seed);
    GPtrArray *texts = begin(n);
    g_autofree int64_t *now = g_new0(int64_t, (gsize)n + 1); /* us */
    g_autofree int64_t *sent = g_new0(int64_t, (gsize)n + 1);
    sim_time onset = 0;
    for (uint32_t r = 0; r < n; r++) {
        now[r] = 1000;
    }
    for (uint32_t step = 0; step < ring->steps; step++) {
        if (step == ring->from) {
            onset = (now[ring->rank] - 1) * SIM_US; /* MPI_Init was entered at 1 us */
        }
        for (uint32_t r = 0; r < n; r++) {
            const bool is_struck = r == ring->rank && step >= ring->from && step < ring->to;
            const int64_t enter = now[r] + COMPUTE_US + g_rand_int_range(random, 0, JITTER_US) +
                                  (is_struck ? ring->extra / SIM_US : 0);
            sent[r] = enter + 2;
            add(texts, ring, true, r, (r + 1) % n, enter, sent[r]);
        }
        for (uint32_t r = 0; r < n; r++) {
            const uint32_t left = (r + n - 1) % n;
            const int64_t enter = sent[r] + 1;
            now[r] = MAX(enter, sent[left] + 4) + 1;
            add(texts, ring, false, r, left, enter, now[r]);
        }
    }
    finish(texts, folder, now, n);
    return onset;
}
