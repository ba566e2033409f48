/* noise/measure/host.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
/**
 * @file
 * What the kernel says of this machine, before, after and beside a measurement.
 */
#include "host/host_file.h"
#include "measure/cpu_list.h"
#include "measure/evidence.h"
#include "sim/json_member.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static void add_file(JsonBuilder *b, const char *name, const char *path, unsigned cpu)
{
    g_autofree char *line = noise_host_file_line("", path, cpu);
    sim_json_text(b, name, line);
}

static char *processor_name(void)
{
    g_autofree char *info = NULL;
    if (!g_file_get_contents("/proc/cpuinfo", &info, NULL, NULL)) {
        return NULL;
    }
    const char *name = strstr(info, "model name");
    name = name != NULL ? strchr(name, ':') : NULL;
    return name != NULL ? g_strstrip(g_strndup(name + 1, strcspn(name + 1, "\n"))) : NULL;
}

/* Those that decide about noise. Not all of the command line: this goes into files people share. */
static char *kernel_parameters(void)
{
    static const char *const known[] = {"isolcpus",
                                        "nohz",
                                        "nohz_full",
                                        "rcu_nocbs",
                                        "rcu_nocb_poll",
                                        "irqaffinity",
                                        "kthread_cpus",
                                        "mitigations",
                                        "nosmt",
                                        "idle",
                                        "intel_pstate",
                                        "amd_pstate",
                                        "tsc",
                                        "clocksource",
                                        "skew_tick",
                                        "preempt",
                                        "threadirqs",
                                        "nowatchdog",
                                        "nmi_watchdog",
                                        "transparent_hugepage",
                                        "intel_idle.max_cstate",
                                        "processor.max_cstate",
                                        "cpuidle.off",
                                        NULL};
    g_autofree char *line = noise_host_file_line("", "/proc/cmdline", 0);
    if (line == NULL) {
        return NULL;
    }
    GString *out = g_string_new(NULL);
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    for (char **word = words; *word != NULL; word++) {
        g_autofree char *name = g_strndup(*word, strcspn(*word, "="));
        if (g_strv_contains(known, name)) {
            g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", *word);
        }
    }
    return g_string_free(out, FALSE);
}

static void add_system(JsonBuilder *b)
{
    struct utsname u;
    if (uname(&u) == 0) {
        sim_json_text(b, "sysname", u.sysname);
        sim_json_text(b, "host", u.nodename);
        sim_json_text(b, "release", u.release);
        sim_json_text(b, "version", u.version);
        sim_json_text(b, "machine", u.machine);
    }
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *date = g_date_time_format_iso8601(now);
    sim_json_text(b, "date", date);
    g_autofree char *processor = processor_name();
    sim_json_text(b, "processor", processor);
    g_autofree char *parameters = kernel_parameters();
    sim_json_text(b, "kernel_parameters", parameters);
    add_file(b, "clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource",
             0);
    add_file(b, "isolated", "/sys/devices/system/cpu/isolated", 0);
    add_file(b, "nohz_full", "/sys/devices/system/cpu/nohz_full", 0);
    add_file(b, "no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", 0);
    add_file(b, "smt", "/sys/devices/system/cpu/smt/control", 0);
    add_file(b, "transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled", 0);
    add_file(b, "numa_balancing", "/proc/sys/kernel/numa_balancing", 0);
}

char *noise_measurement_describe_host(const noise_measurement *result, const noise_evidence *e)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    add_system(b);
    size_t num_allowed;
    g_autofree uint32_t *allowed = noise_cpu_list_inherited(&num_allowed);
    g_autofree char *list = noise_cpu_list_format(allowed, num_allowed);
    sim_json_text(b, "affinity", list);
    sim_json_text(b, "clock_choice", e->clock_why);
    if (e->quota[0].stops >= 0 && e->quota[1].stops >= 0) {
        sim_json_int(b, "throttled", e->quota[1].stops - e->quota[0].stops);
    }
    json_builder_set_member_name(b, "cpus");
    json_builder_begin_array(b);
    for (size_t i = 0; i < result->num_cpus; i++) {
        const unsigned cpu = result->cpus[i].cpu;
        json_builder_begin_object(b);
        sim_json_int(b, "cpu", cpu);
        sim_json_int(b, "voluntary_switches", e->watch[i].witness.voluntary);
        sim_json_int(b, "involuntary_switches", e->watch[i].witness.involuntary);
        const noise_cpu_time *t = e->watch[i].witness.time;
        const int64_t steal = noise_cpu_time_growth(t[0].steal_ticks, t[1].steal_ticks);
        if (steal >= 0) {
            sim_json_int(b, "steal_clock_ticks", steal);
        }
        sim_json_int(b, "page_faults", e->watch[i].witness.page_faults);
        add_file(b, "governor", "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", cpu);
        add_file(b, "siblings", "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
    return sim_json_line(b);
}
