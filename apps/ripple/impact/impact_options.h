/* apps/ripple/impact/impact_options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The options that ask what each row costs. */
#pragma once

#include "impact/impact.h"
#include "options/options.h"

typedef struct app_impact_options {
    char *impact; /* NULL: not given; "": at the size that is mined */
    char *budget;
} app_impact_options;

void app_impact_options_add(app_impact_options *self, app_options *options);
void app_impact_options_clear(app_impact_options *self);
/** @return false with an error of usage */
bool app_impact_options_resolve(const app_impact_options *self, app_manifest *manifest,
                                app_impact_wish *wish, GError **error);
