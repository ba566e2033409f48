/* apps/ripple/findings/met_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The components of the noise, and how often each was met: what the slowdowns stand on.
 */
#pragma once

#include "experiment/experiment_results.h"
#include "report/page.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** For each component and mode: interval, length, share of CPU, detours met by one rank and by the
 * whole run, at the smallest and the largest size. Nothing without noise. */
void app_met_table_print(const app_results *results, const app_noise *noise, FILE *out);
/** The same on a page, with a heading. */
void app_met_table_add(const app_results *results, const app_noise *noise, app_page *page);
/** Add the member "met" of a series with noise, an array by component. */
void app_met_build(const app_series *series, const app_noise *noise, JsonBuilder *builder);
