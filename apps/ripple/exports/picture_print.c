/* apps/ripple/exports/picture_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_view. */
#include "exports/picture_print.h"

#include "output/number_text.h"
#include "sim/unit.h"

#include <math.h>

enum { LISTED = 10 /* ranks */ };

static double share_of(sim_time part, sim_time whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

/* ---- what became of a detour ---- */

/* "879.9 to 897.3"; one that is too narrow for four digits as what it is at most. */
static void print_interval(GString *text, app_picture_fit fit)
{
    const double half = MAX(fit.high - fit.value, fit.value - fit.low);
    if (half < 5e-4 * fit.value) {
        g_string_append(text, "within 0.05 %");
    } else {
        g_string_append_printf(text, "%.4g to %.4g", fit.low, fit.high);
    }
}

/* "falls by 12us", "grows by 96ns", with the interval of what falls. */
static void print_decay(GString *text, const app_picture_wave *w)
{
    g_autofree char *by = sim_unit_format_time_short((sim_time)llround(fabs(w->decay.value)));
    g_string_append_printf(text, "; its delay %s by %s from rank to rank",
                           w->decay.value < 0 ? "grows" : "falls", by);
    if (w->decay.high - w->decay.low >= (double)SIM_NS) {
        g_string_append_printf(text, " (falls by %.4g to %.4g us)", w->decay.low / (double)SIM_US,
                               w->decay.high / (double)SIM_US);
    }
}

static void print_speed(GString *text, const app_picture_wave *w, const app_picture_injection *i)
{
    g_string_append_printf(text, " To %s ranks it came to %zu",
                           w->direction > 0 ? "larger" : "smaller", w->points);
    if (!isfinite(w->speed.value)) {
        g_string_append(text, ", too few for a speed.");
        return;
    }
    g_string_append_printf(text, ", at %.4g ranks/s (95 %% interval ", w->speed.value);
    print_interval(text, w->speed);
    if (isfinite(i->formula)) {
        g_string_append_printf(text, "), %+.2f %% off the formula",
                               100 * (w->speed.value / i->formula - 1));
    } else {
        g_string_append_c(text, ')');
    }
    print_decay(text, w);
    if (w->absorbed != APP_PICTURE_NONE) {
        g_string_append_printf(text, "; rank %u is the first that it does not come to",
                               w->absorbed);
    }
    g_string_append_c(text, '.');
}

char *app_injection_text(const app_picture_injection *i, uint32_t num_ranks)
{
    g_autofree char *length = sim_unit_format_time(i->length);
    g_autofree char *at = sim_unit_format_time(i->at);
    g_autofree char *later =
        sim_unit_format_time_short(i->finish_delay < 0 ? -i->finish_delay : i->finish_delay);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text,
                           "A detour of %s from %s on rank %u: %zu of %u ranks are late by 1 %% of "
                           "it or more at some time, and the run ends %s %s.",
                           length, at, i->rank, i->num_fronts - 1, num_ranks, later,
                           i->finish_delay < 0 ? "earlier" : "later");
    for (size_t w = 0; w < i->num_waves; w++) {
        print_speed(text, &i->waves[w], i);
    }
    if (isfinite(i->formula)) {
        g_autofree char *step = sim_unit_format_time_short(i->step);
        const double unit = i->formula / i->sigma;
        g_string_append_printf(text,
                               " The formula sigma d / (T_exec + T_comm) with d = %u (its farthest "
                               "partner) and a step "
                               "of %s without noise gives %.4g ranks/s with sigma = 1, %.4g with "
                               "sigma = 2; the nearer "
                               "one is sigma = %u.",
                               i->distance, step, unit, 2 * unit, i->sigma);
    } else {
        g_string_append(text, " There is no formula to compare with: the rank has no partners, or "
                              "fewer than three computations.");
    }
    return g_string_free(text, FALSE);
}

/* ---- text ---- */

static void print_kinds(const app_picture *p, FILE *out)
{
    sim_time all = 0;
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        all += p->time[k];
    }
    fprintf(out, "%-16s %12s  of the time of all ranks\n", "state", "share");
    for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
        if (!app_picture_knows(p, (app_picture_kind)k)) {
            continue;
        }
        g_autofree char *share = app_format_percent(share_of(p->time[k], all));
        fprintf(out, "%-16s %12s\n", app_picture_kind_name(k), share);
    }
    if (p->absorbed > 0) {
        g_autofree char *share = app_format_percent(share_of(p->absorbed, all));
        fprintf(out, "%-16s %12s  (ranks that came late waited less by so much)\n", "absorbed",
                share);
    }
}

static void print_path(const app_picture *p, FILE *out)
{
    sim_time all = 0;
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        all += p->path_part[k];
    }
    if (all == 0) {
        return;
    }
    fputs("\nCritical path:", out);
    for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
        g_autofree char *share = app_format_percent(share_of(p->path_part[k], all));
        fprintf(out, "%s %s %s", k > 0 ? "," : "", app_picture_path_kind_name(k), share);
    }
    fputc('\n', out);
}

static void print_lanes(const app_picture *p, FILE *out)
{
    if (p->num_lanes == 0) {
        return;
    }
    const app_picture_kind shown[] = {
        app_picture_knows(p, APP_PICTURE_DETOUR) ? APP_PICTURE_DETOUR : APP_PICTURE_COMPUTE,
        app_picture_knows(p, APP_PICTURE_NOISE_WAIT) ? APP_PICTURE_NOISE_WAIT : APP_PICTURE_WAIT};
    fprintf(out, "\n%10s %14s %14s %14s\n", "rank", app_picture_kind_name(shown[0]),
            app_picture_kind_name(shown[1]), "finish");
    for (size_t i = 0; i < MIN(p->num_lanes, LISTED); i++) {
        const app_picture_lane *l = &p->lanes[i];
        g_autofree char *first = sim_unit_format_time_short(l->time[shown[0]]);
        g_autofree char *second = sim_unit_format_time_short(l->time[shown[1]]);
        g_autofree char *finish = sim_unit_format_time_short(l->finish);
        fprintf(out, "%10u %14s %14s %14s\n", l->rank, first, second, finish);
    }
    if (p->num_lanes > LISTED) {
        fprintf(out, "and %zu more lanes\n", p->num_lanes - LISTED);
    }
}

void app_picture_print(const app_picture *p, FILE *out)
{
    g_autofree char *ranks = app_format_ranks(p->num_ranks);
    g_autofree char *makespan = sim_unit_format_time_short(p->makespan);
    fprintf(out, "%s: %s, %s", p->title, ranks, makespan);
    if (p->ideal > 0) {
        g_autofree char *ideal = sim_unit_format_time_short(p->ideal);
        fprintf(out, "; %s without noise", ideal);
    }
    fputs("\n\n", out);
    print_kinds(p, out);
    print_path(p, out);
    print_lanes(p, out);
    if (p->injection != NULL) {
        fprintf(out, "\n%s\n", p->injection->text);
    }
    for (size_t i = 0; i < p->num_notes; i++) {
        fprintf(out, "\nNote: %s\n", p->notes[i]);
    }
}
