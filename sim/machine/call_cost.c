/* sim/machine/call_cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_machine. */
#include "sim/call_cost.h"

#include "sim/unit.h"

#include <string.h>

static const char *const NAMES[SIM_NUM_CALLS] = {"barrier", "bcast",   "reduce",    "allreduce",
                                                 "gather",  "scatter", "allgather", "alltoall"};

const char *sim_call_name(sim_call call)
{
    return NAMES[call];
}

sim_time sim_call_cost_of(const sim_call_cost *cost, int64_t bytes)
{
    const sim_time of_bytes = sim_rate_times(cost->byte, bytes);
    return of_bytes > SIM_TIME_MAX - cost->time ? SIM_TIME_MAX : cost->time + of_bytes;
}

bool sim_call_cost_parse(const char *text, sim_call_cost *out, GError **error)
{
    const char *plus = strchr(text, '+');
    g_autofree char *time = plus != NULL ? g_strndup(text, (gsize)(plus - text)) : g_strdup(text);
    g_autofree char *byte = g_strdup(plus != NULL ? plus + 1 : "");
    sim_call_cost cost = {0};
    if (!sim_unit_parse_time(g_strstrip(time), SIM_NS, &cost.time, error) ||
        (plus != NULL && !sim_unit_parse_rate(g_strstrip(byte), &cost.byte, error))) {
        return false;
    }
    *out = cost;
    return true;
}

char *sim_call_cost_format(const sim_call_cost *cost)
{
    g_autofree char *time = sim_unit_format_time(cost->time);
    g_autofree char *byte = cost->byte > 0 ? sim_unit_format_rate(cost->byte) : NULL;
    return byte != NULL ? g_strdup_printf("%s+%s", time, byte) : g_steal_pointer(&time);
}
