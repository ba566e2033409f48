/* tests/noise/miner/miner_oracle.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Streams of events as a simulation gives them: a slow, obvious noise that steals exactly the
 * time of its detours, and ranks that compute, wait and compute again.
 */
#pragma once

#include "noise/miner.h"

#include <glib.h>
#include <math.h>

typedef struct detour {
    sim_time start;
    sim_time length;
} detour;

/** Detours of one rank, by start; overlapping ones happen one after the other. */
typedef struct oracle {
    GArray *detours;
    guint next; /* the first that ends after the last instant asked for */
    guint64 random;
} oracle;

static inline double oracle_unit(oracle *o)
{
    o->random = o->random * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
    return ((double)(o->random >> 11) + 0.5) / 9007199254740992.0;
}

static inline void oracle_init(oracle *o, guint64 seed)
{
    *o = (oracle){.detours = g_array_new(FALSE, FALSE, sizeof(detour)), .random = seed};
}

static inline void oracle_add_periodic(oracle *o, sim_time phase, sim_time period, sim_time length,
                                       sim_time until)
{
    for (sim_time t = phase; t < until; t += period) {
        const detour d = {t, length};
        g_array_append_val(o->detours, d);
    }
}

static inline void oracle_add_poisson(oracle *o, sim_time mean, sim_time length, sim_time until)
{
    for (double t = 0; t < (double)until;) {
        t += -log(oracle_unit(o)) * (double)mean;
        const detour d = {(sim_time)t, length};
        g_array_append_val(o->detours, d);
    }
}

static inline int oracle_by_start(const void *a, const void *b)
{
    const sim_time x = ((const detour *)a)->start;
    const sim_time y = ((const detour *)b)->start;
    return (x > y) - (x < y);
}

/** To be called after all detours are in. */
static inline void oracle_sort(oracle *o)
{
    g_array_sort(o->detours, oracle_by_start);
    sim_time free = 0;
    for (guint i = 0; i < o->detours->len; i++) {
        detour *d = &g_array_index(o->detours, detour, i);
        d->start = MAX(d->start, free);
        free = d->start + d->length;
    }
}

/** When is @p work > 0 done that begins at @p t? Instants must not go back. */
static inline sim_time oracle_finish(oracle *o, sim_time t, sim_time work)
{
    for (;; o->next++) {
        if (o->next >= o->detours->len) {
            return t + work;
        }
        const detour *d = &g_array_index(o->detours, detour, o->next);
        if (d->start + d->length <= t) {
            continue;
        }
        const sim_time quiet = MAX(d->start - t, 0);
        if (work <= quiet) {
            return t + work;
        }
        work -= quiet;
        t = d->start + d->length;
    }
}

static inline void oracle_clear(oracle *o)
{
    g_array_unref(o->detours);
}

/** A rank computes for @p work and waits for @p wait on average until @p until. */
static inline void oracle_run(oracle *o, noise_miner *miner, uint32_t rank, sim_time work,
                              sim_time wait, sim_time until)
{
    for (sim_time t = 0; t < until;) {
        const sim_time end = oracle_finish(o, t, work);
        noise_miner_add(miner, rank, 0, t, end, work);
        t = end + (sim_time)(2 * oracle_unit(o) * (double)wait);
    }
}

static inline noise_miner *modern_miner(void)
{
    noise_miner_options options;
    noise_miner_options_init(&options, NOISE_MINER_MODERN);
    return noise_miner_new(&options);
}

/** Everything a report says, as text. Owned by the caller. */
static inline char *oracle_print(const noise_miner_report *r)
{
    GString *s = g_string_new(NULL);
    g_string_append_printf(s,
                           "%" G_GUINT64_FORMAT " events %u ranks %" G_GINT64_FORMAT
                           " ps, run time %.17g; dropped %" G_GUINT64_FORMAT
                           " %.17g residue %" G_GUINT64_FORMAT " %.17g\n",
                           r->events, r->ranks_seen, r->observed, r->run_time, r->dropped_rows,
                           r->dropped_share, r->residue_events, r->residue_share);
    for (size_t i = 0; i < r->num_rows + r->num_faster; i++) {
        const noise_miner_row *w = i < r->num_rows ? &r->rows[i] : &r->faster[i - r->num_rows];
        g_string_append_printf(
            s,
            "%s%" G_GINT64_FORMAT " [%" G_GINT64_FORMAT " %" G_GINT64_FORMAT
            "] ps x %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT " period %" G_GINT64_FORMAT
            " (%.17g) rate %.17g share %.17g %.17g '%s' ranks %u%s:",
            i < r->num_rows ? "" : "faster ", w->t_noise, w->t_noise_low, w->t_noise_high, w->count,
            w->partial, w->period, w->period_confidence, w->rate, w->share, w->share_affected,
            w->label, w->num_ranks, w->ranks_exact ? "" : " (cut)");
        for (uint32_t k = 0; k < w->num_ranges; k++) {
            g_string_append_printf(s, " %u-%u", w->ranks[k][0], w->ranks[k][1]);
        }
        g_string_append_c(s, '\n');
    }
    for (size_t i = 0; i < r->num_types; i++) {
        g_string_append_printf(
            s, "type %" G_GUINT64_FORMAT " %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %.17g\n",
            r->types[i].type, r->types[i].name != NULL ? r->types[i].name : "-", r->types[i].events,
            r->types[i].slower, r->types[i].excess);
    }
    return g_string_free(s, FALSE);
}
