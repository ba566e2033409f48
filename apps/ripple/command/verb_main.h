/* apps/ripple/command/verb_main.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "verbs/verb.h"

/** Run a verb on the words after its name. @return the exit code */
int app_verb_main(const app_verb *verb, char **argv);
