/* apps/ripple/losses/losses_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_losses, cli_watch. */
#include "losses/losses_words.h"

#include "noise/switches.h"
#include "output/sentences.h"

#include <string.h>

char *app_losses_duration(double ns)
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

bool app_losses_is_culprit(const noise_join_row *r)
{
    return r->by_rank < 0 && r->kind != NOISE_PROGRAM_APPLICATION &&
           r->kind != NOISE_PROGRAM_MONITOR;
}

char *app_losses_culprit(const noise_join_row *r)
{
    return strcmp(r->name, NOISE_JOIN_UNNAMED) == 0 ? g_strdup(r->name)
           : r->kind == NOISE_PROGRAM_KERNEL        ? g_strdup_printf("`%s` (kernel)", r->name)
                                                    : g_strdup_printf("`%s`", r->name);
}

char *app_losses_row_text(const noise_join_row *r, uint64_t wall_ns)
{
    GString *out = g_string_new(NULL);
    g_autofree char *who = app_losses_culprit(r);
    g_autofree char *length = app_losses_duration((double)r->median_ns);
    g_autofree char *period = app_losses_duration(r->period_ns);
    const uint64_t taken = r->lost_ns + r->waited_ns;
    g_string_append_printf(out, "rank %u lost %.3g %% to %s, ", r->rank, percent(taken, wall_ns),
                           who);
    if (r->period_ns > 0) {
        g_string_append_printf(out, "every %s, ", period);
    } else {
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " times, ", r->count);
    }
    g_string_append_printf(out, "%s, CPU %u", length, r->cpu);
    if (r->pieces >= 2 * r->count) { /* the scheduler let the rank run in between */
        const double pieces = (double)r->pieces / (double)r->count;
        g_string_append_printf(out, pieces < 10 ? "; in %.2g pieces each" : "; in %.0f pieces each",
                               pieces);
    }
    if (r->waited_ns > 0) {
        g_string_append_printf(out, "; %.3g %% while in MPI", percent(r->waited_ns, taken));
    }
    if (r->sure_ns < taken - taken / 20) {
        g_string_append_printf(out, "; sure of %.3g %%", percent(r->sure_ns, taken));
    }
    return g_string_free(out, FALSE);
}

/* What the job and the watcher took from @p rank, as classes. */
static void add_own(const noise_join *j, const noise_join_total *t, GString *out)
{
    uint64_t ranks = 0;
    uint64_t own = 0;
    uint64_t monitor = 0;
    for (size_t i = 0; i < j->num_rows; i++) {
        const noise_join_row *r = &j->row[i];
        if (r->rank == t->rank && !app_losses_is_culprit(r)) {
            *(r->kind == NOISE_PROGRAM_MONITOR                    ? &monitor
              : r->by_rank >= 0 && r->by_rank != (int32_t)t->rank ? &ranks
                                                                  : &own) +=
                r->lost_ns + r->waited_ns;
        }
    }
    if (ranks > 0) {
        g_string_append_printf(out, "; %.3g %% of its time to other ranks of the program",
                               percent(ranks, t->wall_ns));
    }
    if (own > 0) {
        g_string_append_printf(out, "; %.3g %% to other threads of the job",
                               percent(own, t->wall_ns));
    }
    if (monitor > 0) {
        g_string_append_printf(out, "; %.3g %% to ripple, which watched",
                               percent(monitor, t->wall_ns));
    }
}

char *app_losses_total_text(const noise_join *j, const noise_join_total *t)
{
    GString *out = g_string_new(NULL);
    g_autofree char *wall = app_losses_duration((double)t->wall_ns);
    g_autofree char *lost = app_losses_duration((double)t->lost_ns);
    g_autofree char *waited = app_losses_duration((double)t->waited_ns);
    g_string_append_printf(out, "rank %u: of %s lost %s computing (%.3g %%)", t->rank, wall, lost,
                           percent(t->lost_ns, t->wall_ns));
    if (t->lost_ns > 0) {
        g_string_append_printf(out, ", %.3g %% of it joined to a name",
                               percent(t->lost_explained_ns, t->lost_ns));
    }
    if (t->waited_ns > 0) {
        g_string_append_printf(out, "; off the CPU for %s in MPI, %.3g %% joined", waited,
                               percent(t->waited_explained_ns, t->waited_ns));
    }
    add_own(j, t, out);
    if (t->missing > 0) {
        g_string_append_printf(out, "; %" G_GUINT64_FORMAT " switches are not recorded",
                               t->missing);
    }
    return g_string_free(out, FALSE);
}

char **app_losses_how(const app_losses *l)
{
    GPtrArray *out = g_ptr_array_new();
    const noise_nit_node *n = &l->nit->nodes[0];
    g_autofree char *interval = app_losses_duration((double)n->mean_interval_ns);
    const char *when = l->coarse == 0 ? "the ranks' context switches, exact"
                       : l->coarse < l->join->num_ranks
                           ? "the ranks' context switches, exact, or"
                             " their waits for a CPU between calls"
                           : "the ranks' waits for a CPU between calls";
    if (l->slices != NULL) {
        app_sentences_add(out,
                          "When: %s. Who: records of all CPUs and of who began whom, exact; the "
                          "rest by a watch every %s.",
                          when, interval);
    } else {
        app_sentences_add(out, "When: %s. Who: by a watch every %s (%s).", when, interval,
                          l->refusal);
    }
    uint64_t lost = 0;
    for (guint i = 0; l->slices != NULL && i < l->slices->len; i++) {
        lost += g_array_index(l->slices, noise_cpu_slices, i).lost;
    }
    if (lost > 0) {
        app_sentences_add(out,
                          "%" G_GUINT64_FORMAT
                          " records of the CPUs had no room: there, who is by the watch.",
                          lost);
    }
    if (n->blind != NULL) {
        app_sentences_add(out, "Not everybody could be seen: %s.", n->blind);
    }
    if (l->coarse > 0) {
        app_sentences_add(out,
                          "Of %u of %u ranks it is only known how long they were ready and had no "
                          "CPU between two calls of MPI (run_delay, which waiting to be woken adds "
                          "to), not when: %s. Who took it is a guess.",
                          l->coarse, l->num_ranks, noise_switches_refusal(l->refused_error, true));
    }
    if (l->refused > 0) {
        app_sentences_add(out, "Of %u of %u ranks it is not known when they were off the CPU: %s.",
                          l->refused, l->num_ranks, noise_switches_refusal(l->refused_error, true));
    }
    if (l->elsewhere > 0) {
        app_sentences_add(out, "%u of %u ranks ran on nodes that were not watched.", l->elsewhere,
                          l->num_ranks);
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

const noise_join_total *app_losses_total_of(const noise_join *j, uint32_t rank)
{
    size_t i = 0;
    while (j->total[i].rank != rank) { /* every row is of a rank that has a total */
        i++;
    }
    return &j->total[i];
}
