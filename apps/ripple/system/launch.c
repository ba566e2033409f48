/* apps/ripple/system/launch.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_record_errors, test_tracer_ends. */
#include "system/launch.h"

#include "output/error.h"
#include "system/bundle.h"
#include "tracer/protocol.h"

#include <stdlib.h>
#include <string.h>

/* How a launcher is told to set a variable for its ranks. */
typedef enum {
    PASS_INHERIT, /* the ranks inherit ours: srun, or the program itself */
    PASS_X,       /* -x NAME: Open MPI, the value is ours */
    PASS_GENV,    /* -genv NAME VALUE: MPICH's Hydra */
} pass_way;

static const struct launcher {
    const char *program; /* what the command's links end at */
    app_mpi mpi;
    pass_way pass;
} LAUNCHERS[] = {
    {"orterun", APP_MPI_OPENMPI, PASS_X},        {"prterun", APP_MPI_OPENMPI, PASS_X},
    {"mpirun.openmpi", APP_MPI_OPENMPI, PASS_X}, {"mpiexec.hydra", APP_MPI_MPICH, PASS_GENV},
    {"mpirun.mpich", APP_MPI_MPICH, PASS_GENV},  {"srun", APP_MPI_AUTO, PASS_INHERIT},
};

const char *app_mpi_name(app_mpi mpi)
{
    static const char *const names[] = {"MPI", "Open MPI", "MPICH"};
    return names[mpi];
}

char *app_launch_tracer(app_mpi mpi)
{
    /* Installed below any prefix; then the build folder, for those who try before installing. */
    static const char *const folders[] = {"../" RIPPLE_LIBDIR "/ripple", "../tracer", NULL};
    return app_bundle_find(folders,
                           mpi == APP_MPI_MPICH ? TRACER_LIBRARY_MPICH : TRACER_LIBRARY_OPENMPI);
}

static const struct launcher *find_launcher(const char *program)
{
    g_autofree char *path = g_find_program_in_path(program);
    char *target = path != NULL ? realpath(path, NULL) : NULL;
    g_autofree char *name = g_path_get_basename(target != NULL ? target : program);
    free(target);
    for (size_t i = 0; i < G_N_ELEMENTS(LAUNCHERS); i++) {
        if (strcmp(LAUNCHERS[i].program, name) == 0) {
            return &LAUNCHERS[i];
        }
    }
    return NULL;
}

/* What the dynamic linker would load for @p program: AUTO if that is no MPI. */
static app_mpi linked_mpi(const char *program)
{
    g_autofree char *path = g_find_program_in_path(program);
    if (path == NULL) {
        return APP_MPI_AUTO;
    }
    char ldd[] = "ldd";
    char *argv[] = {ldd, path, NULL};
    g_autofree char *libraries = NULL;
    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                      NULL, &libraries, NULL, NULL, NULL)) {
        return APP_MPI_AUTO;
    }
    if (strstr(libraries, "libmpich") != NULL || strstr(libraries, "libmpi.so.12") != NULL) {
        return APP_MPI_MPICH;
    }
    return strstr(libraries, "libmpi.so") != NULL ? APP_MPI_OPENMPI : APP_MPI_AUTO;
}

bool app_launch_is_program(const char *word)
{
    return find_launcher(word) == NULL && linked_mpi(word) != APP_MPI_AUTO;
}

static app_mpi choose_mpi(char **command, const struct launcher *launcher, app_mpi wanted)
{
    if (wanted != APP_MPI_AUTO) {
        return wanted;
    }
    if (launcher != NULL && launcher->mpi != APP_MPI_AUTO) {
        return launcher->mpi;
    }
    for (char **word = command; *word != NULL; word++) {
        const app_mpi mpi = linked_mpi(*word);
        if (mpi != APP_MPI_AUTO) {
            return mpi;
        }
    }
    return APP_MPI_AUTO;
}

/* Which MPI the command needs. @return AUTO with an error; @p advice: what else could be said */
static app_mpi find_mpi(char **command, app_mpi wanted, const char *advice,
                        const struct launcher **launcher, GError **error)
{
    g_autofree char *found = g_find_program_in_path(command[0]);
    if (found == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: there is no such program", command[0]);
        return APP_MPI_AUTO;
    }
    *launcher = find_launcher(command[0]);
    const app_mpi mpi = choose_mpi(command, *launcher, wanted);
    if (mpi == APP_MPI_AUTO) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: which MPI this needs cannot be told: it is no launcher that is known "
                    "here, and nothing in the command is linked to an MPI%s",
                    command[0], advice);
    }
    return mpi;
}

char *app_launch_calibrator(char **command, GError **error)
{
    static const char *const folders[] = {"../" RIPPLE_LIBDIR "/ripple", "../calibrator", NULL};
    const struct launcher *launcher = NULL;
    const app_mpi mpi = find_mpi(command, APP_MPI_AUTO, "", &launcher, error);
    if (mpi == APP_MPI_AUTO) {
        return NULL;
    }
    char *path = app_bundle_find(folders, mpi == APP_MPI_MPICH ? "ripple-calibrate-mpich"
                                                               : "ripple-calibrate-openmpi");
    if (path == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "the program that measures %s is not there: it is built where that MPI's "
                    "compiler is installed; see 'ripple doctor'",
                    app_mpi_name(mpi));
    }
    return path;
}

/* One variable for the ranks: in our own copy of the environment, or on the launcher's line. */
static void pass_variable(pass_way pass, const char *name, const char *value, char ***environment,
                          GPtrArray *words)
{
    switch (pass) {
    case PASS_INHERIT:
        *environment = g_environ_setenv(*environment, name, value, TRUE);
        break;
    case PASS_X: /* NAME=VALUE keeps the preload out of the launcher itself */
        g_ptr_array_add(words, g_strdup("-x"));
        g_ptr_array_add(words, g_strconcat(name, "=", value, NULL));
        break;
    case PASS_GENV:
        g_ptr_array_add(words, g_strdup("-genv"));
        g_ptr_array_add(words, g_strdup(name));
        g_ptr_array_add(words, g_strdup(value));
        break;
    }
}

/* The tracer to preload. @return owned by the caller; NULL with an error */
static char *find_tracer(app_mpi mpi, GError **error)
{
    g_autofree char *tracer = app_launch_tracer(mpi);
    if (tracer == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "the tracer for %s is not there: it is built where that MPI's compiler is "
                    "installed; see 'ripple doctor'",
                    app_mpi_name(mpi));
        return NULL;
    }
    /* The dynamic linker takes both for the end of a name and knows no quotes. */
    if (strpbrk(tracer, " :") != NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "%s: a library cannot be preloaded from a path with blanks or colons; install "
                    "ripple elsewhere",
                    tracer);
        return NULL;
    }
    return g_steal_pointer(&tracer);
}

bool app_launch_run(char **command, const app_launch_options *options, app_child_end *end,
                    GError **error)
{
    const struct launcher *launcher = NULL;
    const app_mpi mpi = find_mpi(command, options->mpi, "; say --mpi", &launcher, error);
    if (mpi == APP_MPI_AUTO) {
        return false;
    }
    g_autofree char *tracer = find_tracer(mpi, error);
    if (tracer == NULL) {
        return false;
    }
    g_autofree char *folder = g_canonicalize_filename(options->folder, NULL);
    const char *already = g_getenv("LD_PRELOAD");
    g_autofree char *preload = already != NULL && *already != '\0'
                                   ? g_strconcat(tracer, ":", already, NULL)
                                   : g_strdup(tracer);
    const pass_way pass = launcher != NULL ? launcher->pass : PASS_INHERIT;
    g_auto(GStrv) environment = g_get_environ();
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(words, g_strdup(command[0]));
    pass_variable(pass, TRACER_ENV_DIR, folder, &environment, words);
    if (options->measure_clock) {
        pass_variable(pass, TRACER_ENV_CLOCK, "measure", &environment, words);
    }
    if (options->anonymous) {
        pass_variable(pass, TRACER_ENV_ANONYMOUS, "1", &environment, words);
    }
    if (options->switches) {
        pass_variable(pass, TRACER_ENV_SWITCHES, "1", &environment, words);
    }
    if (options->mine) {
        pass_variable(pass, TRACER_ENV_MINE, "only", &environment, words);
    }
    if (options->mine_every > 0) {
        char seconds[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(seconds, sizeof seconds, "%g", options->mine_every);
        pass_variable(pass, TRACER_ENV_MINE_EVERY, seconds, &environment, words);
    }
    if (options->detect != NULL) {
        pass_variable(pass, TRACER_ENV_DETECT, options->detect, &environment, words);
    }
    if (options->no_archive && !options->mine) {
        pass_variable(pass, TRACER_ENV_ARCHIVE, "0", &environment, words);
    }
    if (options->span) {
        pass_variable(pass, TRACER_ENV_SPAN, "1", &environment, words);
    }
    pass_variable(pass, "LD_PRELOAD", preload, &environment, words);
    const guint num_passed = words->len;
    for (char **word = command + 1; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
        if (pass == PASS_X &&
            g_str_equal(*word, ":")) { /* the next program has options of its own */
            for (guint i = 1; i < num_passed; i++) {
                g_ptr_array_add(words, g_strdup(g_ptr_array_index(words, i)));
            }
        }
    }
    g_ptr_array_add(words, NULL);
    return app_child_run((char **)words->pdata, environment, options->beat, end, error);
}
