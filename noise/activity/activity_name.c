/* noise/activity/activity_name.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_activity. */
#include "noise/activity.h"

const char *noise_origin_name(noise_origin origin)
{
    static const char *const NAMES[] = {"job", "internal", "external", "monitor", "not known"};
    return NAMES[origin];
}
