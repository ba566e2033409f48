/* apps/ripple/findings/findings.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "findings/findings.h"

#include "output/sentences.h"

app_findings *app_findings_new(const app_results *results, const app_noise *noise,
                               const app_source *source)
{
    app_findings *f = g_new0(app_findings, 1);
    f->results = results;
    f->noise = noise;
    f->conditions = app_conditions_new(results, noise, source);
    f->conclusions = app_conclusions_new(results, noise, f->conditions);
    return f;
}

void app_findings_free(app_findings *f)
{
    if (f != NULL) {
        app_conditions_free(f->conditions);
        g_strfreev(f->conclusions);
        g_free(f);
    }
}

void app_findings_print_first(const app_findings *f, FILE *out)
{
    if (app_conditions_count(f->conditions, APP_CONDITION_GRAVE) > 0) {
        app_conditions_print(f->conditions, APP_CONDITION_GRAVE, out);
        fputc('\n', out);
    }
}

void app_findings_print_last(const app_findings *f, FILE *out)
{
    if (app_conditions_count(f->conditions, APP_CONDITION_REMARK) > 0) {
        fputs("\nwhat these numbers stand on\n", out);
        app_conditions_print(f->conditions, APP_CONDITION_REMARK, out);
    }
    if (f->conclusions[0] != NULL) {
        fputc('\n', out);
    }
    for (char **sentence = f->conclusions; *sentence != NULL; sentence++) {
        app_sentence_print(*sentence, out);
    }
}
