/* apps/ripple/mining/system_lane.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_exemplar. */
#include "mining/system_lane.h"

#include "losses/losses.h"
#include "noise/switch_file.h"
#include "sim/unit.h"

struct app_system_lanes {
    const sched_trace *trace;
    noise_switch_log **log; /* [ranks]; NULL: none */
    app_losses *losses;     /* who ran; NULL: nobody watched */
};

app_system_lanes *app_system_lanes_new(const sched_trace *trace, const char *folder)
{
    app_system_lanes *l = g_new0(app_system_lanes, 1);
    l->trace = trace;
    l->log = g_new0(noise_switch_log *, (gsize)trace->num_ranks + 1);
    bool any = false;
    for (uint32_t rank = 0; folder != NULL && rank < trace->num_ranks; rank++) {
        g_autofree char *name = g_strdup_printf(NOISE_SWITCH_FILE "%u", rank);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        l->log[rank] = noise_switch_log_read(path, NULL); /* most traces have none */
        any = any || l->log[rank] != NULL;
    }
    if (any) {
        app_watched nobody = {0}; /* what the watch left in files is enough */
        l->losses = app_losses_new(folder, trace, &nobody, NULL);
    }
    return l;
}

void app_system_lanes_free(app_system_lanes *l)
{
    if (l != NULL) {
        for (uint32_t rank = 0; rank < l->trace->num_ranks; rank++) {
            noise_switch_log_free(l->log[rank]);
        }
        g_free(l->log);
        app_losses_free(l->losses);
        g_free(l);
    }
}

bool app_system_lanes_has(const app_system_lanes *l, uint32_t rank)
{
    return l->log[rank] != NULL && l->log[rank]->header.refused == 0;
}

/* ns of the rank's own clock to the clock of the run: both are known at MPI_Init. */
static sim_time on_the_run(const app_system_lanes *l, uint32_t rank, uint64_t ns)
{
    const sched_rank *r = &l->trace->ranks[rank];
    const int64_t since = (int64_t)(ns - l->log[rank]->header.init_enter);
    return r->calls[0].enter + CLAMP(since, -SIM_TIME_MAX / SIM_NS, SIM_TIME_MAX / SIM_NS) * SIM_NS;
}

/* Who ran while the rank was off its CPU, as far as it is explained; owned, NULL: nobody known. */
static char *who_ran(const app_system_lanes *l, uint32_t rank, const noise_switch_record *off)
{
    const noise_join *join = l->losses != NULL ? l->losses->join : NULL;
    uint64_t most = 0;
    const char *name = NULL;
    for (size_t i = 0; join != NULL && i < join->num_pieces; i++) {
        const noise_join_piece *p = &join->piece[i];
        const noise_join_thread *main = &l->losses->input.thread[p->main];
        const bool within = main->rank == rank && p->from < off->in && p->to > off->out;
        if (within && p->thread >= 0 && p->to - p->from > most) {
            most = p->to - p->from;
            name = l->losses->nit->threads[p->thread].name;
        }
    }
    return g_strdup(name);
}

void app_system_lanes_add(const app_system_lanes *l, uint32_t rank, sim_time from, sim_time to,
                          GArray *slices)
{
    const noise_switch_log *log = l->log[rank];
    if (log == NULL || l->trace->ranks[rank].num_calls == 0) {
        return;
    }
    for (size_t i = 0; i < log->n; i++) {
        const noise_switch_record *r = &log->record[i];
        const sim_time begin = on_the_run(l, rank, r->out);
        const sim_time end = on_the_run(l, rank, r->in);
        if (r->tid == log->header.tid && begin < to && end > from) {
            char *name = r->preempted != 0 ? who_ran(l, rank, r) : NULL;
            const app_exemplar_slice s = {
                .begin = begin,
                .end = end,
                .kind = APP_EXEMPLAR_SYSTEM,
                .name = name != NULL ? name : g_strdup(r->preempted != 0 ? "preempted" : "asleep"),
                .bytes = -1,
                .peer = -1,
                .cpu = -1,
                .cpu_number = (int)r->cpu};
            g_array_append_val(slices, s);
        }
    }
}
