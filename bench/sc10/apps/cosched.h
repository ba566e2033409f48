/* bench/sc10/apps/cosched.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Co-scheduled noise: all ranks meet the same detours, so that time counts, not ranks. It is
 * settled on the record's own ranks, in passes one after the other.
 */
#pragma once

#include "app_lab.h"
#include "table.h"

/** Ask for one pass under each machine's noise. */
void sc10_ask_cosched(sc10_app_lab *lab, sc10_proxy_id proxy);
/** When these have been run: for as many passes as a run needs to meet 20 detours of each
 * component. */
void sc10_ask_passes(sc10_app_lab *lab, sc10_proxy_id proxy);
/** Rows of the slowdown under each machine's noise, co-scheduled: on the record's ranks, in so many
 * passes; and one pass on the largest size (of amg: on four copies). */
void sc10_check_cosched(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table);
