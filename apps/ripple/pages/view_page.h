/* apps/ripple/pages/view_page.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The page of `ripple view`: heat map and timelines that are zoomed together, and the same in
 * tables.
 */
#pragma once

#include "view/picture.h"

/**
 * Write the page of @p picture to @p path, all or nothing. It stands alone, stays below
 * APP_PAGE_MOST_BYTES (the finest levels of the heat map that do not fit are left out, which the
 * page says) and needs no network. Without D3 on this machine its drawings do not move.
 * @return false with an error that names the file, or APP_ERROR_INPUT where the lanes alone are too
 *         many
 */
bool app_view_page_write(const app_picture *picture, const char *path, GError **error);
