/* tests/apps/validation/test_validate_mpi.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* ripple validate under real MPIs. On a machine that is used, how far a prediction is off says
 * nothing: what is checked is that all is there and sums up. */
#include "check.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>

static const struct {
    const char *name, *mpirun, *program;
} MPI[] = {
    {"Open MPI", OPENMPI_RUN, OPENMPI_PROGRAM},
    {"MPICH", MPICH_RUN, MPICH_PROGRAM},
};

static int run(const char *options, size_t m, const char *more, char **out, char **said)
{
    g_autofree char *line = g_strdup_printf("'%s' validate --runs=2 --format=json %s -- '%s' -n 2 "
                                            "'%s' %s",
                                            RIPPLE, options, MPI[m].mpirun, MPI[m].program, more);
    g_auto(GStrv) argv = NULL;
    int status = 0;
    if (!g_shell_parse_argv(line, NULL, &argv, NULL) ||
        !g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, out, said, &status, NULL)) {
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static double median(JsonObject *object, const char *name)
{
    return json_object_get_double_member(json_object_get_object_member(object, name), "median");
}

static void set_up(void)
{
    (void)g_setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
    (void)g_setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
    (void)g_setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", TRUE);
}

/* In all: where first calls are slow, they are a row of their own. */
static double calls_of(JsonArray *rows, const char *call)
{
    g_autofree char *first = g_strconcat("first ", call, NULL);
    double calls = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const char *name = json_object_get_string_member(row, "name");
        if (g_str_equal(name, call) || g_str_equal(name, first)) {
            calls += json_object_get_double_member(row, "calls");
        }
    }
    return calls;
}

static void check_result(const char *text, const char *name)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    if (!CHECK(json_parser_load_from_data(parser, text, -1, NULL), "%s: %s", name, text)) {
        return;
    }
    JsonObject *object = json_node_get_object(json_parser_get_root(parser));
    CHECK_I64(json_object_get_int_member(object, "ranks"), 2, "%s", name);
    CHECK_I64(json_object_get_int_member(object, "nodes"), 1, "%s", name);
    CHECK(median(object, "wall_ns") > 1e6, "%s: 40 x 200,000 steps", name);
    CHECK(median(object, "recorded_ns") > 1e6, "%s", name);
    CHECK(median(object, "simulated_ns") > 1e6, "%s", name);
    CHECK(median(object, "outside_ns") > 1e6, "%s: processes are started", name);
    JsonArray *rows = json_object_get_array_member(object, "rows");
    static const char *const WANTED[] = {"MPI_Allreduce", "MPI_Waitall", "MPI_Isend", "MPI_Irecv"};
    for (size_t k = 0; k < G_N_ELEMENTS(WANTED); k++) {
        CHECK_NEAR(calls_of(rows, WANTED[k]), 40, 0, "%s: %s", name, WANTED[k]);
    }
}

static void both_kinds_of_runs_are_made_and_compared(void)
{
    set_up();
    for (size_t m = 0; m < G_N_ELEMENTS(MPI); m++) {
        g_autofree char *out = NULL;
        g_autofree char *said = NULL;
        if (MPI[m].mpirun[0] == '\0') {
            continue;
        }
        const int code = run("--machine=azure", m, "", &out, &said);
        CHECK(code == 0 || code == 1 || code == 3, "%s: %d: %s", MPI[m].name, code, said);
        CHECK(said != NULL && strstr(said, "rounds are over") != NULL,
              "%s: what it prints is no result: %s", MPI[m].name, said);
        check_result(out, MPI[m].name);
    }
}

static void a_program_that_fails_is_an_error(void)
{
    set_up();
    for (size_t m = 0; m < G_N_ELEMENTS(MPI); m++) {
        g_autofree char *out = NULL;
        g_autofree char *said = NULL;
        if (MPI[m].mpirun[0] != '\0') {
            CHECK_I64(run("--machine=azure", m, "fail", &out, &said), 1, "%s", MPI[m].name);
            CHECK(said != NULL && strstr(said, "the program failed (status 7)") != NULL, "%s",
                  said);
            CHECK_STR(out, "");
        }
    }
}

SUITE_MAIN("validate under MPI", TEST(both_kinds_of_runs_are_made_and_compared),
           TEST(a_program_that_fails_is_an_error))
