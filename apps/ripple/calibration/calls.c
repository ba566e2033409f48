/* apps/ripple/calibration/calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration_calls. */
#include "calibration/calls.h"

#include "coll/program.h"
#include "sim/run.h"

#include <math.h>

static const coll_kind KINDS[SIM_NUM_CALLS] = {
    [SIM_CALL_BARRIER] = COLL_BARRIER,     [SIM_CALL_BCAST] = COLL_BCAST,
    [SIM_CALL_REDUCE] = COLL_REDUCE,       [SIM_CALL_ALLREDUCE] = COLL_ALLREDUCE,
    [SIM_CALL_GATHER] = COLL_GATHER,       [SIM_CALL_SCATTER] = COLL_SCATTER,
    [SIM_CALL_ALLGATHER] = COLL_ALLGATHER, [SIM_CALL_ALLTOALL] = COLL_ALLTOALL,
};

static app_sample_kind sample_of(sim_call call, bool is_cold)
{
    return (app_sample_kind)((is_cold ? APP_SAMPLE_COLD_CALL : APP_SAMPLE_CALL) + (int)call);
}

size_t app_calls_sizes(const app_samples *s, sim_call call, int64_t *bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < s->num_samples && n < APP_CALL_SIZES; i++) {
        if (s->samples[i].kind == sample_of(call, false)) {
            bytes[n++] = s->samples[i].bytes;
        }
    }
    return n;
}

static sim_params params_of(const double *value, int64_t S)
{
    const double ps = (double)SIM_NS;
    return (sim_params){
        .L = llround(value[APP_CALIBRATED_L] * ps),
        .o = llround(value[APP_CALIBRATED_o] * ps),
        .g = llround(value[APP_CALIBRATED_g] * ps),
        .G = llround(value[APP_CALIBRATED_G] * ps * (double)SIM_RATE_PER_PS),
        .O = llround(value[APP_CALIBRATED_O] * ps * (double)SIM_RATE_PER_PS),
        .S = S,
        .H = llround(fmax(value[APP_CALIBRATED_H], 0) * ps),
    };
}

double app_calls_model(sim_call call, int64_t bytes, const double *value, int64_t S)
{
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    const coll_call made = {.kind = KINDS[call], .size = 2, .bytes = bytes};
    const sim_params params = params_of(value, S);
    sim_program *program = coll_program_new(&made, coll_profile_select(profile, &made), 1, NULL);
    g_autoptr(sim_result) result = program != NULL ? sim_run(program, &params, NULL, NULL) : NULL;
    sim_program_free(program);
    return result != NULL ? (double)result->makespan / (double)SIM_NS : NAN;
}

/*
 * Of all slopes through what the smallest size takes more the one with which the squared relative
 * errors of all calls are least.
 */
static double find_slope(const app_round_call *c, const int64_t *sizes, size_t n)
{
    double above = 0;
    double below = 0;
    for (size_t i = 1; i < n; i++) {
        if (!isnan(c->measured[i])) {
            const double b = (double)(sizes[i] - sizes[0]) / c->measured[i];
            above += b * (c->measured[i] - c->model[i] - c->time) / c->measured[i];
            below += b * b;
        }
    }
    return below > 0 ? above / below : NAN;
}

/* A rank that does not wait sends, or receives what is there, or both: o each. */
static double find_cold(const app_samples *s, sim_call call, double cold)
{
    const app_sample *found = app_samples_find(s, sample_of(call, true), 0);
    const double messages = coll_kind_is_rooted(KINDS[call]) ? cold : 2 * cold;
    return found != NULL ? found->median - s->clock - messages : NAN;
}

app_round_call app_calls_fit(const app_samples *s, sim_call call, const int64_t *sizes,
                             size_t num_sizes, const double *value, int64_t S, double cold)
{
    app_round_call out;
    for (size_t i = 0; i < APP_CALL_SIZES; i++) {
        const app_sample *found = NULL;
        for (size_t k = 0; i < num_sizes && k < s->num_samples; k++) {
            const app_sample *each = &s->samples[k];
            const bool is_it = each->kind == sample_of(call, false) && each->bytes == sizes[i];
            found = is_it ? each : found;
        }
        out.measured[i] = found != NULL ? found->quarter / 2 : NAN;
        out.model[i] = found != NULL ? app_calls_model(call, sizes[i], value, S) : NAN;
    }
    out.time = out.measured[0] - out.model[0];
    out.byte = find_slope(&out, sizes, num_sizes);
    out.cold = find_cold(s, call, cold);
    return out;
}
