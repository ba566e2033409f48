/* tests/noise/places/noise_oracle.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise_oracle.h"

#include "detours/signature_private.h"
#include "noise/detour_tables.h"
#include "noise/random.h"
#include "places/draw.h"
#include "places/drift.h"

#include <stdlib.h>

typedef struct span {
    sim_time from;
    sim_time to;
} span;

/* Between two instants at which something changes. */
typedef struct piece {
    sim_time from;
    sim_time to;
    uint32_t gives; /* of NOISE_RATE_WHOLE; 0: some core is away */
} piece;

struct noise_oracle {
    sim_noise hook; /* first */
    const noise_signature *signature;
    noise_injection_options options;
    sim_placement placement;
    uint32_t cores, ranks;
    sim_time horizon, common;
    GArray **away;   /* [nodes * cores] of span, by from */
    GArray **pieces; /* [ranks] of piece, without a gap */
};

static uint32_t threads_of(const noise_oracle *o)
{
    return MAX(o->options.threads_per_rank, 1);
}

static sim_int128 floor_of(sim_int128 a, sim_int128 b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

static uint64_t clock_of(const noise_oracle *o, uint32_t node)
{
    const double ppm = noise_signature_drift(o->signature);
    return o->options.sync == NOISE_UNSYNCHRONIZED ? noise_draw_clock(&o->options, ppm, node)
                                                   : NOISE_DRIFT_TRUE;
}

/* When a clock that has always run shows @p x first: ceil(x / rate). */
static sim_time wall_of(uint64_t clock, sim_int128 x)
{
    return (sim_time)-floor_of(-x * (sim_int128)NOISE_DRIFT_TRUE, clock);
}

static sim_time offset_of(const noise_oracle *o, noise_draw_thing thing, uint32_t node,
                          uint32_t core, sim_time period)
{
    return o->options.sync == NOISE_UNSYNCHRONIZED
               ? noise_draw_alone(&o->options, o->options.replica, thing, node, core, period)
               : noise_draw_together(
                     o->common, noise_draw_error(&o->options, o->options.replica, node), period);
}

/* Does the group strike the core with detour @p i? */
static bool strikes(const noise_oracle *o, noise_group g, noise_draw_thing thing, uint32_t node,
                    uint32_t core, size_t i)
{
    if (g == NOISE_GROUP_NODE) {
        return noise_draw_struck_core(&o->options, node, i, o->cores) == core;
    }
    return g != NOISE_GROUP_NODE_FIXED ||
           noise_draw_fixed_core(&o->options, thing, node, o->cores) == core;
}

/* The rank on a core; UINT32_MAX: nobody. */
static uint32_t rank_on(const noise_oracle *o, uint32_t node, uint32_t core)
{
    for (uint32_t r = 0; r < o->ranks; r++) {
        if (sim_placement_node(&o->placement, r) == node &&
            sim_placement_slot(&o->placement, r) == core / threads_of(o)) {
            return r;
        }
    }
    return UINT32_MAX;
}

static int by_from(const void *pa, const void *pb)
{
    const span *a = pa;
    const span *b = pb;
    return (a->from > b->from) - (a->from < b->from);
}

static GArray *arrivals_of(const noise_oracle *o, uint32_t node, uint32_t core)
{
    const noise_layout *layout = noise_signature_layout(o->signature);
    GArray *all = g_array_new(FALSE, FALSE, sizeof(span));
    const uint64_t clock = clock_of(o, node);
    const uint32_t rank = rank_on(o, node, core);
    const sim_time before = 4 * noise_signature_longest_period(o->signature);
    for (int at = 0; at < NOISE_NUM_GROUPS; at++) {
        const noise_group g = (noise_group)at;
        const bool nobody = g == NOISE_GROUP_CORE && rank == UINT32_MAX;
        const noise_detour_trace *t =
            nobody ? NULL : noise_layout_trace(layout, g, g == NOISE_GROUP_CORE ? rank : node);
        if (t == NULL) {
            continue;
        }
        const noise_draw_thing thing =
            noise_layout_num_groups(layout) > 1 ? noise_draw_group(g) : NOISE_DRAW_ONLY;
        const bool own = g == NOISE_GROUP_CORE || g == NOISE_GROUP_CORE_OF_NODES;
        const sim_time period = noise_detour_trace_period(t);
        const sim_time offset = offset_of(o, thing, node, own ? core : 0, period);
        for (sim_time lap = -before / period * period; lap < 2 * o->horizon + period;
             lap += period) {
            const size_t count = noise_detour_trace_count(t);
            const noise_detour_numbers numbers =
                noise_detours_numbers(noise_detour_trace_tables(t));
            const size_t n = numbers.count; /* of the detours that there would be */
            const sim_time laps = (NOISE_DRAW_STRUCK_LEAST + (sim_time)n - 1) / (sim_time)n;
            const size_t number = (size_t)((lap / period % laps + laps) % laps);
            for (size_t i = 0; i < count; i++) {
                const sim_time start = lap + noise_detour_trace_start(t, i) - offset;
                const span s = {
                    wall_of(clock, start),
                    wall_of(clock, (sim_int128)start + noise_detour_trace_length(t, i))};
                const size_t k = numbers.number != NULL ? numbers.number[i] : i;
                if (strikes(o, g, thing, node, core, number * n + k)) {
                    g_array_append_val(all, s);
                }
            }
        }
    }
    if (all->len > 0) { /* else there is no data */
        qsort(all->data, all->len, sizeof(span), by_from);
    }
    return all;
}

/* One counter, first come, first served. */
static GArray *served(GArray *arrivals)
{
    sim_time now = G_MININT64;
    for (guint i = 0; i < arrivals->len; i++) {
        span *s = &g_array_index(arrivals, span, i);
        const sim_time length = s->to - s->from;
        s->from = MAX(s->from, now);
        now = s->to = s->from + length;
    }
    return arrivals;
}

bool noise_oracle_is_away(const noise_oracle *o, uint32_t node, uint32_t core, sim_time t)
{
    const GArray *away = o->away[node * o->cores + core];
    guint low = 0;
    guint high = away->len;
    while (low < high) { /* the first that ends after t */
        const guint middle = low + (high - low) / 2;
        if (g_array_index(away, span, middle).to <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < away->len && g_array_index(away, span, low).from <= t;
}

/* What core @p core of the node gives at @p t; instants at which that changes go into @p cuts. */
static uint32_t rate_of(const noise_oracle *o, uint32_t rank, uint32_t core, sim_time t,
                        GArray *cuts)
{
    const uint32_t node = sim_placement_node(&o->placement, rank);
    const uint64_t clock = clock_of(o, node);
    uint64_t gives = NOISE_RATE_WHOLE;
    uint32_t number = 0;
    const size_t n = noise_signature_num_drawn(o->signature);
    for (size_t i = 0; i < n; i++) {
        const noise_component *c = noise_signature_drawn(o->signature, i);
        if (!c->is_rate) {
            continue;
        }
        const noise_draw_thing thing = noise_draw_rate(number++);
        const noise_model *m = noise_signature_model(o->signature, i);
        const noise_model_rate what = m->kind->rate(m);
        if (m->is_left_out || !noise_component_holds(c, rank, &o->placement) ||
            (c->place == NOISE_PLACE_NODE_FIXED &&
             noise_draw_fixed_core(&o->options, thing, node, o->cores) != core)) {
            continue;
        }
        bool slow = true;
        if (what.period > 0) {
            const sim_time phase = n > 1 ? (sim_time)noise_random_below(o->options.seed, m->stream,
                                                                        0, (uint64_t)what.period)
                                         : 0;
            const sim_time at =
                offset_of(o, thing, node, c->place == NOISE_PLACE_CORE ? core : 0, what.period) +
                phase;
            const sim_time shown = (sim_time)floor_of((sim_int128)t * clock, NOISE_DRIFT_TRUE);
            slow = (shown + at) % what.period < what.length;
            for (sim_time lap = 0; cuts != NULL && lap < 2 * o->horizon + 3 * what.period;
                 lap += what.period) {
                const sim_time begins = wall_of(clock, lap - at);
                const sim_time ends = wall_of(clock, lap - at + what.length);
                g_array_append_val(cuts, begins);
                g_array_append_val(cuts, ends);
            }
        }
        gives = slow ? MAX(gives * what.gives / NOISE_RATE_WHOLE, 1) : gives;
    }
    return (uint32_t)gives;
}

static int by_time(const void *pa, const void *pb)
{
    const sim_time a = *(const sim_time *)pa;
    const sim_time b = *(const sim_time *)pb;
    return (a > b) - (a < b);
}

static GArray *pieces_of(const noise_oracle *o, uint32_t rank)
{
    const uint32_t node = sim_placement_node(&o->placement, rank);
    const uint32_t first = sim_placement_slot(&o->placement, rank) * threads_of(o);
    g_autoptr(GArray) cuts = g_array_new(FALSE, FALSE, sizeof(sim_time));
    const sim_time ends[] = {0, o->horizon};
    g_array_append_vals(cuts, ends, 2);
    for (uint32_t c = first; c < first + threads_of(o); c++) {
        const GArray *away = o->away[node * o->cores + c];
        g_assert_nonnull(away);
        for (guint i = 0; i < away->len; i++) {
            const span *s = &g_array_index(away, span, i);
            g_array_append_val(cuts, s->from);
            g_array_append_val(cuts, s->to);
        }
        (void)rate_of(o, rank, c, 0, cuts);
    }
    qsort(cuts->data, cuts->len, sizeof(sim_time), by_time);
    GArray *pieces = g_array_new(FALSE, FALSE, sizeof(piece));
    for (guint i = 0; i + 1 < cuts->len; i++) {
        piece p = {g_array_index(cuts, sim_time, i), g_array_index(cuts, sim_time, i + 1),
                   NOISE_RATE_WHOLE};
        if (p.from < 0 || p.to > o->horizon || p.from == p.to) {
            continue;
        }
        for (uint32_t c = first; c < first + threads_of(o); c++) {
            p.gives = MIN(p.gives, noise_oracle_is_away(o, node, c, p.from)
                                       ? 0
                                       : rate_of(o, rank, c, p.from, NULL));
        }
        g_array_append_val(pieces, p);
    }
    return pieces;
}

static sim_int128 given(uint32_t gives, sim_time t)
{
    return (sim_int128)t * gives / NOISE_RATE_WHOLE;
}

static sim_time finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const noise_oracle *o = (const noise_oracle *)(const void *)noise;
    const GArray *pieces = o->pieces[rank];
    for (guint i = 0; work > 0; i++) {
        if (i == pieces->len) {
            return SIM_TIME_MAX;
        }
        const piece *p = &g_array_index(pieces, piece, i);
        const sim_time from = MAX(start, p->from);
        if (from >= p->to) {
            continue;
        }
        const sim_int128 before = given(p->gives, from);
        if (given(p->gives, p->to) - before < work) {
            work -= (sim_time)(given(p->gives, p->to) - before);
            continue;
        }
        sim_time low = from; /* the answer is in low + 1..high */
        sim_time high = p->to;
        while (high - low > 1) {
            const sim_time middle = low + (high - low) / 2;
            if (given(p->gives, middle) - before >= work) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }
    return start;
}

bool noise_oracle_is_free(const noise_oracle *o, uint32_t rank, sim_time t)
{
    const GArray *pieces = o->pieces[rank];
    for (guint i = 0; i < pieces->len; i++) {
        const piece *p = &g_array_index(pieces, piece, i);
        if (p->from <= t && t < p->to) {
            return given(p->gives, t + 1) > given(p->gives, t);
        }
    }
    return false;
}

noise_oracle *noise_oracle_new(const noise_signature *signature, uint32_t ranks,
                               const noise_injection_options *options, sim_time horizon)
{
    noise_oracle *o = g_new0(noise_oracle, 1);
    o->hook.finish = finish;
    o->signature = signature;
    o->options = *options;
    o->placement = *options->placement;
    o->cores = noise_injection_cores(options);
    o->ranks = ranks;
    o->horizon = horizon;
    o->common =
        noise_draw_common(options, options->replica, noise_signature_longest_period(signature));
    o->away = g_new0(GArray *, o->placement.num_nodes * o->cores);
    for (uint32_t i = 0; i < o->placement.num_nodes * o->cores; i++) {
        o->away[i] = served(arrivals_of(o, i / o->cores, i % o->cores));
    }
    o->pieces = g_new0(GArray *, ranks);
    for (uint32_t r = 0; r < ranks; r++) {
        o->pieces[r] = pieces_of(o, r);
    }
    return o;
}

void noise_oracle_free(noise_oracle *o)
{
    if (o != NULL) {
        for (uint32_t i = 0; i < o->placement.num_nodes * o->cores; i++) {
            g_array_unref(o->away[i]);
        }
        for (uint32_t r = 0; r < o->ranks; r++) {
            g_array_unref(o->pieces[r]);
        }
        g_free(o->away);
        g_free(o->pieces);
        g_free(o);
    }
}

const sim_noise *noise_oracle_hook(const noise_oracle *o)
{
    return &o->hook;
}
