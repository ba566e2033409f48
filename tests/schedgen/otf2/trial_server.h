/* tests/schedgen/otf2/trial_server.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/**
 * What sched_otf2_survives() says, from a child process that tries one archive after the other:
 * another is started only when it died. @p anchor of all calls: the same. Fuzzing tries thousands.
 */
bool trial_server_survives(const char *anchor, GError **error);
void trial_server_stop(void);
