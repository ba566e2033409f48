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

/* Of a source that is no record: what of [calls] it does not know. */
static void say_unused(app_source *s, const sim_machine *machine)
{
    const bool is_stored = s->kind == APP_SOURCE_GOAL;
    if (!s->said_no_calls && sim_machine_has_calls(machine) &&
        (is_stored || sim_machine_has(machine, SIM_KEY_COLD))) {
        s->said_no_calls = true;
        sched_notices_add(s->notices, 1,
                          is_stored
                              ? "[calls] of the machine is not used: a stored schedule has "
                                "messages, and does not say of which calls"
                              : "cold in [calls] of the machine is not used: it is for calls of a "
                                "recorded program, after what that has computed");
    }
}

/* Has any call a cost of its own? */
static bool has_costs(const sim_machine *machine)
{
    bool has = false;
    for (int key = SIM_KEY_CALLS; key < SIM_KEY_COLD; key++) {
        has = has || sim_machine_has(machine, (sim_key)key);
    }
    return has;
}

/* Is what counts of it as it was? */
static bool is_same(const app_source *s, const sim_machine *machine, bool has_calls, bool has_cold)
{
    return has_calls == (s->convert.calls != NULL) && has_cold == (s->convert.cold != NULL) &&
           (!has_calls || memcmp(s->calls, machine->calls, sizeof s->calls) == 0) &&
           (!has_cold || (s->cold.num_points == machine->cold.num_points &&
                          memcmp(s->cold.point, machine->cold.point, sizeof s->cold.point) == 0));
}

bool app_source_take_calls(app_source *s, const sim_machine *machine, GError **error)
{
    const bool is_record = s->kind == APP_SOURCE_TRACE;
    const bool has_calls = has_costs(machine) && s->kind != APP_SOURCE_GOAL;
    const bool has_cold = is_record && sim_machine_has(machine, SIM_KEY_COLD);
    if (!is_record) {
        say_unused(s, machine);
    }
    if (is_same(s, machine, has_calls, has_cold)) {
        return true;
    }
    app_source_drop_forms(s);
    memcpy(s->calls, machine->calls, sizeof s->calls);
    s->cold = machine->cold;
    s->convert.calls = has_calls ? s->calls : NULL;
    s->convert.cold = has_cold ? &s->cold : NULL;
    return put_into_pattern(s, error);
}
