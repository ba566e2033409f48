/* apps/ripple/mining/paraver.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Traces for Paraver (BASE.prv, with names in BASE.pcf and BASE.row): Extrae's, by the calls of MPI
 * in them, and others, as `ripple view` and `ripple monitor` write them, by their states.
 * docs/noise-miner.md, section 9.
 */
#pragma once

#include "noise/event_type.h"
#include "noise/miner.h"
#include "noise/prv_file.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Does @p path begin as such a trace does? */
bool app_paraver_probe(const char *path);
/** The unit of its times; 0: it cannot be read. */
sim_time app_paraver_tick(const char *path);
/**
 * The events of all threads, each a rank.
 * @param notes of strings: what whoever reads the result must know
 * @return false with an error that names file, line and value
 */
bool app_paraver_mine(const char *path, noise_miner *miner, GPtrArray *notes, GError **error);
/** The same from memory. @param pcf names of events and states, @param row of ranks; NULL: none */
bool app_paraver_mine_text(const char *name, const char *text, size_t size, const char *pcf,
                           const char *row, noise_miner *miner, GPtrArray *notes, GError **error);

/** What values of events and states are called. */
typedef struct app_paraver_names app_paraver_names;
/** @param pcf may be NULL. Owned by the caller */
app_paraver_names *app_paraver_names_new(const char *pcf);
void app_paraver_names_free(app_paraver_names *names); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_paraver_names, app_paraver_names_free)
/** The function of MPI that a value of an event stands for; lives as long as the names. */
const noise_event_function *app_paraver_function(app_paraver_names *names, uint64_t type,
                                                 uint64_t value);
/** The name of a state, or NULL. */
const char *app_paraver_state(const app_paraver_names *names, uint64_t state);
/**
 * Which ranks the threads of a trace are, by what its .row calls them: "rank 12", as where a trace
 * has some ranks only; else 0, 1, 2, … @param row may be NULL. Owned by the caller
 */
uint32_t *app_paraver_ranks(const char *row, uint32_t num_threads);
