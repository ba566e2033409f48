/* schedgen/check/igraph_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * igraph would end the process after an error: here its errors become GErrors, and its warnings are
 * dropped.
 */
#pragma once

#include "sched/error.h"

#include <igraph/igraph.h>
#include <stdbool.h>

/** Calls igraph, checks with IGRAPH_CHECK and registers what it allocates with IGRAPH_FINALLY. */
typedef igraph_error_t sched_igraph_work(void *context);

/**
 * Do @p work with handlers that return and with attributes of vertices and edges; both are put
 * back as they were.
 * @return false with SCHED_ERROR_UNSUPPORTED and what igraph says
 */
bool sched_igraph_run(sched_igraph_work *work, void *context, GError **error);
