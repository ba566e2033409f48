/* gate/gate_settings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_gate. */
/**
 * @file
 * How the machine is set up.
 */
#include "gate/gate_checks.h"

#include "host/host_file.h"

#include <string.h>

NOISE_GATE_JUDGE(governor)
{
    g_autofree char *governor = noise_host_file_line(
        view->facts->root, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor",
        view->cpu->cpu);
    if (governor == NULL || g_str_equal(governor, "performance")) {
        return governor == NULL ? NOISE_GATE_NOT_LOOKED : NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "the frequency governor is %s, not performance", governor);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(pages)
{
    g_autofree char *pages =
        noise_host_file_line(view->facts->root, "/sys/kernel/mm/transparent_hugepage/enabled", 0);
    if (pages == NULL || strstr(pages, "[always]") == NULL) {
        return pages == NULL ? NOISE_GATE_NOT_LOOKED : NOISE_GATE_PASSED;
    }
    g_string_append(sentence, "transparent huge pages are always on: khugepaged may run");
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(numa)
{
    const int64_t on =
        noise_host_file_number(view->facts->root, "/proc/sys/kernel/numa_balancing", 0);
    if (on <= 0) {
        return on < 0 ? NOISE_GATE_NOT_LOOKED : NOISE_GATE_PASSED;
    }
    g_string_append(sentence, "automatic NUMA balancing is on");
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(isolation)
{
    const char *root = view->facts->root;
    g_autofree char *isolated = noise_host_file_line(root, "/sys/devices/system/cpu/isolated", 0);
    g_autofree char *irqs = noise_host_file_line(root, "/proc/irq/default_smp_affinity", 0);
    /* a mask of ones only, whose first digit need not be full */
    const bool everywhere = irqs != NULL && *irqs != '\0' && strchr("137f", *irqs) != NULL &&
                            strspn(irqs + 1, "f,") == strlen(irqs + 1);
    if (isolated == NULL || irqs == NULL) {
        return NOISE_GATE_NOT_LOOKED;
    }
    if (*isolated == '\0' || !everywhere) {
        return NOISE_GATE_PASSED;
    }
    g_string_append_printf(sentence, "CPUs %s are isolated, but interrupts may go to all",
                           isolated);
    return NOISE_GATE_NOTED;
}

NOISE_GATE_JUDGE(tables)
{
    g_autofree char *meltdown = noise_host_file_line(
        view->facts->root, "/sys/devices/system/cpu/vulnerabilities/meltdown", 0);
    if (meltdown == NULL || strstr(meltdown, "PTI") == NULL) {
        return meltdown == NULL ? NOISE_GATE_NOT_LOOKED : NOISE_GATE_PASSED;
    }
    g_string_append(sentence, "the kernel has page tables of its own (Meltdown, PTI): every "
                              "interrupt costs more than on a processor without that fault");
    return NOISE_GATE_NOTED;
}
