/* apps/ripple/losses/losses.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_losses, cli_watch, test_tracer_switches. */
#include "losses/losses.h"

#include "noise/cpu_file.h"
#include "noise/switch_file.h"
#include "output/error.h"
#include "system/node_watch.h"

#include <string.h>

enum { PS_PER_NS = 1000 };

/* The node that a rank ran on; -1: it was not watched. */
static int node_of(const noise_nit *nit, const noise_switch_header *h)
{
    for (size_t i = 0; i < nit->num_nodes; i++) {
        if (g_strcmp0(nit->nodes[i].boot_id, h->boot_id) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_bound(const noise_switch_log *log)
{
    for (uint32_t cpu = 0; cpu < NOISE_SWITCH_MAX_CPUS; cpu++) {
        if (noise_switch_log_is_bound(log, cpu)) {
            return true;
        }
    }
    return false;
}

/* When the rank was in MPI, on its own clock: its first call is the one the header names. */
static void add_calls(app_losses *l, noise_join_thread *t, const noise_switch_header *h,
                      const sched_rank *rank)
{
    if (rank->num_calls == 0) {
        return;
    }
    uint64_t *enter = g_new(uint64_t, 2 * rank->num_calls);
    uint64_t *leave = enter + rank->num_calls;
    const sim_time zero = rank->calls[0].enter;
    for (uint64_t i = 0; i < rank->num_calls; i++) {
        enter[i] = h->init_enter + (uint64_t)((rank->calls[i].enter - zero) / PS_PER_NS);
        leave[i] = h->init_enter + (uint64_t)((rank->calls[i].leave - zero) / PS_PER_NS);
    }
    g_ptr_array_add(l->arrays, enter);
    t->num_calls = rank->num_calls;
    t->enter = enter;
    t->leave = leave;
}

/* Records come by thread. */
static void add_log(app_losses *l, const noise_switch_log *log, int node, const sched_trace *trace)
{
    const noise_switch_header *h = &log->header;
    bool main_is_there = false;
    for (size_t from = 0, to; from < log->n || !main_is_there; from = to) {
        const uint32_t tid = from < log->n ? log->record[from].tid : h->tid;
        to = from;
        while (to < log->n && log->record[to].tid == tid) {
            to++;
        }
        noise_join_thread t = {.rank = h->rank,
                               .node = (uint32_t)node,
                               .pid = h->pid,
                               .tid = tid,
                               .is_main = tid == h->tid,
                               .is_bound = is_bound(log),
                               .is_coarse = noise_switch_log_is_coarse(log),
                               .begin = h->begin.monotonic,
                               .end = h->end.monotonic,
                               .n = to - from,
                               .off = log->record + from,
                               .missing = h->lost};
        if (t.is_main && h->rank < trace->num_ranks) {
            add_calls(l, &t, h, &trace->ranks[h->rank]);
        }
        main_is_there |= t.is_main;
        g_array_append_val(l->threads, t);
    }
}

static bool add_ranks(app_losses *l, const char *folder, const sched_trace *trace, GError **error)
{
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        g_autofree char *name = g_strdup_printf(NOISE_SWITCH_FILE "%u", r);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        noise_switch_log *log = noise_switch_log_read(path, error);
        if (log == NULL) {
            return false;
        }
        g_ptr_array_add(l->logs, log);
        const int node = node_of(l->nit, &log->header);
        const bool is_coarse = noise_switch_log_is_coarse(log);
        l->coarse += is_coarse ? 1 : 0;
        l->refused_error = log->header.refused != 0 ? (int)log->header.refused : l->refused_error;
        if (log->header.refused != 0 && !is_coarse) {
            l->refused++;
        } else if (node < 0) {
            l->elsewhere++;
        } else {
            add_log(l, log, node, trace);
        }
    }
    return true;
}

static void free_log(gpointer log)
{
    noise_switch_log_free(log);
}

void app_losses_drop(app_watched *watched)
{
    g_clear_pointer(&watched->slices, g_array_unref);
    g_clear_pointer(&watched->refusal, g_free);
}

/* Threads that the monitor never saw have names where all CPUs were recorded. It watched one node.
 */
static void add_names(app_losses *l)
{
    g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(noise_switch_name));
    for (guint i = 0; i < l->slices->len; i++) {
        const noise_cpu_slices *s = &g_array_index(l->slices, noise_cpu_slices, i);
        g_array_append_vals(names, s->name, (guint)s->num_names);
    }
    l->since =
        noise_join_add_names(l->nit, 0, (const noise_switch_name *)(void *)names->data, names->len);
}

/* The records of this node's CPUs that the run left; NULL without an error: it left none. */
static bool read_cpus(const app_losses *l, const char *folder, GArray **slices, GError **error)
{
    g_autofree char *path = g_build_filename(folder, NOISE_CPU_FILE, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        return true;
    }
    g_autoptr(noise_cpu_log) log = noise_cpu_file_read(path, error);
    if (log != NULL && g_strcmp0(log->boot_id, l->nit->nodes[0].boot_id) == 0) {
        *slices = g_steal_pointer(&log->cpus);
    }
    return log != NULL;
}

app_losses *app_losses_new(const char *folder, const sched_trace *trace, app_watched *watched,
                           GError **error)
{
    g_autoptr(app_losses) l = g_new0(app_losses, 1);
    l->slices = g_steal_pointer(&watched->slices);
    l->refusal = g_steal_pointer(&watched->refusal);
    l->logs = g_ptr_array_new_with_free_func(free_log);
    l->arrays = g_ptr_array_new_with_free_func(g_free);
    l->threads = g_array_new(FALSE, FALSE, sizeof(noise_join_thread));
    l->cpus = g_array_new(FALSE, FALSE, sizeof(noise_join_cpu));
    l->num_ranks = trace->num_ranks;
    g_autofree char *path = g_build_filename(folder, APP_NODE_WATCH_FILE, NULL);
    l->nit = noise_nit_read(path, error);
    if (l->nit == NULL || !add_ranks(l, folder, trace, error) ||
        (l->slices == NULL && l->refusal == NULL && !read_cpus(l, folder, &l->slices, error))) {
        return NULL;
    }
    const GArray *slices = l->slices;
    for (guint i = 0; slices != NULL && i < slices->len; i++) {
        const noise_cpu_slices *s = &g_array_index(slices, noise_cpu_slices, i);
        const noise_join_cpu cpu = {.cpu = s->cpu, .n = s->n, .slice = s->slice};
        g_array_append_val(l->cpus, cpu);
    }
    if (slices != NULL) {
        add_names(l);
    }
    l->input = (noise_join_input){
        .nit = l->nit,
        .since = l->since,
        .num_threads = l->threads->len,
        .thread = (const noise_join_thread *)(void *)l->threads->data,
        .num_cpus = l->cpus->len,
        .cpu = (const noise_join_cpu *)(void *)l->cpus->data,
    };
    l->join = noise_join_new(&l->input);
    return g_steal_pointer(&l);
}

void app_losses_free(app_losses *l)
{
    if (l != NULL) {
        noise_join_free(l->join);
        noise_nit_free(l->nit);
        g_free(l->since);
        g_ptr_array_unref(l->logs);
        g_ptr_array_unref(l->arrays);
        g_array_unref(l->threads);
        g_array_unref(l->cpus);
        if (l->slices != NULL) {
            g_array_unref(l->slices);
        }
        g_free(l->refusal);
        g_free(l);
    }
}

bool app_losses_write_detours(const app_losses *l, const char *folder, char **path, GError **error)
{
    if (path != NULL) {
        *path = NULL;
    }
    g_autoptr(noise_detour_file) file = noise_join_detours(l->join, &l->input);
    size_t n = 0;
    for (size_t i = 0; i < file->num_runs; i++) {
        n += file->runs[i].n;
    }
    if (n == 0) {
        return true;
    }
    g_autofree char *name = g_build_filename(folder, APP_LOSSES_DETOURS, NULL);
    g_autofree char *text = noise_detour_file_to_text(file, true);
    if (!g_file_set_contents(name, text, -1, error)) {
        return false;
    }
    if (path != NULL) {
        *path = g_steal_pointer(&name);
    }
    return true;
}
