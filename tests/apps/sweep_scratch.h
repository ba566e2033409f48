/* tests/apps/sweep_scratch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A small study, swept into a database that a test may do with as it likes.
 */
#pragma once

#include "study/sweep_study.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** NUM_POINTS points: 5 x L, 2 x ranks, 2 x cosched. */
#define STUDY                                                                                      \
    "[study]\nschema_version = 1\n"                                                                \
    "[parameters]\nprogram = collective:barrier\nreplicas = 3\n"                                   \
    "noise = fixed:1kHz:100us\nseed = 9\n"                                                         \
    "[sweep]\nL = 1us..10us/5\nranks = 4,8\ncosched = no,yes\n"
enum { NUM_POINTS = 20 };

/** A folder, and a database in it that does not exist yet. */
typedef struct scratch {
    char *folder;
    char *path;
} scratch;

scratch scratch_new(void);
/** Removes the folder and what is in it. */
void scratch_clear(scratch *s);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(scratch, scratch_clear)

/** A study that is one. Owned by the caller. */
app_sweep_study *parse(const char *text);
/** The whole sweep into @p path, as the verb does it. @param num_run counts points; or NULL */
bool sweep_and_count(const char *text, const char *path, unsigned threads, size_t *num_run,
                     GError **error);
bool sweep(const char *text, const char *path, unsigned threads, GError **error);
/** What a command returns, by SQLite itself; -1: nothing. */
int64_t number_of(const char *path, const char *command);
/** Run commands of SQLite's. */
void change(const char *path, const char *command);
