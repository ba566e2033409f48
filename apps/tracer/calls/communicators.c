/* apps/tracer/calls/communicators.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that make and free communicators. */
#include "calls/entry.h"
#include "record/record.h"

/* The members of what the call made agree on its id before anything else happens. */
static int made(tracer_call *c, tracer_region region, int rc, const MPI_Comm *comm)
{
    const bool member = rc == MPI_SUCCESS && *comm != MPI_COMM_NULL;
    const uint32_t id = member ? tracer_comm_agree(*comm) : 0;
    tracer_leave(c);
    if (member) {
        tracer_comm_add(*comm, id);
    }
    tracer_plain(c, region);
    return rc;
}

// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define MAKES_COMM(NAME, PARAMS, ARGS)                                                             \
    TRACER_WRAP(NAME, PARAMS, ARGS)                                                                \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME() ARGS;                                                         \
        return made(&c, REGION_##NAME, rc, result);                                                \
    }

// NOLINTEND(bugprone-macro-parentheses)
MAKES_COMM(Comm_dup, (MPI_Comm comm, MPI_Comm *result), (comm, result))
MAKES_COMM(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *result),
           (comm, info, result))
MAKES_COMM(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *result),
           (comm, color, key, result))
MAKES_COMM(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *result),
           (comm, type, key, info, result))
MAKES_COMM(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *result), (comm, group, result))
MAKES_COMM(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *result),
           (comm, group, tag, result))
MAKES_COMM(Cart_create,
           (MPI_Comm comm, int n, const int *dims, const int *periods, int reorder,
            MPI_Comm *result),
           (comm, n, dims, periods, reorder, result))
MAKES_COMM(Cart_sub, (MPI_Comm comm, const int *remain, MPI_Comm *result), (comm, remain, result))
MAKES_COMM(Graph_create,
           (MPI_Comm comm, int n, const int *index, const int *edges, int reorder,
            MPI_Comm *result),
           (comm, n, index, edges, reorder, result))
MAKES_COMM(Dist_graph_create,
           (MPI_Comm comm, int n, const int *sources, const int *degrees, const int *targets,
            const int *weights, MPI_Info info, int reorder, MPI_Comm *result),
           (comm, n, sources, degrees, targets, weights, info, reorder, result))
MAKES_COMM(Dist_graph_create_adjacent,
           (MPI_Comm comm, int in, const int *sources, const int *source_weights, int out,
            const int *targets, const int *target_weights, MPI_Info info, int reorder,
            MPI_Comm *result),
           (comm, in, sources, source_weights, out, targets, target_weights, info, reorder, result))
MAKES_COMM(Intercomm_create,
           (MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
            MPI_Comm *result),
           (local, local_leader, peer, remote_leader, tag, result))
MAKES_COMM(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *result), (comm, high, result))

#ifdef TRACER_HAS_Comm_create_from_group
MAKES_COMM(Comm_create_from_group,
           (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler errors,
            MPI_Comm *result),
           (group, tag, info, errors, result))
#endif

/*
 * Nobody may wait here, so rank 0's id travels beside the new communicator, on the old one: it
 * was posted when the request completes, because every member has called by then.
 */
static int duplicating(tracer_call *c, tracer_region region, int rc, MPI_Comm comm,
                       MPI_Comm *result, const MPI_Request *request)
{
    int rank = -1;
    const bool numbered = rc == MPI_SUCCESS && tracer_comm_within_world(comm);
    PMPI_Comm_rank(comm, &rank);
    tracer_leave(c);
    if (numbered) {
        tracer_request *r = tracer_request_add(*request, REQUEST_COMM);
        r->new_comm = result;
        r->new_id = rank == 0 ? tracer_comm_new_id() : 0;
        PMPI_Ibcast(&r->new_id, 1, MPI_UINT32_T, 0, comm, &r->id_sent);
    }
    tracer_plain(c, region);
    return rc;
}

// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define DUPLICATES_COMM(NAME, PARAMS, ARGS)                                                        \
    TRACER_WRAP(NAME, PARAMS, ARGS)                                                                \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME() ARGS;                                                         \
        return duplicating(&c, REGION_##NAME, rc, comm, result, request);                          \
    }
// NOLINTEND(bugprone-macro-parentheses)
DUPLICATES_COMM(Comm_idup, (MPI_Comm comm, MPI_Comm *result, MPI_Request *request),
                (comm, result, request))
#ifdef TRACER_HAS_Comm_idup_with_info
DUPLICATES_COMM(Comm_idup_with_info,
                (MPI_Comm comm, MPI_Info info, MPI_Comm *result, MPI_Request *request),
                (comm, info, result, request))
#endif

#define FREES_COMM(NAME)                                                                           \
    TRACER_WRAP(NAME, (MPI_Comm * comm), (comm))                                                   \
    {                                                                                              \
        tracer_call c;                                                                             \
        MPI_Comm old = *comm;                                                                      \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME()(comm);                                                        \
        tracer_leave(&c);                                                                          \
        if (rc == MPI_SUCCESS) {                                                                   \
            tracer_comm_forget(old);                                                               \
        }                                                                                          \
        tracer_plain(&c, REGION_##NAME);                                                           \
        return rc;                                                                                 \
    }
FREES_COMM(Comm_free)
FREES_COMM(Comm_disconnect)
