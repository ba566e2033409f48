/* bench/sc10/scatter.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Figure 1 of the paper: when detours began, and how long they were.
 */
#pragma once

#include "noise/signature.h"
#include "report/chart.h"

/**
 * The detours of the first rank over at least a hundred intervals of each component, thinned by
 * thin.h. @p noise has components that strike it.
 * @param name of the files  @param title of the figure  @param seed of the choice
 * @return owned by the caller
 */
app_chart *sc10_scatter(const noise_signature *noise, const char *name, const char *title,
                        uint64_t seed);
