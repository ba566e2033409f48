/* noise/measure/host.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_selfish. */
/**
 * @file
 * What the kernel says of this machine, before, after and beside a measurement.
 */
#include "measure/cpu_list.h"
#include "measure/evidence.h"
#include "sim/json_member.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

char *noise_host_line(const char *path, unsigned cpu)
{
    g_autofree char *number = g_strdup_printf("%u", cpu);
    g_auto(GStrv) parts = g_strsplit(path, "%u", 2);
    g_autofree char *real = g_strjoinv(number, parts);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(real, &text, NULL, NULL)) {
        return NULL;
    }
    text[strcspn(text, "\n")] = '\0';
    return g_utf8_make_valid(text, -1);
}

/* The number after @p key at the beginning of a line of @p text, or -1. */
static int64_t number_after(const char *text, const char *key)
{
    const size_t len = strlen(key);
    for (const char *line = text; line != NULL;) {
        if (strncmp(line, key, len) == 0 && line[len] == ' ') {
            return strtoll(line + len, NULL, 10);
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return -1;
}

/* Column 8 of a line "cpuN user nice system idle iowait irq softirq steal ..." */
static int64_t steal_of(const char *stat, uint32_t cpu)
{
    g_autofree char *key = g_strdup_printf("\ncpu%u ", cpu);
    const char *line = strstr(stat, key);
    if (line == NULL) {
        return -1;
    }
    char *at = NULL;
    int64_t value = -1;
    line += strlen(key);
    for (int column = 0; column < 8; column++) {
        value = strtoll(line, &at, 10);
        if (at == line) {
            return -1;
        }
        line = at;
    }
    return value;
}

/* This process's cgroup: version 2 first, then version 1's CPU controller. */
static int64_t throttled(void)
{
    g_autofree char *groups = NULL;
    if (!g_file_get_contents("/proc/self/cgroup", &groups, NULL, NULL)) {
        return -1;
    }
    g_auto(GStrv) lines = g_strsplit(groups, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *path = strrchr(*line, ':');
        if (path == NULL) {
            continue;
        }
        const bool second = g_str_has_prefix(*line, "0::");
        if (!second && strstr(*line, "cpu") == NULL) {
            continue;
        }
        /* In a container the file system often shows only the own group, as its root. */
        g_autofree char *own =
            g_strconcat("/sys/fs/cgroup", second ? "" : "/cpu", path + 1, "/cpu.stat", NULL);
        g_autofree char *root =
            g_strconcat("/sys/fs/cgroup", second ? "" : "/cpu", "/cpu.stat", NULL);
        g_autofree char *text = NULL;
        if (g_file_get_contents(own, &text, NULL, NULL) ||
            g_file_get_contents(root, &text, NULL, NULL)) {
            const int64_t n = number_after(text, "nr_throttled");
            if (n >= 0) {
                return n;
            }
        }
    }
    return -1;
}

noise_host_counters noise_host_counters_read(const noise_measurement_cpu *cpus, size_t n)
{
    noise_host_counters out = {.steal = -1, .throttled = throttled()};
    g_autofree char *stat = NULL;
    if (g_file_get_contents("/proc/stat", &stat, NULL, NULL)) {
        out.steal = 0;
        for (size_t i = 0; i < n && out.steal >= 0; i++) {
            const int64_t steal = steal_of(stat, cpus[i].cpu);
            out.steal = steal >= 0 ? out.steal + steal : -1;
        }
    }
    return out;
}

static void add_file(JsonBuilder *b, const char *name, const char *path, unsigned cpu)
{
    g_autofree char *line = noise_host_line(path, cpu);
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
    g_autofree char *line = noise_host_line("/proc/cmdline", 0);
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
    if (e->before.steal >= 0 && e->after.steal >= 0) {
        sim_json_int(b, "steal_clock_ticks", e->after.steal - e->before.steal);
    }
    if (e->before.throttled >= 0 && e->after.throttled >= 0) {
        sim_json_int(b, "throttled", e->after.throttled - e->before.throttled);
    }
    json_builder_set_member_name(b, "cpus");
    json_builder_begin_array(b);
    for (size_t i = 0; i < result->num_cpus; i++) {
        const unsigned cpu = result->cpus[i].cpu;
        json_builder_begin_object(b);
        sim_json_int(b, "cpu", cpu);
        sim_json_int(b, "voluntary_switches", e->watch[i].witness.voluntary);
        sim_json_int(b, "involuntary_switches", e->watch[i].witness.involuntary);
        sim_json_int(b, "page_faults", e->watch[i].witness.page_faults);
        add_file(b, "governor", "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", cpu);
        add_file(b, "siblings", "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
    return sim_json_line(b);
}
