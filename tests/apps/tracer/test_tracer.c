/* tests/apps/tracer/test_tracer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracer under real MPI: programs of tests/apps/mpi run by mpirun, their archives read back.
 * Expected calls are those that the programs' sources make.
 */
#include "check.h"
#include "sched/convert.h"
#include "sched/error.h"
#include "sched/otf2.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct mpi {
    const char *name;
    const char *mpirun; /* "": not here */
    const char *tracer;
    const char *everything;
    const char *dies;
    const char *threads;
    const char *others;
    const char *fills;
    const char *stays;
} mpi;
static const mpi MPI[] = {
    {"Open MPI", OPENMPI_RUN, OPENMPI_TRACER, OPENMPI_EVERYTHING, OPENMPI_DIES, OPENMPI_THREADS,
     OPENMPI_OTHERS, OPENMPI_FILLS, OPENMPI_STAYS},
    {"MPICH", MPICH_RUN, MPICH_TRACER, MPICH_EVERYTHING, MPICH_DIES, MPICH_THREADS, MPICH_OTHERS,
     MPICH_FILLS, MPICH_STAYS},
};

static char *folder(void)
{
    return g_dir_make_tmp("ripple-trace-XXXXXX", NULL);
}

static void remove_folder(const char *dir)
{
    g_autofree char *command = g_strdup_printf("rm -rf '%s'", dir);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c,bugprone-command-processor): our own folder
}

/* The start of a command line: the launcher and what it needs. @p env  gets what it needs, too */
static void add_launcher(const mpi *m, int n, GPtrArray *argv, char ***env)
{
    g_ptr_array_add(argv, g_strdup(m->mpirun));
    g_ptr_array_add(argv, g_strdup("-n"));
    g_ptr_array_add(argv, g_strdup_printf("%d", n));
    if (m == &MPI[0]) { /* more ranks than cores, and perhaps as root, as in a container */
        g_ptr_array_add(argv, g_strdup("--oversubscribe"));
        *env = g_environ_setenv(*env, "OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
        *env = g_environ_setenv(*env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
        /* s: when a rank dies, so much is left to the others to write what they have; of the one
         * second it usually is, a busy machine may give them nothing */
        *env = g_environ_setenv(*env, "OMPI_MCA_odls_base_sigkill_timeout", "2", TRUE);
    }
}

/* Record `mpirun -n N program argument` into dir/trace. @return what it said, owned */
static char *record(const mpi *m, int n, const char *dir, const char *program, const char *argument)
{
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    char **env = g_get_environ();
    add_launcher(m, n, argv, &env);
    /* the tracer in the program alone, not in mpirun */
    g_ptr_array_add(argv, g_strdup("env"));
    g_ptr_array_add(argv, g_strconcat("LD_PRELOAD=", m->tracer, NULL));
    g_ptr_array_add(argv, g_strconcat("RIPPLE_TRACE_DIR=", trace, NULL));
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup(argument)); /* may be the end */
    g_ptr_array_add(argv, NULL);
    char *said = NULL;
    g_autofree char *out = NULL;
    g_autoptr(GError) error = NULL;
    int status;
    CHECK(g_spawn_sync(dir, (char **)argv->pdata, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &said,
                       &status, &error),
          "%s", error != NULL ? error->message : "");
    g_strfreev(env);
    return said;
}

static sched_trace *read_trace(const char *dir)
{
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GError) error = NULL;
    sched_trace *t = sched_otf2_read(trace, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    return t;
}

/* Calls of a name on a rank; and what their lists come to. */
static uint64_t count(const sched_trace *t, uint32_t rank, const char *name, uint64_t *listed)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->ranks[rank].num_calls; i++) {
        const sched_call *c = &t->ranks[rank].calls[i];
        if (strcmp(g_ptr_array_index(t->names, c->name), name) == 0) {
            n++;
            *listed += c->num_list;
        }
    }
    return n;
}

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
        g_autofree char *said = record(&MPI[k], 4, dir, MPI[k].everything, NULL);
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
        g_autofree char *again = record(&MPI[k], 4, dir, MPI[k].everything, NULL);
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
        g_autofree char *said = record(&MPI[k], 3, dir, MPI[k].everything, NULL);
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
               {"MPI_Finalize", 1}};
    static const char *const program[] = {FORTRAN_PROGRAMS};
    if (MPI[0].mpirun[0] == '\0' || program[0] == NULL) {
        SKIP_TEST("no Fortran with Open MPI");
    }
    for (size_t p = 0; program[p] != NULL; p++) {
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[0], 4, dir, program[p], NULL);
        g_autoptr(sched_trace) t = read_trace(dir);
        for (uint32_t r = 0; t != NULL && r < 4; r++) {
            uint64_t completed = 0;
            for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
                CHECK_I64(count(t, r, row[i].name, &completed), row[i].calls, "%s: %s", program[p],
                          row[i].name);
            }
            CHECK_I64(completed, 6, "%s: requests completed by MPI_Waitall", program[p]);
            CHECK_I64(t->ranks[r].num_calls, 16, "%s", program[p]);
        }
        CHECK(said != NULL && strstr(said, "64 calls") != NULL, "%s", said);
        remove_folder(dir);
    }
}

static void a_program_that_dies_leaves_its_calls(void)
{
    static const struct {
        const char *how;
        uint64_t calls; /* of rank 1: Init, Comm_dup, 100 Bcast, Barrier; MPI_Abort is one more */
    } row[] = {{"exit", 103}, {"abort", 104}, {"crash", 103}};
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no Open MPI");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[0], 3, dir, MPI[0].dies, row[i].how);
        CHECK(strstr(said, "rank 1: ") != NULL && strstr(said, "before MPI_Finalize") != NULL, "%s",
              said);
        g_autoptr(sched_trace) t = read_trace(dir);
        if (t != NULL) {
            uint64_t listed = 0;
            CHECK_I64(t->ranks[1].num_calls, row[i].calls, "%s", row[i].how);
            CHECK_I64(count(t, 1, "MPI_Bcast", &listed), 100);
            CHECK(!t->ranks[1].complete);
            CHECK(t->notices->len > 0, "says that the end is missing");
            /* the copy of MPI_COMM_WORLD is known from local definitions alone */
            CHECK_I64(t->comms[t->ranks[1].calls[5].comm].size, 3);
        }
        remove_folder(dir);
    }
}

static void a_killed_program_is_diagnosed(void)
{
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no Open MPI");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[0], 3, dir, MPI[0].dies, "kill");
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(trace, &error);
    CHECK(t == NULL, "%s", said);
    CHECK_ERROR(error, "has no record");
    CHECK_ERROR(error, "killed before it was written, or the disk was full");
    CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE));
    remove_folder(dir);
}

static void a_full_disk_is_one_line_and_diagnosed(void)
{
    if (MPI[0].mpirun[0] == '\0' || !g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        SKIP_TEST("no Open MPI, or no /dev/full");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[0], 3, dir, MPI[0].dies, "full");
    CHECK(strstr(said, "No space left on device") != NULL, "%s", said);
    /* Init, Comm_dup, 100 Bcast, Barrier, Finalize */
    CHECK(strstr(said, "of 1 of 3 ranks") != NULL &&
              strstr(said, "rank 1 had made 104 calls") != NULL,
          "%s", said);
    CHECK(strstr(said, "312 calls (not all written)") != NULL, "%s", said);
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(trace, &error);
    CHECK(t == NULL, "%s", said);
    CHECK_ERROR(error, "rank 1 of 3 has no record");
    CHECK_ERROR(error, "the disk was full");
    remove_folder(dir);
}

/* Rank 1's record does not fit: the program is unharmed, and readers say what is lost. */
static void check_cut(const mpi *m, const char *dir, const char *how)
{
    g_autofree char *said = record(m, 2, dir, m->fills, how);
    CHECK(strstr(said, "sum right") != NULL, "%s, %s: %s", m->name, how, said);
    CHECK(strstr(said, "what was not written yet is lost") != NULL, "%s, %s: %s", m->name, how,
          said);
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) t = sched_otf2_read(trace, &error);
    if (t == NULL) { /* the disk is full for rank 0's few calls, too, if it comes late */
        CHECK(how[0] == 'd', "%s, %s: %s", m->name, how, error->message);
        CHECK_ERROR(error, "of 2 has no record");
        CHECK_ERROR(error, "the disk was full");
        return;
    }
    CHECK(!t->ranks[1].complete && t->ranks[1].num_calls > 1000, "%s, %s: %s", m->name, how, said);
    bool named = false;
    for (guint i = 0; i < t->notices->len; i++) {
        const char *what = g_array_index(t->notices, sched_notice, i).what;
        named |= strstr(what, "rank 1 was killed or its disk full") != NULL;
    }
    CHECK(named, "%s, %s: %s", m->name, how, said);
    const sched_convert_options options = {.copies = 1};
    sched_convert_report report = {0};
    sim_graph *graph = sched_convert(t, &options, &report, &error);
    CHECK(graph == NULL, "%s, %s", m->name, how);
    CHECK(g_error_matches(error, SCHED_ERROR, SCHED_ERROR_INCOMPLETE));
    g_autofree char *lost = g_strdup_printf(
        "\n  rank 1's record ends after %" G_GUINT64_FORMAT " calls\n", t->ranks[1].num_calls);
    CHECK_ERROR(error, lost);
    sched_convert_report_clear(&report);
}

/* OTF2 holds some 87000 of these calls before it writes: with fewer it is closing the file that
 * fails, with more a write in the middle of the run. */
static void a_file_that_may_not_grow_stops_the_record_not_the_program(void)
{
    static const char *const how[] = {"limit:60000", "limit:200000", "ignore:60000",
                                      "ignore:200000"};
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(how); i++) {
            g_autofree char *dir = folder();
            check_cut(&MPI[k], dir, how[i]);
            remove_folder(dir);
        }
    }
}

/* Run a command on a folder. @return it went well */
static bool on_folder(const char *command, const char *dir)
{
    g_autofree char *line = g_strdup_printf("%s '%s' 2>/dev/null", command, dir);
    return system(line) == 0; // NOLINT(cert-env33-c,bugprone-command-processor): our own folder
}

static void a_disk_that_fills_up_stops_the_record_not_the_program(void)
{
    static const char *const how[] = {"disk:60000", "disk:200000"};
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(how); i++) {
            g_autofree char *dir = folder();
            if (!on_folder("mount -t tmpfs -o size=2m tmpfs", dir)) {
                remove_folder(dir);
                SKIP_TEST("may not mount a small disk");
            }
            check_cut(&MPI[k], dir, how[i]);
            CHECK(on_folder("umount", dir));
            remove_folder(dir);
        }
    }
}

typedef struct stop {
    const char *verb;
    const char *argument; /* of the program */
    int number;           /* of the signal */
} stop;

/* Begin to record, send the signal to `ripple` alone, and wait until nobody holds its stderr. */
static void check_stop(const mpi *m, const stop *how)
{
    g_autofree char *dir = folder();
    g_autofree char *out = g_build_filename(dir, "out", NULL);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) env = g_get_environ();
    const char *const words[] = {RIPPLE, how->verb, "-o", out, "--"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        g_ptr_array_add(argv, g_strdup(words[i]));
    }
    add_launcher(m, 2, argv, &env);
    g_ptr_array_add(argv, g_strdup(m->stays));
    g_ptr_array_add(argv, g_strdup(how->argument)); /* may be the end */
    g_ptr_array_add(argv, NULL);
    GPid pid = 0;
    int said = -1;
    int status = 0;
    if (!CHECK(g_spawn_async_with_pipes(dir, (char **)argv->pdata, env,
                                        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                        NULL, NULL, &pid, NULL, NULL, &said, NULL))) {
        return;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    char some[512];
    bool sent = false;
    for (ssize_t n; (n = read(said, some, sizeof some)) > 0;) {
        g_string_append_len(text, some, n);
        if (!sent && strstr(text->str, "ready") != NULL) {
            sent = kill(pid, how->number) == 0;
        }
    }
    (void)close(said);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(sent && WIFSIGNALED(status) && WTERMSIG(status) == how->number, "%s %s: %d: %s", m->name,
          how->verb, status, text->str);
    CHECK(strstr(text->str, "stopped by signal") != NULL, "%s %s: %s", m->name, how->verb,
          text->str);
    remove_folder(dir);
}

static void a_signal_to_ripple_ends_the_ranks(void)
{
    static const stop how[] = {
        {"trace", NULL, SIGTERM}, {"run", NULL, SIGINT}, {"trace", "deaf", SIGTERM}};
    (void)signal(SIGINT, SIG_DFL); /* a script's '&' has it ignored */
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        for (size_t i = 0; i < G_N_ELEMENTS(how); i++) {
            check_stop(&MPI[k], &how[i]);
        }
    }
}

static void threads_of_one_rank_are_recorded_side_by_side(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, MPI[k].threads, NULL);
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
        g_autofree char *said = record(&MPI[k], 2, dir, MPI[k].others, dir);
        g_autoptr(sched_trace) t = read_trace(dir);
        static const char *const named[] = {"MPI_Put", "MPI_Neighbor_allgather",
                                            "MPI_File_write_at_all"};
        for (size_t i = 0; t != NULL && i < G_N_ELEMENTS(named); i++) {
            bool there = false;
            for (guint n = 0; n < t->notices->len; n++) {
                const sched_notice *notice = &g_array_index(t->notices, sched_notice, n);
                /* one call on each of two ranks */
                there |= strstr(notice->what, named[i]) != NULL && notice->count == 2;
            }
            CHECK(there, "%s: %s: %s", MPI[k].name, named[i], said);
        }
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
           TEST(a_program_that_dies_leaves_its_calls), TEST(a_killed_program_is_diagnosed),
           TEST(a_full_disk_is_one_line_and_diagnosed),
           TEST(a_file_that_may_not_grow_stops_the_record_not_the_program),
           TEST(a_disk_that_fills_up_stops_the_record_not_the_program),
           TEST(a_signal_to_ripple_ends_the_ranks),
           TEST(threads_of_one_rank_are_recorded_side_by_side),
           TEST(what_is_not_converted_runs_and_is_named), TEST(lammps_is_recorded_and_converts))
