/* apps/ripple/system/watch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_memory. */
#include "system/watch.h"

#include "system/stop.h"

static bool look(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    app_watch *w = (app_watch *)watch; /* its first member */
    (void)now;
    app_progress_reach(w->progress, &w->reached,
                       w->work * MIN((double)num_ops / MAX(w->num_ops, 1), 1));
    return w->is_wanted == NULL || w->is_wanted(w);
}

app_watch app_watch_of(app_progress *progress, uint64_t num_ops, double work)
{
    return (app_watch){
        .watch = {look}, .progress = progress, .num_ops = (double)num_ops, .work = work};
}

uint64_t app_watch_count_ops(const sim_program *program)
{
    uint64_t n = 0;
    for (uint32_t rank = 0; rank < program->num_ranks && !app_stop_is_asked(); rank++) {
        n += program->methods->num_ops(program, rank);
    }
    return n;
}
