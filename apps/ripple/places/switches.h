/* apps/ripple/places/switches.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A network as a file says it: how many switches are on the way between any two that have nodes.
 * docs/formats.md, "Networks".
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** With nodes. */
#define APP_SWITCHES_MOST 8192u

typedef struct app_switches {
    uint32_t num_switches; /* with nodes: others are on ways only */
    uint32_t num_nodes;
    uint16_t *hops;      /* [num_switches²] switches on the way - 1, >= 0 */
    uint32_t *switch_of; /* [num_nodes] */
} app_switches;

/**
 * @param form "matrix:FILE" or "graph:FILE"
 * @return owned by the caller; NULL with an error that names file and line
 */
app_switches *app_switches_read(const char *form, GError **error);
void app_switches_free(app_switches *switches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_switches, app_switches_free)
