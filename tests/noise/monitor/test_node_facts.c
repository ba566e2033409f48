/* tests/noise/monitor/test_node_facts.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "fake_proc.h"
#include "monitor/node_facts.h"

#include <fcntl.h>
#include <unistd.h>

static int proc;
static char *folder;

static void set_up(const char *mount, const char *second, const char *schedstat)
{
    folder = fake_proc_new();
    g_autofree char *info = g_strdup_printf("22 1 0:20 / /proc rw - proc proc %s\n"
                                            "23 1 0:21 / /sys rw - sysfs sysfs rw\n",
                                            mount);
    fake_proc_put(folder, "self/mountinfo", info);
    fake_proc_put(folder, "2/comm", second);
    fake_proc_put(folder, "self/schedstat", schedstat);
    fake_proc_put(folder, "stat", "cpu  1 2 3\ncpu0 1 2 3\ncpu5 1 2 3\nctxt 7\n");
    fake_proc_put(folder, "sys/kernel/random/boot_id", "abc-def\n");
    proc = open(folder, O_RDONLY | O_DIRECTORY);
}

static void tear_down(void)
{
    (void)close(proc);
    fake_proc_free(folder);
}

static void what_hides_programs_is_said(void)
{
    static const struct {
        const char *mount, *second, *schedstat;
        bool privileged;
        const char *wanted; /* NULL: sees all */
    } ROWS[] = {
        {"rw", "kthreadd\n", "5 0 1\n", false, NULL},
        {"rw,hidepid=0", "kthreadd\n", "5 0 1\n", false, NULL},
        {"rw,hidepid=off", "kthreadd\n", "5 0 1\n", false, NULL},
        {"rw,hidepid=2", "kthreadd\n", "5 0 1\n", true, NULL},
        {"rw,hidepid=2", "", "5 0 1\n", false, "hidepid=2: only processes of this user"},
        {"rw,hidepid=invisible", "", "5 0 1\n", false, "hidepid=invisible: only"},
        {"rw", "bash\n", "5 0 1\n", true, "container"},
        {"rw", "kthreadd\n", "0 0 0\n", true, "no schedstat"},
        {"rw", "kthreadd\n", "", true, "no schedstat"},
        {"rw,hidepid=1", "", "0 0 0\n", false, "this user are seen; the kernel keeps no schedstat"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        set_up(ROWS[i].mount, ROWS[i].second, ROWS[i].schedstat);
        g_autofree char *why = noise_node_blind(proc, ROWS[i].privileged);
        CHECK((why == NULL) == (ROWS[i].wanted == NULL), "row %zu: %s", i, why);
        CHECK(why == NULL || ROWS[i].wanted == NULL || strstr(why, ROWS[i].wanted) != NULL,
              "row %zu: %s", i, why);
        tear_down();
    }
}

static void cpus_are_those_that_are_online(void)
{
    set_up("rw", "kthreadd\n", "5 0 1\n");
    noise_nit_node *node = noise_node_facts(proc);
    CHECK_I64(node->num_cpus, 2);
    CHECK_I64(node->cpus[1], 5);
    CHECK_STR(node->boot_id, "abc-def");
    CHECK(node->clk_tck > 0);
    noise_node_facts_free(node);
    tear_down();
}

static void clocks_are_of_one_instant(void)
{
    const uint64_t before = noise_node_now(NULL);
    const noise_nit_clocks clocks = noise_node_clocks();
    const uint64_t after = noise_node_now(NULL);
    CHECK(clocks.monotonic >= before && clocks.monotonic <= after);
    CHECK(clocks.realtime / 1000000000 >= 1600000000);
}

SUITE_MAIN("node_facts", TEST(what_hides_programs_is_said), TEST(cpus_are_those_that_are_online),
           TEST(clocks_are_of_one_instant))
