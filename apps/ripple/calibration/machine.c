/* apps/ripple/calibration/machine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibration. */
#include "calibration/calibration.h"

#include "output/error.h"

#include <math.h>

static const struct {
    const char *name;
    sim_key key, node;
    const char *origin;
} VALUES[APP_NUM_CALIBRATED] = {
    {"L", SIM_KEY_L, SIM_KEY_NODE_L, "half a round trip of 1 B less the overheads of both ends"},
    {"o", SIM_KEY_o, SIM_KEY_NODE_o,
     "mean of sending with pauses and of receiving what is there, 1 B"},
    {"g", SIM_KEY_g, SIM_KEY_NODE_g, "distance of messages of 1 B sent back to back"},
    {"G", SIM_KEY_G, SIM_KEY_NODE_G, "least squared relative errors of the model's round trips"},
    {"O", SIM_KEY_O, SIM_KEY_NODE_O, "slope of receiving what is there, up to S; at most G"},
    {"H", SIM_KEY_H, SIM_KEY_NODE_H, "with G: what messages above S take beside 2 L more"},
    {"L+2o", SIM_NUM_KEYS, SIM_NUM_KEYS, "half a round trip of 1 B"},
};

const char *app_calibrated_name(app_calibrated which)
{
    return VALUES[which].name;
}

bool app_calibrated_is_there(const app_calibration *c, app_calibrated which)
{
    return which != APP_CALIBRATED_H || c->has_handshake;
}

const char *app_calibrated_origin(const app_calibration *c, app_calibrated which)
{
    const bool is_guess = c->guessed && (which == APP_CALIBRATED_L || which == APP_CALIBRATED_o);
    return is_guess
               ? "of half a round trip of 1 B, of which the overheads leave L less than a tenth"
               : VALUES[which].origin;
}

static bool set(sim_machine *machine, sim_key key, const char *text, const char *origin,
                GError **error)
{
    g_autofree char *assignment = g_strdup_printf("%s=%s", sim_key_name(key), text);
    if (!sim_machine_set(machine, assignment, error)) {
        return false;
    }
    g_free(machine->provenance[key]);
    machine->provenance[key] = g_strdup(origin);
    return true;
}

static const char COLD[] =
    "half of an exchange of 1 B by ranks that both have walked through memory";

static bool set_all(const app_calibration *c, bool within, const char *when, sim_machine *machine,
                    GError **error)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    for (size_t i = 0; i < APP_CALIBRATED_WAY; i++) {
        if (!app_calibrated_is_there(c, (app_calibrated)i)) {
            continue;
        }
        const bool is_rate = i == APP_CALIBRATED_G || i == APP_CALIBRATED_O;
        const bool is_cold = c->takes_cold && i == APP_CALIBRATED_o;
        const double ns = is_cold ? c->cold.value : c->value[i].value;
        const char *text =
            g_ascii_formatd(number, sizeof number, is_rate ? "%.3f" : "%.0f", 1000 * ns);
        g_autofree char *value = g_strdup_printf(is_rate ? "%sps/B" : "%sps", text);
        g_autofree char *origin =
            g_strdup_printf("ripple calibrate %s, %s, %s: %s", when, c->mpi, c->places,
                            is_cold ? COLD : app_calibrated_origin(c, (app_calibrated)i));
        if (!set(machine, within ? VALUES[i].node : VALUES[i].key, value, origin, error)) {
            return false;
        }
    }
    g_autofree char *S =
        c->S == INT64_MAX ? g_strdup("inf") : g_strdup_printf("%" G_GINT64_FORMAT "B", c->S);
    g_autofree char *origin =
        g_strdup_printf("ripple calibrate %s, %s, %s: sends of more wait for their receive", when,
                        c->mpi, c->places);
    return set(machine, within ? SIM_KEY_NODE_S : SIM_KEY_S, S, origin, error);
}

const app_calibrated_value *app_calibrated_call_time(const app_calibration *c, sim_call call)
{
    return c->takes_cold ? &c->call[call].cold : &c->call[call].time;
}

bool app_calibrated_call_fit(const app_calibrated_call *call, const app_calibrated_value *time,
                             sim_call_cost *out)
{
    const double ps = (double)SIM_NS;
    const app_calibrated_value *byte = &call->byte;
    if (call->num_sizes == 0 || time->low <= 0 || time->level < APP_CALIBRATION_LEVEL) {
        return false;
    }
    const bool has_slope = byte->low > 0 && byte->level >= APP_CALIBRATION_LEVEL;
    const double each = has_slope ? byte->value : 0;
    const double of_smallest = each * (double)call->bytes[0];
    *out = (sim_call_cost){
        .time = llround(fmax(time->value - of_smallest, 0) * ps),
        .byte = llround(each * ps * 1000) * (SIM_RATE_PER_PS / 1000),
    };
    return true;
}

bool app_calibrated_call_cost(const app_calibration *c, sim_call call, sim_call_cost *out)
{
    return app_calibrated_call_fit(&c->call[call], app_calibrated_call_time(c, call), out);
}

/* Costs of calls: each in company of where it comes from. */
static bool set_calls(const app_calibration *c, const char *when, sim_machine *machine,
                      GError **error)
{
    for (int i = 0; i < SIM_NUM_CALLS; i++) {
        sim_call_cost cost;
        if (!app_calibrated_call_cost(c, (sim_call)i, &cost)) {
            continue;
        }
        const app_calibrated_value *time = app_calibrated_call_time(c, (sim_call)i);
        g_autofree char *text = sim_call_cost_format(&cost);
        g_autofree char *origin = g_strdup_printf(
            "ripple calibrate %s, %s, %s: a call on two ranks beyond its simulated messages%s, "
            "%.0f .. %.0f ns",
            when, c->mpi, c->places, c->takes_cold ? " after a walk through memory" : "", time->low,
            time->high);
        if (!set(machine, (sim_key)(SIM_KEY_CALLS + i), text, origin, error)) {
            return false;
        }
    }
    return true;
}

static sim_time whole_ns(double ns)
{
    return llround(fmax(ns, 0)) * SIM_NS;
}

bool app_calibrated_cold_cost(const app_calibration *c, sim_cold_cost *out)
{
    uint32_t n = 0;
    *out = (sim_cold_cost){.num_points = 0};
    for (size_t i = 1; i < c->num_walks; i++) {
        const app_calibrated_value *v = c->walk[i].value;
        const app_calibrated_value *first = &v[APP_WALK_FIRST];
        const bool is_known = first->level >= APP_CALIBRATION_LEVEL;
        const bool is_more = first->low > 0;
        const sim_time computed = whole_ns(v[APP_WALK_COMPUTED].value);
        if (is_known && computed > (n > 0 ? out->point[n - 1].computed : 0)) {
            const double further = fmin(v[APP_WALK_FURTHER].value, first->value);
            out->point[n++] = (sim_cold_point){.computed = computed,
                                               .first = is_more ? whole_ns(first->value) : 0,
                                               .further = is_more ? whole_ns(further) : 0};
            out->num_points = is_more ? n : out->num_points;
        }
    }
    for (; n > out->num_points; n--) { /* nothing more after the last that is told from nothing */
        out->point[n - 1] = (sim_cold_point){0};
    }
    return out->num_points > 0;
}

/* With an o that is of calls after a walk there is nothing that a computation adds. */
static bool set_cold(const app_calibration *c, const char *when, sim_machine *machine,
                     GError **error)
{
    sim_cold_cost cost;
    if (c->takes_cold || !app_calibrated_cold_cost(c, &cost)) {
        return true;
    }
    g_autofree char *text = sim_cold_cost_format(&cost);
    g_autofree char *origin =
        g_strdup_printf("ripple calibrate %s, %s, %s: calls on two ranks after walks through "
                        "memory, beyond those after none",
                        when, c->mpi, c->places);
    return set(machine, SIM_KEY_COLD, text, origin, error);
}

sim_machine *app_calibration_machine(const app_calibration *c, sim_machine *base, const char *when,
                                     GError **error)
{
    static const char NONE[] = "[machine]\nschema_version=1\nL=1ns\no=1ns\ng=1ns\nG=0\n";
    const bool within = base != NULL;
    g_autoptr(sim_machine) machine =
        within ? base : sim_machine_load_data("calibrated", NONE, sizeof NONE - 1, error);
    if (c->takes_cold && c->cold.value <= 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT,
                    "--cold: the calibrator has not measured calls after a computation");
        return NULL;
    }
    const bool ok =
        machine != NULL && set_all(c, within, when, machine, error) &&
        (within || (set_calls(c, when, machine, error) && set_cold(c, when, machine, error)));
    return ok ? g_steal_pointer(&machine) : NULL;
}
