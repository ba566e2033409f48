/* apps/tracer/record/regions.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Numbers in the archive: every MPI function that is recorded is a region, and its
 * position here is its number; attributes and parameters likewise.
 */
#pragma once

#include "sched/otf2_names.h"

#define TRACER_COLLECTIVES(X)                                                                      \
    X(Barrier, BARRIER)                                                                            \
    X(Bcast, BCAST)                                                                                \
    X(Reduce, REDUCE)                                                                              \
    X(Allreduce, ALLREDUCE)                                                                        \
    X(Gather, GATHER)                                                                              \
    X(Gatherv, GATHERV)                                                                            \
    X(Scatter, SCATTER)                                                                            \
    X(Scatterv, SCATTERV)                                                                          \
    X(Allgather, ALLGATHER)                                                                        \
    X(Allgatherv, ALLGATHERV)                                                                      \
    X(Alltoall, ALLTOALL)                                                                          \
    X(Alltoallv, ALLTOALLV)                                                                        \
    X(Alltoallw, ALLTOALLW)                                                                        \
    X(Reduce_scatter, REDUCE_SCATTER)                                                              \
    X(Reduce_scatter_block, REDUCE_SCATTER_BLOCK)                                                  \
    X(Scan, SCAN)                                                                                  \
    X(Exscan, EXSCAN)

#define TRACER_NONBLOCKING_COLLECTIVES(X)                                                          \
    X(Ibarrier, BARRIER)                                                                           \
    X(Ibcast, BCAST)                                                                               \
    X(Ireduce, REDUCE)                                                                             \
    X(Iallreduce, ALLREDUCE)                                                                       \
    X(Igather, GATHER)                                                                             \
    X(Igatherv, GATHERV)                                                                           \
    X(Iscatter, SCATTER)                                                                           \
    X(Iscatterv, SCATTERV)                                                                         \
    X(Iallgather, ALLGATHER)                                                                       \
    X(Iallgatherv, ALLGATHERV)                                                                     \
    X(Ialltoall, ALLTOALL)                                                                         \
    X(Ialltoallv, ALLTOALLV)                                                                       \
    X(Ialltoallw, ALLTOALLW)                                                                       \
    X(Ireduce_scatter, REDUCE_SCATTER)                                                             \
    X(Ireduce_scatter_block, REDUCE_SCATTER_BLOCK)                                                 \
    X(Iscan, SCAN)                                                                                 \
    X(Iexscan, EXSCAN)

#define TRACER_POINT_TO_POINT(X)                                                                   \
    X(Send)                                                                                        \
    X(Bsend)                                                                                       \
    X(Ssend)                                                                                       \
    X(Rsend)                                                                                       \
    X(Recv)                                                                                        \
    X(Mrecv)                                                                                       \
    X(Sendrecv)                                                                                    \
    X(Sendrecv_replace)                                                                            \
    X(Isend)                                                                                       \
    X(Ibsend)                                                                                      \
    X(Issend)                                                                                      \
    X(Irsend)                                                                                      \
    X(Irecv)                                                                                       \
    X(Imrecv)                                                                                      \
    X(Send_init)                                                                                   \
    X(Bsend_init)                                                                                  \
    X(Ssend_init)                                                                                  \
    X(Rsend_init)                                                                                  \
    X(Recv_init)                                                                                   \
    X(Start)                                                                                       \
    X(Startall)                                                                                    \
    X(Wait)                                                                                        \
    X(Waitany)                                                                                     \
    X(Waitall)                                                                                     \
    X(Waitsome)                                                                                    \
    X(Test)                                                                                        \
    X(Testany)                                                                                     \
    X(Testall)                                                                                     \
    X(Testsome)                                                                                    \
    X(Request_free)                                                                                \
    X(Cancel)                                                                                      \
    X(Probe)                                                                                       \
    X(Iprobe)                                                                                      \
    X(Mprobe)                                                                                      \
    X(Improbe)

/* Recorded by name and time only; see opaque.c. */
#define TRACER_OPAQUE(X)                                                                           \
    X(Neighbor_allgather)                                                                          \
    X(Neighbor_allgatherv)                                                                         \
    X(Neighbor_alltoall)                                                                           \
    X(Neighbor_alltoallv)                                                                          \
    X(Neighbor_alltoallw)                                                                          \
    X(Win_create)                                                                                  \
    X(Win_allocate)                                                                                \
    X(Win_allocate_shared)                                                                         \
    X(Win_create_dynamic)                                                                          \
    X(Win_free)                                                                                    \
    X(Win_fence)                                                                                   \
    X(Win_start)                                                                                   \
    X(Win_complete)                                                                                \
    X(Win_post)                                                                                    \
    X(Win_wait)                                                                                    \
    X(Win_lock)                                                                                    \
    X(Win_unlock)                                                                                  \
    X(Win_lock_all)                                                                                \
    X(Win_unlock_all)                                                                              \
    X(Win_flush)                                                                                   \
    X(Win_flush_all)                                                                               \
    X(Put)                                                                                         \
    X(Get)                                                                                         \
    X(Accumulate)                                                                                  \
    X(Get_accumulate)                                                                              \
    X(Fetch_and_op)                                                                                \
    X(Compare_and_swap)                                                                            \
    X(File_open)                                                                                   \
    X(File_close)                                                                                  \
    X(File_set_view)                                                                               \
    X(File_sync)                                                                                   \
    X(File_read)                                                                                   \
    X(File_read_all)                                                                               \
    X(File_read_at)                                                                                \
    X(File_read_at_all)                                                                            \
    X(File_write)                                                                                  \
    X(File_write_all)                                                                              \
    X(File_write_at)                                                                               \
    X(File_write_at_all)

#define TRACER_OTHERS(X)                                                                           \
    X(Init)                                                                                        \
    X(Init_thread)                                                                                 \
    X(Finalize)                                                                                    \
    X(Abort)                                                                                       \
    X(Pcontrol)                                                                                    \
    X(Comm_dup)                                                                                    \
    X(Comm_dup_with_info)                                                                          \
    X(Comm_idup)                                                                                   \
    X(Comm_split)                                                                                  \
    X(Comm_split_type)                                                                             \
    X(Comm_create)                                                                                 \
    X(Comm_create_group)                                                                           \
    X(Cart_create)                                                                                 \
    X(Cart_sub)                                                                                    \
    X(Graph_create)                                                                                \
    X(Dist_graph_create)                                                                           \
    X(Dist_graph_create_adjacent)                                                                  \
    X(Intercomm_create)                                                                            \
    X(Intercomm_merge)                                                                             \
    X(Comm_free)                                                                                   \
    X(Comm_disconnect)

typedef enum {
#define ONE(name)       REGION_##name,
#define TWO(name, kind) REGION_##name,
    TRACER_OTHERS(ONE) TRACER_POINT_TO_POINT(ONE) TRACER_COLLECTIVES(TWO)
        TRACER_NONBLOCKING_COLLECTIVES(TWO) TRACER_OPAQUE(ONE)
#undef ONE
#undef TWO
            REGION_COUNT
} tracer_region;

typedef enum {
#define X(symbol, ...) ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        ATTR_COUNT
} tracer_attribute;

typedef enum {
#define X(symbol, name) PARAM_##symbol,
    SCHED_OTF2_PARAMETERS(X)
#undef X
        PARAM_COUNT
} tracer_parameter;
