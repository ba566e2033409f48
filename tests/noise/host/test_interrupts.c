/* tests/noise/host/test_interrupts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_root.h"
#include "host/interrupts.h"

static const char BEFORE[] = "           CPU0       CPU2\n"
                             "  1:          9          9  IO-APIC   1-edge   i8042\n"
                             "LOC:        100        200  Local timer interrupts\n"
                             "ERR:          0\n";
static const char AFTER[] = "           CPU0       CPU2\n"
                            "  1:         10          9  IO-APIC   1-edge   i8042\n"
                            " 44:          7         60  PCI-MSI 0-edge   eth0\n"
                            "LOC:        110        250  Local timer interrupts\n"
                            "ERR:          3\n";

static const noise_interrupt_growth *nth(GArray *growth, guint i)
{
    return &g_array_index(growth, noise_interrupt_growth, i);
}

/* Numbers by hand: the differences of the two pictures. */
static void what_came_to_a_cpu_is_the_difference(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/interrupts", BEFORE);
    g_autoptr(noise_interrupts) before = noise_interrupts_read(root, "/proc/interrupts");
    fake_root_put(root, "/proc/interrupts", AFTER);
    g_autoptr(noise_interrupts) after = noise_interrupts_read(root, "/proc/interrupts");
    CHECK_I64(after->num_cpus, 2);
    CHECK_I64(after->cpus[1], 2);
    CHECK_I64(after->num_lines, 3); /* ERR is not counted by CPU */
    CHECK_STR(after->lines[1].id, "44");
    g_autoptr(GArray) two = noise_interrupts_growth(before, after, 2);
    CHECK_I64(two->len, 2);
    CHECK_STR(nth(two, 0)->line->name, "44: PCI-MSI 0-edge eth0"); /* a line that is new */
    CHECK_I64(nth(two, 0)->count, 60);
    CHECK_STR(nth(two, 1)->line->name, "LOC: Local timer interrupts");
    CHECK_I64(nth(two, 1)->count, 50);
    CHECK_I64(noise_interrupts_total(two), 110);
    g_autoptr(GArray) zero = noise_interrupts_growth(before, after, 0);
    CHECK_I64(noise_interrupts_total(zero), 1 + 7 + 10);
    g_autoptr(GArray) one = noise_interrupts_growth(before, after, 1); /* off: no column */
    CHECK_I64(one->len, 0);
    fake_root_remove(root);
}

static void softirqs_have_names_only(void)
{
    char *root = fake_root_new();
    fake_root_put(root, "/proc/softirqs",
                  "                    CPU0       CPU1\n          HI:          0          2\n"
                  "       TIMER:       1574       1598\n");
    g_autoptr(noise_interrupts) got = noise_interrupts_read(root, "/proc/softirqs");
    CHECK_I64(got->num_lines, 2);
    CHECK_STR(got->lines[1].name, "TIMER");
    CHECK_I64(got->lines[1].count[1], 1598);
    g_autoptr(noise_interrupts) none = noise_interrupts_read(root, "/proc/none");
    CHECK_I64(none->num_lines, 0);
    fake_root_remove(root);
}

SUITE_MAIN("interrupts", TEST(what_came_to_a_cpu_is_the_difference), TEST(softirqs_have_names_only))
