/* apps/ripple/steady/threshold.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From which size on is the slowdown above a threshold? By bisection, since every size costs a run
 * and more ranks are taken to be slowed down no less. A size whose interval holds the threshold is
 * undecided; then the answer is the bracket around it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum { APP_BELOW, APP_ABOVE, APP_UNDECIDED } app_verdict;

/**
 * Where is size @p i, which has not been asked for before?
 * @param more about how many sizes will be asked for after it
 */
typedef bool app_threshold_ask(void *data, size_t i, unsigned more, app_verdict *verdict,
                               GError **error);

typedef struct app_bracket {
    size_t below; /* sizes before this one are below: those up to below - 1 */
    size_t above; /* from this one on they are above; n: none is */
} app_bracket;

/**
 * Bisect the sizes 0..@p n - 1; asks for some 2 log2(n) of them at most.
 * @param bracket on failure, too, it says what is known so far
 * @return false with an error of @p ask
 */
bool app_threshold_find(size_t n, app_threshold_ask *ask, void *data, app_bracket *bracket,
                        GError **error);
