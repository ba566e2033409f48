/* apps/ripple/findings/distribution.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How the makespans of many replicas are distributed, and each of them as a row of its own.
 */
#pragma once

#include "experiment/experiment.h"
#include "output/manifest.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

/** A table of quantiles, whiskers, outliers and means; a row for each series with noise. */
void app_distribution_print(const app_results *results, FILE *out);
/**
 * ranks,noise,cosched,replicas,ideal_ns,min_ns,whisker_low_ns,quartile1_ns,median_ns,quartile3_ns,
 * whisker_high_ns,p95_ns,p99_ns,max_ns,mean_ns,outliers,low_ns,high_ns,level,quantity,passes,
 * slowdown,slowdown_low,slowdown_high,slowdown_level,met_by_rank,met_by_run,remarks: a row for each
 * series with noise, or for the ideal run where there is none. low and high are of the median
 * makespan; the slowdown is the mean; met, of the component that is met least.
 */
void app_distribution_print_csv(const app_results *results, const app_noise *noise, FILE *out);
/** Add the member "distribution_ps" to the object being built. */
void app_distribution_build(const app_series *series, JsonBuilder *builder);

/** ranks,mode,replica,makespan_ns,slowdown: a row for each run, the ideal ones included. */
void app_replicas_print_csv(const app_results *results, FILE *out);
