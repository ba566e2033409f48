/* apps/ripple/monitor/fwq_judge.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/fwq_judge.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LINES = 10 };
static const double LATE = 0.1;
static const double NEXT_TO_LATE = 0.02; /* of a neighbour: the same burst reaches into it */
static const double AGREES = 0.1;
static const double ENOUGH = 0.95;
static const uint64_t TICK_NS = 10000000; /* in which steal is counted */

static double share_inside(uint64_t a, uint64_t b, uint64_t from, uint64_t to)
{
    if (b <= from || a >= to) {
        return 0;
    }
    return b > a ? (double)(MIN(b, to) - MAX(a, from)) / (double)(b - a) : 1;
}

/* What others had of the CPU between two instants, the watcher as well: an activity counts by the
 * share of it that lies there. */
static double taken(const noise_nit *nit, uint32_t cpu, uint32_t tid, uint64_t from, uint64_t to)
{
    double sum = 0;
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        if (a->cpu == cpu && nit->threads[a->thread].tid != tid) {
            sum += (double)a->cpu_ns * share_inside(a->from, a->to, from, to);
        }
    }
    return sum;
}

static double stolen(const noise_nit *nit, uint32_t cpu, uint64_t from, uint64_t to)
{
    double sum = 0;
    for (size_t i = 0; i < nit->num_steals; i++) {
        const noise_nit_steal *s = &nit->steals[i];
        sum += s->cpu == cpu && s->to > from && s->from < to + TICK_NS ? (double)s->ns : 0;
    }
    return sum;
}

static double off_cpu(const app_quantum *q)
{
    const uint64_t wall = q->end - q->begin;
    return wall > q->cpu_ns ? (double)(wall - q->cpu_ns) : 0;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t count_slow(const app_fixed_work *work)
{
    g_autofree uint64_t *cpu_ns = g_new(uint64_t, work->n + 1);
    for (size_t i = 0; i < work->n; i++) {
        cpu_ns[i] = work->quanta[i].cpu_ns;
    }
    qsort(cpu_ns, work->n, sizeof *cpu_ns, by_number);
    const size_t middle = work->n / 2;
    const double median = work->n > 0 ? (double)cpu_ns[middle] : 0;
    size_t slow = 0;
    for (size_t i = 0; i < work->n; i++) {
        slow += (double)cpu_ns[i] > (1 + LATE) * median;
    }
    return slow;
}

app_fwq_agreement app_fwq_judge(const noise_nit *nit, uint32_t cpu, const app_fixed_work *work,
                                uint64_t quantum_ns, FILE *out)
{
    app_fwq_agreement found = {.quanta = work->n, .slow = count_slow(work)};
    const double late = LATE * (double)quantum_ns;
    const uint64_t slack = nit->num_nodes > 0 ? nit->nodes[0].p99_interval_ns : 0;
    size_t lines = 0;
    for (size_t i = 0; i < work->n;) {
        const uint64_t begin = work->quanta[i].begin;
        double off = 0;
        size_t k = i;
        double more;
        do {
            more = off_cpu(&work->quanta[k++]);
            off += more;
        } while (more > NEXT_TO_LATE * (double)quantum_ns && k < work->n);
        const uint64_t end = work->quanta[k - 1].end;
        i = k;
        if (off > late) {
            const double others =
                taken(nit, cpu, work->tid, begin - MIN(begin, slack), end + slack);
            const double steal = stolen(nit, cpu, begin - MIN(begin, slack), end + slack);
            const bool agrees = fabs(others - off) <= AGREES * off;
            found.late++;
            found.explained += others > late / 2;
            found.length_agrees += agrees;
            found.stolen += !agrees && others < off && others + steal >= (1 - AGREES) * off;
            if (out != NULL && !agrees && lines++ < MOST_LINES) {
                fprintf(out,
                        "  late at %.3f s: off the CPU for %.3f ms, others had %.3f ms, steal %.3f "
                        "ms\n",
                        (double)(begin - work->quanta[0].begin) / 1e9, off / 1e6, others / 1e6,
                        steal / 1e6);
            }
        }
        if (taken(nit, cpu, work->tid, begin, end) > late) {
            found.active++;
            found.answered += off > late / 2;
        }
    }
    return found;
}

bool app_fwq_passed(const app_fwq_agreement *a, size_t bursts)
{
    const size_t judged = a->late - a->stolen;
    return judged > 0 && 2 * a->late >= bursts && a->active > 0 &&
           (double)a->length_agrees >= ENOUGH * (double)judged &&
           (double)a->answered >= ENOUGH * (double)a->active;
}
