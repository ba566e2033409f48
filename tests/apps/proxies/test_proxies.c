/* tests/apps/proxies/test_proxies.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep3d, amg, pop and stencil3d under real MPI: each checks its own answer, against a serial
 * solver, a residual or a manufactured solution, and says by its exit code whether it is right.
 */
#include "check.h"

#include <sys/wait.h>

typedef struct mpi {
    const char *name;
    const char *suffix; /* of the programs compiled with it */
    const char *mpirun; /* "": not here */
} mpi;
static const mpi MPI[] = {
    {"Open MPI", "openmpi", OPENMPI_RUN},
    {"MPICH", "mpich", MPICH_RUN},
};

/* @return the exit code; both outputs, owned by the caller */
static int run(const mpi *m, const char *program, int ranks, const char *options, char **out,
               char **err)
{
    const bool open_mpi = m == &MPI[0];
    g_autofree char *line =
        g_strdup_printf("'%s' -n %d %s " PROGRAMS "/%s-%s %s", m->mpirun, ranks,
                        open_mpi ? "--oversubscribe -q" : "", program, m->suffix, options);
    g_auto(GStrv) argv = NULL;
    char **env = g_get_environ();
    env = g_environ_setenv(env, "OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
    env = g_environ_setenv(env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
    g_autoptr(GError) error = NULL;
    int status = -1;
    CHECK(g_shell_parse_argv(line, NULL, &argv, &error) &&
              g_spawn_sync(NULL, argv, env, G_SPAWN_DEFAULT, NULL, NULL, out, err, &status, &error),
          "%s: %s", line, error != NULL ? error->message : "");
    g_strfreev(env);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void answers_are_right(void)
{
    static const struct {
        const char *program;
        int ranks;
        const char *options;
        const char *says;
    } row[] = {
        {"sweep3d", 1, "--cells=12 --height=8 --planes=4 --check=1", "from the serial answer 0"},
        {"sweep3d", 6, "--cells=5 --height=12 --planes=4 --angles=2 --check=1",
         "3 x 2 ranks, 5 x 5 x 12 cells each"},
        {"amg", 1, "--points=16", "4096 points"},
        {"amg", 8, "--points=8 --uneven=0.3", "4096 points"},
        {"amg", 6, "--points=7 --sweeps=2", "2058 points"}, /* odd, and no cube */
        {"stencil3d", 8, "--points=8 --iterations=60 --residual=1e-8", "8 ranks, 8^3 points"},
        {"stencil3d", 6, "--points=5 --stencil=27 --iterations=60 --residual=1e-8", "27-point"},
        {"pop", 1, "--points=30 --levels=4 --steps=2", "1 x 1 ranks"},
        {"pop", 6, "--points=30 --levels=5 --steps=2 --land=0.7", "3 x 2 ranks"},
        {"pop", 2, "--points=20 --levels=3 --steps=2 --land=0", "100.0 % water"},
    };
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (MPI[k].mpirun[0] == '\0') {
            SKIP_TEST("no %s", MPI[k].name);
        }
        for (size_t i = k; i < G_N_ELEMENTS(row); i += 1 + 2 * k) { /* of MPICH one of each */
            g_autofree char *out = NULL;
            g_autofree char *err = NULL;
            const int code = run(&MPI[k], row[i].program, row[i].ranks, row[i].options, &out, &err);
            CHECK(code == 0 && strstr(out, row[i].says) != NULL, "%s: %s %s: exit %d: %s%s",
                  MPI[k].name, row[i].program, row[i].options, code, out, err);
        }
    }
}

/* Of the same cells, however they are divided. */
static void ranks_do_not_change_the_flux(void)
{
    static const struct {
        int ranks;
        const char *options;
    } row[] = {{1, "--cells=12 --height=20"},
               {4, "--cells=6 --height=20 --planes=5 --angles=1"},
               {9, "--cells=4 --height=20 --planes=20 --angles=6"}};
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no %s", MPI[0].name);
    }
    double first = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *out = NULL;
        g_autofree char *err = NULL;
        (void)run(&MPI[0], "sweep3d", row[i].ranks, row[i].options, &out, &err);
        const char *said = out != NULL ? strstr(out, "flux ") : NULL;
        const double flux = said != NULL ? g_ascii_strtod(said + strlen("flux "), NULL) : 0;
        first = i == 0 ? flux : first;
        CHECK(flux > 0, "%s%s", out, err);
        CHECK_NEAR(flux / first, 1, 1e-11, "%d ranks", row[i].ranks);
    }
}

static void wrong_answers_are_told(void)
{
    static const struct {
        const char *program;
        const char *options;
        const char *says;
    } row[] = {{"amg", "--points=16 --factor=0.001", "the answer is wrong"},
               {"stencil3d", "--points=8 --iterations=3 --residual=1e-8",
                "the residual is larger than it should be"},
               {"pop", "--points=30 --levels=2 --steps=1 --iterations=2", "the answer is wrong"}};
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no %s", MPI[0].name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *out = NULL;
        g_autofree char *err = NULL;
        const int code = run(&MPI[0], row[i].program, 2, row[i].options, &out, &err);
        CHECK(code == 1 && strstr(err, row[i].says) != NULL, "%s %s: exit %d: %s%s", row[i].program,
              row[i].options, code, out, err);
    }
}

static void options_are_refused_in_one_line(void)
{
    static const struct {
        const char *program;
        const char *options;
        const char *says;
    } row[] = {
        {"sweep3d", "--cells=0", "sweep3d: --cells=0: a whole number from 1 to 1000\n"},
        {"sweep3d", "--height=41", "sweep3d: --planes=10: does not divide --height=41\n"},
        {"sweep3d", "--angles=4", "sweep3d: --angles=4: does not divide 6\n"},
        {"amg", "--points=8x", "amg: --points=8x: a whole number from 2 to 400\n"},
        {"amg", "--uneven=nan", "amg: --uneven=nan: a number from 0 to 0.4\n"},
        {"pop", "--steps=1.5", "pop: --steps=1.5: a whole number from 1 to 1e+06\n"},
        {"pop", "--ocean=1",
         "pop: no such option: --ocean=1 (--help lists them; each is --NAME=VALUE)\n"},
    };
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no %s", MPI[0].name);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *out = NULL;
        g_autofree char *err = NULL;
        const int code = run(&MPI[0], row[i].program, 2, row[i].options, &out, &err);
        const char *first = err != NULL ? strstr(err, row[i].program) : NULL;
        CHECK(code == 2 && first != NULL && g_str_has_prefix(first, row[i].says) &&
                  strstr(first + 1, row[i].says) == NULL,
              "%s: exit %d: %s%s", row[i].options, code, out, err);
    }
}

static void help_lists_the_options(void)
{
    if (MPI[0].mpirun[0] == '\0') {
        SKIP_TEST("no %s", MPI[0].name);
    }
    g_autofree char *out = NULL;
    g_autofree char *err = NULL;
    CHECK_I64(run(&MPI[0], "pop", 2, "--help", &out, &err), 0, "%s", err);
    CHECK(out != NULL && g_str_has_prefix(out, "Usage: pop [--NAME=VALUE...]\n") &&
              strstr(out, "--land         share of the map [0.4]\n") != NULL,
          "%s", out);
}

SUITE_MAIN("proxies", TEST(answers_are_right), TEST(ranks_do_not_change_the_flux),
           TEST(wrong_answers_are_told), TEST(options_are_refused_in_one_line),
           TEST(help_lists_the_options))
