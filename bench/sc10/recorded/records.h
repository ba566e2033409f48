/* bench/sc10/recorded/records.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The records of the proxies, as they were made and with their computation changed, and the
 * programs that they become. Several threads may ask.
 */
#pragma once

#include "app_case.h"
#include "sched/convert.h"
#include "sched/trace.h"
#include "sim/graph.h"
#include "sim/program.h"

typedef struct sc10_records sc10_records;

/** @param folder of the records, "apps/proxies/traces" */
sc10_records *sc10_records_new(const char *folder);
void sc10_records_free(sc10_records *records); /* NULL is a no-op */

/** Read when it is first asked for; one that cannot be is an error of ours: aborts. Borrowed. */
const sched_trace *sc10_records_trace(sc10_records *records, const sc10_app_case *what);
/** On as many ranks as the case says; must not outlive the records. Owned by the caller. */
sim_program *sc10_records_program(sc10_records *records, const sc10_app_case *what);
/** The same, stored: of few copies. */
sim_graph *sc10_records_graph(sc10_records *records, const sc10_app_case *what);
