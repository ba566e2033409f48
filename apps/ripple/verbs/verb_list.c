/* apps/ripple/verbs/verb_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "verbs/verb_list.h"

#define POINTER(NAME) &app_verb_##NAME,
const app_verb *const app_verbs[] = {APP_VERBS(POINTER) NULL};
