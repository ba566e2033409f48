/* schedgen/convert/convert_room.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_room. */
/*
 * How many bytes a receive has room for. Where a rank receives on a communicator only from named
 * sources with named tags, messages meet receives in the same order in every run: nothing else can
 * come than what came. One receive with a wildcard is enough for another order to be possible; then
 * it is the bytes that were posted that count. Old records do not say them, nor do they mean
 * anything where the program first looked what had come and made room for just that: then there is
 * no limit, which is as good as the largest message that is sent to the rank there.
 */
#include "convert/convert_private.h"

#include <string.h>

bool sched_convert_is_wild(const conv_context *context, const sched_call *call, bool *kept)
{
    const bool both = call->kind == SCHED_CALL_SENDRECV;
    const bool any = (both ? call->recv_peer : call->peer) == SCHED_ANY ||
                     (both ? call->recv_tag : call->tag) == SCHED_ANY;
    const bool recorded = call->matched_peer != SCHED_UNKNOWN && call->matched_tag != SCHED_UNKNOWN;
    const bool replaced = any && context->options->wildcards == SCHED_WILDCARD_RECORDED;
    *kept = replaced && !recorded;
    return any && !(replaced && recorded);
}

static bool receives(const sched_call *call)
{
    return call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV ||
           call->kind == SCHED_CALL_RECV_INIT || call->kind == SCHED_CALL_SENDRECV;
}

static bool sends(const sched_call *call)
{
    return call->kind == SCHED_CALL_SEND || call->kind == SCHED_CALL_ISEND ||
           call->kind == SCHED_CALL_SEND_INIT || call->kind == SCHED_CALL_SENDRECV;
}

static bool is_probe(const char *name)
{
    return g_str_equal(name, "MPI_Probe") || g_str_equal(name, "MPI_Iprobe") ||
           g_str_equal(name, "MPI_Mprobe") || g_str_equal(name, "MPI_Improbe");
}

/* Which ranks receive on which communicators with wildcards, and which ones probe? */
static bool find_wild(const conv_context *context)
{
    const sched_trace *trace = context->trace;
    bool found = false;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        sched_walk walk;
        sched_walk_begin(&walk, &trace->ranks[rank]);
        for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
            bool kept;
            if (receives(call) && sched_convert_is_converted(context, call) &&
                sched_convert_is_wild(context, call, &kept)) {
                conv_place *place = sched_convert_place_find(context, rank, call->comm);
                if (place != NULL) {
                    place->wild = true;
                    found = true;
                }
            }
            context->probes[rank] |=
                call->kind == SCHED_CALL_OTHER && context->is_probe[call->name];
        }
        sched_walk_end(&walk);
    }
    return found;
}

static void find_largest(const conv_context *context)
{
    const sched_trace *trace = context->trace;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        sched_walk walk;
        sched_walk_begin(&walk, &trace->ranks[rank]);
        for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
            if (sends(call) && sched_convert_is_converted(context, call) &&
                call->peer < trace->comms[call->comm].size) {
                const uint32_t to = trace->comms[call->comm].members[call->peer];
                conv_place *place = sched_convert_place_find(context, to, call->comm);
                place->largest = MAX(place->largest, call->bytes);
            }
        }
        sched_walk_end(&walk);
    }
}

void sched_convert_rooms_find(conv_context *context)
{
    const GPtrArray *names = context->trace->names;
    context->probes = g_new0(bool, (gsize)context->trace->num_ranks + 1);
    context->is_probe = g_new0(bool, (gsize)names->len + 1);
    for (guint i = 0; i < names->len; i++) {
        context->is_probe[i] = is_probe(g_ptr_array_index(names, i));
    }
    bool may = false;
    for (uint32_t rank = 0; rank < context->trace->num_ranks && !may; rank++) {
        may = sched_rank_may_be_wild(&context->trace->ranks[rank]);
    }
    if (may && find_wild(context)) {
        find_largest(context);
    }
}

int64_t sched_convert_room(const conv_context *context, uint32_t rank, const sched_call *call)
{
    const int64_t came = call->kind == SCHED_CALL_SENDRECV ? call->recv_bytes : call->bytes;
    const conv_place *place = sched_convert_place_find(context, rank, call->comm);
    if (place == NULL || !place->wild || came < 0) {
        return came;
    }
    return call->room >= 0 && !context->probes[rank] ? call->room : MAX(came, place->largest);
}
