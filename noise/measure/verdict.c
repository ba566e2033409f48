/* noise/measure/verdict.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
/**
 * @file
 * May this measurement be believed? docs/noise.md, section 6.
 */
#include "measure/evidence.h"
#include "sim/unit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Between calibrations before and after: healthy counters stay within 10 ppm. */
static const double DRIFT_NOTE_PPM = 10;
static const double DRIFT_MAX_PPM = 200;
/* Noise of a system does not take that much: another program does. */
static const double SHARE_MAX = 0.20;
static const double STEAL_NOTE = 0.001;
static const double STEAL_MAX = 0.05;
static const sim_time SHORT_RUN = SIM_S;

typedef struct findings {
    GString *fatal;
    GString *notes;
} findings;

G_GNUC_PRINTF(2, 3) static void add(GString *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_string_append_c(out, '\n');
    g_string_append_vprintf(out, format, args);
    va_end(args);
}

static void judge_loop(findings *f, const noise_measurement_cpu *cpu, const noise_watch *w,
                       bool limited)
{
    const unsigned id = cpu->cpu;
    if (!w->bound || w->witness.presence.num_moved > 0) {
        add(f->fatal, "not valid: CPU %u: the thread could not be %s there", id,
            w->bound ? "kept" : "bound");
    }
    if (w->backwards > 0) {
        add(f->fatal, "not valid: CPU %u: the clock went back %" G_GUINT64_FORMAT " times", id,
            w->backwards);
    }
    if (w->end == NOISE_LOOP_TOO_MANY || cpu->n > cpu->iterations / 100 + 10) {
        add(f->fatal,
            "not valid: CPU %u: more than 1 %% of the iterations are detours at any threshold", id);
    } else if (cpu->raised > 0) {
        g_autofree char *threshold = sim_unit_format_time_short(cpu->threshold);
        add(f->notes,
            "note: CPU %u: the threshold was raised %" G_GUINT64_FORMAT " times, to %s; shorter "
            "detours are not seen",
            id, cpu->raised, threshold);
    }
    if (w->iteration.coarse_clock) {
        g_autofree char *tick = sim_unit_format_time_short(cpu->t_min);
        add(f->notes, "note: CPU %u: the clock is coarser than the loop: one tick is %s", id, tick);
    }
    if (w->witness.page_faults > 0) {
        add(f->notes,
            "note: CPU %u: %" G_GINT64_FORMAT " page faults in the loop are its own noise", id,
            w->witness.page_faults);
    }
    if (w->end == NOISE_LOOP_FULL && !limited) {
        add(f->notes, "note: CPU %u: there was no room for more than %zu detours", id, cpu->n);
    }
    if (cpu->duration < SHORT_RUN) {
        g_autofree char *duration = sim_unit_format_time_short(cpu->duration);
        add(f->notes, "note: CPU %u: %s is a short time: rare detours are missed", id, duration);
    }
}

static void judge_neighbours(findings *f, const noise_measurement_cpu *cpu, const noise_watch *w)
{
    const double share = noise_measurement_cpu_share(cpu);
    if (share > SHARE_MAX) {
        add(f->fatal,
            "not valid: CPU %u: detours take %.3g %% of the time (%" G_GINT64_FORMAT
            " involuntary switches): another program runs there",
            cpu->cpu, 100 * share, w->witness.involuntary);
    }
    g_autofree char *siblings =
        noise_host_line("/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu->cpu);
    const bool shared = siblings != NULL && strpbrk(siblings, ",-") != NULL;
    if (w->iteration.two_speeds) {
        add(f->notes, "note: CPU %u: iterations take %.3g or %.3g ticks: %s", cpu->cpu,
            (double)w->iteration.t_min, (double)w->iteration.typical,
            shared ? "a sibling on the same core is busy, or the clock frequency changes"
                   : "the clock frequency changes, or a hypervisor shares the core");
    } else if (shared) {
        add(f->notes, "note: CPU %u shares its core with others (%s): they slow it when busy",
            cpu->cpu, siblings);
    }
}

static void judge_host(findings *f, const noise_measurement *result, const noise_evidence *e)
{
    if (fabs(result->drift_ppm) > DRIFT_MAX_PPM) {
        add(f->fatal, "not valid: the clock's rate changed by %.3g ppm during the run",
            result->drift_ppm);
    } else if (fabs(result->drift_ppm) > DRIFT_NOTE_PPM) {
        add(f->notes, "note: the clock's rate changed by %.3g ppm during the run",
            result->drift_ppm);
    }
    const int64_t stops = e->after.throttled - e->before.throttled;
    if (e->before.throttled >= 0 && stops > 0) {
        add(f->fatal,
            "not valid: a quota (cgroup cpu.max) stopped this process %" G_GINT64_FORMAT " times",
            stops);
    }
    double time_s = 0;
    for (size_t i = 0; i < result->num_cpus; i++) {
        time_s += (double)result->cpus[i].duration / (double)SIM_S;
    }
    const double steal_s =
        (double)(e->after.steal - e->before.steal) / (double)sysconf(_SC_CLK_TCK);
    if (e->before.steal >= 0 && time_s > 0 && steal_s / time_s > STEAL_MAX) {
        add(f->fatal, "not valid: a hypervisor took the CPUs away for %.3g %% of the time",
            100 * steal_s / time_s);
    } else if (e->before.steal >= 0 && time_s > 0 && steal_s / time_s > STEAL_NOTE) {
        add(f->notes, "note: a hypervisor took the CPUs away for %.3g %% of the time",
            100 * steal_s / time_s);
    }
}

static void judge_settings(findings *f, const noise_measurement *result)
{
    g_autofree char *governor = noise_host_line(
        "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", result->cpus[0].cpu);
    if (governor != NULL && !g_str_equal(governor, "performance")) {
        add(f->notes, "note: the frequency governor is %s, not performance", governor);
    }
    g_autofree char *pages = noise_host_line("/sys/kernel/mm/transparent_hugepage/enabled", 0);
    if (pages != NULL && strstr(pages, "[always]") != NULL) {
        add(f->notes, "note: transparent huge pages are always on: khugepaged may run");
    }
    g_autofree char *numa = noise_host_line("/proc/sys/kernel/numa_balancing", 0);
    if (numa != NULL && !g_str_equal(numa, "0")) {
        add(f->notes, "note: automatic NUMA balancing is on");
    }
    g_autofree char *isolated = noise_host_line("/sys/devices/system/cpu/isolated", 0);
    g_autofree char *irqs = noise_host_line("/proc/irq/default_smp_affinity", 0);
    /* a mask of ones only, whose first digit need not be full */
    const bool everywhere = irqs != NULL && *irqs != '\0' && strchr("137f", *irqs) != NULL &&
                            strspn(irqs + 1, "f,") == strlen(irqs + 1);
    if (isolated != NULL && *isolated != '\0' && everywhere) {
        add(f->notes, "note: CPUs %s are isolated, but interrupts may go to all", isolated);
    }
}

void noise_measurement_judge(noise_measurement *result, const noise_evidence *e)
{
    findings f = {g_string_new(NULL), g_string_new(NULL)};
    for (size_t i = 0; i < result->num_cpus; i++) {
        judge_loop(&f, &result->cpus[i], &e->watch[i], e->limited);
        judge_neighbours(&f, &result->cpus[i], &e->watch[i]);
    }
    judge_host(&f, result, e);
    judge_settings(&f, result);
    result->valid = f.fatal->len == 0;
    g_free(result->verdict);
    result->verdict = result->valid ? g_strconcat("valid", f.notes->str, NULL)
                                    : g_strconcat(f.fatal->str + 1, f.notes->str, NULL);
    g_string_free(f.fatal, TRUE);
    g_string_free(f.notes, TRUE);
}
