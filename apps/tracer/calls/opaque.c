/* apps/tracer/calls/opaque.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that communicate or wait, but are not converted: by name and time, so that their time is
 * not taken for computation without a word, and what the library does inside is not recorded as
 * calls of the program.
 */
#include "calls/entry.h"
#include "record/record.h"

// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define OPAQUE(NAME, PARAMS, ARGS)                                                                 \
    TRACER_WRAP(NAME, PARAMS, ARGS)                                                                \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME() ARGS;                                                         \
        tracer_leave(&c);                                                                          \
        tracer_plain(&c, REGION_##NAME);                                                           \
        return rc;                                                                                 \
    }

OPAQUE(Neighbor_allgather,
       (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c0),
       (a, n, t, b, m, u, c0))
OPAQUE(Neighbor_allgatherv,
       (const void *a, int n, MPI_Datatype t, void *b, const int m[], const int p[], MPI_Datatype u,
        MPI_Comm c0),
       (a, n, t, b, m, p, u, c0))
OPAQUE(Neighbor_alltoall,
       (const void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c0),
       (a, n, t, b, m, u, c0))
OPAQUE(Neighbor_alltoallv,
       (const void *a, const int n[], const int p[], MPI_Datatype t, void *b, const int m[],
        const int q[], MPI_Datatype u, MPI_Comm c0),
       (a, n, p, t, b, m, q, u, c0))
OPAQUE(Neighbor_alltoallw,
       (const void *a, const int n[], const MPI_Aint p[], const MPI_Datatype t[], void *b,
        const int m[], const MPI_Aint q[], const MPI_Datatype u[], MPI_Comm c0),
       (a, n, p, t, b, m, q, u, c0))

OPAQUE(Win_create,
       (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
       (base, size, unit, info, comm, win))
OPAQUE(Win_allocate,
       (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
OPAQUE(Win_allocate_shared,
       (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
OPAQUE(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
OPAQUE(Win_free, (MPI_Win * win), (win))
OPAQUE(Win_fence, (int assertion, MPI_Win win), (assertion, win))
OPAQUE(Win_start, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
OPAQUE(Win_complete, (MPI_Win win), (win))
OPAQUE(Win_post, (MPI_Group group, int assertion, MPI_Win win), (group, assertion, win))
OPAQUE(Win_wait, (MPI_Win win), (win))
OPAQUE(Win_lock, (int type, int rank, int assertion, MPI_Win win), (type, rank, assertion, win))
OPAQUE(Win_unlock, (int rank, MPI_Win win), (rank, win))
OPAQUE(Win_lock_all, (int assertion, MPI_Win win), (assertion, win))
OPAQUE(Win_unlock_all, (MPI_Win win), (win))
OPAQUE(Win_flush, (int rank, MPI_Win win), (rank, win))
OPAQUE(Win_flush_all, (MPI_Win win), (win))
OPAQUE(Put,
       (const void *from, int n, MPI_Datatype t, int rank, MPI_Aint at, int m, MPI_Datatype u,
        MPI_Win win),
       (from, n, t, rank, at, m, u, win))
OPAQUE(Get,
       (void *to, int n, MPI_Datatype t, int rank, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win),
       (to, n, t, rank, at, m, u, win))
OPAQUE(Accumulate,
       (const void *from, int n, MPI_Datatype t, int rank, MPI_Aint at, int m, MPI_Datatype u,
        MPI_Op op, MPI_Win win),
       (from, n, t, rank, at, m, u, op, win))
OPAQUE(Get_accumulate,
       (const void *from, int n, MPI_Datatype t, void *to, int k, MPI_Datatype v, int rank,
        MPI_Aint at, int m, MPI_Datatype u, MPI_Op op, MPI_Win win),
       (from, n, t, to, k, v, rank, at, m, u, op, win))
OPAQUE(Fetch_and_op,
       (const void *from, void *to, MPI_Datatype t, int rank, MPI_Aint at, MPI_Op op, MPI_Win win),
       (from, to, t, rank, at, op, win))
OPAQUE(Compare_and_swap,
       (const void *from, const void *compare, void *to, MPI_Datatype t, int rank, MPI_Aint at,
        MPI_Win win),
       (from, compare, to, t, rank, at, win))

OPAQUE(File_open, (MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file),
       (comm, name, mode, info, file))
OPAQUE(File_close, (MPI_File * file), (file))
OPAQUE(File_set_view,
       (MPI_File file, MPI_Offset at, MPI_Datatype t, MPI_Datatype u, const char *rep,
        MPI_Info info),
       (file, at, t, u, rep, info))
OPAQUE(File_sync, (MPI_File file), (file))

#define FILE_IO(NAME, CONST)                                                                       \
    OPAQUE(File_##NAME,                                                                            \
           (MPI_File file, CONST void *buffer, int n, MPI_Datatype t, MPI_Status *status),         \
           (file, buffer, n, t, status))                                                           \
    OPAQUE(File_##NAME##_all,                                                                      \
           (MPI_File file, CONST void *buffer, int n, MPI_Datatype t, MPI_Status *status),         \
           (file, buffer, n, t, status))                                                           \
    OPAQUE(File_##NAME##_at,                                                                       \
           (MPI_File file, MPI_Offset at, CONST void *buffer, int n, MPI_Datatype t,               \
            MPI_Status *status),                                                                   \
           (file, at, buffer, n, t, status))                                                       \
    OPAQUE(File_##NAME##_at_all,                                                                   \
           (MPI_File file, MPI_Offset at, CONST void *buffer, int n, MPI_Datatype t,               \
            MPI_Status *status),                                                                   \
           (file, at, buffer, n, t, status))
FILE_IO(read, )
FILE_IO(write, const)
// NOLINTEND(bugprone-macro-parentheses)
