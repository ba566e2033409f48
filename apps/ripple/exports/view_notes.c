/* apps/ripple/exports/view_notes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run, cli_view. */
#include "exports/view_notes.h"

#include "exports/picture_print.h"
#include "output/number_text.h"
#include "sim/unit.h"

#include <string.h>

static void add_note(GPtrArray *notes, char *text)
{
    g_ptr_array_add(notes, text);
}

static void add_fact(GArray *facts, const char *key, char *value)
{
    const app_picture_fact fact = {g_strdup(key), value};
    g_array_append_val(facts, fact);
}

/* Of every simulated run. */
static void add_common_notes(GPtrArray *notes, const app_picture *p, uint64_t num_ops)
{
    if (p->further > 0) {
        g_autofree char *n = app_format_number(p->further);
        add_note(notes, g_strdup_printf("%s stretches on further CPUs of ranks are left out: "
                                        "lanes and losses are of the first CPU of each rank.",
                                        n));
    }
    if (num_ops > APP_VIEW_PATH_OPS) {
        add_note(notes, g_strdup("There is no critical path: it is recorded only of runs of up to "
                                 "10 million operations."));
    }
    for (size_t i = 0; i < p->num_lanes; i++) {
        if (p->lanes[i].whole_until != SIM_TIME_MAX) {
            g_autofree char *until = sim_unit_format_time_short(p->lanes[i].whole_until);
            add_note(notes, g_strdup_printf("The lanes end at %s: there is no room for more. "
                                            "--lanes or --time show the rest.",
                                            until));
            break;
        }
    }
}

static void give_notes(app_picture *p, GPtrArray *notes)
{
    p->num_notes = notes->len;
    g_ptr_array_add(notes, NULL);
    p->notes = (char **)g_ptr_array_free(notes, FALSE);
}

static void add_notes(app_picture *p, const app_view_request *r)
{
    GPtrArray *notes = g_ptr_array_new();
    add_common_notes(notes, p, r->num_ops);
    if (p->reordered > 0) {
        g_autofree char *n = app_format_number(p->reordered);
        add_note(notes, g_strdup_printf("Noise has changed the order in which ranks do their "
                                        "operations: at %s places another one stands there than "
                                        "without noise, and waits are compared by place.",
                                        n));
    }
    if (r->signature != NULL && p->injection != NULL && p->levels != NULL &&
        noise_signature_num_components(r->signature) > 0) {
        add_note(notes, g_strdup("What is lost is against the run without any noise; the front "
                                 "of the injected detour against the run with all other noise."));
    }
    if (p->num_lanes > 0 && p->num_levels > 0 && r->num_ops > APP_VIEW_KEPT_OF_ALL) {
        add_note(notes, g_strdup("What waited behind a detour is not shown: it is followed only in "
                                 "runs of up to 2 Mi operations."));
    }
    give_notes(p, notes);
}

static void add_facts(app_picture *p, const app_view_request *r)
{
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(app_picture_fact));
    add_fact(facts, "ranks", app_format_number(p->num_ranks));
    add_fact(facts, "operations", app_format_number(r->num_ops));
    add_fact(facts, "makespan", sim_unit_format_time_short(p->makespan));
    add_fact(facts, "without noise", sim_unit_format_time_short(p->ideal));
    if (p->ideal > 0 && p->makespan > p->ideal) {
        add_fact(facts, "slowdown",
                 app_format_slowdown((double)(p->makespan - p->ideal) / (double)p->ideal));
    }
    p->num_facts = facts->len;
    p->facts = (app_picture_fact *)(void *)g_array_free(facts, FALSE);
}

void app_view_note_record(app_picture *p, const char *label, uint64_t num_ops)
{
    GPtrArray *notes = g_ptr_array_new();
    add_common_notes(notes, p, num_ops);
    if (label[0] != '\0') {
        const char *said = g_str_has_prefix(label, "# ") ? label + strlen("# ") : label;
        add_note(notes, g_strdup_printf("The run that was recorded: %s.", said));
    }
    add_note(notes, g_strdup("A record does not say what a rank would have waited without noise: "
                             "waiting for noise is not told from other waiting, and there is no "
                             "heat map."));
    if (p->time[APP_PICTURE_DETOUR] > 0) {
        add_note(notes, g_strdup("A record says how long detours were within a stretch of work, "
                                 "not where: each is drawn at the end of its stretch."));
    }
    give_notes(p, notes);
    GArray *facts = g_array_new(FALSE, FALSE, sizeof(app_picture_fact));
    add_fact(facts, "ranks", app_format_number(p->num_ranks));
    add_fact(facts, "operations", app_format_number(num_ops));
    add_fact(facts, "makespan", sim_unit_format_time_short(p->makespan));
    p->num_facts = facts->len;
    p->facts = (app_picture_fact *)(void *)g_array_free(facts, FALSE);
}

void app_view_note(app_picture *picture, const app_view_request *request)
{
    if (picture->injection != NULL) {
        picture->injection->text = app_injection_text(picture->injection, picture->num_ranks);
    }
    add_notes(picture, request);
    add_facts(picture, request);
}
