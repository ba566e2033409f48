/* apps/ripple/sweep/sweep_findings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_conditions, cli_report. */
#include "sweep/sweep_findings.h"

#include "findings/conclusion.h"
#include "findings/remark.h"
#include "findings/result_text.h"
#include "output/sentences.h"
#include "sweep/sweep_rows.h"

/* Why a point is left out. */
typedef enum { INVALID, FEW_MET, ONE, OPEN_RANGE, NUM_REASONS } reason;

static const char *const REASONS[NUM_REASONS] = {
    [INVALID] = "on a measurement that is not valid",
    [FEW_MET] = "with too few detours met",
    [ONE] = "of one replica",
    [OPEN_RANGE] = "whose range reaches to 0",
};

/* @return NUM_REASONS: it is not left out */
static reason why_not(const app_sweep_point *p)
{
    const app_series *s = &p->result.series;
    if (app_conditions_find(p->result.conditions, "invalid-measurement") != NULL) {
        return INVALID;
    }
    switch (app_series_claim(s)) {
    case APP_CLAIM_NONE:
        return FEW_MET;
    case APP_CLAIM_ONE:
        return ONE;
    case APP_CLAIM_RANGE:
        return s->slowdown.low > 0 ? NUM_REASONS : OPEN_RANGE;
    default:
        return NUM_REASONS;
    }
}

/* What is said of it: the mean, or what it is less than. */
static double said_of(const app_sweep_point *p)
{
    const app_series *s = &p->result.series;
    return app_series_claim(s) == APP_CLAIM_LESS ? s->slowdown.high : s->slowdown.mean;
}

/* Is there an effect, known to be one? */
static bool is_sure(const app_sweep_point *p)
{
    return app_series_claim(&p->result.series) != APP_CLAIM_LESS;
}

/* "3 with too few detours met, 1 of one replica". Owned by the caller. */
static char *left_out_text(const size_t count[NUM_REASONS])
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < NUM_REASONS; i++) {
        if (count[i] > 0) {
            g_string_append_printf(text, "%s%zu %s", text->len > 0 ? ", " : "", count[i],
                                   REASONS[i]);
        }
    }
    return g_string_free(text, FALSE);
}

static void add_worst(GPtrArray *sentences, const app_sweep_table *table,
                      const app_sweep_point *worst, const char *left_out)
{
    const app_series *s = &worst->result.series;
    g_autofree char *estimate = app_conclusion_estimate(s);
    g_autofree char *place = app_sweep_rows_place(table, worst);
    g_autofree char *passes = app_format_passes(s->passes);
    const bool nothing = app_series_has(s, APP_REMARK_NO_EFFECT);
    const bool alone = nothing || place[0] == '\0';
    g_autofree char *at = alone ? g_strdup("") : g_strdup_printf("most at %s: ", place);
    g_autofree char *others =
        left_out[0] != '\0' ? g_strdup_printf(" Left out: %s.", left_out) : g_strdup("");
    app_sentences_add(sentences, "%s: %s%s; of %s from a cold start.%s", app_mode_name(s->mode), at,
                      estimate, passes, others);
}

static void add_mode(GPtrArray *sentences, const app_sweep_table *table, const GPtrArray *noisy,
                     app_mode mode)
{
    const app_sweep_point *worst = NULL;
    size_t left_out[NUM_REASONS] = {0};
    size_t n = 0;
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_point *p = g_ptr_array_index(noisy, i);
        if (p->result.series.mode != mode) {
            continue;
        }
        const reason why = why_not(p);
        n++;
        if (why != NUM_REASONS) {
            left_out[why]++;
        } else if (worst == NULL || is_sure(p) > is_sure(worst) ||
                   (is_sure(p) == is_sure(worst) && said_of(p) > said_of(worst))) {
            worst = p;
        }
    }
    g_autofree char *why = left_out_text(left_out);
    if (worst != NULL) {
        add_worst(sentences, table, worst, why);
    } else if (n > 0) {
        app_sentences_add(sentences, "%s: no conclusion. Of %zu point%s: %s.", app_mode_name(mode),
                          n, n == 1 ? "" : "s", why);
    }
}

char **app_sweep_findings_new(const app_sweep_table *table)
{
    GPtrArray *sentences = g_ptr_array_new();
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    size_t done = 0;
    for (size_t i = 0; i < table->num_points; i++) {
        done += table->points[i].done;
    }
    if (done < table->num_points) {
        app_sentences_add(sentences, "Not complete: %zu of %zu points are done.", done,
                          table->num_points);
    }
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        add_mode(sentences, table, noisy, (app_mode)mode);
    }
    g_ptr_array_add(sentences, NULL);
    return (char **)g_ptr_array_free(sentences, FALSE);
}
