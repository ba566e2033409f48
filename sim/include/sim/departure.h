/* sim/departure.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where a run in the order of creation (docs/model.md, section 4.4) met what LogGOPSim gets wrong:
 * there its times may be others.
 */
#pragma once

#include "sim/program.h"

G_BEGIN_DECLS

typedef enum {
    /** What an operation waits for ends after its own CPU is free: it would start too early. */
    SIM_DEPARTURE_BACKWARDS,
    /** More than 16 operations become ready at once, and are sorted by a sort that is not stable.*/
    SIM_DEPARTURE_SORT,
    /** The CPU or interface of a receive is not that of its send, whose index counts. */
    SIM_DEPARTURE_PLACE,
    /** The same of a rendezvous message before its receive: the wrong CPU of the sender waits. */
    SIM_DEPARTURE_RELEASE,
    /** A receive is smaller than its message, or only one of them is larger than S. */
    SIM_DEPARTURE_SIZE,
    /** A message of no bytes takes less than one of one byte. */
    SIM_DEPARTURE_EMPTY,
    SIM_NUM_DEPARTURES
} sim_departure_kind;

typedef struct sim_departure {
    uint64_t count; /* how often; 0: never */
    uint32_t rank;  /* of the first time */
    uint32_t op;    /* of that rank */
} sim_departure;

/** One line that names rank and operation; NULL: that was not met. Owned by the caller. */
char *sim_departure_describe(const sim_program *program, sim_departure_kind kind,
                             const sim_departure *departure);

G_END_DECLS
