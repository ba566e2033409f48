/* noise/places/rank_noise.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_place_cores. */
#include "places/rank_noise.h"

#include "detours/signature_private.h"
#include "noise/detour_tables.h"
#include "places/core.h"
#include "places/draw.h"
#include "places/rate.h"

#include "noise/random.h"

#include <assert.h>
#include <math.h>

static const sim_time HORIZON = 2 * SIM_TIME_MAX;
/* So often in a row a rank's cores may all be looked over, some being away each time, before it is
 * taken for standing still. */
enum { MOST_TURNS = 1 << 16 };

/* What is seen of one group. */
typedef struct seen {
    bool any;
    const sim_detours *same;  /* by all; NULL: see each */
    const sim_detours **each; /* by each rank, or node; an entry NULL: nothing */
} seen;

struct noise_rank_noise {
    sim_noise hook; /* first: the hook is this */
    noise_injection_options options;
    sim_placement placement;
    uint32_t num_ranks;
    uint32_t cores;  /* of a node */
    bool several;    /* groups: each draws offsets of its own */
    sim_time common; /* the instant that co-scheduled nodes share */
    double *error;   /* [num_nodes] of clocks, ps; NULL: none */
    uint64_t *clock; /* [num_nodes] rates of clocks; NULL: all are true */
    sim_time burst;  /* noise_core.burst of any core */
    uint32_t num_rates;
    noise_rate *rates; /* [num_rates] */
    uint64_t *rated;   /* [num_ranks] mask of the rates it has; NULL: there are none */
    seen group[NOISE_NUM_GROUPS];
};

/* A rank that is asked about. */
typedef struct asked {
    const noise_rank_noise *all;
    uint32_t rank;
    uint32_t node;
    uint32_t first_core;
    uint64_t clock;
    double error;
} asked;

static sim_time offset_of(const asked *a, noise_draw_thing thing, uint32_t core, sim_time period)
{
    const noise_injection_options *o = &a->all->options;
    return o->sync == NOISE_UNSYNCHRONIZED
               ? noise_draw_alone(o, o->replica, thing, a->node, core, period)
               : noise_draw_together(a->all->common, a->error, period);
}

/* The streams of core @p core of the node. */
static void core_of(const asked *a, uint32_t core, noise_core *c)
{
    const noise_rank_noise *all = a->all;
    c->num_streams = 0;
    c->burst = all->burst;
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        const seen *s = &all->group[g];
        const noise_group group = (noise_group)g;
        if (!s->any) {
            continue;
        }
        const sim_detours *d =
            s->same != NULL ? s->same : s->each[noise_group_is_of_nodes(group) ? a->node : a->rank];
        const noise_draw_thing thing = all->several ? noise_draw_group(group) : NOISE_DRAW_ONLY;
        if (d == NULL ||
            (group == NOISE_GROUP_NODE_FIXED &&
             noise_draw_fixed_core(&all->options, thing, a->node, all->cores) != core)) {
            continue;
        }
        const bool each_core = group == NOISE_GROUP_CORE || group == NOISE_GROUP_CORE_OF_NODES;
        c->stream[c->num_streams++] = (noise_stream){
            .detours = d,
            .numbers = noise_detours_numbers(d),
            .offset = offset_of(a, thing, each_core ? core : 0, d->period),
            .clock = a->clock,
            .cores = group == NOISE_GROUP_NODE ? all->cores : 1,
            .core = core,
            .node = a->node,
            .options = &all->options,
        };
    }
}

/* What core @p core gives at @p t; @p until: lowered to when that may change. */
static uint32_t given_by(const asked *a, uint32_t core, sim_time t, sim_time *until)
{
    uint64_t gives = NOISE_RATE_WHOLE;
    for (uint32_t i = 0; i < a->all->num_rates; i++) {
        const noise_rate *r = &a->all->rates[i];
        const noise_draw_thing thing = noise_draw_rate(i);
        if (!(a->all->rated[a->rank] >> i & 1) ||
            (r->place == NOISE_PLACE_NODE_FIXED &&
             noise_draw_fixed_core(&a->all->options, thing, a->node, a->all->cores) != core)) {
            continue;
        }
        uint32_t now = r->what.gives;
        const sim_time period = r->what.period;
        if (period > 0) {
            const uint32_t own = r->place == NOISE_PLACE_CORE ? core : 0;
            const uint64_t clock = noise_drift_clock(a->clock, t);
            const uint64_t shifted =
                clock + (uint64_t)(offset_of(a, thing, own, period) + r->phase);
            sim_time longer;
            now = noise_rate_at(&r->what, (sim_time)(shifted % (uint64_t)period), &longer);
            *until = MIN(*until, noise_drift_wall(a->clock, (sim_int128)clock + longer));
        }
        gives = MAX(gives * now / NOISE_RATE_WHOLE, 1);
    }
    return (uint32_t)gives;
}

/* A rank goes on with the slowest of its cores. */
static uint32_t slowest_at(const asked *a, sim_time t, sim_time *until)
{
    *until = HORIZON;
    uint32_t least = NOISE_RATE_WHOLE;
    for (uint32_t i = 0; i < a->all->options.threads_per_rank; i++) {
        least = MIN(least, given_by(a, a->first_core + i, t, until));
    }
    return least;
}

/* When each core of a rank is away next. */
typedef struct away {
    sim_time begins[NOISE_MAX_THREADS];
    sim_time ends[NOISE_MAX_THREADS]; /* the same: up to then it is not */
} away;

static void look_up(const asked *a, uint32_t i, sim_time t, sim_time work, away *w)
{
    noise_core core;
    core_of(a, a->first_core + i, &core);
    w->begins[i] = w->ends[i] = HORIZON;
    if (core.num_streams > 0 && t < HORIZON) {
        w->begins[i] = noise_core_away(&core, t, MIN(t + work, HORIZON), &w->ends[i]);
    }
}

/* Moves @p now on until all @p n cores are there. @return how long they are at least, > now;
 * HORIZON at the latest, and where they never are */
static sim_time wait_for_all(const asked *a, uint32_t n, sim_time work, sim_time *now, away *w)
{
    for (unsigned turns = 0; turns < MOST_TURNS; turns++) {
        const sim_time before = *now;
        sim_time first = HORIZON;
        for (uint32_t i = 0; i < n; i++) {
            while (w->begins[i] <= *now && *now < HORIZON) {
                *now = MAX(*now, w->ends[i]);
                look_up(a, i, *now, work, w);
            }
            first = MIN(first, w->begins[i]);
        }
        if (*now == before) {
            return first;
        }
    }
    *now = HORIZON;
    return HORIZON;
}

/*
 * Work goes on while none of the rank's cores is away, at the rate of the slowest.
 *
 *     core 0   ---XXX--------------X---
 *     core 1   ----XXXX----------------
 *     the rank ---XXXXX------------X---
 */
static sim_time finish_work(const asked *a, sim_time now, sim_time work)
{
    const uint32_t threads = a->all->options.threads_per_rank;
    const bool has_rate = a->all->rated != NULL && a->all->rated[a->rank] != 0;
    away w;
    for (uint32_t i = 0; i < threads; i++) {
        look_up(a, i, now, work, &w);
    }
    sim_time constant_until = has_rate ? now : HORIZON;
    uint32_t gives = NOISE_RATE_WHOLE;
    while (now < HORIZON) {
        const sim_time away_from = wait_for_all(a, threads, work, &now, &w);
        if (has_rate && constant_until <= now && now < HORIZON) {
            gives = slowest_at(a, now, &constant_until);
        }
        const sim_time stop = MIN(away_from, constant_until);
        const sim_time given = noise_rate_given(gives, now);
        const sim_time done = noise_rate_reached(gives, given + work);
        if (done <= stop) {
            return done;
        }
        work -= noise_rate_given(gives, stop) - given;
        now = stop;
    }
    return HORIZON;
}

static sim_time finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const noise_rank_noise *all = (const noise_rank_noise *)(const void *)noise;
    assert(rank < all->num_ranks);
    assert(start >= 0 && start <= HORIZON && work >= 0 && work <= SIM_TIME_MAX);
    if (work == 0) {
        return start;
    }
    const uint32_t node = sim_placement_node(&all->placement, rank);
    const asked a = {
        .all = all,
        .rank = rank,
        .node = node,
        .first_core = sim_placement_slot(&all->placement, rank) * all->options.threads_per_rank,
        .clock = all->clock != NULL ? all->clock[node] : NOISE_DRIFT_TRUE,
        .error = all->error != NULL ? all->error[node] : 0,
    };
    return finish_work(&a, start, work);
}

static const sim_detours *tables_of(const noise_detour_trace *trace)
{
    return trace != NULL ? noise_detour_trace_tables(trace) : NULL;
}

static void see(noise_rank_noise *all, const noise_layout *layout, noise_group group)
{
    seen *s = &all->group[group];
    if (!noise_layout_has(layout, group)) {
        return;
    }
    if (noise_layout_is_same(layout, group)) {
        s->same = tables_of(noise_layout_trace(layout, group, 0));
        s->any = s->same != NULL;
        return;
    }
    const uint32_t n = noise_group_is_of_nodes(group) ? all->placement.num_nodes : all->num_ranks;
    s->each = g_new(const sim_detours *, n);
    for (uint32_t i = 0; i < n; i++) {
        s->each[i] = tables_of(noise_layout_trace(layout, group, i));
        s->any = s->any || s->each[i] != NULL;
    }
}

/* What can pile up on a core where several groups meet: what is left over of its time is divided
 * among them, half of it, so that looking back comes to an end. */
static sim_time burst_of(const noise_layout *layout, double most_gained)
{
    const double stretch = (1 + most_gained) / (1 - most_gained);
    double share[NOISE_NUM_GROUPS] = {0};
    double sum = 0;
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        for (size_t i = 0; i < noise_layout_num_traces(layout, (noise_group)g); i++) {
            const noise_detour_trace *t = noise_layout_nth_trace(layout, (noise_group)g, i);
            share[g] = MAX(share[g], noise_detour_trace_share(t));
        }
        sum += share[g];
    }
    const double spare = (1 - sum) / 2 / NOISE_NUM_GROUPS;
    sim_time burst = 0;
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        sim_time most = 0;
        for (size_t i = 0; i < noise_layout_num_traces(layout, (noise_group)g); i++) {
            const sim_detours *d = tables_of(noise_layout_nth_trace(layout, (noise_group)g, i));
            most = d != NULL ? MAX(most, noise_core_burst(d, share[g] + spare, stretch)) : most;
        }
        burst += most;
    }
    return burst;
}

static void take_rates(noise_rank_noise *all, const noise_signature *signature)
{
    const size_t n = noise_signature_num_drawn(signature);
    all->rates = g_new0(noise_rate, MAX(n, 1));
    for (size_t i = 0; i < n; i++) {
        const noise_component *c = noise_signature_drawn(signature, i);
        if (!c->is_rate) {
            continue;
        }
        const noise_model *m = noise_signature_model(signature, i);
        noise_rate *r = &all->rates[all->num_rates];
        *r = (noise_rate){.what = m->kind->rate(m), .place = c->place};
        if (r->what.period > 0 && n > 1) { /* not in step with the others */
            r->phase = (sim_time)noise_random_below(all->options.seed, m->stream, 0,
                                                    (uint64_t)r->what.period);
        }
        if (all->rated == NULL) {
            all->rated = g_new0(uint64_t, all->num_ranks);
        }
        for (uint32_t rank = 0; rank < all->num_ranks && !m->is_left_out; rank++) {
            const bool holds = noise_component_holds(c, rank, &all->placement);
            all->rated[rank] |= (uint64_t)holds << all->num_rates;
        }
        all->num_rates++;
    }
}

/* What differs from node to node. @return the most by which a clock goes wrong, of its rate */
static double take_clocks(noise_rank_noise *all, double ppm)
{
    const noise_injection_options *o = &all->options;
    const uint32_t nodes = all->placement.num_nodes;
    if (o->sync == NOISE_COSCHEDULED) {
        all->error = o->sigma > 0 ? g_new(double, nodes) : NULL;
        for (uint32_t node = 0; all->error != NULL && node < nodes; node++) {
            all->error[node] = noise_draw_error(o, o->replica, node);
        }
        return 0;
    }
    double most = 0;
    all->clock = ppm > 0 ? g_new(uint64_t, nodes) : NULL;
    for (uint32_t node = 0; all->clock != NULL && node < nodes; node++) {
        all->clock[node] = noise_draw_clock(o, ppm, node);
        const double gained = (double)all->clock[node] / (double)NOISE_DRIFT_TRUE - 1;
        most = MAX(most, fabs(gained));
    }
    return most;
}

noise_rank_noise *noise_rank_noise_new(const noise_signature *signature, uint32_t num_ranks,
                                       const noise_injection_options *o)
{
    const noise_layout *layout = noise_signature_layout(signature);
    noise_rank_noise *all = g_new0(noise_rank_noise, 1);
    all->hook.finish = finish;
    all->options = *o;
    all->placement = o->placement != NULL ? *o->placement : sim_placement_block(num_ranks, 1);
    all->options.placement = NULL; /* the copy lives as long */
    all->num_ranks = num_ranks;
    all->cores = noise_injection_cores(o);
    all->several = noise_layout_num_groups(layout) > 1;
    all->common = noise_draw_common(o, o->replica, noise_signature_longest_period(signature));
    const double gained = take_clocks(all, noise_signature_drift(signature));
    for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
        see(all, layout, (noise_group)g);
    }
    all->burst = all->several ? burst_of(layout, gained) : 0;
    take_rates(all, signature);
    return all;
}

void noise_rank_noise_free(noise_rank_noise *all)
{
    if (all != NULL) {
        for (int g = 0; g < NOISE_NUM_GROUPS; g++) {
            g_free((gpointer)all->group[g].each);
        }
        g_free(all->error);
        g_free(all->clock);
        g_free(all->rates);
        g_free(all->rated);
        g_free(all);
    }
}

const sim_noise *noise_rank_noise_hook(const noise_rank_noise *all)
{
    return &all->hook;
}
