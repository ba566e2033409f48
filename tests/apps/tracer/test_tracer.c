/* tests/apps/tracer/test_tracer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracer under real MPI: programs of the folder mpi run by mpirun, their archives read back.
 * Expected calls are those that the programs' sources make.
 */
#include "check.h"
#include "mpi_record.h"
#include "sched/convert.h"

#include <glib/gstdio.h>

/* A message that nobody receives, a request that never completes: an error of the conversion. */
static void check_converts(const sched_trace *t, const char *what)
{
    const sched_convert_options options = {.copies = 1};
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sched_convert(t, &options, &report, &error);
    CHECK(graph != NULL, "%s: %s", what, error != NULL ? error->message : "");
    CHECK(report.p2p > 0 && report.collectives > 0, "%s", what);
    sched_convert_report_clear(&report);
    sim_graph_free(graph);
}

static void every_call_is_recorded_once_by_both_implementations(void)
{
    static const struct {
        const char *name;
        uint64_t calls; /* of rank 1 of 4 */
    } row[] = {
        {"MPI_Init", 1},      {"MPI_Finalize", 1}, {"MPI_Send", 3},     {"MPI_Bsend", 1},
        {"MPI_Ssend", 2},     {"MPI_Rsend", 1},    {"MPI_Irecv", 7},    {"MPI_Isend", 2},
        {"MPI_Issend", 1},    {"MPI_Sendrecv", 2}, {"MPI_Recv", 1},     {"MPI_Mrecv", 1},
        {"MPI_Recv_init", 1}, {"MPI_Waitany", 9},  {"MPI_Startall", 3}, {"MPI_Bcast", 2},
        {"MPI_Alltoallw", 2}, {"MPI_Exscan", 2},   {"MPI_Ibcast", 1},   {"MPI_Comm_split", 2}};
    int ran = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            continue;
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 4, dir, program(&MPI[k], "everything"), NULL);
        CHECK(strstr(said, "ripple trace: 4 ranks, ") != NULL, "%s: %s", MPI[k].name, said);
        g_autoptr(sched_trace) t = read_trace(dir);
        for (size_t i = 0; t != NULL && i < G_N_ELEMENTS(row); i++) {
            uint64_t listed = 0;
            CHECK_I64(count(t, 1, row[i].name, &listed), row[i].calls, "%s: %s", MPI[k].name,
                      row[i].name);
        }
        for (uint32_t r = 0; t != NULL && r < 4; r++) {
            CHECK(t->ranks[r].complete, "%s", MPI[k].name);
        }
        CHECK(t == NULL || t->notices->len == 0, "%s", MPI[k].name);
        /* a second time into the same folder: refused, the first record stays */
        g_autofree char *again = record(&MPI[k], 4, dir, program(&MPI[k], "everything"), NULL);
        CHECK(strstr(again, "already holds a trace") != NULL, "%s: %s", MPI[k].name, again);
        remove_folder(dir);
        ran++;
    }
    if (ran == 0) {
        SKIP_TEST("no MPI here");
    }
}

static void what_was_recorded_converts_with_nothing_unmatched(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 3, dir, program(&MPI[k], "everything"), NULL);
        g_autoptr(sched_trace) t = read_trace(dir);
        if (CHECK(t != NULL, "%s: %s", MPI[k].name, said)) {
            check_converts(t, MPI[k].name);
        }
        remove_folder(dir);
    }
}

static void fortran_calls_are_recorded_once_in_every_interface(void)
{
    static const struct {
        const char *name;
        uint64_t calls;
    } row[] = {{"MPI_Init", 1},      {"MPI_Irecv", 3},    {"MPI_Isend", 3},
               {"MPI_Waitall", 3},   {"MPI_Sendrecv", 1}, {"MPI_Comm_split", 1},
               {"MPI_Allreduce", 1}, {"MPI_Bcast", 1},    {"MPI_Comm_free", 1},
               {"MPI_Pcontrol", 1},  {"MPI_Barrier", 0}, /* while recording is off */
               {"MPI_Finalize", 1}};
    static const char *const interface[] = {"fortran_mpifh", "fortran_mpi", "fortran_mpi_f08"};
    static const bool has_fortran[] = {OPENMPI_FORTRAN, MPICH_FORTRAN};
    bool ran = false;
    for (size_t p = 0; p < G_N_ELEMENTS(interface) * G_N_ELEMENTS(MPI); p++) {
        const mpi *m = &MPI[p % G_N_ELEMENTS(MPI)];
        if (m->mpirun[0] == '\0' || !has_fortran[m - MPI]) {
            continue;
        }
        const char *name = program(m, interface[p / G_N_ELEMENTS(MPI)]);
        g_autofree char *dir = folder();
        g_autofree char *said = record(m, 4, dir, name, NULL);
        g_autoptr(sched_trace) t = read_trace(dir);
        for (uint32_t r = 0; t != NULL && r < 4; r++) {
            uint64_t completed = 0;
            for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
                CHECK_I64(count(t, r, row[i].name, &completed), row[i].calls, "%s: %s", name,
                          row[i].name);
            }
            CHECK_I64(completed, 6, "%s: requests completed by MPI_Waitall", name);
            CHECK_I64(t->ranks[r].num_calls, 17, "%s", name);
        }
        CHECK(said != NULL && strstr(said, "68 calls") != NULL, "%s", said);
        remove_folder(dir);
        ran = true;
    }
    if (!ran) {
        SKIP_TEST("no Fortran with MPI");
    }
}

static void threads_of_one_rank_are_recorded_side_by_side(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "threads"), NULL);
        if (strstr(said, "no MPI_THREAD_MULTIPLE") != NULL) {
            SKIP_TEST("%s: %s", MPI[k].name, said);
        }
        /* 500 Sendrecv of each of two threads, Init_thread, Allreduce, Finalize; on two ranks */
        CHECK(strstr(said, "2 ranks, 2006 calls") != NULL, "%s: %s", MPI[k].name, said);
        CHECK(strstr(said, "1000 of the calls were made by other threads") != NULL, "%s: %s",
              MPI[k].name, said);
        g_autoptr(sched_trace) t = read_trace(dir);
        for (uint32_t r = 0; t != NULL && r < 2; r++) {
            uint64_t listed = 0;
            CHECK_I64(count(t, r, "MPI_Sendrecv", &listed), 1000, "%s", MPI[k].name);
        }
        remove_folder(dir);
    }
}

static void what_is_not_converted_runs_and_is_named(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "others"), dir);
        g_autoptr(sched_trace) t = read_trace(dir);
        /* one call on each of two ranks */
        static const char *const named[] = {"MPI_Put 2", "MPI_Neighbor_allgather 2",
                                            "MPI_File_write_at_all 2"};
        const sched_convert_options options = {.copies = 1};
        sched_convert_report report = {0};
        g_autoptr(sim_graph) graph = t != NULL ? sched_convert(t, &options, &report, NULL) : NULL;
        for (size_t i = 0; graph != NULL && i < G_N_ELEMENTS(named); i++) {
            bool there = false;
            for (guint n = 0; n < report.notices->len; n++) {
                const sched_notice *notice = &g_array_index(report.notices, sched_notice, n);
                there |= strstr(notice->what, named[i]) != NULL;
            }
            CHECK(there, "%s: %s: %s", MPI[k].name, named[i], said);
        }
        CHECK(graph != NULL, "%s: %s", MPI[k].name, said);
        sched_convert_report_clear(&report);
        remove_folder(dir);
    }
}

static void lammps_is_recorded_and_converts(void)
{
    static const char input[] = "units lj\natom_style atomic\nlattice fcc 0.8442\n"
                                "region box block 0 8 0 8 0 8\ncreate_box 1 box\n"
                                "create_atoms 1 box\nmass 1 1.0\nvelocity all create 3.0 87287\n"
                                "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
                                "neighbor 0.3 bin\nneigh_modify every 20 delay 0 check no\n"
                                "fix 1 all nve\nthermo 10\nrun 20\n";
    if (MPI[0].mpirun[0] == '\0' || LAMMPS[0] == '\0') {
        SKIP_TEST("no LAMMPS with Open MPI");
    }
    g_autofree char *dir = folder();
    g_autofree char *file = g_build_filename(dir, "in.lj", NULL);
    CHECK(g_file_set_contents(file, input, -1, NULL));
    /* record() passes one argument, lmp wants more */
    g_autofree char *script = g_build_filename(dir, "lmp.sh", NULL);
    g_autofree char *text = g_strdup_printf("#!/bin/sh\nexec %s -log none -in %s\n", LAMMPS, file);
    CHECK(g_file_set_contents(script, text, -1, NULL) && g_chmod(script, 0755) == 0);
    g_autofree char *said = record(&MPI[0], 8, dir, script, NULL);
    g_autoptr(sched_trace) t = read_trace(dir);
    CHECK(t != NULL, "%s", said);
    if (t != NULL) {
        uint64_t listed = 0;
        CHECK_I64(t->num_ranks, 8);
        CHECK(t->ranks[7].complete);
        CHECK(count(t, 7, "MPI_Send", &listed) > 60, "halo of every step");
        check_converts(t, "LAMMPS");
    }
    remove_folder(dir);
}

SUITE_MAIN("tracer", TEST(every_call_is_recorded_once_by_both_implementations),
           TEST(what_was_recorded_converts_with_nothing_unmatched),
           TEST(fortran_calls_are_recorded_once_in_every_interface),
           TEST(threads_of_one_rank_are_recorded_side_by_side),
           TEST(what_is_not_converted_runs_and_is_named), TEST(lammps_is_recorded_and_converts))
