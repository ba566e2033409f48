/* apps/ripple/scores/score.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_score. */
#include "scores/score.h"

/* Disturbed, slower, not judged, clean. */
static int class_of(const noise_interference_judgement *j)
{
    switch (j->verdict) {
    case NOISE_VERDICT_DISTURBED:
        return 0;
    case NOISE_VERDICT_SLOWER:
        return 1;
    case NOISE_VERDICT_CLEAN:
        return 3;
    default:
        return 2;
    }
}

static sim_time lost_of(const noise_interference_judgement *j)
{
    return class_of(j) < NOISE_INTERFERENCE_KINDS ? j->of[class_of(j)].lost : 0;
}

static int compare(const void *a, const void *b, void *data)
{
    const app_score *s = data;
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    const noise_interference_judgement *i = &s->judged[x];
    const noise_interference_judgement *j = &s->judged[y];
    if (class_of(i) != class_of(j)) {
        return class_of(i) - class_of(j);
    }
    if (lost_of(i) != lost_of(j)) {
        return lost_of(i) > lost_of(j) ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

app_score *app_score_new(const noise_interference_model *model,
                         const noise_interference_scorer *scorer, uint32_t num_ranks, double alpha)
{
    app_score *s = g_new0(app_score, 1);
    *s = (app_score){.model = model, .scorer = scorer, .num_ranks = num_ranks, .alpha = alpha};
    s->judged = g_new0(noise_interference_judgement, num_ranks);
    s->culprit = g_new0(app_culprit, num_ranks);
    s->order = g_new(uint32_t, num_ranks);
    for (uint32_t r = 0; r < num_ranks; r++) {
        s->judged[r] = noise_interference_judge(scorer, r, alpha);
        s->order[r] = r;
        s->num_disturbed += s->judged[r].verdict == NOISE_VERDICT_DISTURBED;
        s->num_slower += s->judged[r].verdict == NOISE_VERDICT_SLOWER;
        s->num_clean += s->judged[r].verdict == NOISE_VERDICT_CLEAN;
    }
    s->num_judged = s->num_disturbed + s->num_slower + s->num_clean;
    g_qsort_with_data(s->order, (gint)num_ranks, sizeof *s->order, compare, s);
    return s;
}

void app_score_free(app_score *s)
{
    if (s != NULL) {
        for (uint32_t r = 0; r < s->num_ranks; r++) {
            g_free(s->culprit[r].name);
        }
        g_free(s->culprit);
        g_free(s->judged);
        g_free(s->order);
        g_free(s);
    }
}
