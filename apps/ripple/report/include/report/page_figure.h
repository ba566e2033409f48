/* report/page_figure.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A figure, into its files and onto the page. */
#pragma once

#include "report/chart.h"
#include "report/page.h"

#include <stdbool.h>

/** Write the files of @p chart into @p folder, draw it if that can be, and put it on @p page. NULL:
 * there is nothing to draw, and that is fine. */
bool app_page_draw(app_page *page, const app_chart *chart, const char *folder, GError **error);
