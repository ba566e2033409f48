/* gate/gate_others.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_gate. */
/**
 * @file
 * Who else was there, and what stopped or slowed the CPU.
 */
#include "gate/gate_checks.h"

#include "host/host_file.h"

#include <string.h>
#include <unistd.h>

/* Noise of a system does not take that much: another program does. */
static const double SHARE_MAX = 0.20;
static const double STEAL_NOTE = 0.001;
static const double STEAL_MAX = 0.05;
static const double SIBLING_NOTE = 0.01; /* of the time: a program on the other half of the core */
static const double SOFTIRQ_NOTE = 0.01; /* of the time */
static const double IRQ_NOTE = 10;       /* a second, of one device */
enum { MOST_CULPRITS = 3 };

static double seconds(const noise_gate_view *view)
{
    return (double)view->cpu->duration / (double)SIM_S;
}

static void ran_clear(gpointer data)
{
    g_free(((noise_ran *)data)->name);
}

/* By the kernel's records: exact, and only of this CPU. */
static GArray *recorded(const noise_gate_view *view)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(noise_ran));
    g_array_set_clear_func(out, ran_clear);
    g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL); /* tid -> position + 1 */
    const noise_witness *w = view->witness;
    for (size_t i = 0; w->records == NOISE_WITNESS_CPU && i < w->num_switches; i++) {
        const noise_switch *s = &w->switches[i];
        if (s->next_tid == 0 || s->next_tid == NOISE_SWITCH_IDLE || s->next_tid == w->tid) {
            continue;
        }
        guint at = GPOINTER_TO_UINT(g_hash_table_lookup(index, GUINT_TO_POINTER(s->next_tid)));
        if (at == 0) {
            const char *name =
                view->facts->ran[1] != NULL
                    ? noise_ran_name(view->facts->ran[0], view->facts->ran[1], s->next_tid)
                    : NULL;
            const noise_ran more = {.name = g_strdup(name != NULL ? name : "ended programs"),
                                    .tid = s->next_tid};
            g_array_append_val(out, more);
            at = out->len;
            g_hash_table_insert(index, GUINT_TO_POINTER(s->next_tid), GUINT_TO_POINTER(at));
        }
        noise_ran *r = &g_array_index(out, noise_ran, at - 1);
        r->run_ns += s->in - s->out;
        r->slices++;
    }
    return out;
}

char *noise_gate_culprits(const noise_gate_view *view)
{
    g_autoptr(GArray) exact = recorded(view);
    if (exact->len > 0) {
        noise_ran_merge(exact);
        return noise_ran_sentence(exact, MOST_CULPRITS);
    }
    if (view->facts->ran[0] == NULL || view->facts->ran[1] == NULL) {
        return NULL;
    }
    g_autoptr(GArray) there = noise_ran_on(view->facts->ran[0], view->facts->ran[1], view->cpu->cpu,
                                           view->facts->process);
    return noise_ran_sentence(there, MOST_CULPRITS);
}

NOISE_GATE_JUDGE(share)
{
    const double share = view->loop->share;
    if (share <= SHARE_MAX) {
        return NOISE_GATE_PASSED;
    }
    const noise_witness *w = view->witness;
    g_string_append_printf(sentence, "detours take %.3g %% of the time", 100 * share);
    if (w->voluntary + w->involuntary == 0) {
        g_string_append(sentence, ", though no other program ran there: interrupts, firmware or a "
                                  "hypervisor");
        return NOISE_GATE_SPOILED;
    }
    g_autofree char *culprits = noise_gate_culprits(view);
    g_string_append_printf(sentence, " (%" G_GINT64_FORMAT " involuntary switches): %s%s",
                           w->involuntary,
                           culprits != NULL ? "there ran " : "another program runs there",
                           culprits != NULL ? culprits : "");
    return NOISE_GATE_SPOILED;
}

NOISE_GATE_JUDGE(siblings)
{
    g_autofree char *list = noise_host_file_line(
        view->facts->root, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
        view->cpu->cpu);
    if (list == NULL || strpbrk(list, ",-") == NULL) {
        return list == NULL ? NOISE_GATE_NOT_LOOKED : NOISE_GATE_PASSED;
    }
    for (uint32_t other = 0;
         view->facts->ran[0] != NULL && view->facts->ran[1] != NULL && other < 8192; other++) {
        if (other == view->cpu->cpu || !noise_host_file_lists(list, other)) {
            continue;
        }
        g_autoptr(GArray) there =
            noise_ran_on(view->facts->ran[0], view->facts->ran[1], other, view->facts->process);
        const noise_ran *first = there->len > 0 ? &g_array_index(there, noise_ran, 0) : NULL;
        if (first != NULL && first->slices > 0 &&
            (double)first->run_ns / 1e9 > SIBLING_NOTE * seconds(view)) {
            g_autofree char *who = noise_ran_sentence(there, 1);
            g_string_append_printf(sentence,
                                   "CPU %u of the same core was busy with %s: it slows this "
                                   "one",
                                   other, who);
            return NOISE_GATE_NOTED;
        }
    }
    g_string_append_printf(sentence, "shares its core with others (%s): they slow it when busy",
                           list);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(quota)
{
    const noise_quota *before = &view->facts->quota[0];
    const noise_quota *after = &view->facts->quota[1];
    if (before->stops < 0 || after->stops < 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    if (after->stops > before->stops) {
        g_string_append_printf(
            sentence,
            "a quota of CPU time (cgroup %s%s%s) stopped this process %" G_GINT64_FORMAT
            " times, for %.3g ms",
            after->group, after->limit != NULL ? ": " : "",
            after->limit != NULL ? after->limit : "", after->stops - before->stops,
            (double)(after->stop_ns - before->stop_ns) / 1e6);
        return NOISE_GATE_SPOILED;
    }
    if (after->limit != NULL) {
        g_string_append_printf(sentence,
                               "cgroup %s has a quota of %s; it did not stop this process",
                               after->group, after->limit);
        return NOISE_GATE_NOTED;
    }
    return NOISE_GATE_PASSED;
}

NOISE_GATE_JUDGE(steal)
{
    const noise_cpu_time *t = view->witness->time;
    const int64_t ticks = noise_cpu_time_growth(t[0].steal_ticks, t[1].steal_ticks);
    if (ticks < 0 || seconds(view) <= 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    const double share = (double)ticks / (double)sysconf(_SC_CLK_TCK) / seconds(view);
    /* One clock tick is what the kernel's account may be off by. */
    if (share <= STEAL_NOTE || ticks <= 1) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "a hypervisor took it away for %.3g %% of the time",
                           100 * share);
    return share > STEAL_MAX ? NOISE_GATE_SPOILED : NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(heat)
{
    const noise_cpu_time *t = view->witness->time;
    const int64_t hot = noise_cpu_time_growth(t[0].hot, t[1].hot);
    const int64_t capped = noise_cpu_time_growth(t[0].capped, t[1].capped);
    if (hot < 0 && capped < 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    if (hot <= 0 && capped <= 0) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence,
                           "slowed %" G_GINT64_FORMAT " times by heat and %" G_GINT64_FORMAT
                           " times by a limit of power",
                           MAX(hot, 0), MAX(capped, 0));
    return NOISE_GATE_NOTED;
}

/* Devices, which can be sent elsewhere: lines with a number. */
NOISE_GATE_JUDGE(interrupts)
{
    const noise_witness *w = view->witness;
    if (w->interrupts[0] == NULL || w->interrupts[1] == NULL || w->interrupts[1]->num_lines == 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    g_autoptr(GArray) growth =
        noise_interrupts_growth(w->interrupts[0], w->interrupts[1], view->cpu->cpu);
    for (guint i = 0; i < growth->len; i++) {
        const noise_interrupt_growth *g = &g_array_index(growth, noise_interrupt_growth, i);
        if (!g_ascii_isdigit(*g->line->id) || (double)g->count < IRQ_NOTE * seconds(view)) {
            continue;
        }
        g_autofree char *path = g_strdup_printf("/proc/irq/%s/smp_affinity_list", g->line->id);
        g_autofree char *list = noise_host_file_line(view->facts->root, path, 0);
        g_string_append_printf(sentence, "interrupt %s came %" G_GUINT64_FORMAT " times",
                               g->line->name, g->count);
        if (list != NULL) {
            g_string_append_printf(sentence, "; it may go to CPUs %s", list);
        }
        return NOISE_GATE_NOTED;
    }
    return NOISE_GATE_PASSED;
}

NOISE_GATE_JUDGE(softirqs)
{
    const noise_witness *w = view->witness;
    const int64_t ticks =
        noise_cpu_time_growth(w->time[0].softirqs_ticks, w->time[1].softirqs_ticks);
    if (ticks < 0 || seconds(view) <= 0) {
        return NOISE_GATE_NOT_LOOKED;
    }
    const double share = (double)ticks / (double)sysconf(_SC_CLK_TCK) / seconds(view);
    if (share < SOFTIRQ_NOTE || ticks <= 1) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "softirqs took %.2g %% of the time", 100 * share);
    if (w->softirqs[0] != NULL && w->softirqs[1] != NULL) {
        g_autoptr(GArray) growth =
            noise_interrupts_growth(w->softirqs[0], w->softirqs[1], view->cpu->cpu);
        for (guint i = 0; i < growth->len && i < MOST_CULPRITS; i++) {
            const noise_interrupt_growth *g = &g_array_index(growth, noise_interrupt_growth, i);
            g_string_append_printf(sentence, "%s%s %" G_GUINT64_FORMAT " times",
                                   i > 0 ? ", " : ": ", g->line->name, g->count);
        }
    }
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(records)
{
    if (view->witness->lost == 0) {
        return view->witness->records == NOISE_WITNESS_COUNTERS ? NOISE_GATE_NOT_LOOKED
                                                                : NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence,
                           "%" G_GUINT64_FORMAT " records of switches are lost: programs may "
                           "have run unnamed",
                           view->witness->lost);
    return NOISE_GATE_NOTED;
}
