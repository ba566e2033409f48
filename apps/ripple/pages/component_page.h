/* apps/ripple/pages/component_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The page of `ripple mine`: what was found as a table, and for each row of it the events that it
 * was found in, as small timelines. docs/noise-miner.md says what the numbers mean.
 */
#pragma once

#include "pages/component_view.h"

#include <stdbool.h>

/**
 * Write the page to @p path, all or nothing. It stands alone, stays below APP_PAGE_MOST_BYTES (what
 * surrounds events is left out where there is no room, which the page says) and needs no network.
 * Without D3 on this machine its drawings do not move.
 * @return false with an error that names the file
 */
bool app_component_page_write(const app_component_view *view, const char *path, GError **error);
