/* apps/ripple/command/manual.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Manual pages in roff (man macros), made from the table of verbs.
 */
#pragma once

#include "verbs/verb.h"

/** ripple(1). Owned by the caller. */
char *app_manual_command(void);
/** ripple-VERB(1). Owned by the caller. */
char *app_manual_verb(const app_verb *verb);
