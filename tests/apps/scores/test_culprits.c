/* tests/apps/scores/test_culprits.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who disturbed a rank: on a node that was watched, made by hand. A backup takes much of CPU 1
 * before rank 1 is disturbed, a burner while it is.
 */
#include "check.h"
#include "folder.h"
#include "mining/calls.h"
#include "scores/culprits.h"
#include "sim/unit.h"
#include "watched_node.h"

enum { BACKUP = 7, BURNER = 8, TAKES = 20 };
static const uint64_t MS = 1000000, BEGIN = 5000000000;
static const watched_time WHEN = {5000000000, 4000000000};

/* Every 100 ms of 4 s: 20 ms of the backup in the first half, 8 ms of the burner in the second. */
static uint64_t taken_at(uint32_t i)
{
    return BEGIN + (uint64_t)i * 100 * MS + 50 * MS;
}

static uint64_t taken(uint32_t i)
{
    return i < TAKES ? 20 * MS : 8 * MS;
}

static void write_node(const char *folder)
{
    char backup[] = "backup", burner[] = "burner";
    const noise_nit_thread threads[] = {
        {.pid = BACKUP, .tid = BACKUP, .name = backup, .rank = -1},
        {.pid = BURNER, .tid = BURNER, .name = burner, .rank = -1},
    };
    noise_nit_activity activities[2 * TAKES];
    for (uint32_t i = 0; i < 2 * TAKES; i++) {
        activities[i] = (noise_nit_activity){.thread = i < TAKES ? 0 : 1,
                                             .cpu = 1,
                                             .from = taken_at(i) - MS,
                                             .to = taken_at(i) + taken(i) + MS,
                                             .cpu_ns = taken(i),
                                             .slices = 1};
    }
    watched_node_write(folder, WHEN, threads, G_N_ELEMENTS(threads), activities,
                       G_N_ELEMENTS(activities));
}

static void write_switches(const char *folder, uint32_t rank)
{
    noise_switch_record records[2 * TAKES];
    for (uint32_t i = 0; i < 2 * TAKES; i++) {
        records[i] = (noise_switch_record){.out = taken_at(i),
                                           .in = taken_at(i) + taken(i),
                                           .cpu = rank,
                                           .cpu_in = rank,
                                           .tid = WATCHED_NODE_RANK0 + rank,
                                           .preempted = 1};
    }
    watched_rank_write(folder, WHEN, rank, records, rank == 1 ? 2 * TAKES : 0);
}

/* Its clocks begin at 7 s: those of the score count from there. */
static sched_trace *record(void)
{
    sched_trace *t = sched_trace_new("by hand", "test", 2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_call(t, rank, SCHED_CALL_INIT, "MPI_Init", 7 * SIM_S, 7 * SIM_S + SIM_MS);
        add_call(t, rank, SCHED_CALL_FINALIZE, "MPI_Finalize", 11 * SIM_S, 11 * SIM_S);
    }
    return t;
}

typedef struct case_row {
    sim_time onset, until;
    const char *name; /* NULL: nobody */
    double share;
    bool has_onset, open;
} case_row;

static void find(const char *folder, const case_row *row, app_culprit *out)
{
    g_autoptr(sched_trace) trace = record();
    noise_interference_judgement judged[2] = {
        {.verdict = NOISE_VERDICT_CLEAN},
        {.verdict = NOISE_VERDICT_DISTURBED},
    };
    judged[1].of[NOISE_INTERFERENCE_DISTURBED] =
        (noise_interference_finding){.found = true,
                                     .has_onset = row->has_onset,
                                     .onset = row->onset,
                                     .until = row->until,
                                     .open = row->open};
    uint32_t order[] = {1, 0};
    app_score score = {.num_ranks = 2,
                       .judged = judged,
                       .culprit = out,
                       .order = order,
                       .num_disturbed = 1,
                       .num_clean = 1};
    app_culprits_find(&score, trace, folder);
}

static void who_took_most_meanwhile_is_named(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-culprits-XXXXXX", NULL);
    write_node(folder);
    write_switches(folder, 0);
    write_switches(folder, 1);
    static const case_row ROWS[] = {
        {2 * SIM_S, 4 * SIM_S, "`burner`", 1, true, false},
        {2 * SIM_S, 3 * SIM_S, "`burner`", 1, true, true},
        {0, 2 * SIM_S, "`backup`", 1, true, false},
        {0, 0, "`backup`", 400.0 / 560, false, false},
        {1900 * SIM_MS, 4 * SIM_S, "`burner`", 160.0 / 180, true, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        app_culprit found[2] = {{0}};
        find(folder, &ROWS[i], found);
        CHECK_STR(found[1].name, ROWS[i].name, "row %zu", i);
        CHECK_NEAR(found[1].share, ROWS[i].share, 0.01, "row %zu", i);
        CHECK(found[0].name == NULL, "row %zu: rank 0 was clean", i);
        g_free(found[1].name);
    }
    folder_remove(folder);
}

static void without_a_watch_nobody_is_named(void)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-culprits-XXXXXX", NULL);
    const case_row row = {2 * SIM_S, 4 * SIM_S, NULL, 0, true, false};
    app_culprit found[2] = {{0}};
    find(folder, &row, found);
    CHECK(found[1].name == NULL);
    folder_remove(folder);
}

SUITE_MAIN("culprits", TEST(who_took_most_meanwhile_is_named),
           TEST(without_a_watch_nobody_is_named))
