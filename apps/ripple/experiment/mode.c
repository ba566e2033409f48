/* apps/ripple/experiment/mode.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "experiment/mode.h"

const char *app_mode_name(app_mode mode)
{
    static const char *const NAMES[APP_NUM_MODES] = {"ideal", "unsynchronized", "co-scheduled"};
    return NAMES[mode];
}
