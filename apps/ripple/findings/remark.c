/* apps/ripple/findings/remark.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/remark.h"

#include "findings/result_text.h"
#include "output/number_text.h"
#include "steady/steady_series.h"

static const double MATTERS = 0.01; /* of the slowdown: less cannot be seen in it */

const app_remark_words app_remarks[APP_NUM_REMARKS] = {
    [APP_REMARK_TOO_SHORT] = {"too-short", "too short"},
    [APP_REMARK_FEW_MET] = {"few-met", "few met"},
    [APP_REMARK_CHECK] = {"check", "check"},
    [APP_REMARK_ONE] = {"one-replica", "one replica"},
    [APP_REMARK_RANGE] = {"range-only", "range"},
    [APP_REMARK_DRIFTS] = {"drifts", "not settled"},
    [APP_REMARK_WIDE] = {"wide", "wide"},
    [APP_REMARK_ABSORBED] = {"absorbed", "absorbed"},
    [APP_REMARK_LESS_THAN] = {"less-than", "less than"},
    [APP_REMARK_NO_EFFECT] = {"no-effect", "no effect"},
};

app_quantity app_results_quantity(const app_results *results)
{
    for (size_t i = 0; i < results->num_series; i++) {
        if (results->series[i].mode != APP_IDEAL) {
            return results->series[i].quantity;
        }
    }
    return APP_PASS;
}

static size_t rarest_of_pass(const app_series *s, double *detours)
{
    const double least = MATTERS * MAX(s->slowdown.mean, 0);
    size_t rarest = SIZE_MAX;
    *detours = APP_STEADY_MET;
    for (size_t i = 0; i < s->num_met; i++) {
        const double met = s->met[i].by_run * s->num_runs;
        const double most = s->met[i].most;
        if (most > 0 && most >= least && met < *detours) {
            rarest = i;
            *detours = met;
        }
    }
    return rarest;
}

size_t app_series_rarest(const app_series *s, double *detours)
{
    if (s->quantity == APP_PASS) {
        return rarest_of_pass(s, detours);
    }
    if (s->steady.state != APP_STEADY_TOO_SHORT) {
        return SIZE_MAX;
    }
    *detours = s->met[s->steady.rarest].by_run;
    return s->steady.rarest;
}

const app_met *app_series_rarest_met(const app_series *s)
{
    const app_met *rarest = NULL;
    for (size_t i = 0; i < s->num_met; i++) {
        if (s->met[i].by_run > 0 && (rarest == NULL || s->met[i].by_run < rarest->by_run)) {
            rarest = &s->met[i];
        }
    }
    return rarest;
}

static bool is_check(const app_series *s)
{
    return s->quantity == APP_STEADY && s->steady.check;
}

static bool is_in_state(const app_series *s, app_steady_state state)
{
    return s->quantity == APP_STEADY && s->steady.state == state;
}

/* Not even that there is a slowdown can be seen. */
static bool is_void(const app_series *s)
{
    double detours;
    return is_in_state(s, APP_STEADY_TOO_SHORT) ||
           (s->quantity == APP_PASS && s->slowdown.low <= 0 &&
            app_series_rarest(s, &detours) != SIZE_MAX);
}

bool app_series_has(const app_series *s, app_remark remark)
{
    const app_mean *m = &s->slowdown;
    double detours;
    switch (remark) {
    case APP_REMARK_TOO_SHORT:
        return is_in_state(s, APP_STEADY_TOO_SHORT);
    case APP_REMARK_FEW_MET:
        return s->quantity == APP_PASS && app_series_rarest(s, &detours) != SIZE_MAX;
    case APP_REMARK_CHECK:
        return is_check(s);
    case APP_REMARK_ONE:
        return s->num_runs == 1 && !is_check(s) && !is_void(s);
    case APP_REMARK_RANGE:
        return s->num_runs > 1 && m->level == 0 && !is_void(s);
    case APP_REMARK_DRIFTS:
        return is_in_state(s, APP_STEADY_DRIFTS);
    case APP_REMARK_WIDE:
        return is_in_state(s, APP_STEADY_WIDE) && !s->steady.decided;
    case APP_REMARK_ABSORBED:
        return s->quantity == APP_STEADY && s->steady.absorbed;
    case APP_REMARK_LESS_THAN:
        return app_series_claim(s) == APP_CLAIM_LESS && m->high > 0;
    case APP_REMARK_NO_EFFECT:
        return app_series_claim(s) != APP_CLAIM_NONE && m->low == 0 && m->high == 0;
    case APP_NUM_REMARKS:
        break;
    }
    return false;
}

bool app_series_interval_is_wide(const app_series *s)
{
    return s->slowdown.half_width > s->steady.half_width * s->slowdown.mean;
}

static char *join(const app_series *s, bool codes, const char *separator)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < APP_NUM_REMARKS; i++) {
        if (app_series_has(s, (app_remark)i)) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? separator : "",
                                   codes ? app_remarks[i].code : app_remarks[i].cell);
        }
    }
    return g_string_free(text, FALSE);
}

char *app_series_remarks(const app_series *s)
{
    return join(s, false, ", ");
}

char *app_series_codes(const app_series *s, const char *separator)
{
    return join(s, true, separator);
}

app_claim app_series_claim(const app_series *s)
{
    double detours;
    if (app_series_rarest(s, &detours) != SIZE_MAX) {
        return APP_CLAIM_NONE;
    }
    if (s->num_runs == 1) {
        return APP_CLAIM_ONE;
    }
    if (s->slowdown.level == 0) {
        return APP_CLAIM_RANGE;
    }
    return s->slowdown.low <= 0 && s->slowdown.high >= 0 ? APP_CLAIM_LESS : APP_CLAIM_INTERVAL;
}

char *app_series_cell(const app_series *s)
{
    if (is_void(s)) {
        return g_strdup(s->quantity == APP_PASS ? app_remarks[APP_REMARK_FEW_MET].cell
                                                : app_remarks[APP_REMARK_TOO_SHORT].cell);
    }
    if (app_series_has(s, APP_REMARK_LESS_THAN)) {
        g_autofree char *most = app_format_slowdown(s->slowdown.high);
        return g_strconcat(most[0] == '<' ? "" : "<", most, NULL);
    }
    return app_format_slowdown(s->slowdown.mean);
}

char *app_series_interval_cell(const app_series *s)
{
    return is_void(s) || s->num_runs == 1 ? g_strdup("-")
                                          : app_format_interval(s->slowdown.low, s->slowdown.high);
}
