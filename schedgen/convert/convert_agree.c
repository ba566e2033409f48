/* schedgen/convert/convert_agree.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_refused. */
#include "convert/convert_private.h"

#include <assert.h>

/* A collective as one member makes it. */
typedef struct conv_made {
    const sched_call *call;
    uint32_t rank; /* in the world */
} conv_made;

static bool is_collective(const conv_context *context, const sched_call *call)
{
    return (call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE) &&
           sched_convert_is_converted(context, call);
}

static char *describe(const conv_context *context, const conv_made *made)
{
    const sched_trace *trace = context->trace;
    assert(made->call != NULL);
    return g_strdup_printf("%s:%u: %s of rank %u", trace->ranks[made->rank].file, made->call->line,
                           (const char *)g_ptr_array_index(trace->names, made->call->name),
                           made->rank);
}

static bool disagree(const conv_context *context, const conv_made *a, const conv_made *b,
                     const char *what, GError **error)
{
    g_autofree char *first = describe(context, a);
    g_autofree char *second = describe(context, b);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s meets %s on %s: not the same %s",
                first, second, context->trace->comms[a->call->comm].name, what);
    return false;
}

static const int64_t *counts_of(const conv_context *context, const conv_made *made, bool recv)
{
    const int64_t *counts = context->trace->ranks[made->rank].counts + made->call->counts;
    return recv ? counts + made->call->num_send_counts : counts;
}

/* Counts that every member gives must be the same on all. */
static bool check_shared_counts(const conv_context *context, const conv_made *a, const conv_made *b,
                                GError **error)
{
    if (!coll_kind_counts_agree((coll_kind)a->call->collective)) {
        return true;
    }
    const uint32_t n = MIN(a->call->num_recv_counts, b->call->num_recv_counts);
    const int64_t *x = counts_of(context, a, true);
    const int64_t *y = counts_of(context, b, true);
    for (uint32_t i = 0; i < n; i++) {
        if (x[i] != y[i]) {
            return disagree(context, a, b, "counts", error);
        }
    }
    return true;
}

static bool check_pair(const conv_context *context, const conv_made *a, const conv_made *b,
                       GError **error)
{
    const sched_call *x = a->call;
    const sched_call *y = b->call;
    if (x->collective != y->collective) {
        return disagree(context, a, b, "collective", error);
    }
    if (coll_kind_is_rooted((coll_kind)x->collective) && x->root != y->root) {
        return disagree(context, a, b, "root", error);
    }
    if (coll_kind_bytes_agree((coll_kind)x->collective) && x->bytes != y->bytes) {
        return disagree(context, a, b, "number of bytes", error);
    }
    return check_shared_counts(context, a, b, error);
}

/* What member @p j gets from member @p i, as each of the two says; false: one of them does not. */
static bool transfer(const conv_context *context, const conv_made *all, uint32_t i, uint32_t j,
                     int64_t *sent, int64_t *received)
{
    const sched_call *from = all[i].call;
    const sched_call *to = all[j].call;
    assert(from != NULL && to != NULL); /* all members are there: check_comm() */
    const coll_kind kind = (coll_kind)from->collective;
    const bool sends = coll_kind_has_send_counts(kind, i == from->root);
    const bool receives = coll_kind_has_recv_counts(kind, j == to->root);
    if ((sends && from->num_send_counts <= j) || (receives && to->num_recv_counts <= i) ||
        (sends != receives && i == j && (sends ? to : from)->in_place)) {
        return false;
    }
    *sent = sends ? counts_of(context, &all[i], false)[j] : from->bytes;
    *received = receives ? counts_of(context, &all[j], true)[i] : to->bytes;
    return true;
}

/* Both ends of each transfer of a v-collective give it the same size. O(size^2), as the counts. */
static bool check_transfers(const conv_context *context, const conv_made *all, uint32_t size,
                            GError **error)
{
    const coll_kind kind = (coll_kind)all[0].call->collective;
    const uint32_t root = all[0].call->root;
    const bool all_to_all = coll_kind_has_pairs(kind);
    const bool gathers = coll_kind_has_recv_counts(kind, true);
    if (!coll_kind_has_counts(kind) || coll_kind_counts_agree(kind) || root >= size) {
        return true;
    }
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t k = 0; k < (all_to_all ? size : 1); k++) {
            const uint32_t j = all_to_all ? k : root;
            int64_t sent;
            int64_t received;
            if (transfer(context, all, gathers ? i : j, gathers ? j : i, &sent, &received) &&
                sent != received) {
                return disagree(context, &all[i], &all[j], "number of bytes", error);
            }
        }
    }
    return true;
}

/* Member @p few of a communicator makes fewer collectives than member @p many. */
static bool too_few(const conv_context *context, GArray *const *made, uint32_t few, uint32_t many,
                    GError **error)
{
    const conv_made *alone = &g_array_index(made[many], conv_made, made[few]->len);
    const sched_comm *comm = &context->trace->comms[alone->call->comm];
    const bool complete = context->trace->ranks[comm->members[few]].complete;
    g_autofree char *what = describe(context, alone);
    g_set_error(error, SCHED_ERROR, complete ? SCHED_ERROR_BAD_FILE : SCHED_ERROR_INCOMPLETE,
                "%s: rank %u makes only '%u' of '%u' collectives on %s%s", what, comm->members[few],
                made[few]->len, made[many]->len, comm->name,
                complete ? "" : " (its record ends without MPI_Finalize)");
    return false;
}

/* The collectives of one communicator: made[m] of each member, in its order. */
static bool check_comm(const conv_context *context, GArray *const *made, uint32_t size,
                       GError **error)
{
    g_autofree conv_made *row = g_new0(conv_made, size);
    for (guint k = 0; k < made[0]->len; k++) {
        row[0] = g_array_index(made[0], conv_made, k);
        for (uint32_t m = 1; m < size; m++) {
            if (k >= made[m]->len) {
                return too_few(context, made, m, 0, error);
            }
            row[m] = g_array_index(made[m], conv_made, k);
            if (!check_pair(context, &row[0], &row[m], error)) {
                return false;
            }
        }
        if (!check_transfers(context, row, size, error)) {
            return false;
        }
    }
    for (uint32_t m = 1; m < size; m++) {
        if (made[m]->len > made[0]->len) {
            return too_few(context, made, 0, m, error);
        }
    }
    return true;
}

/* One list per place, filled from the records. */
static bool collect(const conv_context *context, GArray **lists, GError **error)
{
    const sched_trace *trace = context->trace;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        for (uint64_t i = 0; i < trace->ranks[rank].num_calls; i++) {
            const sched_call *call = &trace->ranks[rank].calls[i];
            if (!is_collective(context, call)) {
                continue;
            }
            const conv_place *place = sched_convert_place_find(context, rank, call->comm);
            const conv_made made = {call, rank};
            if (place == NULL) {
                g_autofree char *what = describe(context, &made);
                g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                            "%s: the caller is not in the communicator '%s'", what,
                            trace->comms[call->comm].name);
                return false;
            }
            g_array_append_val(lists[place - context->places], made);
        }
    }
    return true;
}

bool sched_convert_agree(const conv_context *context, GError **error)
{
    const sched_trace *trace = context->trace;
    const uint64_t n = context->first_place[trace->num_ranks];
    g_autofree GArray **lists = g_new(GArray *, n + 1);
    for (uint64_t i = 0; i < n; i++) {
        lists[i] = g_array_new(FALSE, FALSE, sizeof(conv_made));
    }
    bool ok = collect(context, lists, error);
    for (uint32_t c = 0; ok && c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        if (comm->members == NULL || comm->size == 0) {
            continue;
        }
        g_autofree GArray **made = g_new(GArray *, comm->size);
        for (uint32_t m = 0; m < comm->size; m++) {
            made[m] =
                lists[sched_convert_place_find(context, comm->members[m], c) - context->places];
        }
        ok = check_comm(context, made, comm->size, error);
    }
    for (uint64_t i = 0; i < n; i++) {
        g_array_unref(lists[i]);
    }
    return ok;
}
