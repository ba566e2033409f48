/* bench/sc10/apps/cosched.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Co-scheduled noise: all ranks meet the same detours, so that time counts, not ranks. It is
 * settled on the record's own ranks, in passes one after the other.
 */
#pragma once

#include "app_lab.h"
#include "table.h"

/**
 * Rows of the slowdown under each machine's noise, co-scheduled: on the record's ranks, in so many
 * passes that a run meets 20 detours of each component; and one pass on @p copies.
 */
void sc10_check_cosched(sc10_app_lab *lab, sc10_proxy_id proxy, uint32_t copies, sc10_table *table);
