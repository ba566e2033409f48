/* apps/calibrator/calls.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_calibrator. */
#include "calls.h"

#include <stdlib.h>

static const struct {
    const char *name;
    bool is_rooted;
    bool root_sends;
} CALLS[NUM_CALLS] = {
    [BARRIER] = {"barrier", false, false},     [BCAST] = {"bcast", true, true},
    [REDUCE] = {"reduce", true, false},        [ALLREDUCE] = {"allreduce", false, false},
    [GATHER] = {"gather", true, false},        [SCATTER] = {"scatter", true, true},
    [ALLGATHER] = {"allgather", false, false}, [ALLTOALL] = {"alltoall", false, false},
};

static MPI_Comm ranks;
static char *from; /* [2 MOST_CALL_BYTES]: of two ranks */
static char *to;

const char *calls_name(int call)
{
    return CALLS[call].name;
}

bool calls_is_rooted(int call)
{
    return CALLS[call].is_rooted;
}

bool calls_root_sends(int call)
{
    return CALLS[call].root_sends;
}

bool calls_begin(MPI_Comm pair)
{
    ranks = pair;
    from = calloc(2, MOST_CALL_BYTES);
    to = calloc(2, MOST_CALL_BYTES);
    return from != NULL && to != NULL;
}

void calls_end(void)
{
    free(from);
    free(to);
    from = NULL;
    to = NULL;
}

void calls_make(int call, int64_t bytes, int root)
{
    const int n = (int)bytes;
    const int doubles = (int)(bytes / (int64_t)sizeof(double));
    switch ((call_kind)call) {
    case BARRIER:
        (void)MPI_Barrier(ranks);
        break;
    case BCAST:
        (void)MPI_Bcast(from, n, MPI_BYTE, root, ranks);
        break;
    case REDUCE:
        (void)MPI_Reduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, root, ranks);
        break;
    case ALLREDUCE:
        (void)MPI_Allreduce(from, to, doubles, MPI_DOUBLE, MPI_SUM, ranks);
        break;
    case GATHER:
        (void)MPI_Gather(from, n, MPI_BYTE, to, n, MPI_BYTE, root, ranks);
        break;
    case SCATTER:
        (void)MPI_Scatter(from, n, MPI_BYTE, to, n, MPI_BYTE, root, ranks);
        break;
    case ALLGATHER:
        (void)MPI_Allgather(from, n, MPI_BYTE, to, n, MPI_BYTE, ranks);
        break;
    case ALLTOALL:
        (void)MPI_Alltoall(from, n, MPI_BYTE, to, n, MPI_BYTE, ranks);
        break;
    }
}
