/* noise/nit/nit_text.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_file, fuzz_nit. */
#include "noise/nit.h"

#define U64 "%" G_GUINT64_FORMAT
#define I64 "%" G_GINT64_FORMAT

static gint64 since(const noise_nit *nit, uint32_t node, uint64_t time)
{
    return (gint64)(time - nit->nodes[node].begin);
}

/* Names may hold any bytes: quoted as in C. */
static void add_quoted(GString *out, const char *text)
{
    g_autofree char *escaped = g_strescape(text, NULL);
    g_string_append_printf(out, " \"%s\"", escaped);
}

static void add_node(GString *out, const noise_nit *nit, uint32_t index)
{
    static const char *const MODES[] = {"budget", "rate", "dedicated"};
    const noise_nit_node *n = &nit->nodes[index];
    g_string_append_printf(out, "node %u", index);
    add_quoted(out, n->name);
    add_quoted(out, n->boot_id);
    add_quoted(out, n->kernel);
    g_string_append_printf(out, " mode %s %g clk_tck %ld hz %u begin " U64 " length " U64 "%s\n",
                           MODES[n->mode], n->asked, n->clk_tck, n->hz, n->begin, n->end - n->begin,
                           n->is_cut ? " cut short" : "");
    for (uint32_t i = 0; i < n->num_cpus; i++) {
        g_string_append_printf(out, "cpu %u %u core %u\n", index, n->cpus[i], n->core[i]);
    }
    for (size_t i = 0; i < n->num_clocks; i++) {
        const noise_nit_clocks *c = &n->clocks[i];
        g_string_append_printf(out, "clocks %u " I64 " raw " U64 " realtime " U64 " tsc " U64 "\n",
                               index, since(nit, index, c->monotonic), c->monotonic_raw,
                               c->realtime, c->tsc);
    }
    g_string_append_printf(out,
                           "seen %u sweeps " U64 " interval mean " U64 " p99 " U64 " max " U64
                           " sweep " U64 " monitor " U64 " blind " U64 " threads %u lost " U64 "\n",
                           index, n->sweeps, n->mean_interval_ns, n->p99_interval_ns,
                           n->max_interval_ns, n->mean_sweep_ns, n->monitor_ns, n->blind_ns,
                           n->most_threads, n->lost);
    g_string_append_printf(out,
                           "counted %u switches " U64 " unattributed " U64 " forks " U64
                           " unattributed " U64 " steal " U64 "\n",
                           index, n->switches, n->unattributed_switches, n->forks,
                           n->unattributed_forks, n->steal_ns);
    if (n->blind != NULL) {
        g_string_append_printf(out, "blind %u", index);
        add_quoted(out, n->blind);
        g_string_append_c(out, '\n');
    }
}

static void add_threads(GString *out, const noise_nit *nit)
{
    for (size_t i = 0; i < nit->num_threads; i++) {
        const noise_nit_thread *t = &nit->threads[i];
        g_string_append_printf(out, "thread %zu node %u pid %u tid %u parent %u start " U64 " %s",
                               i, t->node, t->pid, t->tid, t->parent, t->start_ticks,
                               noise_program_class_name(t->kind));
        if (t->rank >= 0) {
            g_string_append_printf(out, " rank %d", t->rank);
        }
        add_quoted(out, t->name);
        if (t->command != NULL) {
            add_quoted(out, t->command);
        }
        g_string_append_c(out, '\n');
    }
}

static void add_activities(GString *out, const noise_nit *nit)
{
    for (size_t i = 0; i < nit->num_activities; i++) {
        const noise_nit_activity *a = &nit->activities[i];
        const uint32_t node = nit->threads[a->thread].node;
        g_string_append_printf(out,
                               "activity " I64 " " I64 " thread %u cpu %d ran " U64
                               " slices %u voluntary %u involuntary %u waited " U64 "\n",
                               since(nit, node, a->from), since(nit, node, a->to), a->thread,
                               a->cpu == UINT32_MAX ? -1 : (int)a->cpu, a->cpu_ns, a->slices,
                               a->voluntary, a->involuntary, a->run_delay_ns);
    }
}

static void add_others(GString *out, const noise_nit *nit)
{
    for (size_t i = 0; i < nit->num_lines; i++) {
        g_string_append_printf(out, "line %zu", i);
        add_quoted(out, nit->lines[i].name);
        g_string_append_c(out, '\n');
    }
    for (size_t i = 0; i < nit->num_interrupts; i++) {
        const noise_nit_interrupts *r = &nit->interrupts[i];
        g_string_append_printf(out, "interrupts " I64 " " I64 " node %u line %u cpu %u count %u\n",
                               since(nit, r->node, r->from), since(nit, r->node, r->to), r->node,
                               r->line, r->cpu, r->count);
    }
    for (size_t i = 0; i < nit->num_steals; i++) {
        const noise_nit_steal *s = &nit->steals[i];
        g_string_append_printf(out, "steal " I64 " " I64 " node %u cpu %u stolen " U64 "\n",
                               since(nit, s->node, s->from), since(nit, s->node, s->to), s->node,
                               s->cpu, s->ns);
    }
    for (size_t i = 0; i < nit->num_markers; i++) {
        const noise_nit_marker *m = &nit->markers[i];
        g_string_append_printf(out, "marker " I64 " node %u", since(nit, m->node, m->when),
                               m->node);
        add_quoted(out, m->text);
        g_string_append_c(out, '\n');
    }
}

char *noise_nit_to_text(const noise_nit *nit)
{
    GString *out = g_string_new(NULL);
    for (uint32_t i = 0; i < nit->num_nodes; i++) {
        add_node(out, nit, i);
    }
    add_threads(out, nit);
    add_activities(out, nit);
    add_others(out, nit);
    return g_string_free(out, FALSE);
}
