/* noise/activity/activity_name.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_activity. */
#include "noise/activity.h"

#include <string.h>

const char *noise_origin_name(noise_origin origin)
{
    static const char *const NAMES[] = {"job", "internal", "external", "monitor", "not known"};
    return NAMES[origin];
}

char *noise_program_family(const char *name, noise_program_class kind)
{
    const char *slash = strchr(name, '/');
    if (kind != NOISE_PROGRAM_KERNEL || slash == NULL || slash == name ||
        g_str_has_prefix(name, "irq/")) {
        return g_strdup(name);
    }
    const char *number = slash[1] == 'u' ? slash + 2 : slash + 1;
    return g_ascii_isdigit(*number) ? g_strndup(name, (gsize)(slash - name)) : g_strdup(name);
}
