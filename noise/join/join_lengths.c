/* noise/join/join_lengths.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_join_measured. */
#include "join/join_lengths.h"

/* Beyond what the kernel counts: two switches and what they do to the caches; less: its clock. */
enum { MORE_NS = 10000, LESS_NS = 1000, PARTS = 50 };

/* One activity: how many times off are as long, and the last of them. */
typedef struct claim {
    size_t num, off;
} claim;

/* The first that ends after @p when. */
static size_t first_after(const noise_switch_record *off, size_t n, uint64_t when)
{
    size_t low = 0;
    for (size_t high = n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (off[middle].in <= when) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static claim claim_of(const noise_nit_activity *a, const noise_switch_record *off, size_t n)
{
    claim c = {0};
    const uint64_t from = a->from - MIN(a->from, a->cpu_ns); /* counted when its slice ended */
    for (size_t i = first_after(off, n, from); i < n && off[i].out < a->to; i++) {
        const uint64_t length = off[i].in - off[i].out;
        if (length + LESS_NS >= a->cpu_ns && length <= a->cpu_ns + a->cpu_ns / PARTS + MORE_NS) {
            c.num++;
            c.off = i;
        }
    }
    return c;
}

static bool may_claim(const noise_nit *nit, const noise_nit_activity *a, uint32_t cpu,
                      uint32_t skip)
{
    return a->cpu == cpu && a->slices == 1 && a->cpu_ns > 0 && nit->threads[a->thread].tid != skip;
}

void noise_join_match_lengths(const noise_nit *nit, uint32_t cpu, uint32_t skip,
                              const noise_switch_record *off, size_t n, size_t *of_off)
{
    g_autofree size_t *claims = g_new0(size_t, n + 1);
    for (size_t a = 0; a < nit->num_activities; a++) {
        if (!may_claim(nit, &nit->activities[a], cpu, skip)) {
            continue;
        }
        const claim c = claim_of(&nit->activities[a], off, n);
        if (c.num == 1) {
            of_off[c.off] = ++claims[c.off] == 1 ? a : SIZE_MAX;
        }
    }
}
