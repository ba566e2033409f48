/* apps/ripple/program/source_calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_calls. */
#include "program/source_private.h"

#include <string.h>

/* A collective that is computed is followed as a pattern then: its own program has messages alone.
 * The vector lanes plan that pattern as any program, or leave it to the engine. */
static bool put_into_pattern(app_source *s, GError **error)
{
    g_clear_pointer(&s->with_calls, sched_pattern_free);
    if (s->convert.calls == NULL || s->pattern == NULL) {
        return true;
    }
    s->with_calls = sched_pattern_with_calls(s->pattern, s->calls, error);
    return s->with_calls != NULL;
}

bool app_source_take_calls(app_source *s, const sim_machine *machine, GError **error)
{
    const bool has_calls = sim_machine_has_calls(machine);
    if (has_calls == (s->convert.calls != NULL) &&
        memcmp(s->calls, machine->calls, sizeof s->calls) == 0) {
        return true;
    }
    if (s->kind == APP_SOURCE_GOAL) {
        if (!s->said_no_calls) {
            s->said_no_calls = true;
            sched_notices_add(s->notices, 1,
                              "[calls] of the machine is not used: a stored schedule has "
                              "messages, and does not say of which calls");
        }
        return true;
    }
    app_source_drop_forms(s);
    memcpy(s->calls, machine->calls, sizeof s->calls);
    s->convert.calls = has_calls ? s->calls : NULL;
    return put_into_pattern(s, error);
}
