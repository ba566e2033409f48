/* tests/noise/gate/test_gate.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "gate/gate.h"

#include "../host/fake_root.h"

#include <unistd.h>

/* Two CPUs, 3 and 4, that were measured for 2 s on a machine that nothing is wrong with. */
typedef struct scene {
    char *root;
    sim_time length;
    noise_measurement_cpu cpu[2];
    noise_gate_loop loop[2];
    noise_witness witness[2];
    noise_gate_offset offsets[2];
    noise_measurement result;
    noise_gate_facts facts;
} scene;

static void begin(scene *s)
{
    *s = (scene){.root = fake_root_new(), .length = SIM_US};
    for (uint32_t i = 0; i < 2; i++) {
        s->cpu[i] = (noise_measurement_cpu){.cpu = 3 + i,
                                            .t_min = 10 * SIM_NS,
                                            .threshold = 100 * SIM_NS,
                                            .duration = 2 * SIM_S,
                                            .iterations = 200000000};
        s->loop[i] =
            (noise_gate_loop){.t_min = 25, .typical = 26, .t_min_after = 25, .bound = true};
        s->witness[i] = (noise_witness){.tid = 50 + i, .records = NOISE_WITNESS_CPU};
        s->offsets[i] = (noise_gate_offset){20, 60};
    }
    s->result = (noise_measurement){.num_cpus = 2, .cpus = s->cpu, .clock = g_strdup("cntvct")};
    s->facts = (noise_gate_facts){.root = s->root,
                                  .loop = s->loop,
                                  .witness = s->witness,
                                  .offsets = s->offsets,
                                  .clock_why = "not invariant",
                                  .process = 50};
}

static void judged(scene *s, bool valid, const char *finding)
{
    noise_gate_judge(&s->result, &s->facts);
    const char *verdict = s->result.verdict != NULL ? s->result.verdict : "";
    CHECK(s->result.valid == valid, "%s", verdict);
    CHECK(strstr(verdict, finding) != NULL, "'%s' lacks '%s'", verdict, finding);
    CHECK(g_str_has_prefix(verdict, valid ? "valid" : "not valid: "), "%s", verdict);
    fake_root_remove(s->root);
    g_free(s->result.verdict);
    g_free(s->result.clock);
    begin(s);
}

static void finish(scene *s)
{
    fake_root_remove(s->root);
    g_free(s->result.clock);
}

static void what_the_loop_met_is_said(void)
{
    scene s;
    begin(&s);
    noise_gate_judge(&s.result, &s.facts);
    CHECK_STR(s.result.verdict, "valid");
    judged(&s, true, "valid");
    s.witness[1].presence = (noise_presence){.num_moved = 2, .moved_to = 9};
    judged(&s, false, "CPU 4: the thread could not be kept there: seen on CPU 9, 2 times");
    s.loop[1].bound = false;
    judged(&s, false, "CPU 4: the thread could not be bound there");
    s.loop[0].backwards = 2;
    judged(&s, false, "CPU 3: the clock went back 2 times");
    s.loop[0].too_many = true;
    judged(&s, false, "CPU 3: more than 1 % of the iterations");
    s.cpu[1].raised = 3;
    judged(&s, true, "note: CPU 4: the threshold was raised 3 times, to 100ns");
    s.loop[0].coarse_clock = true;
    judged(&s, true, "note: CPU 3: the clock is coarser than the loop");
    s.loop[0].two_speeds = true;
    judged(&s, true, "note: CPU 3: iterations take 25 or 26 ticks");
    s.loop[0].full = true;
    judged(&s, true, "note: CPU 3: there was no room for more than 0 detours");
    s.witness[0].page_faults = 7;
    judged(&s, true, "note: CPU 3: page faults in the loop, its own noise: 7");
    s.cpu[0].duration = SIM_MS;
    judged(&s, true, "note: CPU 3: 1ms is a short time");
    s.witness[0].lost = 4;
    judged(&s, true, "CPU 3: 4 records of switches are lost");
    finish(&s);
}

static void clocks_are_judged(void)
{
    scene s;
    begin(&s);
    s.result.drift_ppm = -15;
    judged(&s, true, "note: the clock's rate changed by -15 ppm");
    s.result.drift_ppm = 1000;
    judged(&s, false, "not valid: the clock's rate changed by 1e+03 ppm");
    g_free(s.result.clock);
    s.result.clock = g_strdup("clock_gettime");
    judged(&s, true, "note: the kernel's clock is read, which is slower than a counter: not inv");
    s.offsets[1] = (noise_gate_offset){-400, 50};
    judged(&s, true, "note: CPU 4: its clock is 400 ns (+- 50) behind that of CPU 3");
    s.offsets[1] = (noise_gate_offset){52000, 80};
    judged(&s, false, "CPU 4: its clock is 5.2e+04 ns (+- 80) ahead of that of CPU 3: the CPUs");
    s.offsets[1] = (noise_gate_offset){900, 850}; /* may as well be none */
    judged(&s, true, "valid");
    s.loop[0].t_min_after = 31;
    judged(&s, true, "note: CPU 3: an iteration took 25 ticks before the loop and 31 after it");
    s.loop[0].t_min_after = 74;
    judged(&s, true, "note: CPU 3: an iteration took 25 ticks before the loop and 74 after it");
    s.loop[0].t_min_after = 75;
    judged(&s, false, "or left it; with it, what counts as a detour");
    s.witness[0].clock[0] = (noise_frequency_counts){0, 0, true};
    s.witness[0].clock[1] = (noise_frequency_counts){70000000, 100000000, true};
    s.witness[0].clock[2] = (noise_frequency_counts){71000000, 101000000, true};
    judged(&s, true, "note: CPU 3: the core ran at 0.7 of its nominal clock in the loop, and at 1");
    s.witness[0].clock[0] = (noise_frequency_counts){0, 0, true};
    s.witness[0].clock[1] = (noise_frequency_counts){70000000, 100000000, true};
    s.witness[0].clock[2] = (noise_frequency_counts){710000000, 1010000000, true};
    judged(&s, true, "valid");
    s.loop[0].t_min_after = 26; /* a tick is what it may be off by */
    judged(&s, true, "valid");
    finish(&s);
}

/* A file as proc(5) has it; the CPU is the last field but three. */
static void put_thread(const scene *s, unsigned tid, const char *comm, const char *schedstat,
                       unsigned cpu)
{
    g_autofree char *folder = g_strdup_printf("/proc/%u/task/%u", tid, tid);
    g_autofree char *name = g_strconcat(folder, "/comm", NULL);
    g_autofree char *sched = g_strconcat(folder, "/schedstat", NULL);
    g_autofree char *stat = g_strconcat(folder, "/stat", NULL);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u (%s) R", tid, comm);
    for (int field = 4; field <= 38; field++) {
        g_string_append(text, " 0");
    }
    g_string_append_printf(text, " %u 0 0 0\n", cpu);
    fake_root_put(s->root, name, comm);
    fake_root_put(s->root, sched, schedstat);
    fake_root_put(s->root, stat, text->str);
    (void)g_string_free(text, TRUE);
}

static void a_busy_cpu_names_who_ran_there(void)
{
    scene s;
    begin(&s);
    put_thread(&s, 71, "burner", "0 0 0\n", 4);
    put_thread(&s, 72, "cron", "0 0 0\n", 4);
    g_autoptr(noise_ran_counts) before = noise_ran_read(s.root);
    put_thread(&s, 71, "burner", "1000000000 0 250\n", 4);
    put_thread(&s, 72, "cron", "3000000 0 2\n", 4);
    g_autoptr(noise_ran_counts) after = noise_ran_read(s.root);
    s.loop[1].share = 0.5;
    s.witness[1].involuntary = 252;
    s.facts.ran[0] = before;
    s.facts.ran[1] = after;
    judged(&s, false,
           "CPU 4: detours take 50 % of the time (252 involuntary switches): there ran burner "
           "(71): 1 s in 250 turns, cron (72): 0.003 s in 2 turns");
    /* the kernel's records know better: only what ran on this CPU, and who is gone by now */
    noise_switch switches[] = {{.out = 1000000000, .in = 1800000000, .next_tid = 71},
                               {.out = 2000000000, .in = 2300000000, .next_tid = 99},
                               {.out = 2400000000, .in = 2600000000, .next_tid = 98},
                               {.out = 3000000000, .in = 3900000000, .next_tid = 51},
                               {.out = 4000000000, .in = 4900000000, .next_tid = 0}};
    s.loop[1].share = 0.5;
    s.witness[1].involuntary = 4;
    s.witness[1].switches = switches;
    s.witness[1].num_switches = G_N_ELEMENTS(switches);
    s.facts.ran[0] = before;
    s.facts.ran[1] = after;
    judged(&s, false,
           "there ran burner (71): 0.8 s in 1 turn, ended programs (2 threads): 0.5 s in 2 turns");
    s.loop[1].share = 0.5;
    s.witness[1].involuntary = 4;
    judged(&s, false, "(4 involuntary switches): another program runs there");
    s.loop[1].share = 0.5;
    judged(&s, false, "though no other program ran there: interrupts, firmware or a hypervisor");
    s.loop[1].share = 0.2;
    judged(&s, true, "valid");
    finish(&s);
}

static void what_stopped_or_slowed_the_cpu_is_said(void)
{
    scene s;
    begin(&s);
    char group[] = "/job";
    char limit[] = "50 ms of every 100 ms";
    s.facts.quota[0] = (noise_quota){5, 1000000, group, limit};
    s.facts.quota[1] = (noise_quota){8, 151000000, group, limit};
    judged(&s, false,
           "a quota of CPU time (cgroup /job: 50 ms of every 100 ms) stopped this process 3 times, "
           "for 150 ms");
    s.facts.quota[0] = (noise_quota){5, 1, group, limit};
    s.facts.quota[1] = (noise_quota){5, 1, group, limit};
    judged(&s, true, "note: cgroup /job has a quota of 50 ms of every 100 ms; it did not stop");
    const long hz = sysconf(_SC_CLK_TCK); /* of 2 s: 1 % and 10 % */
    s.witness[0].time[1].steal_ticks = hz / 50;
    judged(&s, true, "note: CPU 3: a hypervisor took it away for 1 % of the time");
    s.witness[0].time[1].steal_ticks = hz / 5;
    judged(&s, false, "CPU 3: a hypervisor took it away for 10 % of the time");
    s.witness[0].time[0].steal_ticks = -1; /* a kernel that does not say */
    s.witness[0].time[1].steal_ticks = -1;
    judged(&s, true, "valid");
    s.witness[1].time[1].hot = 2;
    s.witness[1].time[1].capped = 30;
    judged(&s, true, "note: CPU 4: slowed 2 times by heat and 30 times by a limit of power");
    fake_root_put(s.root, "/proc/softirqs", "    CPU3\n RCU: 5\n NET_RX: 100\n");
    s.witness[0].softirqs[0] = noise_interrupts_read(s.root, "/proc/softirqs");
    fake_root_put(s.root, "/proc/softirqs", "    CPU3\n RCU: 6\n NET_RX: 900\n");
    s.witness[0].softirqs[1] = noise_interrupts_read(s.root, "/proc/softirqs");
    s.witness[0].time[1].softirqs_ticks = hz / 10;
    noise_interrupts *old[] = {s.witness[0].softirqs[0], s.witness[0].softirqs[1]};
    judged(&s, true, "CPU 3: softirqs took 5 % of the time: NET_RX 800 times, RCU 1 times");
    noise_interrupts_free(old[0]);
    noise_interrupts_free(old[1]);
    finish(&s);
}

static void device_interrupts_say_where_they_may_go(void)
{
    scene s;
    begin(&s);
    fake_root_put(s.root, "/proc/interrupts", " CPU3\n 36: 5 PCI-MSI eth0\nLOC: 7 Local timer\n");
    s.witness[0].interrupts[0] = noise_interrupts_read(s.root, "/proc/interrupts");
    fake_root_put(s.root, "/proc/interrupts",
                  " CPU3\n 36: 905 PCI-MSI eth0\nLOC: 9007 Local timer\n");
    s.witness[0].interrupts[1] = noise_interrupts_read(s.root, "/proc/interrupts");
    fake_root_put(s.root, "/proc/irq/36/smp_affinity_list", "0-7\n");
    noise_interrupts *old[] = {s.witness[0].interrupts[0], s.witness[0].interrupts[1]};
    judged(&s, true, "CPU 3: interrupt 36: PCI-MSI eth0 came 900 times; it may go to CPUs 0-7");
    noise_interrupts_free(old[0]);
    noise_interrupts_free(old[1]);
    finish(&s);
}

static void the_settings_of_the_machine_are_noted(void)
{
#define CPU "/sys/devices/system/cpu/"
    static const struct {
        const char *path[2];
        const char *text[2];
        const char *finding; /* NULL: none */
    } row[] = {
        {{CPU "cpu3/cpufreq/scaling_governor"},
         {"powersave\n"},
         "CPU 3: the frequency governor is powersave"},
        {{CPU "cpu3/cpufreq/scaling_governor"}, {"performance\n"}, NULL},
        {{"/sys/kernel/mm/transparent_hugepage/enabled"},
         {"[always] madvise never\n"},
         "transparent huge"},
        {{"/sys/kernel/mm/transparent_hugepage/enabled"}, {"always [madvise] never\n"}, NULL},
        {{"/proc/sys/kernel/numa_balancing"}, {"1\n"}, "automatic NUMA balancing is on"},
        {{"/proc/sys/kernel/numa_balancing"}, {"0\n"}, NULL},
        {{CPU "isolated", "/proc/irq/default_smp_affinity"},
         {"2-3\n", "f\n"},
         "CPUs 2-3 are isolated"},
        {{CPU "isolated", "/proc/irq/default_smp_affinity"},
         {"2-3\n", "3,ffffffff\n"},
         "CPUs 2-3 are isolated"},
        {{CPU "isolated", "/proc/irq/default_smp_affinity"}, {"2-3\n", "e\n"}, NULL},
        {{CPU "isolated", "/proc/irq/default_smp_affinity"}, {"\n", "f\n"}, NULL},
        {{CPU "vulnerabilities/meltdown"},
         {"Mitigation: PTI\n"},
         "page tables of its own (Meltdown"},
        {{CPU "vulnerabilities/meltdown"}, {"Not affected\n"}, NULL},
        {{CPU "cpu4/topology/thread_siblings_list"},
         {"4,12\n"},
         "CPU 4: shares its core with others (4,12)"},
        {{CPU "cpu4/topology/thread_siblings_list"}, {"4\n"}, NULL},
    };
    scene s;
    begin(&s);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        for (size_t k = 0; k < 2 && row[i].path[k] != NULL; k++) {
            fake_root_put(s.root, row[i].path[k], row[i].text[k]);
        }
        noise_gate_judge(&s.result, &s.facts);
        if (row[i].finding == NULL) {
            CHECK_STR(s.result.verdict, "valid", "row %zu", i);
        }
        judged(&s, true, row[i].finding != NULL ? row[i].finding : "valid");
    }
#undef CPU
    finish(&s);
}

static void a_busy_sibling_is_named(void)
{
    scene s;
    begin(&s);
    fake_root_put(s.root, "/sys/devices/system/cpu/cpu4/topology/thread_siblings_list", "4,12\n");
    put_thread(&s, 71, "burner", "0 0 0\n", 12);
    g_autoptr(noise_ran_counts) before = noise_ran_read(s.root);
    put_thread(&s, 71, "burner", "1000000000 0 250\n", 12);
    g_autoptr(noise_ran_counts) after = noise_ran_read(s.root);
    s.facts.ran[0] = before;
    s.facts.ran[1] = after;
    judged(&s, true, "CPU 4: CPU 12 of the same core was busy with burner (71): 1 s in 250 turns");
    finish(&s);
}

static void what_several_cpus_share_is_one_line(void)
{
    scene s;
    begin(&s);
    s.cpu[0].duration = SIM_MS;
    s.cpu[1].duration = SIM_MS;
    judged(&s, true, "note: CPUs 3, 4: 1ms is a short time");
    finish(&s);
}

/* docs/noise.md, section 6, names every check and its evidence. */
static void every_check_is_documented(void)
{
    g_autofree char *text = NULL;
    CHECK(g_file_get_contents(DOCUMENT, &text, NULL, NULL));
    size_t n;
    const noise_gate_check *checks = noise_gate_checks(&n);
    for (size_t i = 0; i < n; i++) {
        g_autofree char *row = g_strdup_printf("| *%s* |", checks[i].name);
        CHECK(strstr(text != NULL ? text : "", row) != NULL, "%s", row);
        CHECK(*checks[i].evidence != '\0');
    }
}

SUITE_MAIN("gate", TEST(what_the_loop_met_is_said), TEST(clocks_are_judged),
           TEST(a_busy_cpu_names_who_ran_there), TEST(what_stopped_or_slowed_the_cpu_is_said),
           TEST(device_interrupts_say_where_they_may_go),
           TEST(the_settings_of_the_machine_are_noted), TEST(a_busy_sibling_is_named),
           TEST(what_several_cpus_share_is_one_line), TEST(every_check_is_documented))
