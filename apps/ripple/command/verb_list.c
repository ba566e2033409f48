/* apps/ripple/command/verb_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_help, cli_command. */
#include "verbs/verb_list.h"

#include <string.h>

#define POINTER(NAME) &app_verb_##NAME,
const app_verb *const app_verbs[] = {APP_VERBS(POINTER) NULL};

const app_verb *app_verb_find(const char *name)
{
    for (size_t i = 0; app_verbs[i] != NULL; i++) {
        if (strcmp(app_verbs[i]->name, name) == 0) {
            return app_verbs[i];
        }
    }
    return NULL;
}
