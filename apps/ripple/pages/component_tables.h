/* apps/ripple/pages/component_tables.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was mined as tables, and the timelines as drawings that do not move: for who has no script,
 * no D3, or wants numbers.
 */
#pragma once

#include "pages/component_view.h"
#include "report/page.h"

/** What was found, a row for each component. */
void app_component_rows(app_page *page, const app_component_view *view);
/** The events of each row, behind a <details>. */
void app_component_events(app_page *page, const app_component_view *view);
/** The timelines of each row, in SVG with a tooltip on each part, behind a <details>. */
void app_component_still_add(app_page *page, const app_component_view *view);
