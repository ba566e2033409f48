/* schedgen/convert/convert_collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert, test_convert_refused. */
#include "convert/convert_filler.h"
#include "model/beside_private.h"

/* Lists that the call must have on this rank, and no others. */
static bool check_counts(const conv_filler *f, const sched_call *call, const conv_place *place,
                         GError **error)
{
    const coll_kind kind = (coll_kind)call->collective;
    const uint32_t size = f->context->trace->comms[call->comm].size;
    const bool at_root = place->position == call->root;
    const bool sends = coll_kind_has_send_counts(kind, at_root);
    const bool recvs = coll_kind_has_recv_counts(kind, at_root);
    if ((sends && call->num_send_counts != size) || (recvs && call->num_recv_counts != size)) {
        return conv_refuse(f, call, SCHED_ERROR_UNSUPPORTED, error,
                           "no counts recorded for a communicator of", size);
    }
    for (uint32_t i = 0; i < call->num_send_counts + call->num_recv_counts; i++) {
        const int64_t bytes = f->record->counts[call->counts + i];
        if (bytes < 0) {
            return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error, "bytes below zero, less",
                               (uint64_t)-bytes);
        }
    }
    return true;
}

bool sched_convert_collective_add(conv_filler *f, const sched_call *call, uint32_t slot,
                                  GError **error)
{
    const conv_context *context = f->context;
    const sched_comm *comm = &context->trace->comms[call->comm];
    conv_place *place = sched_convert_place_find(context, f->rank, call->comm);
    if (place == NULL) {
        return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error,
                           "a call on a communicator without its caller, number", call->comm);
    }
    const coll_kind kind = (coll_kind)call->collective;
    if (!check_counts(f, call, place, error)) {
        return false;
    }
    if (coll_kind_is_rooted(kind) && call->root >= comm->size) {
        return conv_refuse(f, call, SCHED_ERROR_BAD_FILE, error, "no such root", call->root);
    }
    const int64_t *counts =
        call->num_send_counts + call->num_recv_counts > 0 ? f->record->counts + call->counts : NULL;
    const conv_coll coll = {
        .call = {.kind = kind,
                 .rank = place->position,
                 .size = comm->size,
                 .root = coll_kind_is_rooted(kind) ? call->root : 0,
                 .bytes = call->bytes,
                 .send_counts = call->num_send_counts > 0 ? counts : NULL,
                 .recv_counts = call->num_recv_counts > 0 ? counts + call->num_send_counts : NULL,
                 .num_counts = MAX(call->num_send_counts, call->num_recv_counts),
                 .reduce = context->options->reduce,
                 .in_place = call->in_place},
        .members = comm->members,
        .comm = conv_collectives_of(call->comm),
        .tag = place->made++,
        .grows = conv_coll_grows(kind, comm->size, context->trace->num_ranks, context->options)};
    const sim_time beside =
        slot == CONV_NONE ? sched_beside_of(context->options->calls, &coll.call) : 0;
    conv_add_beside(f, beside);
    const conv_step step = {
        .type = CONV_COLL, .size = f->out->colls->len, .slot = slot, .call = f->call};
    g_array_append_val(f->out->colls, coll);
    g_array_append_val(f->out->steps, step);
    context->report->collectives++;
    return true;
}

/* Does the record end with a nonblocking collective under way that no call waits for? */
static bool leaves_collective(const conv_filler *f)
{
    g_autofree bool *joined = g_new0(bool, (gsize)f->out->num_slots + 1);
    for (guint i = f->out->steps->len; i > 0; i--) { /* joins come after what they join */
        const conv_step *step = &g_array_index(f->out->steps, conv_step, i - 1);
        if (step->type == CONV_JOIN) {
            joined[step->slot] = true;
        } else if (step->type == CONV_COLL && step->slot != CONV_NONE && !joined[step->slot]) {
            return true;
        }
    }
    return false;
}

bool sched_convert_collectives_finish(conv_filler *f, GError **error)
{
    const uint32_t repeat = conv_repeat(f->context->options);
    for (guint i = 0; i < f->out->colls->len; i++) {
        conv_coll *coll = &g_array_index(f->out->colls, conv_coll, i);
        coll->tags = sched_convert_place_find(f->context, f->rank, coll->comm / 2)->made;
        if ((uint64_t)coll->tags * repeat >= SIM_ANY) {
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                        "%s: '%u' collectives on %s, %u times: more than can be numbered",
                        f->record->file, coll->tags, f->context->trace->comms[coll->comm / 2].name,
                        repeat);
            return false;
        }
    }
    if (repeat > 1 && leaves_collective(f)) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED,
                    "%s: a nonblocking collective that no call waits for: the record cannot be "
                    "gone through '%u' times",
                    f->record->file, repeat);
        return false;
    }
    return true;
}
