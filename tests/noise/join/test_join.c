/* tests/noise/join/test_join.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* All numbers by hand; times in us, as ns in the data. */
#include "check.h"
#include "noise/join.h"

#define US UINT64_C(1000)

static char cron[] = "cron", app[] = "app", kworker[] = "kworker/3:1";
enum { CRON, RANK0, RANK1, KWORKER, NUM_THREADS };
static noise_nit_thread threads[NUM_THREADS] = {
    [CRON] = {.pid = 50, .tid = 50, .name = cron},
    [RANK0] = {.pid = 60, .tid = 60, .name = app},
    [RANK1] = {.pid = 61, .tid = 61, .name = app},
    [KWORKER] = {.pid = 9, .tid = 9, .name = kworker, .kind = NOISE_PROGRAM_KERNEL},
};

static noise_nit_activity seen(uint32_t thread, uint32_t cpu, uint64_t from, uint64_t to,
                               uint64_t ran)
{
    return (noise_nit_activity){.thread = thread,
                                .cpu = cpu,
                                .from = from * US,
                                .to = to * US,
                                .cpu_ns = ran * US,
                                .slices = 1};
}

static noise_switch_record away(uint64_t out, uint64_t in, uint32_t cpu, uint32_t preempted)
{
    return (noise_switch_record){.out = out * US,
                                 .in = in * US,
                                 .cpu = cpu,
                                 .cpu_in = cpu,
                                 .tid = 60,
                                 .preempted = preempted};
}

static noise_join *join(noise_nit_activity *activities, size_t num_activities,
                        const noise_join_thread *ranks, size_t n, const noise_join_cpu *cpus,
                        size_t num_cpus)
{
    noise_nit nit = {.num_nodes = 1,
                     .num_threads = NUM_THREADS,
                     .threads = threads,
                     .num_activities = num_activities,
                     .activities = activities};
    const noise_join_input input = {
        .nit = &nit, .num_threads = n, .thread = ranks, .num_cpus = num_cpus, .cpu = cpus};
    return noise_join_new(&input);
}

static noise_join_thread rank0(const noise_switch_record *off, size_t n)
{
    return (noise_join_thread){.rank = 0,
                               .pid = 60,
                               .tid = 60,
                               .is_main = true,
                               .is_bound = true,
                               .end = 100000 * US,
                               .n = n,
                               .off = off};
}

static const noise_join_row *find(const noise_join *j, const char *name)
{
    for (size_t i = 0; i < j->num_rows; i++) {
        if (strcmp(j->row[i].name, name) == 0) {
            return &j->row[i];
        }
    }
    return NULL;
}

static void a_gap_is_named_by_who_was_seen_on_that_cpu(void)
{
    const noise_switch_record off[] = {away(1000, 5000, 3, 1), away(7000, 7100, 3, 1)};
    noise_nit_activity seen_all[] = {
        seen(CRON, 3, 900, 5900, 3998), seen(KWORKER, 2, 6900, 7900, 100), /* elsewhere */
    };
    const noise_join_thread me = rank0(off, 2);
    g_autoptr(noise_join) j = join(seen_all, 2, &me, 1, NULL, 0);
    CHECK_I64(j->num_rows, 1);
    const noise_join_row *by = find(j, "cron");
    if (CHECK(by != NULL)) {
        CHECK_I64(by->lost_ns, 4000 * US);
        CHECK_I64(by->sure_ns, 3998 * US);
        CHECK_I64(by->count, 1);
        CHECK_I64(by->cpu, 3);
        CHECK_I64(by->median_ns, 4000 * US);
        CHECK_I64(by->by_rank, -1);
        CHECK_NEAR(by->share, 0.04, 1e-12);
    }
    CHECK_I64(j->total[0].lost_ns, 4100 * US);
    CHECK_I64(j->total[0].lost_explained_ns, 4000 * US);
    CHECK_I64(j->total[0].count, 2);
}

/* It ran while the rank slept as well: then it may have taken nothing. */
static void what_may_have_run_while_the_rank_slept_is_not_sure(void)
{
    const noise_switch_record off[] = {away(1000, 1500, 3, 1), away(2000, 2400, 3, 0)};
    noise_nit_activity seen_all[] = {seen(CRON, 3, 900, 2900, 450)};
    const noise_join_thread me = rank0(off, 2);
    g_autoptr(noise_join) j = join(seen_all, 1, &me, 1, NULL, 0);
    const noise_join_row *by = find(j, "cron");
    if (CHECK(by != NULL)) {
        CHECK_I64(by->lost_ns, 455 * US); /* with 5 us of switches */
        CHECK_I64(by->sure_ns, 50 * US);
    }
    CHECK_I64(j->total[0].slept_ns, 400 * US);
    CHECK_I64(j->total[0].lost_ns, 500 * US);
}

/* Two that were seen at overlapping times: the earlier deadline first, or the second gap is empty.
 */
static void each_gap_goes_to_whose_time_is_running_out(void)
{
    const noise_switch_record off[] = {away(1000, 1300, 3, 1), away(4000, 4300, 3, 1)};
    noise_nit_activity seen_all[] = {seen(KWORKER, 3, 500, 2000, 300),
                                     seen(CRON, 3, 400, 5000, 300)};
    const noise_join_thread me = rank0(off, 2);
    g_autoptr(noise_join) j = join(seen_all, 2, &me, 1, NULL, 0);
    const noise_join_row *worker = find(j, "kworker");
    const noise_join_row *by = find(j, "cron");
    CHECK(worker != NULL && worker->lost_ns == 300 * US);
    CHECK(by != NULL && by->lost_ns == 300 * US);
    CHECK_I64(j->total[0].lost_explained_ns, 600 * US);
}

static void other_ranks_are_named_as_what_they_are(void)
{
    const noise_switch_record off0[] = {away(1000, 5000, 3, 1)};
    noise_switch_record off1[] = {away(0, 1001, 3, 1), away(4001, 9000, 3, 1)};
    noise_nit_activity seen_all[] = {seen(RANK1, 3, 900, 5900, 4000),
                                     seen(CRON, 3, 900, 5900, 900)};
    noise_join_thread both[2] = {rank0(off0, 1), rank0(off1, 2)};
    both[1].rank = 1;
    both[1].pid = both[1].tid = 61;
    g_autoptr(noise_join) j = join(seen_all, 2, both, 2, NULL, 0);
    const noise_join_row *by = NULL;
    for (size_t i = 0; i < j->num_rows; i++) {
        by = j->row[i].rank == 0 && j->row[i].by_rank == 1 ? &j->row[i] : by;
    }
    if (CHECK(by != NULL)) {
        CHECK_STR(by->name, "app");
        CHECK_I64(by->kind, NOISE_PROGRAM_APPLICATION);
        CHECK_I64(by->lost_ns, 3000 * US); /* from 1001 to 4001, by its own record */
        CHECK_I64(by->sure_ns, 3000 * US);
    }
}

static void records_of_a_cpu_are_believed_before_what_was_seen(void)
{
    const noise_switch_record off[] = {away(1000, 2000, 3, 1)};
    const noise_switch slices[] = {
        {.out = 500 * US, .in = 1000 * US, .cpu = 3, .next_tid = 60},
        {.out = 1000 * US, .in = 1400 * US, .cpu = 3, .next_tid = 9},
        {.out = 1400 * US, .in = 1990 * US, .cpu = 3, .next_tid = 4711}, /* lived shortly */
        {.out = 1990 * US, .in = 3000 * US, .cpu = 3, .next_tid = 60},
    };
    noise_nit_activity seen_all[] = {seen(CRON, 3, 900, 5900, 1000)};
    const noise_join_thread me = rank0(off, 1);
    const noise_join_cpu cpu = {.cpu = 3, .n = 4, .slice = slices};
    g_autoptr(noise_join) j = join(seen_all, 1, &me, 1, &cpu, 1);
    const noise_join_row *worker = find(j, "kworker");
    const noise_join_row *stranger = find(j, NOISE_JOIN_UNNAMED);
    CHECK(worker != NULL && worker->lost_ns == 400 * US && worker->sure_ns == 400 * US);
    CHECK(stranger != NULL && stranger->lost_ns == 590 * US);
    CHECK_I64(j->total[0].lost_explained_ns, 410 * US); /* the stranger has no name */
}

/* Two clocks' readings of one switch: what lies between them is no wake-up of its own. */
static void the_switch_itself_is_of_whom_it_is_to_or_from(void)
{
    enum { N = 20 };
    noise_switch_record off[2 * N];
    noise_switch sorted[4 * N + 1] = {{.in = (100000 * US) + 2 * US, .cpu = 3, .next_tid = 60}};
    noise_switch *slices = sorted + 1;
    for (uint64_t i = 0; i < N; i++) { /* 4 ms every 100 ms, in two pieces */
        const uint64_t at = (i + 1) * 100000;
        off[2 * i] = away(at, at + 1370, 3, 1);
        off[2 * i + 1] = away(at + 4000, at + 6630, 3, 1);
        for (uint64_t k = 0; k < 2; k++) {
            noise_switch *to = &slices[4 * i + 2 * k];
            to[0] = (noise_switch){.out = off[2 * i + k].out + 2 * US,
                                   .in = off[2 * i + k].in - 3 * US,
                                   .cpu = 3,
                                   .next_tid = 50,
                                   .preempted = true};
            to[1] = (noise_switch){.out = to[0].in, .cpu = 3, .next_tid = 60, .preempted = k == 0};
            to[1].in = (k == 0 ? (at + 4000) * US : (at + 100000) * US) + 2 * US;
        }
    }
    noise_nit_activity seen_all[N];
    for (uint64_t i = 0; i < N; i++) { /* as a watch counts: both pieces and the switches */
        seen_all[i] = seen(CRON, 3, (i + 1) * 100000 - 20000, (i + 1) * 100000 + 40000, 4010);
    }
    noise_join_thread me = rank0(off, G_N_ELEMENTS(off));
    me.end = (uint64_t)(N + 2) * 100000 * US;
    const noise_join_cpu cpu = {.cpu = 3, .n = G_N_ELEMENTS(sorted), .slice = sorted};
    g_autoptr(noise_join) j = join(seen_all, N, &me, 1, &cpu, 1);
    const noise_join_row *by = find(j, "cron");
    if (CHECK(by != NULL)) {
        CHECK_I64(by->count, N);
        CHECK_I64(by->pieces, 2 * N);
        CHECK_I64(by->lost_ns, (uint64_t)N * 4000 * US);
        CHECK_NEAR(by->period_ns, 1e8, 1e5);
    }
}

/* Only how long the rank waited is known: a name is a guess, and it says nothing of others. */
static void what_is_known_between_two_looks_is_never_sure(void)
{
    const noise_switch_record off0[] = {away(1000, 5000, 3, 1)};
    noise_switch_record off1[] = {away(0, 1001, 3, 1), away(4001, 9000, 3, 1)};
    noise_nit_activity seen_all[] = {seen(RANK1, 3, 900, 5900, 3000), seen(CRON, 3, 900, 6900, 900),
                                     seen(RANK0, 3, 900, 6900, 9000)};
    noise_join_thread both[2] = {rank0(off0, 1), rank0(off1, 2)};
    both[1].rank = 1;
    both[1].pid = both[1].tid = 61;
    both[0].is_coarse = both[1].is_coarse = true;
    g_autoptr(noise_join) j = join(seen_all, 3, both, 2, NULL, 0);
    uint64_t taken = 0;
    for (size_t i = 0; i < j->num_rows; i++) {
        const noise_join_row *row = &j->row[i];
        CHECK_I64(row->sure_ns, 0, "%s", row->name);
        CHECK(row->rank != (uint32_t)row->by_rank, "a rank took nothing from itself");
        taken += row->rank == 0 ? row->lost_ns : 0;
    }
    CHECK_I64(taken, 3910 * US); /* 3 ms of the other rank, 0.9 ms of cron, and their switches */
    CHECK_I64(j->total[0].lost_ns, 4000 * US);
    CHECK(j->total[0].is_coarse);
}

static void time_within_calls_is_kept_apart(void)
{
    static const uint64_t ENTER[] = {900 * US, 6000 * US}, LEAVE[] = {1200 * US, 7000 * US};
    const noise_switch_record off[] = {away(1000, 1500, 3, 1), away(3000, 3200, 3, 1)};
    noise_nit_activity seen_all[] = {seen(CRON, 3, 0, 5900, 700)};
    noise_join_thread me = rank0(off, 2);
    me.num_calls = 2;
    me.enter = ENTER;
    me.leave = LEAVE;
    g_autoptr(noise_join) j = join(seen_all, 1, &me, 1, NULL, 0);
    CHECK_I64(j->total[0].waited_ns, 500 * US);
    CHECK_I64(j->total[0].lost_ns, 200 * US);
    const noise_join_row *by = find(j, "cron");
    CHECK(by != NULL && by->waited_ns == 500 * US && by->lost_ns == 200 * US);
}

static void a_rhythm_is_found(void)
{
    noise_switch_record off[20];
    noise_nit_activity seen_all[20];
    for (uint64_t i = 0; i < 20; i++) {
        off[i] = away(1000 + 5000 * i, 1400 + 5000 * i, 3, 1);
        seen_all[i] = seen(CRON, 3, 900 + 5000 * i, 1900 + 5000 * i, 400);
    }
    const noise_join_thread me = rank0(off, 20);
    g_autoptr(noise_join) j = join(seen_all, 20, &me, 1, NULL, 0);
    const noise_join_row *by = find(j, "cron");
    if (CHECK(by != NULL)) {
        CHECK_I64(by->count, 20);
        CHECK_NEAR(by->period_ns, 5000 * US, 5 * US);
        CHECK(by->false_alarm < 1e-4);
    }
}

/* What the job did to itself, and the watcher, is no noise. */
static void detours_are_of_others_alone(void)
{
    const noise_switch_record off[] = {away(1000, 1400, 3, 1), away(3000, 3200, 3, 1),
                                       away(5000, 5300, 3, 1)};
    noise_switch_record off1[] = {away(0, 3000, 3, 1), away(3200, 9000, 3, 1)};
    noise_nit_activity seen_all[] = {seen(CRON, 3, 900, 1900, 400)};
    noise_join_thread both[2] = {rank0(off, 3), rank0(off1, 2)};
    both[1].rank = 1;
    both[1].pid = both[1].tid = 61;
    noise_nit nit = {.num_nodes = 1,
                     .num_threads = NUM_THREADS,
                     .threads = threads,
                     .num_activities = 1,
                     .activities = seen_all};
    const noise_join_input input = {.nit = &nit, .num_threads = 2, .thread = both};
    g_autoptr(noise_join) j = noise_join_new(&input);
    g_autoptr(noise_detour_file) file = noise_join_detours(j, &input);
    CHECK_I64(file->num_runs, 2);
    CHECK_I64(file->num_sources, 2);
    CHECK_STR(file->sources[0].name, "not explained");
    CHECK_STR(file->sources[1].name, "cron");
    const noise_detour_run *run = &file->runs[0];
    if (CHECK_I64(run->n, 2)) { /* at 3000 it was rank 1 */
        CHECK_I64(run->start[0], 1000000000);
        CHECK_I64(run->length[0], 400000000);
        CHECK_I64(run->source[0], 1);
        CHECK_I64(run->start[1], 5000000000);
        CHECK_I64(run->source[1], 0);
    }
    g_autofree char *text = noise_detour_file_to_text(file, true);
    g_autoptr(GError) error = NULL;
    g_autoptr(noise_detour_file) again =
        noise_detour_file_parse("again", text, strlen(text), &error);
    CHECK(again != NULL && again->num_sources == 2 && again->num_runs == 2, "%s",
          error != NULL ? error->message : text);
}

SUITE_MAIN("join", TEST(a_gap_is_named_by_who_was_seen_on_that_cpu),
           TEST(what_may_have_run_while_the_rank_slept_is_not_sure),
           TEST(each_gap_goes_to_whose_time_is_running_out),
           TEST(other_ranks_are_named_as_what_they_are),
           TEST(records_of_a_cpu_are_believed_before_what_was_seen),
           TEST(the_switch_itself_is_of_whom_it_is_to_or_from),
           TEST(what_is_known_between_two_looks_is_never_sure),
           TEST(time_within_calls_is_kept_apart), TEST(a_rhythm_is_found),
           TEST(detours_are_of_others_alone))
