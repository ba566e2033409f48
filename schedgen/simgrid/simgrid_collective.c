/* schedgen/simgrid/simgrid_collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_simgrid. */
#include "simgrid/simgrid_private.h"

#include <string.h>

/*
 * Arguments by letters, the last ones optional:
 *   n  elements sent: the bytes of the call    b  elements received: the bytes of the call
 *   x  a number of elements that says nothing more
 *   S  elements sent to each rank              R  elements received from each rank
 *   f  flops of the reduction                  o  root [0]
 *   d  type of what is sent                    e  type of what is received
 *   P  displacements, for each rank
 */
typedef struct layout {
    const char *name;
    coll_kind kind;
    const char *needed;
    const char *optional;
    const char *form;
} layout;

static const layout LAYOUTS[] = {
    {"barrier", COLL_BARRIER, "", "", "barrier"},
    {"bcast", COLL_BCAST, "n", "od", "bcast COUNT [ROOT [TYPE]]"},
    {"reduce", COLL_REDUCE, "nf", "od", "reduce COUNT FLOPS [ROOT [TYPE]]"},
    {"allreduce", COLL_ALLREDUCE, "nf", "d", "allreduce COUNT FLOPS [TYPE]"},
    {"scan", COLL_SCAN, "nf", "d", "scan COUNT FLOPS [TYPE]"},
    {"exscan", COLL_EXSCAN, "nf", "d", "exscan COUNT FLOPS [TYPE]"},
    {"alltoall", COLL_ALLTOALL, "nx", "de", "alltoall SENT RECEIVED [TYPE TYPE]"},
    {"allgather", COLL_ALLGATHER, "nx", "de", "allgather SENT RECEIVED [TYPE TYPE]"},
    {"gather", COLL_GATHER, "nx", "ode", "gather SENT RECEIVED [ROOT [TYPE TYPE]]"},
    {"scatter", COLL_SCATTER, "xb", "ode", "scatter SENT RECEIVED [ROOT [TYPE TYPE]]"},
    {"gatherv", COLL_GATHERV, "nR", "ode", "gatherv SENT RECEIVED... [ROOT [TYPE TYPE]]"},
    {"scatterv", COLL_SCATTERV, "Sb", "ode", "scatterv SENT... RECEIVED [ROOT [TYPE TYPE]]"},
    {"allgatherv", COLL_ALLGATHERV, "nR", "deP",
     "allgatherv SENT RECEIVED... [TYPE TYPE [DISPLACEMENT...]]"},
    {"alltoallv", COLL_ALLTOALLV, "xSxR", "de",
     "alltoallv BUFFER SENT... BUFFER RECEIVED... [TYPE TYPE]"},
    {"reducescatter", COLL_REDUCE_SCATTER, "Rf", "d", "reducescatter COUNT... FLOPS [TYPE]"},
};

static const layout *find_layout(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(LAYOUTS); i++) {
        if (g_ascii_strcasecmp(LAYOUTS[i].name, name) == 0) {
            return &LAYOUTS[i];
        }
    }
    return NULL;
}

bool sched_simgrid_is_collective(const char *name)
{
    return find_layout(name) != NULL;
}

/* Which word has the argument of which letter; 0: none. */
typedef struct places {
    size_t of[128];
} places;

static bool find_places(const layout *l, const simgrid_line *line, size_t num_ranks, places *out)
{
    *out = (places){{0}};
    size_t next = 2;
    for (const char *letter = l->needed; *letter != '\0'; letter++) {
        out->of[(unsigned char)*letter] = next;
        next += *letter == 'S' || *letter == 'R' ? num_ranks : 1;
    }
    if (next > line->num_words) {
        return false;
    }
    /* Displacements are there or not; with few ranks there are types rather. */
    size_t end = line->num_words;
    if (strchr(l->optional, 'P') != NULL && end - next > 2 && end - next >= num_ranks) {
        end -= num_ranks;
    }
    for (const char *letter = l->optional; *letter != '\0' && *letter != 'P' && next < end;
         letter++) {
        out->of[(unsigned char)*letter] = next++;
    }
    return next == end;
}

/* One count for each rank, kept only if they count here: a gatherv's at the root. */
static bool read_counts(const simgrid_line *line, size_t first, int64_t type_size, sched_rank *rank,
                        uint32_t num, bool kept, uint32_t *num_kept, GError **error)
{
    for (uint32_t i = 0; first > 0 && i < num; i++) {
        int64_t bytes;
        if (!sched_simgrid_bytes(line, first + i, type_size, &bytes, error)) {
            return false;
        }
        if (kept) {
            sched_rank_add_count(rank, bytes);
            *num_kept = i + 1;
        }
    }
    return true;
}

static bool read_types(const simgrid_line *line, const layout *l, const places *at,
                       int64_t *send_size, int64_t *recv_size, GError **error)
{
    if (at->of['d'] > 0 && !sched_simgrid_type(line, at->of['d'], send_size, error)) {
        return false;
    }
    /* What names one type has no other. */
    if (strchr(l->optional, 'e') == NULL || l->kind == COLL_ALLGATHERV) {
        *recv_size = *send_size;
    }
    return at->of['e'] == 0 || sched_simgrid_type(line, at->of['e'], recv_size, error);
}

static bool read_arguments(simgrid_reading *reading, const simgrid_line *line, const layout *l,
                           const places *at, sched_call *call, GError **error)
{
    sched_rank *rank = &reading->trace->ranks[line->rank];
    const uint32_t num_ranks = reading->trace->num_ranks;
    int64_t send_size = reading->ranks[line->rank].type_size;
    int64_t recv_size = send_size;
    int64_t root = 0;
    int64_t unused;
    if (!read_types(line, l, at, &send_size, &recv_size, error) ||
        (at->of['o'] > 0 &&
         !sched_simgrid_integer(line, at->of['o'], 0, (int64_t)num_ranks - 1, &root, error)) ||
        (at->of['n'] > 0 &&
         !sched_simgrid_bytes(line, at->of['n'], send_size, &call->bytes, error)) ||
        (at->of['b'] > 0 &&
         !sched_simgrid_bytes(line, at->of['b'], recv_size, &call->bytes, error)) ||
        (at->of['x'] > 0 && !sched_simgrid_bytes(line, at->of['x'], 1, &unused, error))) {
        return false;
    }
    const bool at_root = line->rank == (uint32_t)root;
    call->root = (uint32_t)root;
    call->counts = rank->num_counts;
    return read_counts(line, at->of['S'], send_size, rank, num_ranks,
                       coll_kind_has_send_counts(l->kind, at_root), &call->num_send_counts,
                       error) &&
           read_counts(line, at->of['R'], recv_size, rank, num_ranks,
                       coll_kind_has_recv_counts(l->kind, at_root), &call->num_recv_counts, error);
}

bool sched_simgrid_collective_read(simgrid_reading *reading, const simgrid_line *line,
                                   GError **error)
{
    const layout *l = find_layout(line->words[1]);
    places at;
    if (!find_places(l, line, reading->trace->num_ranks, &at)) {
        return sched_simgrid_fail(line, "its form is RANK", l->form, error);
    }
    sched_call *call = sched_simgrid_call(reading, line, SCHED_CALL_COLLECTIVE);
    call->collective = (uint8_t)l->kind;
    return read_arguments(reading, line, l, &at, call, error) &&
           (at.of['f'] == 0 || sched_simgrid_compute(reading, line, at.of['f'], error));
}
