/* apps/ripple/monitor/rank_logs.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/rank_logs.h"

#include "noise/join_records.h"
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
    l->records = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    l->thefts = g_array_new(FALSE, FALSE, sizeof(noise_activity_theft));
    const char *name = NULL;
    while ((name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_prefix(name, NOISE_SWITCH_FILE)) {
            continue;
        }
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (strcmp(name, NOISE_CPU_FILE) == 0) {
            l->cpus = noise_cpu_file_read(path, error);
            if (l->cpus == NULL) {
                return NULL;
            }
            continue;
        }
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

/* All records of a log on the common clock: by thread, then by time, as they were. */
static GArray *move_records(const noise_switch_log *log, const noise_node_clock *clock)
{
    GArray *moved = g_array_sized_new(FALSE, FALSE, sizeof(noise_switch_record), (guint)log->n);
    for (size_t i = 0; i < log->n; i++) {
        noise_switch_record r = log->record[i];
        r.out = noise_node_clock_apply(clock, r.out);
        r.in = noise_node_clock_apply(clock, r.in);
        g_array_append_val(moved, r);
    }
    return moved;
}

/* Threads of a process, for the join; of the one that initialised MPI the gaps, too. */
static void add_threads(app_rank_logs *l, const noise_switch_log *log, noise_rank_track *track,
                        GArray *threads)
{
    const noise_switch_header *h = &log->header;
    const GArray *records = g_ptr_array_index(l->records, l->records->len - 1);
    GArray *gaps = g_ptr_array_index(l->gaps, l->gaps->len - 1);
    const noise_switch_record *all = (const noise_switch_record *)(void *)records->data;
    bool has_main = false;
    for (size_t i = 0; i < log->n || !has_main;) {
        const uint32_t tid = i < log->n ? all[i].tid : h->tid;
        size_t next = i;
        while (next < log->n && all[next].tid == tid) {
            if (tid == h->tid) {
                const noise_rank_gap gap = {.out = all[next].out,
                                            .in = all[next].in,
                                            .cpu = all[next].cpu,
                                            .by = UINT32_MAX,
                                            .preempted = all[next].preempted != 0};
                g_array_append_val(gaps, gap);
                track->end = MAX(track->end, gap.in);
            }
            next++;
        }
        noise_join_thread thread = {.rank = h->rank,
                                    .node = track->node,
                                    .pid = h->pid,
                                    .tid = tid,
                                    .is_main = tid == h->tid,
                                    .begin = track->begin,
                                    .n = next - i,
                                    .off = all + i,
                                    .missing = h->lost};
        thread.end = MAX(track->end, next > i ? all[next - 1].in : 0);
        thread.is_bound = thread.n > 0 && noise_switch_log_is_bound(log, all[i].cpu);
        thread.is_coarse = noise_switch_log_is_coarse(log);
        has_main = has_main || thread.is_main;
        g_array_append_val(threads, thread);
        i = next;
    }
}

static void place_log(app_rank_logs *l, const noise_switch_log *log, noise_nit_set *set,
                      GArray *threads)
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
    g_ptr_array_add(l->records, move_records(log, clock));
    noise_rank_track track = {
        .rank = h->rank,
        .node = node,
        .cpu = UINT32_MAX,
        .begin = noise_node_clock_apply(clock, h->begin.monotonic),
        .end = noise_node_clock_apply(clock, MAX(h->end.monotonic, h->begin.monotonic)),
    };
    add_threads(l, log, &track, threads);
    track.num_gaps = gaps->len;
    track.gaps = (const noise_rank_gap *)(void *)gaps->data;
    track.cpu = gaps->len > 0 ? track.gaps[0].cpu : UINT32_MAX;
    g_array_append_val(l->tracks, track);
}

static void add_gap(GArray *gaps, noise_rank_gap gap, uint64_t from, uint64_t to,
                    const noise_join_piece *by)
{
    if (from < to) {
        gap.out = from;
        gap.in = to;
        gap.by = by != NULL && by->thread >= 0 ? (uint32_t)by->thread : UINT32_MAX;
        gap.is_exact = by != NULL && by->is_exact;
        g_array_append_val(gaps, gap);
    }
}

/* The gaps of a track with those who had the CPU in them: the rank's pieces are by time. */
static GArray *divide_gaps(const GArray *whole, const noise_join_piece *piece, size_t n)
{
    GArray *gaps = g_array_new(FALSE, FALSE, sizeof(noise_rank_gap));
    size_t at = 0;
    for (guint i = 0; i < whole->len; i++) {
        const noise_rank_gap *gap = &g_array_index(whole, noise_rank_gap, i);
        uint64_t from = gap->out;
        while (at < n && piece[at].from < gap->out) {
            at++;
        }
        for (; at < n && piece[at].to <= gap->in; at++) {
            add_gap(gaps, *gap, from, piece[at].from, NULL);
            add_gap(gaps, *gap, piece[at].from, piece[at].to, &piece[at]);
            from = piece[at].to;
        }
        add_gap(gaps, *gap, from, gap->in, NULL);
    }
    return gaps;
}

/* What each thread took; and who was there, in the gaps. Pieces come by rank. */
static void take_pieces(app_rank_logs *l, const GArray *threads)
{
    for (size_t i = 0; i < l->join->num_pieces; i++) {
        const noise_join_piece *p = &l->join->piece[i];
        if (p->thread >= 0 && !p->in_call) {
            const noise_activity_theft theft = {(uint32_t)p->thread, p->to - p->from};
            g_array_append_val(l->thefts, theft);
        }
    }
    for (size_t first = 0, end; first < l->join->num_pieces; first = end) {
        const noise_join_piece *p = &l->join->piece[first];
        const uint32_t rank = g_array_index(threads, noise_join_thread, p->main).rank;
        for (end = first; end < l->join->num_pieces && l->join->piece[end].main == p->main;) {
            end++;
        }
        for (guint t = 0; t < l->tracks->len; t++) {
            noise_rank_track *track = &g_array_index(l->tracks, noise_rank_track, t);
            if (track->rank == rank) {
                GArray *divided = divide_gaps(g_ptr_array_index(l->gaps, t), p, end - first);
                g_array_unref(l->gaps->pdata[t]);
                l->gaps->pdata[t] = divided;
                track->gaps = (const noise_rank_gap *)(void *)divided->data;
                track->num_gaps = divided->len;
            }
        }
    }
}

/* The records of the CPUs on the common clock, and names for threads that only they know. */
static uint64_t *take_cpus(app_rank_logs *l, noise_nit_set *set, GArray *cpus)
{
    const uint32_t node =
        l->cpus != NULL ? find_node(set->nit, l->cpus->boot_id) : set->nit->num_nodes;
    if (node == set->nit->num_nodes || l->cpus->cpus->len == 0) {
        return NULL;
    }
    const noise_node_clock *clock = &set->clocks[node];
    g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(noise_switch_name));
    for (guint c = 0; c < l->cpus->cpus->len; c++) {
        noise_cpu_slices *s = &g_array_index(l->cpus->cpus, noise_cpu_slices, c);
        for (size_t i = 0; i < s->n; i++) {
            s->slice[i].out = noise_node_clock_apply(clock, s->slice[i].out);
            s->slice[i].in = noise_node_clock_apply(clock, s->slice[i].in);
        }
        for (size_t i = 0; i < s->num_names; i++) {
            s->name[i].when = noise_node_clock_apply(clock, s->name[i].when);
        }
        g_array_append_vals(names, s->name, (guint)s->num_names);
        const noise_join_cpu cpu = {.node = node, .cpu = s->cpu, .n = s->n, .slice = s->slice};
        g_array_append_val(cpus, cpu);
    }
    return noise_join_add_names(set->nit, node, (const noise_switch_name *)(void *)names->data,
                                names->len);
}

/* What sweeps had missed is in the records, where these are whole. */
static void forget_unseen(const app_rank_logs *l, noise_nit_node *node)
{
    bool is_whole = l->cpus->cpus->len >= node->num_cpus;
    for (guint c = 0; c < l->cpus->cpus->len; c++) {
        is_whole &= g_array_index(l->cpus->cpus, noise_cpu_slices, c).lost == 0;
    }
    if (is_whole) {
        node->unattributed_switches = 0;
        node->unattributed_forks = 0;
    }
}

static int by_rank(const void *a, const void *b)
{
    const noise_join_thread *x = a;
    const noise_join_thread *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

void app_rank_logs_place(app_rank_logs *l, noise_nit_set *set)
{
    g_autoptr(GArray) threads = g_array_new(FALSE, FALSE, sizeof(noise_join_thread));
    for (guint i = 0; i < l->logs->len; i++) {
        place_log(l, g_ptr_array_index(l->logs, i), set, threads);
    }
    g_array_sort(threads, by_rank);
    g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(noise_join_cpu));
    g_autofree uint64_t *since = take_cpus(l, set, cpus);
    const noise_join_input input = {
        .nit = set->nit,
        .since = since,
        .num_threads = threads->len,
        .thread = (const noise_join_thread *)(void *)threads->data,
        .num_cpus = cpus->len,
        .cpu = (const noise_join_cpu *)(void *)cpus->data,
    };
    l->join = noise_join_new(&input);
    take_pieces(l, threads);
    if (since != NULL) {
        l->exact = noise_join_take_records(set->nit, since, input.cpu, input.num_cpus);
        forget_unseen(l, &set->nit->nodes[input.cpu[0].node]);
    }
}

void app_rank_logs_free(app_rank_logs *l)
{
    if (l != NULL) {
        g_array_unref(l->tracks);
        g_ptr_array_unref(l->gaps);
        g_ptr_array_unref(l->records);
        g_array_unref(l->thefts);
        noise_join_free(l->join);
        noise_cpu_log_free(l->cpus);
        if (l->exact != NULL) {
            g_array_unref(l->exact);
        }
        g_array_unref(l->rounds);
        g_ptr_array_unref(l->logs);
        g_free(l);
    }
}
