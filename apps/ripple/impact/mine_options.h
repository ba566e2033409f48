/* apps/ripple/impact/mine_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The options of `ripple mine`, and which of them mean something where. */
#pragma once

#include "impact/impact_options.h"
#include "mining/trace_events.h"
#include "noise/miner.h"
#include "options/single_options.h"
#include "output/context.h"

typedef struct app_mine_options {
    app_single_options single;
    app_impact_options impact;
    char *mode;
    char *calls;
    char *exemplars;
    char *report;
    char *min_share;
    char *min_count;
    char *quantum;
    char *cutoff;
} app_mine_options;

/** What they mean. */
typedef struct app_mine_wish {
    noise_miner_options miner;
    app_calls calls;
    bool shows;   /* exemplars */
    uint64_t row; /* of this one alone, from 1; 0: of all */
    app_impact_wish impact;
} app_mine_wish;

void app_mine_options_add(app_mine_options *self, app_options *options);
void app_mine_options_clear(app_mine_options *self);
/** What can be said of them before the program is known. @return false with an error of usage */
bool app_mine_options_resolve(const app_mine_options *self, app_manifest *manifest,
                              app_mine_wish *wish, GError **error);
/** How it was mined. @param calls also which calls: of a recorded run */
void app_mine_options_note(const app_mine_wish *wish, bool calls, app_manifest *manifest);

/** What asks for a simulated run, of what is mined as it is. @param idle "on what …" */
bool app_mine_options_refuse_program(const app_mine_options *self, bool seed_given,
                                     const char *idle, GError **error);
/** What is said of a simulated run, where there is none, unless rows are sent back to one. */
bool app_mine_options_refuse_on_record(const app_mine_options *self, bool seed_given,
                                       GError **error);
bool app_mine_options_refuse_on_simulated(const app_mine_options *self, GError **error);
