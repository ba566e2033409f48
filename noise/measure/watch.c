/* noise/measure/watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
#include "measure/watch.h"

#include <sched.h>
#include <sys/resource.h>

void noise_watch_begin(noise_watch *watch, uint32_t cpu)
{
    (void)cpu;
    struct rusage now;
    (void)getrusage(RUSAGE_THREAD, &now);
    watch->voluntary = -now.ru_nvcsw;
    watch->involuntary = -now.ru_nivcsw;
    watch->page_faults = -(now.ru_minflt + now.ru_majflt);
}

void noise_watch_end(noise_watch *watch, uint32_t cpu)
{
    struct rusage now;
    (void)getrusage(RUSAGE_THREAD, &now);
    watch->voluntary += now.ru_nvcsw;
    watch->involuntary += now.ru_nivcsw;
    watch->page_faults += now.ru_minflt + now.ru_majflt;
    watch->moved = sched_getcpu() != (int)cpu;
}
