/* noise/detours/injection.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/injection.h"
#include "detours/drift.h"
#include "noise/detour_tables.h"
#include "noise/lanes.h"

#include "noise/random.h"

#include <assert.h>
#include <math.h>

/* Upper half of a stream number, so that the draws of a replica do not meet; the lower half is the
 * replica. */
typedef enum { DRAW_OFFSET = 1, DRAW_COMMON = 2, DRAW_ERROR = 3, DRAW_DRIFT = 4 } draw;

struct noise_injection {
    sim_noise hook; /* first: the hook is the injection */
    uint32_t num_ranks;
    bool any;                          /* does a rank have noise? */
    sim_time *offset;                  /* [num_ranks] */
    const noise_detour_trace *same;    /* what all ranks see; NULL: see traces */
    const noise_detour_trace **traces; /* [num_ranks] what each rank sees; an entry NULL: nothing */
    const sim_detours **tables;        /* [num_ranks] the same where clocks drift; else NULL */
    uint64_t *rate;                    /* [num_ranks] of the rank's clock; likewise */
};

static const noise_injection *injection_of(const sim_noise *noise)
{
    return (const noise_injection *)(const void *)noise;
}

static sim_time finish_same(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const noise_injection *in = injection_of(noise);
    assert(rank < in->num_ranks);
    return noise_detour_trace_finish(in->same, in->offset[rank], start, work);
}

static sim_time finish_each(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    const noise_injection *in = injection_of(noise);
    assert(rank < in->num_ranks);
    const noise_detour_trace *trace = in->traces[rank];
    return trace != NULL ? noise_detour_trace_finish(trace, in->offset[rank], start, work)
                         : start + work;
}

static sim_time finish_drifting(const sim_noise *noise, uint32_t rank, sim_time start,
                                sim_time work)
{
    const noise_injection *in = injection_of(noise);
    assert(rank < in->num_ranks);
    const sim_detours *detours = in->tables[rank];
    return detours != NULL
               ? noise_drift_finish(detours, in->rate[rank], in->offset[rank], start, work)
               : start + work;
}

static void prefetch_rank(const sim_noise *noise, uint32_t rank)
{
    const noise_injection *in = injection_of(noise);
    __builtin_prefetch(&in->offset[rank]);
    if (in->traces != NULL) {
        __builtin_prefetch(&in->traces[rank]);
    }
    if (in->rate != NULL) {
        __builtin_prefetch(&in->rate[rank]);
        __builtin_prefetch(&in->tables[rank]);
    }
}

static uint64_t stream(draw what, uint32_t replica)
{
    return (uint64_t)what << 32 | replica;
}

/* The instant that all nodes share in one replica. */
static sim_time draw_common(const noise_injection_options *o, uint32_t replica, sim_time longest)
{
    return (sim_time)noise_random_below(o->seed, stream(DRAW_COMMON, replica), 0,
                                        (uint64_t)longest);
}

static sim_time draw_offset(const noise_injection_options *o, uint32_t replica, sim_time common,
                            uint32_t node, sim_time period)
{
    if (o->sync == NOISE_UNSYNCHRONIZED) {
        return (sim_time)noise_random_below(o->seed, stream(DRAW_OFFSET, replica), node,
                                            (uint64_t)period);
    }
    if (o->sigma == 0) {
        return common % period;
    }
    const double error =
        noise_random_normal(o->seed, stream(DRAW_ERROR, replica), node) * (double)o->sigma;
    const sim_time offset = (common + llround(fmod(error, (double)period))) % period;
    return offset < 0 ? offset + period : offset;
}

/* The tables of @p rank, or NULL. */
static const sim_detours *tables_of(const noise_signature *signature, uint32_t rank)
{
    const noise_detour_trace *trace = noise_signature_trace(signature, rank);
    return trace != NULL ? noise_detour_trace_tables(trace) : NULL;
}

/* Co-scheduled nodes share one clock. */
static bool drifts(const noise_signature *signature, const noise_injection_options *o)
{
    return noise_signature_drift(signature) > 0 && o->sync == NOISE_UNSYNCHRONIZED;
}

static void let_drift(noise_injection *in, const noise_signature *signature,
                      const noise_injection_options *o)
{
    in->tables = g_new(const sim_detours *, in->num_ranks);
    in->rate = g_new(uint64_t, in->num_ranks);
    for (uint32_t rank = 0; rank < in->num_ranks; rank++) {
        in->tables[rank] = tables_of(signature, rank);
        in->rate[rank] = noise_drift_rate(noise_signature_drift(signature), o->seed,
                                          stream(DRAW_DRIFT, o->replica), rank / o->ranks_per_node);
    }
    in->hook.finish = finish_drifting;
    g_clear_pointer((gpointer *)&in->traces, g_free);
}

noise_injection *noise_injection_new(const noise_signature *signature, uint32_t num_ranks,
                                     const noise_injection_options *o)
{
    assert(o->ranks_per_node >= 1 && o->sigma >= 0);
    noise_injection *in = g_new0(noise_injection, 1);
    in->num_ranks = num_ranks;
    in->offset = g_new0(sim_time, num_ranks);
    in->traces = g_new0(const noise_detour_trace *, num_ranks);
    const sim_time common = draw_common(o, o->replica, noise_signature_longest_period(signature));
    bool alike = num_ranks > 0;
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        in->traces[rank] = noise_signature_trace(signature, rank);
        alike = alike && in->traces[rank] == in->traces[0];
        if (in->traces[rank] != NULL) {
            in->any = true;
            in->offset[rank] = draw_offset(o, o->replica, common, rank / o->ranks_per_node,
                                           noise_detour_trace_period(in->traces[rank]));
        }
    }
    in->hook.finish = finish_each;
    in->hook.prefetch = prefetch_rank;
    if (alike && in->any) {
        in->hook.finish = finish_same;
        in->same = in->traces[0];
        g_clear_pointer((gpointer *)&in->traces, g_free);
    }
    if (in->any && drifts(signature, o)) {
        let_drift(in, signature, o);
    }
    return in;
}

void noise_injection_free(noise_injection *in)
{
    if (in != NULL) {
        g_free(in->offset);
        g_free((gpointer)in->traces);
        g_free((gpointer)in->tables);
        g_free(in->rate);
        g_free(in);
    }
}

const sim_noise *noise_injection_hook(const noise_injection *in)
{
    return in->any ? &in->hook : NULL;
}

sim_time noise_injection_offset(const noise_injection *in, uint32_t rank)
{
    assert(rank < in->num_ranks);
    return in->offset[rank];
}

struct noise_lanes {
    sim_noise_lanes hook; /* first: the hook is the lanes */
    noise_injection_options options;
    sim_time common[SIM_LANES];
    const sim_detours **each; /* or NULL: all see the same */
};

static void lanes_offsets(const sim_noise_lanes *hook, uint32_t first, uint32_t n,
                          sim_time (*out)[SIM_LANES])
{
    const noise_lanes *lanes = (const noise_lanes *)(const void *)hook;
    const noise_injection_options *o = &lanes->options;
    for (uint32_t i = 0; i < n; i++) {
        const sim_detours *d = hook->same != NULL ? hook->same : hook->each[first + i];
        const uint32_t node = (first + i) / o->ranks_per_node;
        if (d != NULL && o->sync == NOISE_UNSYNCHRONIZED) {
            noise_random_below_in_streams(o->seed, stream(DRAW_OFFSET, o->replica), hook->num_lanes,
                                          node, (uint64_t)d->period, out[i]);
        }
        for (unsigned lane = 0; d != NULL && o->sync == NOISE_COSCHEDULED && lane < hook->num_lanes;
             lane++) {
            out[i][lane] = draw_offset(o, o->replica + lane, lanes->common[lane], node, d->period);
        }
    }
}

static bool is_same_everywhere(const noise_signature *signature)
{
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        if (noise_signature_component(signature, i)->some_ranks) {
            return false;
        }
    }
    return true;
}

noise_lanes *noise_lanes_new(const noise_signature *signature, uint32_t num_ranks,
                             const noise_injection_options *o, unsigned num_lanes)
{
    assert(o->ranks_per_node >= 1 && o->sigma >= 0 && num_lanes >= 1 && num_lanes <= SIM_LANES);
    assert(!drifts(signature, o));
    noise_lanes *lanes = g_new0(noise_lanes, 1);
    lanes->options = *o;
    lanes->hook = (sim_noise_lanes){.num_lanes = num_lanes, .offsets = lanes_offsets};
    const sim_time longest = noise_signature_longest_period(signature);
    for (unsigned lane = 0; lane < num_lanes; lane++) {
        lanes->common[lane] = draw_common(o, o->replica + lane, longest);
    }
    if (is_same_everywhere(signature)) {
        lanes->hook.same = tables_of(signature, 0);
        lanes->hook.coscheduled = o->sync == NOISE_COSCHEDULED && o->sigma == 0;
        return lanes;
    }
    lanes->each = g_new(const sim_detours *, num_ranks);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        lanes->each[rank] = tables_of(signature, rank);
    }
    lanes->hook.each = lanes->each;
    return lanes;
}

void noise_lanes_free(noise_lanes *lanes)
{
    if (lanes != NULL) {
        g_free((gpointer)lanes->each);
        g_free(lanes);
    }
}

const sim_noise_lanes *noise_lanes_hook(const noise_lanes *lanes)
{
    return lanes->hook.same != NULL || lanes->hook.each != NULL ? &lanes->hook : NULL;
}
