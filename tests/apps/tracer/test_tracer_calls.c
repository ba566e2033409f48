/* tests/apps/tracer/test_tracer_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which calls are recorded, under real MPI. Expected calls are those that the programs' sources
 * make; tests/apps/tracer/table.sh compares the wrappers with the symbols of the libraries.
 */
#include "check.h"
#include "mpi_record.h"
#include "sched/convert.h"

static void rare_calls_are_recorded_by_name(void)
{
    static const struct {
        const char *name;
        uint64_t calls; /* of rank 1 of 2 */
        int mpi;        /* 0: every MPI; 4: from that version on */
    } row[] = {{"MPI_Rput", 1, 0},
               {"MPI_Raccumulate", 1, 0},
               {"MPI_Rget", 1, 0},
               {"MPI_Win_flush_local", 1, 0},
               {"MPI_Win_flush_local_all", 1, 0},
               {"MPI_Ineighbor_allgather", 1, 0},
               {"MPI_File_iwrite_at", 1, 0},
               {"MPI_File_write_at_all_begin", 1, 0},
               {"MPI_File_write_at_all_end", 1, 0},
               {"MPI_File_write_ordered", 1, 0},
               {"MPI_File_write_shared", 1, 0},
               {"MPI_File_get_size", 1, 0},
               {"MPI_Alloc_mem", 1, 0},
               {"MPI_Cancel", 1, 0},
               {"MPI_Start", 1, 0},
               {"MPI_Comm_rank", 0, 0}, /* silent by the table */
               {"MPI_Get_version", 0, 0},
               {"MPI_Pack", 0, 0},
               {"MPI_Allreduce_init", 1, 4}, /* Open MPI 4's MPIX_: test_tracer_archive */
               {"MPI_Psend_init", 1, 4},
               {"MPI_Precv_init", 1, 4},
               {"MPI_Pready", 2, 4},
               {"MPI_Isendrecv", 1, 4},
               {"MPI_Irecv_c", 1, 4},
               {"MPI_Isend_c", 1, 4},
               {"MPI_Sendrecv_c", 1, 4},
               {"MPI_Bcast_c", 1, 4},
               {"MPI_Allgatherv_c", 1, 4},
               {"MPI_Session_init", 1, 4},
               {"MPI_Session_finalize", 1, 4},
               {"MPI_Comm_create_from_group", 1, 4},
               {"MPI_Bcast", 2, 4},
               {"MPI_Comm_idup_with_info", 1, 4}};
    static const char *const polls[] = {"MPI_Win_test", "MPI_Request_get_status"};
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "rare"), dir);
        g_autoptr(sched_trace) t = read_trace(dir);
        uint64_t listed = 0;
        const int version = t != NULL && count(t, 1, "MPI_Session_init", &listed) > 0 ? 4 : 3;
        for (size_t i = 0; t != NULL && i < G_N_ELEMENTS(row); i++) {
            if (row[i].mpi == 0 || row[i].mpi == version) {
                CHECK_I64(count(t, 1, row[i].name, &listed), row[i].calls, "%s: %s: %s",
                          MPI[k].name, row[i].name, said);
            }
        }
        for (size_t i = 0; t != NULL && i < G_N_ELEMENTS(polls); i++) {
            CHECK(count(t, 1, polls[i], &listed) > 0, "%s: %s", MPI[k].name, polls[i]);
        }
        remove_folder(dir);
    }
}

/* What is left out of it leaves no message alone, nor does what was cancelled and never waited for.
 */
static void a_program_of_rare_calls_converts(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "rare"), dir);
        g_autoptr(sched_trace) t = read_trace(dir);
        const sched_convert_options options = {.copies = 1};
        sched_convert_report report = {0};
        g_autoptr(GError) error = NULL;
        sim_graph *graph = t != NULL ? sched_convert(t, &options, &report, &error) : NULL;
        CHECK(graph != NULL && report.collectives > 0, "%s: %s; %s", MPI[k].name, said,
              error != NULL ? error->message : "");
        sched_convert_report_clear(&report);
        sim_graph_free(graph);
        remove_folder(dir);
    }
}

/* A call of the program "comms" has the size of its communicator for a tag, or for its bytes. */
static void every_call_is_in_its_own_communicator(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 6, dir, program(&MPI[k], "comms"), NULL);
        g_autoptr(sched_trace) t = read_trace(dir);
        for (uint32_t r = 0; t != NULL && r < 6; r++) {
            uint64_t compared = 0;
            for (uint64_t i = 0; i < t->ranks[r].num_calls; i++) {
                const sched_call *c = &t->ranks[r].calls[i];
                const bool message = c->kind == SCHED_CALL_SENDRECV ||
                                     c->kind == SCHED_CALL_IRECV || c->kind == SCHED_CALL_ISEND;
                if (message || c->kind == SCHED_CALL_COLLECTIVE) {
                    CHECK_I64(t->comms[c->comm].size, message ? c->tag : c->bytes,
                              "%s: rank %u, call %" PRIu64, MPI[k].name, r, i);
                    compared++;
                }
            }
            /* four of each use; the upper half makes five copies, the group has ranks 0, 1, 3 */
            const uint64_t uses = 9 + (r >= 3 ? 5 : 0) + (r == 0 || r == 1 || r == 3 ? 1 : 0);
            CHECK_I64(compared, 4 * uses, "%s: rank %u: %s", MPI[k].name, r, said);
        }
        remove_folder(dir);
    }
}

static void a_program_of_sessions_alone_hears_that_it_is_not_recorded(void)
{
    if (MPI[1].mpirun[0] == '\0') {
        SKIP_TEST("no MPICH");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[1], 2, dir, program(&MPI[1], "sessions"), NULL);
    if (strstr(said, "no sessions") != NULL) {
        SKIP_TEST("no MPI 4");
    }
    CHECK_STR(said, "ripple trace: nothing is recorded: the program uses MPI sessions without "
                    "MPI_Init\n"); /* once */
}

/* Debian's MPICH cannot spawn. */
static void processes_outside_the_world_do_not_stop_the_record(void)
{
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no Open MPI");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[0], 2, dir, program(&MPI[0], "spawns"), NULL);
    CHECK(strstr(said, "MPI_Comm_spawn started this program; its parent is recorded") != NULL, "%s",
          said);
    g_autoptr(sched_trace) t = read_trace(dir);
    uint64_t listed = 0;
    if (t != NULL) {
        CHECK_I64(count(t, 1, "MPI_Comm_spawn", &listed), 1);
        CHECK_I64(count(t, 1, "MPI_Allreduce", &listed), 1);
        CHECK(t->ranks[1].complete, "%s", said);
    }
    remove_folder(dir);
}

SUITE_MAIN("tracer_calls", TEST(rare_calls_are_recorded_by_name),
           TEST(a_program_of_rare_calls_converts), TEST(every_call_is_in_its_own_communicator),
           TEST(a_program_of_sessions_alone_hears_that_it_is_not_recorded),
           TEST(processes_outside_the_world_do_not_stop_the_record))
