/* apps/ripple/pages/view_still.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A picture in drawings that do not move, for a page without D3.
 */
#pragma once

#include "report/page.h"
#include "view/picture.h"

#include <stdbool.h>

/** Heat map, and where the time of the first ranks went, as gnuplot draws them; links to no files.
 * Without gnuplot only tables remain, which the page says. */
bool app_view_still_add(app_page *page, const app_picture *picture, GError **error);
