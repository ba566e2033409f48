/* schedgen/convert/convert_agree.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_refused. */
#include "convert/convert_private.h"
#include "model/parallel_private.h"

#include <string.h>
#include <xxhash.h>

/* A collective as one member makes it: fields of its sched_call. */
typedef struct conv_made {
    int64_t bytes;
    uint64_t counts;
    uint32_t rank; /* in the world */
    uint32_t line;
    uint32_t name;
    uint32_t comm;
    uint32_t root;
    uint32_t num_send_counts;
    uint32_t num_recv_counts;
    uint8_t collective;
    bool in_place;
} conv_made;

static conv_made made_of(const sched_call *call, uint32_t rank)
{
    return (conv_made){.bytes = call->bytes,
                       .counts = call->counts,
                       .rank = rank,
                       .line = call->line,
                       .name = call->name,
                       .comm = call->comm,
                       .root = call->root,
                       .num_send_counts = call->num_send_counts,
                       .num_recv_counts = call->num_recv_counts,
                       .collective = call->collective,
                       .in_place = call->in_place};
}

static bool is_collective(const conv_context *context, const sched_call *call)
{
    return (call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE) &&
           sched_convert_is_converted(context, call);
}

static char *describe(const conv_context *context, const conv_made *made)
{
    const sched_trace *trace = context->trace;
    return g_strdup_printf("%s:%u: %s of rank %u", trace->ranks[made->rank].file, made->line,
                           (const char *)g_ptr_array_index(trace->names, made->name), made->rank);
}

static bool disagree(const conv_context *context, const conv_made *a, const conv_made *b,
                     const char *what, GError **error)
{
    g_autofree char *first = describe(context, a);
    g_autofree char *second = describe(context, b);
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s meets %s on %s: not the same %s",
                first, second, context->trace->comms[a->comm].name, what);
    return false;
}

static const int64_t *counts_of(const conv_context *context, const conv_made *made, bool recv)
{
    const int64_t *counts = context->trace->ranks[made->rank].counts + made->counts;
    return recv ? counts + made->num_send_counts : counts;
}

/* Counts that every member gives must be the same on all. */
static bool check_shared_counts(const conv_context *context, const conv_made *a, const conv_made *b,
                                GError **error)
{
    if (!coll_kind_counts_agree((coll_kind)a->collective)) {
        return true;
    }
    const uint32_t n = MIN(a->num_recv_counts, b->num_recv_counts);
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
    const conv_made *x = a;
    const conv_made *y = b;
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
    const conv_made *from = &all[i];
    const conv_made *to = &all[j];
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
    const coll_kind kind = (coll_kind)all[0].collective;
    const uint32_t root = all[0].root;
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
    const sched_comm *comm = &context->trace->comms[alone->comm];
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

/* ---- first: do all members say the same? --------------------------------------------------- */

/* All collectives of a place, in their order. */
typedef struct conv_digest {
    XXH128_hash_t hash; /* of what all members give alike */
    uint64_t n;
    uint64_t balance[2]; /* of all members together 0: weigh() */
} conv_digest;

/* What all members must give alike. */
typedef struct conv_said {
    XXH128_hash_t before;
    XXH128_hash_t counts;
    int64_t bytes;
    uint32_t root;
    uint32_t collective;
} conv_said;

static void digest(conv_digest *d, const sched_call *call, const int64_t *counts)
{
    const coll_kind kind = (coll_kind)call->collective;
    conv_said said = {.before = d->hash,
                      .bytes = coll_kind_bytes_agree(kind) ? call->bytes : 0,
                      .root = coll_kind_is_rooted(kind) ? call->root : 0,
                      .collective = call->collective};
    if (coll_kind_counts_agree(kind)) {
        said.counts =
            XXH3_128bits(counts + call->num_send_counts, call->num_recv_counts * sizeof *counts);
    }
    d->hash = XXH3_128bits(&said, sizeof said);
    d->n++;
}

/* What member @p from sends to member @p to in a collective. */
typedef struct conv_transfer {
    uint64_t n; /* which of those on the communicator */
    int64_t bytes;
    uint32_t from;
    uint32_t to;
} conv_transfer;

/* Both ends of a transfer say its size. A hash of that is added by the one and subtracted by the
 * other: what is left is 0 where all sizes are the same. */
static void weigh(conv_digest *d, uint32_t from, uint32_t to, int64_t bytes, bool sent)
{
    const conv_transfer transfer = {d->n, bytes, from, to};
    const XXH128_hash_t hash = XXH3_128bits(&transfer, sizeof transfer);
    d->balance[0] += sent ? hash.low64 : -hash.low64;
    d->balance[1] += sent ? hash.high64 : -hash.high64;
}

/* All that member @p own says of the transfers that check_transfers() compares. @return false: it
 * is not said in the usual way */
static bool weigh_all(conv_digest *d, const sched_call *call, const int64_t *counts, uint32_t own,
                      uint32_t size)
{
    const coll_kind kind = (coll_kind)call->collective;
    const bool pairs = coll_kind_has_pairs(kind);
    const bool sends = coll_kind_has_send_counts(kind, own == call->root);
    const bool receives = coll_kind_has_recv_counts(kind, own == call->root);
    if ((pairs && call->in_place) || call->root >= size ||
        (sends && call->num_send_counts != size) || (receives && call->num_recv_counts != size)) {
        return false;
    }
    const int64_t *recv_counts = counts + call->num_send_counts;
    for (uint32_t k = 0; k < size; k++) {
        if (call->in_place && k == own) {
            continue; /* the root's own part stays where it is */
        }
        if (sends) {
            weigh(d, own, k, counts[k], true);
        }
        if (receives) {
            weigh(d, k, own, recv_counts[k], false);
        }
    }
    if (!pairs && !(call->in_place && own == call->root)) {
        const bool gathers = coll_kind_has_recv_counts(kind, true);
        weigh(d, gathers ? own : call->root, gathers ? call->root : own, call->bytes, gathers);
    }
    return true;
}

/* What several threads make digests with, a rank each. */
typedef struct digesting {
    const conv_context *context;
    conv_digest *digests; /* [places] */
} digesting;

/* @return false: a call that needs to be looked at */
static bool digest_rank(void *data, uint32_t rank, uint32_t thread)
{
    static const int64_t none = 0;
    const digesting *d = data;
    const conv_context *context = d->context;
    (void)thread;
    const sched_rank *record = &context->trace->ranks[rank];
    if (!sched_rank_has_kind(record, SCHED_CALL_COLLECTIVE) &&
        !sched_rank_has_kind(record, SCHED_CALL_ICOLLECTIVE)) {
        return true;
    }
    sched_walk walk;
    sched_walk_begin(&walk, record);
    bool ok = true;
    for (const sched_call *call; ok && (call = sched_walk_next(&walk)) != NULL;) {
        if (is_collective(context, call)) {
            const conv_place *place = sched_convert_place_find(context, rank, call->comm);
            const coll_kind kind = (coll_kind)call->collective;
            const int64_t *counts = record->counts != NULL ? record->counts + call->counts : &none;
            conv_digest *own = place != NULL ? &d->digests[place - context->places] : NULL;
            ok = own != NULL && (!coll_kind_has_counts(kind) || coll_kind_counts_agree(kind) ||
                                 weigh_all(own, call, counts, place->position,
                                           context->trace->comms[call->comm].size));
            if (ok) {
                digest(own, call, counts);
            }
        }
    }
    sched_walk_end(&walk);
    return ok;
}

/*
 * Digests take 40 bytes for each place, however many collectives there are. Where they differ, all
 * are compared.
 */
static bool all_say_the_same(const conv_context *context)
{
    const sched_trace *trace = context->trace;
    g_autofree conv_digest *digests =
        g_new0(conv_digest, context->first_place[trace->num_ranks] + 1);
    digesting d = {context, digests};
    if (!sched_parallel_do(trace->num_ranks, digest_rank, &d)) {
        return false;
    }
    for (uint32_t c = 0; c < trace->num_comms; c++) {
        const sched_comm *comm = &trace->comms[c];
        const conv_digest *first = NULL;
        uint64_t balance[2] = {0};
        for (uint32_t m = 0; comm->members != NULL && m < comm->size; m++) {
            const conv_digest *own =
                &digests[sched_convert_place_find(context, comm->members[m], c) - context->places];
            first = first != NULL ? first : own;
            if (!XXH128_isEqual(first->hash, own->hash) || first->n != own->n) {
                return false;
            }
            balance[0] += own->balance[0];
            balance[1] += own->balance[1];
        }
        if (balance[0] != 0 || balance[1] != 0) {
            return false;
        }
    }
    return true;
}

/* ---- else: who does not? -------------------------------------------------------------------- */

/* One list per place, filled from the record of a rank. */
static bool collect(const conv_context *context, uint32_t rank, sched_walk *walk, GArray **lists,
                    GError **error)
{
    for (const sched_call *call; (call = sched_walk_next(walk)) != NULL;) {
        if (!is_collective(context, call)) {
            continue;
        }
        const conv_place *place = sched_convert_place_find(context, rank, call->comm);
        const conv_made made = made_of(call, rank);
        if (place == NULL) {
            g_autofree char *what = describe(context, &made);
            g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE,
                        "%s: the caller is not in the communicator '%s'", what,
                        context->trace->comms[call->comm].name);
            return false;
        }
        g_array_append_val(lists[place - context->places], made);
    }
    return true;
}

static bool collect_all(const conv_context *context, GArray **lists, GError **error)
{
    bool ok = true;
    for (uint32_t rank = 0; ok && rank < context->trace->num_ranks; rank++) {
        sched_walk walk;
        sched_walk_begin(&walk, &context->trace->ranks[rank]);
        ok = collect(context, rank, &walk, lists, error);
        sched_walk_end(&walk);
    }
    return ok;
}

static bool compare_all(const conv_context *context, GError **error)
{
    const sched_trace *trace = context->trace;
    const uint64_t n = context->first_place[trace->num_ranks];
    g_autofree GArray **lists = g_new(GArray *, n + 1);
    for (uint64_t i = 0; i < n; i++) {
        lists[i] = g_array_new(FALSE, FALSE, sizeof(conv_made));
    }
    bool ok = collect_all(context, lists, error);
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

bool sched_convert_agree(const conv_context *context, GError **error)
{
    return all_say_the_same(context) || compare_all(context, error);
}
