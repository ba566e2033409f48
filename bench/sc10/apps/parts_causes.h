/* bench/sc10/apps/parts_causes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What decides how much point-to-point messages add to an application's slowdown. */
#pragma once

#include "app_lab.h"
#include "table.h"

/** Ask for what is changed. */
void sc10_ask_part_causes(sc10_app_lab *lab, sc10_proxy_id proxy);
/** After E16: its runs below the paper's size, pair by pair, and with one thing changed at a time.
 */
void sc10_note_part_causes(sc10_app_lab *lab, sc10_table *table);
