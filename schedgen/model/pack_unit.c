/* schedgen/model/pack_unit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_packed_calls. */
#include "model/pack_unit.h"

static inline bool is_whole(sim_time time, sim_time unit)
{
    return (unit == SIM_NS ? time % SIM_NS : unit == SIM_US ? time % SIM_US : 0) == 0;
}

/* Are all times such that their differences, and the differences of these, are in range? */
static bool is_tame(const sched_call *c)
{
    const sim_time most = SIM_TIME_MAX / 2;
    return c->enter >= -most && c->enter <= most && c->leave >= -most && c->leave <= most &&
           c->cpu <= most && c->cpu_inside <= most;
}

sim_time sched_unit_with(sim_time unit, sim_time begin, const sched_call *calls, uint64_t n)
{
    static const sim_time THOUSAND = 1000; /* from each to the next */
    for (uint64_t i = 0; i < n && unit > 1; i++) {
        const sched_call *c = &calls[i];
        if (!is_tame(c)) {
            return 1;
        }
        const sim_time times[] = {c->enter - begin, c->leave - c->enter, MAX(c->cpu, 0),
                                  MAX(c->cpu_inside, 0)};
        for (size_t k = 0; k < G_N_ELEMENTS(times); k++) {
            while (!is_whole(times[k], unit)) {
                unit /= THOUSAND;
            }
        }
    }
    return unit;
}
