/* tests/noise/monitor/test_interrupt_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_proc.h"
#include "monitor/interrupt_counts.h"
#include "monitor/node_counts.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const uint64_t MS = 1000000;
#define BEGIN UINT64_C(5000000000)

static char *folder;
static char *path;
static int proc;

static noise_nit_writer *set_up(void)
{
    folder = fake_proc_new();
    proc = open(folder, O_RDONLY | O_DIRECTORY);
    path = g_build_filename(g_get_tmp_dir(), "ripple-test-interrupts.nit", NULL);
    static noise_nit_clocks clocks = {BEGIN, 0, 0, 0};
    const noise_nit_node node = {.clk_tck = 100, .clocks = &clocks, .num_clocks = 1};
    return noise_nit_writer_new(path, &node, NULL);
}

static noise_nit *finish(noise_nit_writer *writer)
{
    g_autoptr(GError) error = NULL;
    CHECK(noise_nit_writer_close(writer, BEGIN, &error));
    noise_nit *nit = noise_nit_read(path, &error);
    CHECK(nit != NULL, "%s", error != NULL ? error->message : "");
    (void)g_unlink(path);
    g_free(path);
    (void)close(proc);
    fake_proc_free(folder);
    return nit;
}

static void put_interrupts(unsigned disk, unsigned tick0, unsigned tick2, const char *more)
{
    g_autofree char *text = g_strdup_printf("            CPU0       CPU2\n"
                                            " 24:%10u          0  PCI-MSI 4  nvme0q1\n%s"
                                            "LOC:%10u %10u   Local timer interrupts\n"
                                            "ERR:          0\n",
                                            disk, more, tick0, tick2);
    fake_proc_put(folder, "interrupts", text);
}

/* A tick that is regular to within one becomes one record; what is rare keeps its time. */
static void regular_interrupts_are_one_record(void)
{
    noise_nit_writer *writer = set_up();
    put_interrupts(7, 1000, 2000, "");
    interrupt_counts *c = noise_interrupt_counts_new(proc, "interrupts", writer, BEGIN);
    CHECK(c != NULL);
    for (unsigned i = 1; i <= 50; i++) { /* 2 and 3 in turn */
        put_interrupts(i < 20 ? 7 : 8, 1000 + 5 * i / 2, 2000, i < 30 ? "" : "NMI: 4 5 Odd one\n");
        noise_interrupt_counts_read(c, BEGIN + 10 * MS * i);
    }
    noise_interrupt_counts_tell(c);
    noise_interrupt_counts_free(c);
    g_autoptr(noise_nit) nit = finish(writer);
    CHECK_I64(nit->num_lines, 2);
    CHECK_I64(nit->num_interrupts, 2);
    if (nit->num_interrupts == 2) {
        const noise_nit_interrupts *disk = &nit->interrupts[0];
        CHECK_STR(nit->lines[disk->line].name, "24: PCI-MSI 4 nvme0q1");
        CHECK_I64(disk->from, BEGIN + 190 * MS);
        CHECK_I64(disk->to, BEGIN + 200 * MS);
        CHECK_I64(disk->count, 1);
        const noise_nit_interrupts *tick = &nit->interrupts[1];
        CHECK_STR(nit->lines[tick->line].name, "LOC: Local timer interrupts");
        CHECK_I64(tick->cpu, 0);
        CHECK_I64(tick->from, BEGIN);
        CHECK_I64(tick->to, BEGIN + 500 * MS);
        CHECK_I64(tick->count, 125);
    }
}

/* Any counts: the sum over all records is what was counted. */
static void no_interrupt_is_lost(void)
{
    noise_nit_writer *writer = set_up();
    fake_proc_put(folder, "softirqs", "  CPU0 CPU1 CPU2\n TIMER: 0 0 0\n RCU: 0 0 0\n");
    interrupt_counts *c = noise_interrupt_counts_new(proc, "softirqs", writer, BEGIN);
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    unsigned counts[6] = {0};
    uint64_t all = 0;
    for (unsigned i = 1; i <= 300; i++) {
        for (unsigned k = 0; k < 6; k++) {
            const unsigned more = (unsigned)g_rand_int_range(random, 0, 4);
            counts[k] += more;
            all += more;
        }
        g_autofree char *text =
            g_strdup_printf("  CPU0 CPU1 CPU2\n TIMER: %u %u %u\n RCU: %u %u %u\n", counts[0],
                            counts[1], counts[2], counts[3], counts[4], counts[5]);
        fake_proc_put(folder, "softirqs", text);
        noise_interrupt_counts_read(c, BEGIN + MS * i);
    }
    noise_interrupt_counts_tell(c);
    noise_interrupt_counts_free(c);
    g_autoptr(noise_nit) nit = finish(writer);
    uint64_t found = 0;
    for (size_t i = 0; i < nit->num_interrupts; i++) {
        found += nit->interrupts[i].count;
    }
    CHECK_I64(found, all);
    CHECK(nit->lines[0].is_soft);
    CHECK(g_str_has_prefix(nit->lines[0].name, "softirq "));
}

static void switches_forks_and_steal_are_differences(void)
{
    noise_nit_writer *writer = set_up();
    fake_proc_put(folder, "stat",
                  "cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 10\ncpu2 1 2 3 4 5 6 7 20\n"
                  "intr 5 6\nctxt 1000\nbtime 1\nprocesses 50\n");
    node_counts counts;
    nit_seen seen = {0};
    noise_node_counts_init(&counts, proc, BEGIN);
    counts.clk_tck = 100;
    fake_proc_put(folder, "stat",
                  "cpu  1 2 3 4 5 6 7 8\ncpu0 1 2 3 4 5 6 7 10\ncpu2 1 2 3 4 5 6 7 23\n"
                  "intr 5 6\nctxt 1400\nbtime 1\nprocesses 57\n");
    noise_node_counts_read(&counts, writer, &seen, BEGIN + 100 * MS);
    noise_node_counts_clear(&counts);
    CHECK_I64(seen.switches, 400);
    CHECK_I64(seen.forks, 7);
    CHECK_I64(seen.steal_ns, 30 * MS);
    g_autoptr(noise_nit) nit = finish(writer);
    CHECK_I64(nit->num_steals, 1);
    CHECK_I64(nit->steals[0].cpu, 2);
    CHECK_I64(nit->steals[0].ns, 30 * MS);
    CHECK_I64(nit->steals[0].to - nit->steals[0].from, 100 * MS);
}

SUITE_MAIN("interrupt_counts", TEST(regular_interrupts_are_one_record), TEST(no_interrupt_is_lost),
           TEST(switches_forks_and_steal_are_differences))
