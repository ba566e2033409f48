/* sim/machine/machine_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "sim/machine.h"

/* A machine that comes with the program. */
typedef struct sim_machine_preset {
    const char *name;
    const char *description;
    sim_params params;
    const char *provenance[SIM_NUM_KEYS]; /* up to rendezvous; NULL: provenance of L */
} sim_machine_preset;

/** NULL if there is none of that name. Static. */
const sim_machine_preset *sim_machine_preset_find(const char *name);

/** Names of all keys by sim_key, NULL-terminated. */
extern const char *const sim_machine_key_names[];
/** @return index of @p name, or -1 */
int sim_machine_name_find(const char *const *names, const char *name);
void sim_machine_error_set(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
void sim_machine_provenance_set(sim_machine *machine, sim_key key, const char *text);
/**
 * Give @p key the value that @p text says, and what of a node was not said that of the network.
 * @return false with an error that does not name the key
 */
bool sim_machine_key_set(sim_machine *machine, sim_key key, const char *text,
                         const char *provenance, GError **error);
/** Has it got a value of its own, not one that it has since nothing else was said? */
bool sim_machine_key_is_said(const sim_machine *machine, sim_key key);
