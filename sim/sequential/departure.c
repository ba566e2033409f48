/* sim/sequential/departure.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sequential, cli_compat. */
#include "sim/departure.h"

#include <inttypes.h>

char *sim_departure_describe(const sim_program *program, sim_departure_kind kind,
                             const sim_departure *departure)
{
    static const char *const WHAT[SIM_NUM_DEPARTURES] = {
        [SIM_DEPARTURE_BACKWARDS] =
            "what it waits for ends on another CPU after its own is free; LogGOPSim lets it start "
            "earlier, here it waits",
        [SIM_DEPARTURE_SORT] =
            "more than 16 operations become ready at once, this one among them; LogGOPSim takes "
            "them in an order that depends on its C++ library, here sends go first, then receives, "
            "then calcs",
        [SIM_DEPARTURE_PLACE] =
            "its cpu or nic is not that of the message it gets; as in LogGOPSim, the sender's "
            "counts",
        [SIM_DEPARTURE_RELEASE] =
            "its cpu or nic is not that of the rendezvous message that waits for it; LogGOPSim "
            "holds up that one of the sender, here it is the one the message was sent from",
        [SIM_DEPARTURE_SIZE] =
            "its size is not that of the message it gets, and it is smaller or S lies between "
            "them; LogGOPSim goes by either, here by the message's",
        [SIM_DEPARTURE_EMPTY] =
            "a message of 0 bytes; LogGOPSim takes G and O off the time of one byte, here it takes "
            "as long as one byte",
    };
    if (departure->count == 0) {
        return NULL;
    }
    g_autofree char *label = program->methods->label(program, departure->rank, departure->op);
    const uint64_t more = departure->count - 1;
    g_autofree char *again =
        more > 0 ? g_strdup_printf(" (and %" PRIu64 " more time%s)", more, more == 1 ? "" : "s")
                 : g_strdup("");
    return g_strdup_printf("rank %" PRIu32 ", %s: %s%s", departure->rank, label, WHAT[kind], again);
}
