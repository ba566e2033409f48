/* apps/ripple/output/terms.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_experiment_report, test_sweep_figures. */
#include "output/terms.h"

void app_terms_add(app_page *page, const app_terms *there)
{
    app_term terms[7];
    size_t n = 0;
    if (!there->unsynchronized && !there->coscheduled) {
        return;
    }
    terms[n++] = (app_term){"ideal", "without noise: what the others are compared with."};
    if (there->unsynchronized) {
        terms[n++] = (app_term){"unsynchronized",
                                "under noise, each node at its own place in it: detours strike "
                                "different nodes at different times."};
    }
    if (there->coscheduled) {
        terms[n++] = (app_term){
            "co-scheduled", "under noise, all nodes at the same place in it: detours strike all "
                            "nodes at once."};
    }
    terms[n++] = (app_term){"detour", "a stretch of time in which a CPU is away from the program."};
    terms[n++] = (app_term){"replica",
                            "one repetition of the run, with the noise drawn anew from the seed."};
    terms[n++] = (app_term){
        "slowdown", there->steady
                        ? "(noisy - ideal) / ideal of the time of a pass in the long run; mean of "
                          "the replicas."
                        : "(noisy - ideal) / ideal of the makespan; mean of the replicas."};
    terms[n++] = (app_term){"interval",
                            "that of the mean, at a level of 95 %: were all replicas drawn again, "
                            "about 95 of 100 such intervals would hold the true mean. With fewer "
                            "than five replicas: the range, from the least to the largest."};
    app_page_heading(page, "Words");
    app_page_terms(page, terms, n);
}
