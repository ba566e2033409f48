/* tests/apps/system/test_ranks.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "system/ranks.h"

#include <unistd.h>

static void launchers_are_recognised_by_what_they_set(void)
{
    static const struct {
        const char *rank, *rank_value, *size, *size_value;
        app_rank want;
    } row[] = {
        {"OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "4", {3, 4}},
        {"PMI_RANK", "0", "PMI_SIZE", "2", {0, 2}},
        {"SLURM_PROCID", "5", "SLURM_STEP_NUM_TASKS", "6", {5, 6}},
        {"SLURM_PROCID", "0", "SLURM_NTASKS", "6", {0, 1}}, /* a batch script, not srun */
        {"PMI_RANK", "2", "PMI_SIZE", "2", {0, 1}},         /* nonsense */
        {"PMI_RANK", "x", "PMI_SIZE", "2", {0, 1}},
    };
    static const char *const all[] = {
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",    "PMI_SIZE",
        "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
            g_unsetenv(all[k]);
        }
        g_setenv(row[i].rank, row[i].rank_value, TRUE);
        g_setenv(row[i].size, row[i].size_value, TRUE);
        const app_rank got = app_rank_of_environment();
        CHECK_I64(got.rank, row[i].want.rank, "row %zu", i);
        CHECK_I64(got.size, row[i].want.size, "row %zu", i);
    }
}

static void cpus_that_several_may_use_are_dealt_out(void)
{
    static const struct {
        const char *masks[4], *nodes[4], *want[4];
        unsigned n;
    } row[] = {
        /* bound apart: nothing to deal */
        {{"0-1", "2-3"}, {"a", "a"}, {"0,1", "2,3"}, 2},
        /* not bound: each the half */
        {{"0-3", "0-3"}, {"a", "a"}, {"0,2", "1,3"}, 2},
        /* two nodes: the same numbers are other CPUs */
        {{"0-1", "0-1", "0-1"}, {"a", "b", "b"}, {"0,1", "0", "1"}, 3},
        /* more processes than CPUs */
        {{"5", "5", "5"}, {"a", "a", "a"}, {"5", "", ""}, 3},
        /* half of it overlaps */
        {{"0-2", "2-4,8"}, {"a", "a"}, {"0,1", "2,3,4,8"}, 2},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_auto(GStrv) masks = g_new0(char *, row[i].n + 1);
        g_auto(GStrv) nodes = g_new0(char *, row[i].n + 1);
        for (unsigned r = 0; r < row[i].n; r++) {
            masks[r] = g_strdup(row[i].masks[r]);
            nodes[r] = g_strdup(row[i].nodes[r]);
        }
        g_auto(GStrv) got = app_rank_deal_cpus(masks, nodes, row[i].n);
        for (unsigned r = 0; r < row[i].n; r++) {
            CHECK_STR(got[r], row[i].want[r], "row %zu, rank %u", i, r);
        }
    }
}

typedef struct process {
    app_rank rank;
    const char *beside;
    app_agreement agreement;
    bool met;
} process;

static gpointer meet(gpointer data)
{
    process *p = data;
    g_usleep((gulong)p->rank.rank * 30000);
    app_rendezvous *v =
        app_rendezvous_new(p->rank, p->beside, "0-3", 2000000000, &p->agreement, NULL);
    p->met = v != NULL;
    app_rendezvous_finish(v);
    return NULL;
}

static void all_start_at_once_and_leave_no_file_behind(void)
{
    enum { N = 3 };
    g_autofree char *folder = g_dir_make_tmp("ripple-ranks-XXXXXX", NULL);
    g_autofree char *beside = g_build_filename(folder, "out", NULL);
    process p[N];
    GThread *threads[N];
    for (unsigned r = 0; r < N; r++) {
        p[r] = (process){.rank = {r, N}, .beside = beside};
        threads[r] = g_thread_new("rank", meet, &p[r]);
    }
    unsigned dealt = 0;
    for (unsigned r = 0; r < N; r++) {
        g_thread_join(threads[r]);
        CHECK(p[r].met && p[r].agreement.shared, "rank %u", r);
        CHECK(p[r].agreement.start > 0);
        CHECK_I64(p[r].agreement.start, p[0].agreement.start);
        g_auto(GStrv) cpus = g_strsplit(p[r].agreement.cpus, ",", -1);
        dealt += g_strv_length(cpus);
        g_free(p[r].agreement.cpus);
    }
    CHECK_I64(dealt, 4);
    CHECK(rmdir(folder) == 0, "something is left in %s", folder);
}

SUITE_MAIN("ranks", TEST(launchers_are_recognised_by_what_they_set),
           TEST(cpus_that_several_may_use_are_dealt_out),
           TEST(all_start_at_once_and_leave_no_file_behind))
