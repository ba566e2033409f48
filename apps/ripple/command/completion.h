/* apps/ripple/command/completion.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/** A bash completion script, made from the table of verbs. Owned by the caller. */
char *app_completion_bash(void);
