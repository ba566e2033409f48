/* apps/ripple/system/launch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Starting an MPI program so that it is recorded: which tracer its MPI needs, and how each
 * launcher passes the environment on to the ranks. tracer/protocol.h.
 */
#pragma once

#include "system/child.h"

#include <glib.h>
#include <stdbool.h>

typedef enum { APP_MPI_AUTO, APP_MPI_OPENMPI, APP_MPI_MPICH } app_mpi;

typedef struct app_launch_options {
    const char *folder;          /* where the archive goes */
    app_mpi mpi;                 /* AUTO: by the launcher, else by what the program is linked to */
    bool measure_clock;          /* clock offsets even between ranks of one node */
    bool anonymous;              /* no host names in the archive */
    bool switches;               /* when the ranks were off their CPUs, too */
    bool mine;                   /* mine in the ranks instead of writing an archive */
    double mine_every;           /* s from one part to the next; 0: none before the end */
    const char *detect;          /* path of a model: find its sequences in the ranks; NULL: no */
    bool no_archive;             /* as with mine */
    bool span;                   /* nothing is recorded but how long each rank takes */
    const app_child_beat *beat;  /* NULL: nothing */
    void (*stopped)(void *data); /* app_record_live */
} app_launch_options;

/** "Open MPI", "MPICH". Static. */
const char *app_mpi_name(app_mpi mpi);

/** Is @p word of a command a program that is linked to an MPI? */
bool app_launch_is_program(const char *word);

/** Path of the tracer for @p mpi, owned by the caller; NULL if it was not built or installed. */
char *app_launch_tracer(app_mpi mpi);

/**
 * Path of what 'ripple calibrate' starts by @p command, for its MPI. @return owned by the caller;
 * NULL with an error: the MPI cannot be told, or there is none for it
 */
char *app_launch_calibrator(char **command, GError **error);

/**
 * Run @p command (NULL-terminated) with the tracer preloaded into its ranks and wait for it.
 * Standard streams are the caller's; signals are passed on as app_child_run() does.
 * @return false if it could not be started; the error says why
 */
bool app_launch_run(char **command, const app_launch_options *options, app_child_end *end,
                    GError **error);
