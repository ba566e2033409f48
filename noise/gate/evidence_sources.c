/* gate/evidence_sources.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/evidence_sources.h"

#include "host/cpu_time.h"
#include "host/frequency.h"
#include "host/interrupts.h"
#include "host/presence.h"
#include "host/quota.h"
#include "noise/switches.h"

#include <errno.h>
#include <sched.h>

static void clear(gpointer data)
{
    g_free(((noise_evidence_source *)data)->detail);
}

static void add(GArray *out, const char *what, bool ok, const char *good, const char *bad)
{
    const noise_evidence_source source = {what, ok ? NOISE_EVIDENCE_OK : NOISE_EVIDENCE_LIMITED,
                                          g_strdup(ok ? good : bad)};
    g_array_append_val(out, source);
}

static void add_switches(GArray *out, uint32_t cpu)
{
    errno = 0;
    noise_switches *all = noise_switches_open(0, (int)cpu, 1);
    const int refused = all != NULL ? 0 : errno;
    noise_switches_close(all);
    g_autofree char *why = g_strconcat(noise_switches_refusal(refused, false),
                                       ": detours say that another thread ran, not which", NULL);
    add(out, "who ran", refused == 0, "the kernel's records of switches name who ran in a detour",
        why);
    errno = 0;
    noise_switches *own = noise_switches_open(0, -1, 1);
    const int own_refused = own != NULL ? 0 : errno;
    noise_switches_close(own);
    add(out, "own switches", own_refused == 0,
        "the kernel records when a thread of the own process is away",
        noise_switches_refusal(own_refused, true));
}

GArray *noise_evidence_sources(const char *root)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(noise_evidence_source));
    g_array_set_clear_func(out, clear);
    const int here = sched_getcpu();
    const uint32_t cpu = here >= 0 ? (uint32_t)here : 0;
    add_switches(out, cpu);
    noise_presence presence = noise_presence_begin(cpu);
    add(out, "presence", presence.word != NULL,
        "restartable sequences (rseq): of each detour it is known whether another thread ran in it",
        "no restartable sequences (Linux 4.18 and glibc 2.35 have them): without records of "
        "switches it is not known which detours were switches");
    noise_presence_end(&presence);
    g_autoptr(noise_interrupts) interrupts = noise_interrupts_read(root, "/proc/interrupts");
    add(out, "interrupts", interrupts->num_lines > 0, "counted by line and CPU",
        "/proc/interrupts cannot be read: ticks and interrupts are not told apart");
    const noise_cpu_time time = noise_cpu_time_read(root, cpu);
    add(out, "steal", time.steal_ticks >= 0, "the kernel counts what a hypervisor takes",
        "/proc/stat does not say what a hypervisor takes");
    g_auto(noise_quota) quota = noise_quota_read(root);
    g_autofree char *limit =
        quota.limit != NULL ? g_strdup_printf("cgroup %s has a quota of %s: its stops are counted",
                                              quota.group, quota.limit)
                            : NULL;
    add(out, "quota", quota.stops >= 0,
        limit != NULL ? limit : "no quota of CPU time; its stops would be counted",
        "no cgroup says whether a quota stops this process");
    noise_frequency frequency = noise_frequency_open(root);
    add(out, "core clock", frequency.aperf >= 0,
        "APERF and MPERF tell a change of the clock frequency",
        "APERF and MPERF cannot be read: a change of the clock frequency is told by t_min alone");
    noise_frequency_close(&frequency);
    return out;
}
