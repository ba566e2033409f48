/* tests/apps/tracer/test_tracer_ends.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* How a record ends that is not ended by MPI_Finalize: crashes, full disks, signals. */
#include "check.h"
#include "mpi_record.h"
#include "sched/convert.h"
#include "sched/error.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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
        g_autofree char *said = record(&MPI[0], 3, dir, program(&MPI[0], "dies"), row[i].how);
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
    g_autofree char *said = record(&MPI[0], 3, dir, program(&MPI[0], "dies"), "kill");
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
    g_autofree char *said = record(&MPI[0], 3, dir, program(&MPI[0], "dies"), "full");
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
    g_autofree char *said = record(m, 2, dir, program(m, "fills"), how);
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

/* One line, and nothing that would be taken for an archive the next time. */
static void a_disk_that_is_full_before_is_named(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        g_autofree char *dir = folder();
        if (!on_folder("mount -t tmpfs -o size=64k tmpfs", dir)) {
            remove_folder(dir);
            SKIP_TEST("may not mount a small disk");
        }
        CHECK(on_folder("sh -c 'cat /dev/zero >\"$0/full\"; true'", dir));
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "fills"), "disk:10");
        CHECK(strstr(said, "nothing is recorded: cannot write to") != NULL, "%s", said);
        CHECK(strstr(said, "No space left on device") != NULL, "%s", said);
        g_autofree char *archive = g_build_filename(dir, "trace", "traces", NULL);
        CHECK(!g_file_test(archive, G_FILE_TEST_EXISTS), "%s", MPI[k].name);
        CHECK(on_folder("umount", dir));
        remove_folder(dir);
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
    g_ptr_array_add(argv, g_strdup(program(m, "stays")));
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

SUITE_MAIN("tracer_ends", TEST(a_program_that_dies_leaves_its_calls),
           TEST(a_killed_program_is_diagnosed), TEST(a_full_disk_is_one_line_and_diagnosed),
           TEST(a_file_that_may_not_grow_stops_the_record_not_the_program),
           TEST(a_disk_that_fills_up_stops_the_record_not_the_program),
           TEST(a_disk_that_is_full_before_is_named), TEST(a_signal_to_ripple_ends_the_ranks))
