/* apps/ripple/view/view_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What --inject, --lanes and --time say.
 */
#pragma once

#include "stretches/detours.h"

#include <glib.h>
#include <stdbool.h>

/** "rank=5,at=1ms,for=6ms", in any order. @return false with an error of usage */
bool app_view_parse_detour(const char *text, uint32_t num_ranks, app_detour *out, GError **error);
/**
 * "0,5-7": ranks, each once; "worst:16"; "none". @p text NULL: the 64 worst.
 * @param n out: how many; with *ranks NULL of the worst
 * @param ranks out: [*n] owned by the caller, or NULL
 * @return false with an error of usage
 */
bool app_view_parse_lanes(const char *text, uint32_t num_ranks, uint32_t **ranks, uint32_t *n,
                          GError **error);
/** "1ms..2.5ms", "..2ms", "1ms..". @p to 0: to the end. @return false with an error of usage */
bool app_view_parse_time(const char *text, sim_time *from, sim_time *to, GError **error);
