/* bench/paper/frame.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A command that repeats the experiments of a paper: options, which experiments are asked for, a
 * folder for tables and figures, the exit code. What it repeats is a sc10_frame.
 */
#pragma once

#include "table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** What every such command can be told. */
typedef struct sc10_settings {
    int threads;
    gint64 seed;
    char *only;   /* "E1,figures"; NULL: everything */
    char *folder; /* for files */
} sc10_settings;

typedef struct sc10_frame {
    const char *name;            /* "sc10": of the command; files go to sc10-report */
    const char *about;           /* behind the name in its help */
    const char *files;           /* in the help: "table.csv, report.html and the figures" */
    const GOptionEntry *options; /* its own, NULL-terminated */
    const char *const *ids;      /* [num_ids] of its experiments */
    size_t num_ids;
    void *work; /* handed on to the functions below */

    /** What is wrong with its own options; NULL: nothing. Static. */
    const char *(*refuse)(void *work);
    /** Before the experiments; prints what the results depend on. */
    void (*begin)(void *work, const sc10_settings *settings);
    /** Work that experiments share, before the first of them; its cost has a line of its own under
     * that name. NULL: there is none. */
    const char *prepared;
    void (*prepare)(void *work, const sc10_settings *settings);
    void (*experiment)(void *work, size_t number); /* in ids */
    /** After them. @return nothing is outside */
    bool (*print)(void *work);
    /** Figures, report.html and tables, into a folder that exists. */
    bool (*write)(void *work, const sc10_settings *settings, GError **error);
} sc10_frame;

/**
 * The whole command.
 * @return exit code: 0; 1 if something is outside or could not be written; 2 for a mistake in the
 * options
 */
int sc10_frame_main(const sc10_frame *frame, int argc, char **argv);

/** Is experiment @p id, or "figures", asked for? */
bool sc10_is_asked(const sc10_settings *settings, const char *id);

/** Write a table as CSV. */
bool sc10_write_csv(const sc10_table *table, const char *folder, const char *name, GError **error);
