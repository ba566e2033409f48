/* gate/gate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "gate/gate.h"

#include "gate/gate_checks.h"

#include <string.h>

/* The order of the verdict: what the loop met, who else was there, how the machine is set up. */
static const noise_gate_check CHECKS[] = {
    {"binding", "the CPU of the thread, after every detour", true, noise_gate_binding},
    {"steps", "reads of the clock that go back", true, noise_gate_steps},
    {"threshold", "share of the iterations above it", true, noise_gate_threshold},
    {"resolution", "iterations of 0 or 1 tick", true, noise_gate_resolution},
    {"room", "detours against the buffer", true, noise_gate_room},
    {"faults", "getrusage: page faults of the loop", true, noise_gate_faults},
    {"length", "duration of the loop", true, noise_gate_length},
    {"share", "detours; records of switches; /proc/*/task/*/schedstat", true, noise_gate_share},
    {"steal", "/proc/stat: steal", true, noise_gate_steal},
    {"speeds", "median and first percentile of the iterations", true, noise_gate_speeds},
    {"frequency", "APERF and MPERF; t_min before and after the loop", true, noise_gate_frequency},
    {"siblings", "thread_siblings_list; /proc/*/task/*/stat", true, noise_gate_siblings},
    {"heat", "thermal_throttle/*_count", true, noise_gate_heat},
    {"interrupts", "/proc/interrupts; /proc/irq/*/smp_affinity_list", true, noise_gate_interrupts},
    {"softirqs", "/proc/softirqs; /proc/stat: softirq", true, noise_gate_softirqs},
    {"records", "records of switches that were lost", true, noise_gate_records},
    {"sync", "a ping-pong between the CPUs: offsets of their clocks", true, noise_gate_sync},
    {"drift", "two calibrations against CLOCK_MONOTONIC_RAW", false, noise_gate_drift},
    {"clock", "CPUID; current_clocksource", false, noise_gate_clock},
    {"quota", "cpu.stat of the cgroups of both versions: nr_throttled", false, noise_gate_quota},
    {"governor", "scaling_governor", true, noise_gate_governor},
    {"pages", "transparent_hugepage/enabled", false, noise_gate_pages},
    {"numa", "kernel.numa_balancing", false, noise_gate_numa},
    {"isolation", "cpu/isolated; /proc/irq/default_smp_affinity", false, noise_gate_isolation},
    {"tables", "vulnerabilities/meltdown", false, noise_gate_tables},
};

const noise_gate_check *noise_gate_checks(size_t *n)
{
    *n = G_N_ELEMENTS(CHECKS);
    return CHECKS;
}

/* Of "CPU 3: text" and "CPU 4: text" one line, "CPUs 3, 4: text", is enough. */
typedef struct line {
    noise_gate_answer answer;
    bool of_cpu;
    GString *cpus;
    char *text;
} line;

static void line_clear(gpointer data)
{
    line *l = data;
    (void)g_string_free(l->cpus, TRUE);
    g_free(l->text);
}

static void add_line(GArray *lines, guint first, noise_gate_answer answer, bool of_cpu,
                     uint32_t cpu, char *text)
{
    for (guint i = first; i < lines->len; i++) {
        line *l = &g_array_index(lines, line, i);
        if (l->answer == answer && g_str_equal(l->text, text)) {
            g_string_append_printf(l->cpus, ", %u", cpu);
            g_free(text);
            return;
        }
    }
    line l = {answer, of_cpu, g_string_new(NULL), text};
    g_string_append_printf(l.cpus, "%u", cpu);
    g_array_append_val(lines, l);
}

static void ask(GArray *lines, const noise_gate_check *check, const noise_measurement *result,
                const noise_gate_facts *facts)
{
    const guint first = lines->len;
    for (size_t i = 0; i < (check->of_each_cpu ? result->num_cpus : 1); i++) {
        const noise_gate_view view = {result,           facts,           i,
                                      &result->cpus[i], &facts->loop[i], &facts->witness[i]};
        GString *sentence = g_string_new(NULL);
        const noise_gate_answer answer = check->judge(&view, sentence);
        char *text = g_string_free(sentence, FALSE);
        if (answer == NOISE_GATE_NOTED || answer == NOISE_GATE_SPOILED) {
            add_line(lines, first, answer, check->of_each_cpu, view.cpu->cpu, text);
        } else {
            g_free(text);
        }
    }
}

static void print(GString *out, const GArray *lines, noise_gate_answer wanted, const char *head)
{
    for (guint i = 0; i < lines->len; i++) {
        const line *l = &g_array_index(lines, line, i);
        if (l->answer != wanted) {
            continue;
        }
        g_string_append_printf(out, "%s%s", out->len > 0 ? "\n" : "", head);
        if (l->of_cpu) {
            g_string_append_printf(out, "CPU%s %s: ", strchr(l->cpus->str, ',') ? "s" : "",
                                   l->cpus->str);
        }
        g_string_append(out, l->text);
    }
}

void noise_gate_judge(noise_measurement *result, const noise_gate_facts *facts)
{
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(line));
    g_array_set_clear_func(lines, line_clear);
    for (size_t i = 0; i < G_N_ELEMENTS(CHECKS); i++) {
        ask(lines, &CHECKS[i], result, facts);
    }
    GString *out = g_string_new(NULL);
    print(out, lines, NOISE_GATE_SPOILED, "not valid: ");
    result->valid = out->len == 0;
    g_string_append(out, result->valid ? "valid" : "");
    print(out, lines, NOISE_GATE_NOTED, "note: ");
    g_free(result->verdict);
    result->verdict = g_string_free(out, FALSE);
}
