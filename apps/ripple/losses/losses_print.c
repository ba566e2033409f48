/* apps/ripple/losses/losses_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_watch, test_tracer_switches. */
#include "losses/losses.h"
#include "noise/switches.h"
#include "sim/json_member.h"

#include <string.h>

enum { MOST_ROWS = 20 };

/* "4.2 ms". Owned. */
static char *duration(double ns)
{
    return ns < 1e3   ? g_strdup_printf("%.0f ns", ns)
           : ns < 1e6 ? g_strdup_printf("%.3g us", ns / 1e3)
           : ns < 1e9 ? g_strdup_printf("%.3g ms", ns / 1e6)
                      : g_strdup_printf("%.3g s", ns / 1e9);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* The job itself and the watcher took time, too, but switching them off is no way out. */
static bool is_culprit(const noise_join_row *r)
{
    return r->by_rank < 0 && r->kind != NOISE_PROGRAM_APPLICATION &&
           r->kind != NOISE_PROGRAM_MONITOR;
}

/* "`cron`". Owned. */
static char *culprit(const noise_join_row *r)
{
    return strcmp(r->name, NOISE_JOIN_UNNAMED) == 0 ? g_strdup(r->name)
           : r->kind == NOISE_PROGRAM_KERNEL        ? g_strdup_printf("`%s` (kernel)", r->name)
                                                    : g_strdup_printf("`%s`", r->name);
}

/* "rank 5 lost 3.1 % to `cron`, every 25 s, 4.2 ms, CPU 1" */
static void print_row(const noise_join_row *r, uint64_t wall_ns, FILE *out)
{
    g_autofree char *who = culprit(r);
    g_autofree char *length = duration((double)r->median_ns);
    g_autofree char *period = duration(r->period_ns);
    const uint64_t taken = r->lost_ns + r->waited_ns;
    fprintf(out, "  rank %u lost %.3g %% to %s, ", r->rank, percent(taken, wall_ns), who);
    if (r->period_ns > 0) {
        fprintf(out, "every %s, ", period);
    } else {
        fprintf(out, "%" G_GUINT64_FORMAT " times, ", r->count);
    }
    fprintf(out, "%s, CPU %u", length, r->cpu);
    if (r->pieces >= 2 * r->count) { /* the scheduler let the rank run in between */
        fprintf(out, "; in %.2g pieces each", (double)r->pieces / (double)r->count);
    }
    if (r->waited_ns > 0) {
        fprintf(out, "; %.3g %% while in MPI", percent(r->waited_ns, taken));
    }
    if (r->sure_ns < taken - taken / 20) {
        fprintf(out, "; sure of %.3g %%", percent(r->sure_ns, taken));
    }
    fputc('\n', out);
}

/* What the job and the watcher took from @p rank, as classes. */
static void print_own(const noise_join *j, const noise_join_total *t, FILE *out)
{
    uint64_t ranks = 0;
    uint64_t own = 0;
    uint64_t monitor = 0;
    for (size_t i = 0; i < j->num_rows; i++) {
        const noise_join_row *r = &j->row[i];
        if (r->rank == t->rank && !is_culprit(r)) {
            *(r->kind == NOISE_PROGRAM_MONITOR                    ? &monitor
              : r->by_rank >= 0 && r->by_rank != (int32_t)t->rank ? &ranks
                                                                  : &own) +=
                r->lost_ns + r->waited_ns;
        }
    }
    if (ranks > 0) {
        fprintf(out, "; %.3g %% of its time to other ranks of the program",
                percent(ranks, t->wall_ns));
    }
    if (own > 0) {
        fprintf(out, "; %.3g %% to other threads of the job", percent(own, t->wall_ns));
    }
    if (monitor > 0) {
        fprintf(out, "; %.3g %% to ripple, which watched", percent(monitor, t->wall_ns));
    }
}

static void print_total(const noise_join *j, const noise_join_total *t, FILE *out)
{
    g_autofree char *wall = duration((double)t->wall_ns);
    g_autofree char *lost = duration((double)t->lost_ns);
    g_autofree char *waited = duration((double)t->waited_ns);
    fprintf(out, "  rank %u: of %s lost %s computing (%.3g %%)", t->rank, wall, lost,
            percent(t->lost_ns, t->wall_ns));
    if (t->lost_ns > 0) {
        fprintf(out, ", %.3g %% of it joined to a name", percent(t->lost_explained_ns, t->lost_ns));
    }
    if (t->waited_ns > 0) {
        fprintf(out, "; off the CPU for %s in MPI, %.3g %% joined", waited,
                percent(t->waited_explained_ns, t->waited_ns));
    }
    print_own(j, t, out);
    if (t->missing > 0) {
        fprintf(out, "; %" G_GUINT64_FORMAT " switches are not recorded", t->missing);
    }
    fputc('\n', out);
}

static void print_how(const app_losses *l, FILE *out)
{
    const noise_nit_node *n = &l->nit->nodes[0];
    g_autofree char *interval = duration((double)n->mean_interval_ns);
    if (l->slices != NULL) {
        fprintf(out,
                "  When: the ranks' context switches. Who: records of all CPUs and of who began "
                "whom, exact; the rest\n  by a watch every %s.\n",
                interval);
    } else {
        fprintf(out, "  When: the ranks' context switches, exact. Who: by a watch every %s (%s).\n",
                interval, l->refusal);
    }
    uint64_t lost = 0;
    for (guint i = 0; l->slices != NULL && i < l->slices->len; i++) {
        lost += g_array_index(l->slices, noise_cpu_slices, i).lost;
    }
    if (lost > 0) {
        fprintf(out,
                "  %" G_GUINT64_FORMAT
                " records of the CPUs had no room: there, who is by the watch.\n",
                lost);
    }
    if (n->blind != NULL) {
        fprintf(out, "  Not everybody could be seen: %s.\n", n->blind);
    }
    if (l->refused > 0) {
        fprintf(out, "  Of %u of %u ranks it is not known when they were off the CPU: %s.\n",
                l->refused, l->num_ranks, noise_switches_refusal(l->refused_error, true));
    }
    if (l->elsewhere > 0) {
        fprintf(out, "  %u of %u ranks ran on nodes that were not watched.\n", l->elsewhere,
                l->num_ranks);
    }
}

static const noise_join_total *total_of(const noise_join *j, uint32_t rank)
{
    size_t i = 0;
    while (j->total[i].rank != rank) { /* every row is of a rank that has a total */
        i++;
    }
    return &j->total[i];
}

void app_losses_print(const app_losses *l, FILE *out)
{
    const noise_join *j = l->join;
    size_t n = 0;
    fprintf(out, "CPU time taken from the ranks by others than the program:\n");
    for (size_t i = 0; i < j->num_rows; i++) {
        if (is_culprit(&j->row[i]) && n++ < MOST_ROWS) {
            print_row(&j->row[i], total_of(j, j->row[i].rank)->wall_ns, out);
        }
    }
    if (n > MOST_ROWS) {
        fprintf(out, "  and %zu more, each less than these.\n", n - MOST_ROWS);
    }
    if (n == 0) {
        fprintf(out, "  none that was seen.\n");
    }
    for (size_t r = 0; r < j->num_ranks; r++) {
        print_total(j, &j->total[r], out);
    }
    print_how(l, out);
}

static void build_row(const noise_join_row *r, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rank", r->rank);
    sim_json_text(b, "program", r->name);
    sim_json_text(b, "class",
                  r->by_rank >= 0 ? "rank of the program" : noise_program_class_name(r->kind));
    if (r->by_rank >= 0) {
        sim_json_int(b, "by_rank", r->by_rank);
    }
    sim_json_int(b, "pid", r->pid);
    sim_json_int(b, "cpu", r->cpu);
    sim_json_int(b, "count", (int64_t)r->count);
    sim_json_int(b, "pieces", (int64_t)r->pieces);
    sim_json_int(b, "lost_ns", (int64_t)r->lost_ns);
    sim_json_int(b, "in_mpi_ns", (int64_t)r->waited_ns);
    sim_json_int(b, "sure_ns", (int64_t)r->sure_ns);
    sim_json_int(b, "median_ns", (int64_t)r->median_ns);
    if (r->period_ns > 0) {
        sim_json_double(b, "period_ns", r->period_ns);
        sim_json_double(b, "false_alarm", r->false_alarm);
    }
    json_builder_end_object(b);
}

static void build_total(const noise_join_total *t, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rank", t->rank);
    sim_json_int(b, "wall_ns", (int64_t)t->wall_ns);
    sim_json_int(b, "count", (int64_t)t->count);
    sim_json_int(b, "lost_ns", (int64_t)t->lost_ns);
    sim_json_int(b, "lost_explained_ns", (int64_t)t->lost_explained_ns);
    sim_json_int(b, "in_mpi_ns", (int64_t)t->waited_ns);
    sim_json_int(b, "in_mpi_explained_ns", (int64_t)t->waited_explained_ns);
    sim_json_int(b, "slept_ns", (int64_t)t->slept_ns);
    sim_json_int(b, "missing", (int64_t)t->missing);
    json_builder_end_object(b);
}

void app_losses_build(const app_losses *l, JsonBuilder *b)
{
    sim_json_begin_object(b, "losses");
    sim_json_begin_array(b, "programs");
    for (size_t i = 0; i < l->join->num_rows; i++) {
        build_row(&l->join->row[i], b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "ranks");
    for (size_t r = 0; r < l->join->num_ranks; r++) {
        build_total(&l->join->total[r], b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}
