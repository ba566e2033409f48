/* apps/ripple/output/terms.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The words that a page uses, a line each: for who has not read docs/model.md.
 */
#pragma once

#include "report/page.h"

#include <stdbool.h>

typedef struct app_terms {
    bool unsynchronized; /* there are such runs */
    bool coscheduled;
    bool steady; /* a slowdown is that of the long run */
} app_terms;

/** Nothing where there is no noise. */
void app_terms_add(app_page *page, const app_terms *there);
