/* tests/apps/tracer/mpi_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Programs of the folder mpi run by mpirun under the tracer, their archives read back.
 */
#pragma once

#include "check.h"
#include "sched/otf2.h"

#include <stdlib.h>

typedef struct mpi {
    const char *name;
    const char *suffix; /* of the programs compiled with it */
    const char *mpirun; /* "": not here */
    const char *tracer;
} mpi;
static const mpi MPI[] = {
    {"Open MPI", "openmpi", OPENMPI_RUN, OPENMPI_TRACER},
    {"MPICH", "mpich", MPICH_RUN, MPICH_TRACER},
};

/* The program that was made of mpi/NAME.c or .f90 for this MPI; stays. */
static inline const char *program(const mpi *m, const char *name)
{
    g_autofree char *path = g_strdup_printf(PROGRAMS "/%s-%s", name, m->suffix);
    return g_intern_string(path);
}

static inline char *folder(void)
{
    return g_dir_make_tmp("ripple-trace-XXXXXX", NULL);
}

static inline void remove_folder(const char *dir)
{
    g_autofree char *command = g_strdup_printf("rm -rf '%s'", dir);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c,bugprone-command-processor): our own folder
}

/* The start of a command line: the launcher and what it needs. @p env  gets what it needs, too */
static inline void add_launcher(const mpi *m, int n, GPtrArray *argv, char ***env)
{
    g_ptr_array_add(argv, g_strdup(m->mpirun));
    g_ptr_array_add(argv, g_strdup("-n"));
    g_ptr_array_add(argv, g_strdup_printf("%d", n));
    if (m->suffix ==
        MPI[0].suffix) { /* more ranks than cores, and perhaps as root, as in a container */
        g_ptr_array_add(argv, g_strdup("--oversubscribe"));
        *env = g_environ_setenv(*env, "OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
        *env = g_environ_setenv(*env, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
        /* s: when a rank dies, so much is left to the others to write what they have; of the one
         * second it usually is, a busy machine may give them nothing */
        *env = g_environ_setenv(*env, "OMPI_MCA_odls_base_sigkill_timeout", "2", TRUE);
    }
}

/* Record `mpirun -n N command argument` into dir/trace. @return what it said, owned */
static inline char *record(const mpi *m, int n, const char *dir, const char *command,
                           const char *argument)
{
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    char **env = g_get_environ();
    add_launcher(m, n, argv, &env);
    /* the tracer in the program alone, not in mpirun */
    g_ptr_array_add(argv, g_strdup("env"));
    g_ptr_array_add(argv, g_strconcat("LD_PRELOAD=", m->tracer, NULL));
    g_ptr_array_add(argv, g_strconcat("RIPPLE_TRACE_DIR=", trace, NULL));
    g_ptr_array_add(argv, g_strdup(command));
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

static inline sched_trace *read_trace(const char *dir)
{
    g_autofree char *trace = g_build_filename(dir, "trace", NULL);
    g_autoptr(GError) error = NULL;
    sched_trace *t = sched_otf2_read(trace, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    return t;
}

/* Calls of a name on a rank; and what their lists come to. */
static inline uint64_t count(const sched_trace *t, uint32_t rank, const char *name,
                             uint64_t *listed)
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
