/* apps/ripple/experiment/mode.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How noise is laid over the ranks of a run, if at all.
 */
#pragma once

typedef enum { APP_IDEAL, APP_UNSYNCHRONIZED, APP_COSCHEDULED, APP_NUM_MODES } app_mode;

/** "ideal", "unsynchronized", "co-scheduled". Static. */
const char *app_mode_name(app_mode mode);
