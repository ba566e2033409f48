/* apps/ripple/monitor/rank_logs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/rank_logs.h"

#include "output/error.h"

#include <string.h>

static void add_round(app_rank_logs *l, const noise_switch_header *h, const noise_switch_offset *o)
{
    if (o->when > 0) {
        const noise_clock_round round = {.boot_id = h->boot_id,
                                         .is_reference = h->rank == 0,
                                         .when = o->when,
                                         .offset_ns = o->offset,
                                         .round_ns = 2 * o->uncertainty};
        g_array_append_val(l->rounds, round);
    }
}

app_rank_logs *app_rank_logs_read(const char *folder, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, error);
    if (dir == NULL) {
        return NULL;
    }
    g_autoptr(app_rank_logs) l = g_new0(app_rank_logs, 1);
    l->logs = g_ptr_array_new_with_free_func((GDestroyNotify)noise_switch_log_free);
    l->rounds = g_array_new(FALSE, FALSE, sizeof(noise_clock_round));
    l->tracks = g_array_new(FALSE, FALSE, sizeof(noise_rank_track));
    l->gaps = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    const char *name = NULL;
    while ((name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_prefix(name, NOISE_SWITCH_FILE)) {
            continue;
        }
        g_autofree char *path = g_build_filename(folder, name, NULL);
        noise_switch_log *log = noise_switch_log_read(path, error);
        if (log == NULL) {
            return NULL;
        }
        g_ptr_array_add(l->logs, log);
        add_round(l, &log->header, &log->header.offset_begin);
        add_round(l, &log->header, &log->header.offset_end);
    }
    if (l->logs->len == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: has no file %sRANK", folder,
                    NOISE_SWITCH_FILE);
        return NULL;
    }
    return g_steal_pointer(&l);
}

/* The node with that boot id; num_nodes: it was not watched. */
static uint32_t find_node(const noise_nit *nit, const char *boot_id)
{
    uint32_t n = 0;
    while (n < nit->num_nodes && g_strcmp0(nit->nodes[n].boot_id, boot_id) != 0) {
        n++;
    }
    return n;
}

static void name_threads(noise_nit *nit, uint32_t node, const noise_switch_header *h)
{
    for (size_t t = 0; t < nit->num_threads; t++) {
        noise_nit_thread *thread = &nit->threads[t];
        if (thread->node == node && thread->pid == h->pid) {
            thread->rank = (int32_t)h->rank;
            thread->kind = NOISE_PROGRAM_APPLICATION;
        }
    }
}

static void place_log(app_rank_logs *l, const noise_switch_log *log, noise_nit_set *set)
{
    const noise_switch_header *h = &log->header;
    const uint32_t node = find_node(set->nit, h->boot_id);
    if (node == set->nit->num_nodes) {
        l->elsewhere++;
        return;
    }
    name_threads(set->nit, node, h);
    const noise_node_clock *clock = &set->clocks[node];
    GArray *gaps = g_array_new(FALSE, FALSE, sizeof(noise_rank_gap));
    g_ptr_array_add(l->gaps, gaps);
    uint64_t last = h->begin.monotonic;
    for (size_t i = 0; i < log->n; i++) {
        const noise_switch_record *r = &log->record[i];
        if (r->tid == h->tid && r->out < r->in) {
            const noise_rank_gap gap = {.out = noise_node_clock_apply(clock, r->out),
                                        .in = noise_node_clock_apply(clock, r->in),
                                        .cpu = r->cpu,
                                        .by = UINT32_MAX,
                                        .preempted = r->preempted != 0};
            g_array_append_val(gaps, gap);
            last = MAX(last, r->in);
        }
    }
    const uint64_t end = MAX(h->end.monotonic, last);
    const noise_rank_track track = {
        .rank = h->rank,
        .node = node,
        .cpu = gaps->len > 0 ? g_array_index(gaps, noise_rank_gap, 0).cpu : UINT32_MAX,
        .begin = noise_node_clock_apply(clock, h->begin.monotonic),
        .end = noise_node_clock_apply(clock, end),
        .num_gaps = gaps->len,
        .gaps = (const noise_rank_gap *)(void *)gaps->data,
    };
    g_array_append_val(l->tracks, track);
}

void app_rank_logs_place(app_rank_logs *l, noise_nit_set *set)
{
    for (guint i = 0; i < l->logs->len; i++) {
        place_log(l, g_ptr_array_index(l->logs, i), set);
    }
}

void app_rank_logs_free(app_rank_logs *l)
{
    if (l != NULL) {
        g_array_unref(l->tracks);
        g_ptr_array_unref(l->gaps);
        g_array_unref(l->rounds);
        g_ptr_array_unref(l->logs);
        g_free(l);
    }
}
