/* bench/sc10/apps/causes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Why a proxy's time is spent otherwise than the application's: the record with one thing changed
 * at a time.
 */
#pragma once

#include "app_lab.h"
#include "table.h"

/** Ask for what sc10_note_causes() looks at. */
void sc10_ask_causes(sc10_app_lab *lab, sc10_proxy_id proxy);
/**
 * Rows: shares of communication and collectives on CHiC without noise, as recorded and changed;
 * slowdowns of a few copies under noise, as they are and changed.
 */
void sc10_note_causes(sc10_app_lab *lab, sc10_proxy_id proxy, sc10_table *table);
