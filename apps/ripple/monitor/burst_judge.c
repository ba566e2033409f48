/* apps/ripple/monitor/burst_judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_burst_judge. */
#include "monitor/burst_judge.h"

#include <glib.h>

/* Of the kernel's clock of a process and its counters: both are of the scheduler, read at different
 * times. */
static const double SLACK_NS = 25e3;

app_burst_agreement app_burst_judge(const noise_nit *nit, const app_injector *injector,
                                    uint32_t cpu, uint64_t burst_ns, uint64_t period_ns)
{
    const app_burst *bursts = injector->bursts;
    const uint64_t two = 2 * nit->nodes[0].p99_interval_ns;
    app_burst_agreement a = {.bursts = *injector->num,
                             .burnt_ns = *injector->burnt_ns,
                             .own_ns = *injector->cpu_ns,
                             .is_longer = burst_ns > two && period_ns - burst_ns > two};
    uint64_t next = 0;
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *act = &nit->activities[i];
        if (nit->threads[act->thread].pid != (uint32_t)injector->pid || a.bursts == 0 ||
            act->to < bursts[0].begin || act->from > bursts[a.bursts - 1].end) {
            continue;
        }
        a.activities++;
        a.elsewhere += act->cpu != cpu;
        a.seen_ns += act->cpu_ns;
        for (; next < a.bursts && bursts[next].begin <= act->to; next++) {
            a.found += bursts[next].end >= act->from;
        }
    }
    return a;
}

double app_burst_excess(const app_burst_agreement *a)
{
    return ((double)a->seen_ns - (double)a->own_ns) / (double)MAX(a->bursts, 1);
}

bool app_burst_passed(const app_burst_agreement *a)
{
    const double excess = app_burst_excess(a);
    const double most = 0.05 * (double)a->own_ns / (double)MAX(a->bursts, 1) + SLACK_NS;
    return a->bursts > 0 && a->elsewhere == 0 && excess <= most && -excess <= most &&
           (double)a->found >= (a->is_longer ? 0.99 : 0.95) * (double)a->bursts;
}
