/* bench/paper/cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_frame. */
#include "cost.h"

#include <glib.h>
#include <sys/resource.h>

enum { NAME = 8 };

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / G_USEC_PER_SEC;
}

static double cpu_of(int who)
{
    struct rusage usage = {0};
    (void)getrusage(who, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

sc10_cost sc10_cost_now(void)
{
    return (sc10_cost){.wall = (double)g_get_monotonic_time() / G_USEC_PER_SEC,
                       .cpu = cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN)};
}

static void print_line(const char *name, sc10_cost cost, FILE *out)
{
    fprintf(out, "%-*s %8.1f s  CPU %8.1f s\n", NAME, name, cost.wall, cost.cpu);
}

void sc10_cost_print(const char *const *names, const sc10_cost *costs, size_t n, FILE *out)
{
    sc10_cost all = {0};
    for (size_t i = 0; i < n; i++) {
        print_line(names[i], costs[i], out);
        all.wall += costs[i].wall;
        all.cpu += costs[i].cpu;
    }
    print_line("all", all, out);
}
