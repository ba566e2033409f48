/* sim/machine/cold_cost.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_cold_cost. */
#include "sim/cold_cost.h"

#include "sim/error.h"
#include "sim/unit.h"

#include <stddef.h>
#include <string.h>

enum { PARTS = 3 }; /* of a point */

/* The member at @p offset, on the line through the points. */
static sim_time at(const sim_cold_cost *cost, sim_time computed, size_t offset)
{
    sim_time x = 0;
    sim_time y = 0;
    for (uint32_t i = 0; i < cost->num_points; i++) {
        const sim_cold_point *p = &cost->point[i];
        const sim_time next = *(const sim_time *)(const void *)((const char *)p + offset);
        if (computed < p->computed) {
            const double part = (double)(computed - x) / (double)(p->computed - x);
            return y + (sim_time)((double)(next - y) * part);
        }
        x = p->computed;
        y = next;
    }
    return y;
}

sim_time sim_cold_cost_of(const sim_cold_cost *cost, sim_time since_any, sim_time since_kind)
{
    const sim_time shared = at(cost, since_any, offsetof(sim_cold_point, first)) -
                            at(cost, since_any, offsetof(sim_cold_point, further));
    return MAX(shared, 0) + at(cost, since_kind, offsetof(sim_cold_point, further));
}

static bool parse_point(const char *text, sim_time after, sim_cold_point *out, GError **error)
{
    g_auto(GStrv) part = g_strsplit(text, ":", PARTS + 1);
    if (g_strv_length(part) != PARTS) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE,
                    "not of the form COMPUTED:FIRST:FURTHER: '%s'", text);
        return false;
    }
    if (!sim_unit_parse_time(g_strstrip(part[0]), SIM_NS, &out->computed, error) ||
        !sim_unit_parse_time(g_strstrip(part[1]), SIM_NS, &out->first, error) ||
        !sim_unit_parse_time(g_strstrip(part[2]), SIM_NS, &out->further, error)) {
        return false;
    }
    const char *wrong = out->computed <= after      ? "is not after more computation than before"
                        : out->further > out->first ? "has further calls take more than the first"
                                                    : NULL;
    if (wrong != NULL) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, "'%s' %s", text, wrong);
    }
    return wrong == NULL;
}

bool sim_cold_cost_parse(const char *text, sim_cold_cost *out, GError **error)
{
    sim_cold_cost cost = {.num_points = 0};
    const bool is_nothing = strcmp(text, "0") == 0;
    g_auto(GStrv) points = g_strsplit(text, ",", SIM_COLD_POINTS + 1);
    for (size_t i = 0; !is_nothing && (i == 0 || points[i] != NULL); i++) {
        if (i == SIM_COLD_POINTS) {
            g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_MACHINE, "more than %d points: '%s'",
                        SIM_COLD_POINTS, text);
            return false;
        }
        const sim_time after = i > 0 ? cost.point[i - 1].computed : 0;
        if (!parse_point(points[i] != NULL ? points[i] : "", after, &cost.point[i], error)) {
            return false;
        }
        cost.num_points++;
    }
    *out = cost;
    return true;
}

char *sim_cold_cost_format(const sim_cold_cost *cost)
{
    GString *text = g_string_new(cost->num_points == 0 ? "0" : NULL);
    for (uint32_t i = 0; i < cost->num_points; i++) {
        const sim_cold_point *p = &cost->point[i];
        g_autofree char *computed = sim_unit_format_time(p->computed);
        g_autofree char *first = sim_unit_format_time(p->first);
        g_autofree char *further = sim_unit_format_time(p->further);
        g_string_append_printf(text, "%s%s:%s:%s", i > 0 ? "," : "", computed, first, further);
    }
    return g_string_free(text, FALSE);
}
