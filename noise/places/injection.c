/* noise/places/injection.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/injection.h"

#include "detours/signature_private.h"
#include "noise/detour_tables.h"
#include "places/draw.h"
#include "places/drift.h"
#include "places/plain.h"
#include "places/rank_noise.h"

#include <assert.h>

struct noise_injection {
    sim_noise hook; /* first: the hook is the injection */
    uint32_t num_ranks;
    bool any;                          /* does a rank have noise? */
    noise_rank_noise *general;         /* not one trace from one offset: the rest is unused */
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

/* What is asked of a rank next is mostly for the time before the next detour, too. */
static sim_time finish_known(const noise_detour_trace *trace, sim_time offset, sim_time start,
                             sim_time work, sim_quiet *quiet)
{
    sim_time until = start;
    const sim_time end = noise_detour_trace_finish_until(trace, offset, start, work, &until);
    if (until > start) {
        *quiet = (sim_quiet){start, until};
    }
    return end;
}

static sim_time finish_same_quiet(const sim_noise *noise, uint32_t rank, sim_time start,
                                  sim_time work, sim_quiet *quiet)
{
    const noise_injection *in = injection_of(noise);
    assert(rank < in->num_ranks);
    return finish_known(in->same, in->offset[rank], start, work, quiet);
}

static sim_time finish_each_quiet(const sim_noise *noise, uint32_t rank, sim_time start,
                                  sim_time work, sim_quiet *quiet)
{
    const noise_injection *in = injection_of(noise);
    assert(rank < in->num_ranks);
    const noise_detour_trace *trace = in->traces[rank];
    if (trace == NULL) {
        *quiet = (sim_quiet){start, SIM_TIME_MAX};
        return start + work;
    }
    return finish_known(trace, in->offset[rank], start, work, quiet);
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

static void let_drift(noise_injection *in, const noise_plain *plain, double ppm)
{
    in->tables = g_new(const sim_detours *, in->num_ranks);
    in->rate = g_new(uint64_t, in->num_ranks);
    for (uint32_t rank = 0; rank < in->num_ranks; rank++) {
        in->tables[rank] = noise_plain_tables(plain, rank);
        in->rate[rank] = noise_draw_clock(plain->options, ppm, noise_plain_node(plain, rank));
    }
    in->hook.finish = finish_drifting;
    in->hook.finish_quiet = NULL;
    g_clear_pointer((gpointer *)&in->traces, g_free);
}

static void lay_plain(noise_injection *in, const noise_plain *plain)
{
    const noise_injection_options *o = plain->options;
    in->offset = g_new0(sim_time, in->num_ranks);
    in->traces = g_new0(const noise_detour_trace *, in->num_ranks);
    const sim_time common =
        noise_draw_common(o, o->replica, noise_signature_longest_period(plain->signature));
    bool alike = in->num_ranks > 0;
    bool together = true;
    for (uint32_t rank = 0; rank < in->num_ranks; rank++) {
        in->traces[rank] = noise_plain_trace(plain, rank);
        alike = alike && in->traces[rank] == in->traces[0];
        if (in->traces[rank] != NULL) {
            in->any = true;
            in->offset[rank] = noise_plain_offset(plain, o->replica, common, rank,
                                                  noise_detour_trace_period(in->traces[rank]));
        }
        together = together && in->offset[rank] == in->offset[0];
    }
    in->hook.finish = finish_each;
    in->hook.finish_quiet = finish_each_quiet;
    in->hook.prefetch = prefetch_rank;
    if (alike && in->any) {
        in->hook.finish = finish_same;
        in->hook.finish_quiet = finish_same_quiet;
        in->same = in->traces[0];
        in->hook.same = together && !noise_plain_drifts(plain);
        g_clear_pointer((gpointer *)&in->traces, g_free);
    }
    if (in->any && noise_plain_drifts(plain)) {
        let_drift(in, plain, noise_signature_drift(plain->signature));
    }
}

noise_injection *noise_injection_new(const noise_signature *signature, uint32_t num_ranks,
                                     const noise_injection_options *options)
{
    noise_injection_options o = *options;
    o.threads_per_rank = MAX(o.threads_per_rank, 1);
    assert(o.sigma >= 0 && o.threads_per_rank <= NOISE_MAX_THREADS);
    assert(o.placement == NULL || num_ranks == 0 || o.placement->num_ranks == num_ranks);
    noise_injection *in = g_new0(noise_injection, 1);
    in->num_ranks = num_ranks;
    const noise_plain plain = noise_plain_of(signature, &o);
    if (plain.is_plain) {
        lay_plain(in, &plain);
    } else if (num_ranks > 0) {
        in->general = noise_rank_noise_new(signature, num_ranks, &o);
        in->any = true;
    }
    return in;
}

bool noise_injection_is_common(const noise_signature *signature,
                               const noise_injection_options *options)
{
    const noise_plain plain = noise_plain_of(signature, options);
    return options->sync == NOISE_COSCHEDULED && options->sigma == 0 && plain.is_plain &&
           noise_plain_is_same(signature);
}

void noise_injection_free(noise_injection *in)
{
    if (in != NULL) {
        noise_rank_noise_free(in->general);
        g_free(in->offset);
        g_free((gpointer)in->traces);
        g_free((gpointer)in->tables);
        g_free(in->rate);
        g_free(in);
    }
}

const sim_noise *noise_injection_hook(const noise_injection *in)
{
    return in->general != NULL ? noise_rank_noise_hook(in->general) : in->any ? &in->hook : NULL;
}

uint64_t noise_injection_bytes(const noise_signature *signature)
{
    const unsigned groups = noise_layout_num_groups(noise_signature_layout(signature));
    uint64_t rates = 0;
    for (size_t i = 0; i < noise_signature_num_components(signature); i++) {
        rates = noise_signature_component(signature, i)->is_rate ? sizeof(uint64_t) : rates;
    }
    const uint64_t clocks = noise_signature_drift(signature) > 0 ? 2 * sizeof(uint64_t) : 0;
    const bool is_same = groups <= 1 && rates == 0 && noise_plain_is_same(signature);
    return is_same ? sizeof(sim_time) + clocks
                   : groups * sizeof(void *) + sizeof(sim_time) + clocks + rates;
}

sim_time noise_injection_offset(const noise_injection *in, uint32_t rank)
{
    assert(rank < in->num_ranks);
    return in->general != NULL ? 0 : in->offset[rank];
}
