/* schedgen/dumpi/dumpi_comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The n-th call that makes communicators from one is a single event for all its members. So they
 * are found from the world down: where all members make the n-th call alike, its arguments say who
 * gets into which. What is made from a group is not known, since groups are sets that this reader
 * does not follow; nor is what comes of a topology that may reorder.
 */
#include "dumpi/dumpi_private.h"

#include <stdlib.h>

/* A communicator of the trace whose members may have made others. */
typedef struct found {
    uint32_t comm;
    uint32_t *local; /* [size] index in comms of each member's dumpi_rank */
    int32_t *dims;   /* [num_dims] of a grid; row-major */
    uint32_t num_dims;
} found;

/* One member's part in an event. */
typedef struct part {
    int64_t color;
    int32_t key;
    uint32_t place; /* in the parent */
    uint32_t rank;
    uint32_t local; /* what was made, DUMPI_NONE: not a member */
} part;

typedef struct search {
    sched_trace *trace;
    dumpi_rank *ranks;
    GQueue queue; /* of found */
} search;

static void found_free(void *data)
{
    found *f = data;
    g_free(f->local);
    g_free(f->dims);
    g_free(f);
}

static dumpi_comm *comm_of(const dumpi_rank *rank, uint32_t local)
{
    return &g_array_index(rank->comms, dumpi_comm, local);
}

static int compare_parts(const void *a, const void *b)
{
    const part *x = a;
    const part *y = b;
    if (x->color != y->color) {
        return x->color < y->color ? -1 : 1;
    }
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->place < y->place ? -1 : x->place > y->place;
}

/* The members of one new communicator: parts[0..n), in its order. */
static found *add(search *s, const char *name, const part *parts, uint32_t n)
{
    found *f = g_new0(found, 1);
    uint32_t *members = g_new(uint32_t, n);
    f->local = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        members[i] = parts[i].rank;
        f->local[i] = parts[i].local;
    }
    f->comm = sched_trace_add_comm(s->trace, name, n, members);
    for (uint32_t i = 0; i < n; i++) {
        comm_of(&s->ranks[parts[i].rank], parts[i].local)->comm = f->comm;
    }
    g_queue_push_tail(&s->queue, f);
    return f;
}

/* The grid that a member asked for. */
static void set_grid(found *f, const dumpi_list *dims)
{
    f->dims = g_new(int32_t, dims->n + 1);
    f->num_dims = dims->n;
    for (uint32_t i = 0; i < dims->n; i++) {
        f->dims[i] = sched_dumpi_entry(dims, i);
    }
}

/* How many ranks a grid has; 0: none, or too many. */
static int64_t grid_size(const int32_t *dims, uint32_t n, int64_t most)
{
    int64_t size = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (dims[i] <= 0 || size > most / dims[i]) {
            return 0;
        }
        size *= dims[i];
    }
    return size;
}

/* Where a place of the grid is in the dimensions that are left out. */
static int64_t part_of_grid(const found *parent, const dumpi_list *remain, uint32_t place)
{
    int64_t color = 0;
    int64_t scale = 1;
    int64_t rest = place;
    for (uint32_t i = parent->num_dims; i-- > 0;) {
        const int64_t at = rest % parent->dims[i];
        rest /= parent->dims[i];
        if (sched_dumpi_entry(remain, i) == 0) {
            color += at * scale;
            scale *= parent->dims[i];
        }
    }
    return color;
}

/* Dimensions that are left of the parent's. */
static void set_rest_of_grid(found *f, const found *parent, const dumpi_list *remain)
{
    f->dims = g_new(int32_t, parent->num_dims + 1);
    for (uint32_t i = 0; i < parent->num_dims; i++) {
        if (sched_dumpi_entry(remain, i) != 0) {
            f->dims[f->num_dims++] = parent->dims[i];
        }
    }
}

/* Sets colour and key of all parts. @return false: who gets into which is not known */
static bool colour(const search *s, const found *parent, part *parts, uint32_t n, uint32_t local0)
{
    const dumpi_comm *first = comm_of(&s->ranks[parts[0].rank], local0);
    g_autofree int32_t *dims = g_new(int32_t, first->dims.n + 1);
    for (uint32_t i = 0; i < first->dims.n; i++) {
        dims[i] = sched_dumpi_entry(&first->dims, i);
    }
    const int64_t size = grid_size(dims, first->dims.n, n);
    for (uint32_t i = 0; i < n; i++) {
        const dumpi_comm *c = comm_of(&s->ranks[parts[i].rank], parts[i].local);
        bool is_known = c->action == first->action && c->action != DUMPI_COMM_OTHER;
        switch (c->action) {
        case DUMPI_COMM_SPLIT:
            parts[i].color = c->color;
            parts[i].key = c->key;
            break;
        case DUMPI_COMM_CART:
            is_known = is_known && !c->reorder && c->is_member == ((int64_t)i < size);
            break;
        case DUMPI_COMM_SUB:
            is_known = is_known && parent->num_dims > 0 && c->dims.n == parent->num_dims;
            parts[i].color = is_known ? part_of_grid(parent, &c->dims, i) : 0;
            break;
        default:
            break;
        }
        if (!is_known) {
            return false;
        }
    }
    return true;
}

static const char *name_of(uint8_t action)
{
    static const char *const NAMES[] = {[DUMPI_COMM_DUP] = "MPI_Comm_dup",
                                        [DUMPI_COMM_SPLIT] = "MPI_Comm_split",
                                        [DUMPI_COMM_CART] = "MPI_Cart_create",
                                        [DUMPI_COMM_SUB] = "MPI_Cart_sub",
                                        [DUMPI_COMM_OTHER] = "a call that names a group"};
    return NAMES[action];
}

/* One event: parts[i].local is what member i made in it. @return false: not known */
static bool resolve_event(search *s, const found *parent, part *parts, uint32_t n)
{
    const dumpi_comm first = *comm_of(&s->ranks[parts[0].rank], parts[0].local);
    if (!colour(s, parent, parts, n, parts[0].local)) {
        return false;
    }
    qsort(parts, n, sizeof *parts, compare_parts);
    uint32_t begin = 0;
    while (begin < n) {
        uint32_t end = begin;
        uint32_t kept = begin; /* who got one, moved to the front */
        while (end < n && parts[end].color == parts[begin].color) {
            if (comm_of(&s->ranks[parts[end].rank], parts[end].local)->is_member) {
                const part swap = parts[kept];
                parts[kept++] = parts[end];
                parts[end] = swap;
            }
            end++;
        }
        if (kept > begin) {
            g_autofree char *name =
                g_strdup_printf("%s, record %u", name_of(first.action), first.line);
            found *f = add(s, name, parts + begin, kept - begin);
            if (first.action == DUMPI_COMM_CART) {
                set_grid(f, &first.dims);
            } else if (first.action == DUMPI_COMM_SUB) {
                const dumpi_comm *c = comm_of(&s->ranks[parts[begin].rank], parts[begin].local);
                set_rest_of_grid(f, parent, &c->dims);
            } else if (first.action == DUMPI_COMM_DUP && parent->num_dims > 0) {
                f->dims = g_memdup2(parent->dims, parent->num_dims * sizeof *parent->dims);
                f->num_dims = parent->num_dims;
            }
        }
        begin = end;
    }
    return true;
}

/* The next of its communicators, from @p from on, that a rank made of @p parent. */
static uint32_t next_made(const dumpi_rank *rank, uint32_t parent, uint32_t from)
{
    while (from < rank->comms->len && comm_of(rank, from)->parent != parent) {
        from++;
    }
    return from < rank->comms->len ? from : DUMPI_NONE;
}

/* An event of which it is not known who got into which: all who got one, with no members. */
static void add_unknown(search *s, const part *parts, uint32_t n)
{
    uint32_t size = 0;
    const dumpi_comm *first = comm_of(&s->ranks[parts[0].rank], parts[0].local);
    for (uint32_t i = 0; i < n; i++) {
        size += comm_of(&s->ranks[parts[i].rank], parts[i].local)->is_member;
    }
    g_autofree char *name = g_strdup_printf("%s, record %u", name_of(first->action), first->line);
    const uint32_t comm = sched_trace_add_comm(s->trace, name, size, NULL);
    for (uint32_t i = 0; i < n; i++) {
        comm_of(&s->ranks[parts[i].rank], parts[i].local)->comm = comm;
    }
}

/* All that was made of one communicator. */
static void resolve(search *s, const found *parent)
{
    const sched_comm comm = s->trace->comms[parent->comm];
    g_autofree part *parts = g_new0(part, comm.size);
    g_autofree uint32_t *from = g_new0(uint32_t, comm.size);
    for (bool more = comm.size > 0; more;) {
        for (uint32_t i = 0; i < comm.size && more; i++) {
            const uint32_t rank = comm.members[i];
            const uint32_t local = next_made(&s->ranks[rank], parent->local[i], from[i]);
            parts[i] = (part){.place = i, .rank = rank, .local = local};
            from[i] = local + 1;
            more = local != DUMPI_NONE;
        }
        if (more && !resolve_event(s, parent, parts, comm.size)) {
            add_unknown(s, parts, comm.size);
        }
    }
}

/* The world, and where a rank uses it, the communicator of itself. */
static void add_first(search *s)
{
    found *world = g_new0(found, 1);
    world->local = g_new0(uint32_t, s->trace->num_ranks);
    g_queue_push_tail(&s->queue, world);
    for (uint32_t rank = 0; rank < s->trace->num_ranks; rank++) {
        comm_of(&s->ranks[rank], 0)->comm = 0;
        const sched_rank *r = &s->trace->ranks[rank];
        bool is_used = next_made(&s->ranks[rank], 1, 0) != DUMPI_NONE;
        for (uint64_t i = 0; i < r->num_calls && !is_used; i++) {
            is_used = r->calls[i].comm == 1;
        }
        if (is_used) {
            const part self = {.rank = rank, .local = 1};
            (void)add(s, "MPI_COMM_SELF", &self, 1);
        }
    }
}

void sched_dumpi_comms_resolve(sched_trace *trace, dumpi_rank *ranks)
{
    search s = {.trace = trace, .ranks = ranks, .queue = G_QUEUE_INIT};
    add_first(&s);
    found *next;
    while ((next = g_queue_pop_head(&s.queue)) != NULL) {
        resolve(&s, next);
        found_free(next);
    }
    uint32_t unknown = DUMPI_NONE;
    for (uint32_t rank = 0; rank < trace->num_ranks; rank++) {
        for (uint64_t i = 0; i < trace->ranks[rank].num_calls; i++) {
            sched_call *call = &trace->ranks[rank].calls[i];
            const uint32_t comm = comm_of(&ranks[rank], call->comm)->comm;
            if (comm == DUMPI_NONE && unknown == DUMPI_NONE) {
                unknown = sched_trace_add_comm(trace, "one whose members are not known", 0, NULL);
            }
            call->comm = comm != DUMPI_NONE ? comm : unknown;
        }
    }
}
