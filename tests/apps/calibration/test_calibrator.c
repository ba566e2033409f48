/* tests/apps/calibration/test_calibrator.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that measures, under real MPIs; a loaded machine only makes it slow. */
#include "calibration/samples.h"
#include "check.h"

#include <glib/gstdio.h>
#include <stdlib.h>

static const struct {
    const char *name, *mpirun, *calibrator;
} MPI[] = {
    {"Open MPI", OPENMPI_RUN, OPENMPI_CALIBRATOR},
    {"MPICH", MPICH_RUN, MPICH_CALIBRATOR},
};

/* @return the exit code, or -1; what it wrote to the terminal in @p said */
static int run(size_t m, const char *ranks, const char *file, char **said)
{
    g_autofree char *line =
        g_strdup_printf("'%s' -n %s '%s' '%s' 1", MPI[m].mpirun, ranks, MPI[m].calibrator, file);
    g_auto(GStrv) argv = NULL;
    int status = 0;
    if (!g_shell_parse_argv(line, NULL, &argv, NULL) ||
        !g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, said, &status, NULL)) {
        *said = g_strdup("it could not be started");
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void each_mpi_is_measured_at_every_size(void)
{
    (void)g_setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
    (void)g_setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
    (void)g_setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", TRUE);
    g_autofree char *folder = g_dir_make_tmp("ripple-test-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "samples", NULL);
    for (size_t m = 0; m < G_N_ELEMENTS(MPI); m++) {
        g_autofree char *said = NULL;
        if (MPI[m].mpirun[0] == '\0') {
            continue;
        }
        if (!CHECK_I64(run(m, "2", file, &said), 0, "%s: %s", MPI[m].name, said)) {
            continue;
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(app_samples) s = app_samples_read(file, &error);
        if (!CHECK(s != NULL, "%s: %s", MPI[m].name, error != NULL ? error->message : "")) {
            continue;
        }
        CHECK(strstr(s->mpi, m == 0 ? "Open MPI" : "MPICH") != NULL, "%s", s->mpi);
        CHECK(s->clock < 10000, "%s", MPI[m].name);
        size_t trips = 0;
        for (size_t i = 0; i < s->num_samples; i++) {
            const app_sample *each = &s->samples[i];
            const bool is_time = each->kind < APP_SAMPLE_WAITS;
            CHECK(each->quarter > 0 || !is_time, "%s, kind %d", MPI[m].name, each->kind);
            CHECK(each->median >= each->quarter, "%s, kind %d", MPI[m].name, each->kind);
            const size_t turns = app_sample_is_of_walk(each->kind)    ? 8
                                 : each->kind >= APP_SAMPLE_COLD_CALL ? 4
                                                                      : 1;
            CHECK(each->visits >= 8 / turns || !is_time, "%s, kind %d", MPI[m].name, each->kind);
            trips += each->kind == APP_SAMPLE_ROUND_TRIP;
            CHECK(each->kind != APP_SAMPLE_ROUND_TRIP ||
                  app_samples_find(s, APP_SAMPLE_RECEIVE, each->bytes) != NULL);
        }
        CHECK_I64((int64_t)trips, 21);
        const app_sample *shortest = app_samples_find(s, APP_SAMPLE_WALK, INT64_C(1) << 16);
        const app_sample *longest = app_samples_find(s, APP_SAMPLE_WALK, INT64_C(1) << 26);
        CHECK(shortest != NULL && longest != NULL && longest->quarter > 100 * shortest->quarter,
              "%s: a thousand times as much memory", MPI[m].name);
        for (int kind = 0; kind < APP_NUM_SAMPLE_KINDS; kind++) {
            const int64_t bytes = kind < APP_SAMPLE_CALL ? 1 : 0;
            CHECK(app_samples_find(s, (app_sample_kind)kind, bytes) != NULL, "%s, kind %d",
                  MPI[m].name, kind);
        }
        /* A megabyte takes longer than a byte, whatever else runs: copies alone do. */
        const app_sample *mega = app_samples_find(s, APP_SAMPLE_ROUND_TRIP, INT64_C(1) << 20);
        CHECK(mega != NULL && mega->median > 20000, "%s", MPI[m].name);
        (void)g_unlink(file);
    }
    (void)g_rmdir(folder);
}

static void one_rank_is_refused_in_one_line(void)
{
    for (size_t m = 0; m < G_N_ELEMENTS(MPI); m++) {
        g_autofree char *said = NULL;
        if (MPI[m].mpirun[0] != '\0') {
            CHECK(run(m, "1", "/dev/null", &said) != 0, "%s", MPI[m].name);
            CHECK(strstr(said, "there have to be two ranks") != NULL, "%s", said);
        }
    }
}

SUITE_MAIN("the calibrator", TEST(each_mpi_is_measured_at_every_size),
           TEST(one_rank_is_refused_in_one_line))
