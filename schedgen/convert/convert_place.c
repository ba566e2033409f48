/* schedgen/convert/convert_place.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert. */
#include "convert/convert_private.h"

/* By a counting sort over the members of all communicators. */
bool sched_convert_places_find_all(conv_context *context, GError **error)
{
    const sched_trace *trace = context->trace;
    uint64_t *first = g_new0(uint64_t, (gsize)trace->num_ranks + 2);
    context->first_place = first;
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        for (uint32_t m = 0; comm->members != NULL && m < comm->size; m++) {
            if (comm->members[m] >= trace->num_ranks) {
                g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                            "%s: communicator %s has a member '%u' of %u ranks", trace->path,
                            comm->name, comm->members[m], trace->num_ranks);
                return false;
            }
            first[comm->members[m] + 2]++;
        }
    }
    for (uint32_t i = 2; i < trace->num_ranks + 2; i++) {
        first[i] += first[i - 1];
    }
    context->places = g_new(conv_place, first[trace->num_ranks + 1] + 1);
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        for (uint32_t m = 0; comm->members != NULL && m < comm->size; m++) {
            const uint64_t at = first[comm->members[m] + 1]++;
            context->places[at] = (conv_place){.comm = c, .position = m};
        }
    }
    return true;
}

conv_place *sched_convert_place_find(const conv_context *context, uint32_t rank, uint32_t comm)
{
    uint64_t low = context->first_place[rank];
    uint64_t high = context->first_place[rank + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (context->places[middle].comm < comm) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < context->first_place[rank + 1] && context->places[low].comm == comm
               ? &context->places[low]
               : NULL;
}

bool sched_convert_is_converted(const conv_context *context, const sched_call *call)
{
    const bool collective =
        call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE;
    if (call->kind < SCHED_CALL_SEND || call->kind == SCHED_CALL_CANCEL) {
        return false;
    }
    if (collective ? context->options->no_collectives : context->options->no_p2p) {
        return false;
    }
    return (!collective && call->kind > SCHED_CALL_RECV_INIT) ||
           context->trace->comms[call->comm].members != NULL;
}
