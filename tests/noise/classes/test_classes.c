/* tests/noise/classes/test_classes.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "classes/classes.h"

#include "../host/fake_root.h"

#include <errno.h>
#include <unistd.h>

/*
 * One CPU, one second that began at 5 s: ten detours of 10 us each 100 ms. What they were is told
 * by what the witness saw.
 */
enum { N = 10, OWN = 50 };
static const int64_t BEGIN = INT64_C(5000000000);

typedef struct scene {
    char *root;
    noise_measurement result;
    noise_measurement_cpu cpu;
    noise_witness witness;
    uint8_t answers[N];
    noise_switch switches[N];
    noise_class_facts facts;
    noise_ran_counts *ran;
} scene;

static void put_interrupts(scene *s, size_t which, unsigned timer, unsigned other)
{
    g_autofree char *text =
        g_strdup_printf("     CPU3\n 7: %u IO-APIC disk\nLOC: %u Local timer\n", other, timer);
    fake_root_put(s->root, "/proc/interrupts", text);
    noise_interrupts_free(s->witness.interrupts[which]);
    s->witness.interrupts[which] = noise_interrupts_read(s->root, "/proc/interrupts");
}

static void put_name(const scene *s, unsigned tid, const char *comm)
{
    g_autofree char *name = g_strdup_printf("/proc/%u/task/%u/comm", tid, tid);
    g_autofree char *stat = g_strdup_printf("/proc/%u/task/%u/schedstat", tid, tid);
    fake_root_put(s->root, name, comm);
    fake_root_put(s->root, stat, "1 1 1\n");
}

/* All detours kept on the CPU, no interrupts, on bare metal. */
static void begin(scene *s)
{
    *s = (scene){.root = fake_root_new()};
    s->cpu = (noise_measurement_cpu){.cpu = 3,
                                     .duration = SIM_S,
                                     .begin = BEGIN,
                                     .end = BEGIN + 1000000000,
                                     .n = N,
                                     .start = g_new(sim_time, N),
                                     .length = g_new(sim_time, N)};
    for (size_t i = 0; i < N; i++) {
        s->cpu.start[i] = (sim_time)i * 100 * SIM_MS + (sim_time)(i * i) * SIM_MS;
        s->cpu.length[i] = 10 * SIM_US;
        s->answers[i] = NOISE_PRESENCE_KEPT;
    }
    s->witness = (noise_witness){.tid = OWN,
                                 .answers = s->answers,
                                 .num_answers = N,
                                 .switches = s->switches,
                                 .records = NOISE_WITNESS_CPU,
                                 .time = {{.steal_ticks = 10}, {.steal_ticks = 10}}};
    put_interrupts(s, 0, 100, 100);
    put_interrupts(s, 1, 100, 100);
    put_name(s, 71, "burner\n");
    put_name(s, 72, "kworker/3:1\n");
    put_name(s, 73, "kworker/u8:0\n");
    put_name(s, 74, "a,b\n");
}

static void classify(scene *s)
{
    s->ran = noise_ran_read(s->root);
    s->facts.witness = &s->witness;
    s->facts.ran_before = s->ran;
    s->facts.ran_after = s->ran;
    s->result.cpus = &s->cpu;
    s->result.num_cpus = 1;
    noise_measurement_classify(&s->result, &s->facts);
}

static void end(scene *s)
{
    for (size_t i = 0; i < s->result.num_classes; i++) {
        g_free(s->result.classes[i].name);
        g_free(s->result.classes[i].kind);
        g_free(s->result.classes[i].evidence);
    }
    g_free(s->result.classes);
    g_free(s->cpu.start);
    g_free(s->cpu.length);
    g_free(s->cpu.class_of);
    noise_interrupts_free(s->witness.interrupts[0]);
    noise_interrupts_free(s->witness.interrupts[1]);
    noise_ran_free(s->ran);
    fake_root_remove(s->root);
}

static void put_switch(scene *s, size_t detour, uint32_t tid)
{
    const uint64_t from = (uint64_t)(BEGIN + s->cpu.start[detour] / SIM_NS);
    s->switches[s->witness.num_switches++] =
        (noise_switch){.out = from + 1000, .in = from + 9000, .cpu = 3, .next_tid = tid};
    s->answers[detour] = NOISE_PRESENCE_SWITCHED;
}

static const noise_detour_source *class_at(const scene *s, size_t detour)
{
    return &s->result.classes[s->cpu.class_of[detour]];
}

static void check_class(const scene *s, size_t detour, const char *name, const char *kind,
                        const char *evidence)
{
    const noise_detour_source *c = class_at(s, detour);
    CHECK_STR(c->name, name, "detour %zu", detour);
    CHECK_STR(c->kind, kind, "detour %zu", detour);
    CHECK(strstr(c->evidence, evidence) != NULL, "'%s' lacks '%s'", c->evidence, evidence);
}

static void programs_that_ran_are_named(void)
{
    scene s;
    begin(&s);
    put_switch(&s, 1, 71);
    put_switch(&s, 4, 72);
    put_switch(&s, 5, 73);
    put_switch(&s, 6, 74);
    put_switch(&s, 7, 99);
    s.answers[8] = NOISE_PRESENCE_SWITCHED; /* a switch without a record */
    classify(&s);
    check_class(&s, 1, "burner", "scheduler", "the kernel's records of switches: it ran there");
    check_class(&s, 4, "kworker", "scheduler", "it ran there");
    CHECK_I64(s.cpu.class_of[4], s.cpu.class_of[5]); /* threads of one program */
    check_class(&s, 6, "a_b", "scheduler", "it ran there");
    check_class(&s, 7, "ended programs", "scheduler", "had ended before its name");
    check_class(&s, 8, "other programs", "scheduler", "who it was is not recorded");
    check_class(&s, 0, "steal or firmware", "steal or firmware", "only 0 interrupts");
    end(&s);
}

static void without_records_the_thread_says_that_it_was_switched(void)
{
    scene s;
    begin(&s);
    s.witness.records = NOISE_WITNESS_COUNTERS;
    s.witness.refused = EACCES;
    s.witness.involuntary = 1;
    s.answers[2] = NOISE_PRESENCE_SWITCHED;
    classify(&s);
    check_class(&s, 2, "other programs", "scheduler", "the count of switches, right after each");
    CHECK(strstr(class_at(&s, 2)->evidence, "perf_event_paranoid") != NULL, "%s",
          class_at(&s, 2)->evidence);
    CHECK_STR(class_at(&s, 1)->kind, "steal or firmware");
    end(&s);
}

static void without_any_record_nothing_is_claimed(void)
{
    scene s;
    begin(&s);
    s.witness.records = NOISE_WITNESS_COUNTERS;
    s.witness.num_answers = 0;
    s.witness.involuntary = 3;
    classify(&s);
    for (size_t i = 0; i < N; i++) {
        check_class(&s, i, "not known", "not known", "3 switches were counted, but not in which");
    }
    end(&s);
    begin(&s); /* no switch at all: then certainly none in a detour */
    s.witness.records = NOISE_WITNESS_COUNTERS;
    s.witness.num_answers = 0;
    classify(&s);
    check_class(&s, 0, "steal or firmware", "steal or firmware", "not switched");
    end(&s);
}

static void the_number_of_interrupts_decides_about_the_rest(void)
{
    scene s;
    begin(&s); /* one for each */
    put_interrupts(&s, 1, 100, 110);
    classify(&s);
    check_class(&s, 0, "interrupts", "interrupt", "7: IO-APIC disk: 10");
    end(&s);
    begin(&s); /* too few for all, too many for none */
    put_interrupts(&s, 1, 100, 105);
    s.answers[3] = NOISE_PRESENCE_WORKED; /* but that one was */
    classify(&s);
    check_class(&s, 0, "not known", "not known", "5 interrupts beyond the tick came");
    check_class(&s, 3, "interrupts", "interrupt", "not switched");
    end(&s);
    begin(&s); /* none, in a guest whose hypervisor took nothing that was counted */
    s.facts.is_guest = true;
    classify(&s);
    check_class(&s, 0, "not known", "not known", "a hypervisor may have caused");
    end(&s);
}

static void stolen_time_is_that_of_the_longest(void)
{
    scene s;
    begin(&s);
    put_interrupts(&s, 1, 100, 120);
    s.facts.is_guest = true;
    s.cpu.length[2] = 21 * SIM_MS;
    s.cpu.length[5] = 8 * SIM_MS;
    s.cpu.length[6] = 7 * SIM_MS; /* no room for that in 20 ms and a tick */
    s.witness.time[1].steal_ticks = 10 + sysconf(_SC_CLK_TCK) / 50;
    classify(&s);
    check_class(&s, 2, "steal or firmware", "steal or firmware", "counts 20ms as stolen");
    CHECK_STR(class_at(&s, 5)->kind, "steal or firmware");
    CHECK_STR(class_at(&s, 6)->kind, "interrupt");
    CHECK_STR(class_at(&s, 0)->kind, "interrupt");
    end(&s);
}

static void the_tick_is_a_class_of_its_own(void)
{
    scene s;
    begin(&s);
    enum { TICKS = 100 };
    g_free(s.cpu.start);
    g_free(s.cpu.length);
    s.cpu.n = TICKS;
    s.cpu.start = g_new(sim_time, TICKS);
    s.cpu.length = g_new(sim_time, TICKS);
    for (size_t i = 0; i < TICKS; i++) {
        s.cpu.start[i] = (sim_time)i * 10 * SIM_MS + 3 * SIM_MS;
        s.cpu.length[i] = 2 * SIM_US;
    }
    put_interrupts(&s, 1, 201, 101);
    s.facts.hz = 100;
    classify(&s); /* what the witness did not answer, its complete records do */
    check_class(&s, 0, "tick", "interrupt", "the timer interrupted 101 times");
    check_class(&s, 99, "tick", "interrupt", "of its tick, every 10 ms");
    CHECK_I64(s.result.num_classes, 1);
    end(&s);
}

SUITE_MAIN("classes", TEST(programs_that_ran_are_named),
           TEST(without_records_the_thread_says_that_it_was_switched),
           TEST(without_any_record_nothing_is_claimed),
           TEST(the_number_of_interrupts_decides_about_the_rest),
           TEST(stolen_time_is_that_of_the_longest), TEST(the_tick_is_a_class_of_its_own))
