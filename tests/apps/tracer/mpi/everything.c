/* tests/apps/tracer/mpi/everything.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A little of everything that the tracer records, in a fixed order that test_tracer.c knows.
 * Any number of ranks from 2; rank r's neighbours are r - 1 and r + 1, with MPI_PROC_NULL at
 * the ends.
 */
#include <mpi.h>
#include <stdlib.h>

enum { MAX = 64 };
static int rank, size, left, right;

static void blocking_sends(void)
{
    double v[10] = {0}, w[10];
    char room[4096];
    MPI_Buffer_attach(room, sizeof room);
    /* Around the ring; the parity keeps the synchronous ones from waiting in a circle. */
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int mode = 0; mode < 4; mode++) {
        MPI_Request r;
        MPI_Irecv(w, 10, MPI_DOUBLE, from, mode, MPI_COMM_WORLD, &r);
        if (mode == 3) {
            MPI_Barrier(MPI_COMM_WORLD); /* a ready send needs its receive */
        }
        switch (mode) {
        case 0:
            MPI_Send(v, 10, MPI_DOUBLE, to, mode, MPI_COMM_WORLD);
            break;
        case 1:
            MPI_Bsend(v, 9, MPI_DOUBLE, to, mode, MPI_COMM_WORLD);
            break;
        case 2:
            MPI_Ssend(v, 8, MPI_DOUBLE, to, mode, MPI_COMM_WORLD);
            break;
        default:
            MPI_Rsend(v, 7, MPI_DOUBLE, to, mode, MPI_COMM_WORLD);
        }
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    void *old;
    int bytes;
    MPI_Buffer_detach(&old, &bytes);
}

static void at_the_ends(void)
{
    int v = 1, w = 0;
    MPI_Request r[2];
    MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    MPI_Recv(&w, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&v, 1, MPI_INT, right, 6, &w, 1, MPI_INT, left, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Irecv(&w, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&v, 1, MPI_INT, right, 7, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void wildcards(void)
{
    int v = rank;
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* or MPI_ANY_TAG takes a message meant for below */
        MPI_Request r[MAX];
        int n;
        int index[MAX];
        for (int i = 1; i < size; i++) {
            MPI_Irecv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &r[i - 1]);
        }
        for (int done = 0; done < size - 1; done += n) {
            MPI_Waitsome(size - 1, r, &n, index, MPI_STATUSES_IGNORE);
        }
    } else {
        MPI_Send(&v, 1, MPI_INT, 0, 100 + rank, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Ssend(&v, 1, MPI_INT, 0, 77, MPI_COMM_WORLD);
    }
}

static void persistent(void)
{
    double v[4] = {0}, w[4];
    const int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Request r[3];
    MPI_Recv_init(w, 4, MPI_DOUBLE, from, 8, MPI_COMM_WORLD, &r[0]);
    MPI_Ssend_init(v, 4, MPI_DOUBLE, to, 8, MPI_COMM_WORLD, &r[1]);
    MPI_Send_init(v, 4, MPI_DOUBLE, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &r[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&r[0]);
        MPI_Startall(2, &r[1]);
        for (int k = 0; k < 3; k++) {
            int index;
            MPI_Waitany(3, r, &index, MPI_STATUS_IGNORE);
        }
    }
    for (int i = 0; i < 3; i++) {
        MPI_Request_free(&r[i]);
    }
}

static void polling(void)
{
    int v = 3, flag = 0;
    MPI_Request r[2];
    MPI_Irecv(&v, 1, MPI_INT, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &r[0]);
    MPI_Issend(&rank, 1, MPI_INT, (rank + 1) % size, 9, MPI_COMM_WORLD, &r[1]);
    while (!flag) {
        MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    }
    /* A receive that nobody sends to. */
    MPI_Irecv(&v, 1, MPI_INT, 0, 999, MPI_COMM_WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

static void matched_probe(void)
{
    int v = 3, w;
    MPI_Message m;
    MPI_Request r;
    MPI_Isend(&v, 1, MPI_INT, (rank + 1) % size, 10, MPI_COMM_WORLD, &r);
    MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
    MPI_Mrecv(&w, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* Every collective once on @p comm, with root 1 (or 0), and the v-collectives with i + 1 ints. */
static void collectives(MPI_Comm comm)
{
    int me, n, counts[MAX], places[MAX], one[2 * MAX * MAX] = {0}, two[2 * MAX * MAX];
    MPI_Datatype types[MAX];
    int byte_places[MAX];
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    const int root = n > 1 ? 1 : 0;
    for (int i = 0, at = 0; i < n; at += ++i) {
        counts[i] = i + 1;
        places[i] = at;
        byte_places[i] = at * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    int mine[MAX], mine_places[MAX], mine_byte_places[MAX]; /* alltoallv: me + 1 to each */
    for (int i = 0; i < n; i++) {
        mine[i] = me + 1;
        mine_places[i] = i * (me + 1);
        mine_byte_places[i] = mine_places[i] * (int)sizeof(int);
    }
    MPI_Barrier(comm);
    MPI_Bcast(one, 3, MPI_INT, root, comm);
    MPI_Reduce(one, two, 4, MPI_INT, MPI_SUM, root, comm);
    MPI_Allreduce(one, two, 5, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, two, 5, MPI_INT, MPI_SUM, comm);
    MPI_Gather(one, 2, MPI_INT, two, 2, MPI_INT, root, comm);
    MPI_Gatherv(one, me + 1, MPI_INT, two, counts, places, MPI_INT, root, comm);
    MPI_Scatter(one, 2, MPI_INT, two, 2, MPI_INT, root, comm);
    MPI_Scatterv(one, counts, places, MPI_INT, two, me + 1, MPI_INT, root, comm);
    MPI_Allgather(one, 2, MPI_INT, two, 2, MPI_INT, comm);
    MPI_Allgatherv(one, me + 1, MPI_INT, two, counts, places, MPI_INT, comm);
    MPI_Alltoall(one, 2, MPI_INT, two, 2, MPI_INT, comm);
    MPI_Alltoallv(one, mine, mine_places, MPI_INT, two, counts, places, MPI_INT, comm);
    MPI_Alltoallw(one, mine, mine_byte_places, types, two, counts, byte_places, types, comm);
    MPI_Reduce_scatter(one, two, counts, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(one, two, 2, MPI_INT, MPI_SUM, comm);
    MPI_Scan(one, two, 2, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(one, two, 2, MPI_INT, MPI_SUM, comm);
}

static void nonblocking_collectives(void)
{
    int v = 1, w = 0;
    MPI_Request r[3];
    MPI_Iallreduce(&v, &w, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
    MPI_Ibcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}

static void communicators(void)
{
    MPI_Comm parity, copy, later, none, grid;
    MPI_Request r;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &parity); /* in reverse order */
    collectives(parity);
    MPI_Comm_dup(parity, &copy);
    MPI_Barrier(copy);
    MPI_Comm_idup(MPI_COMM_WORLD, &later, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Barrier(later);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &none);
    if (none != MPI_COMM_NULL) {
        MPI_Barrier(none);
        MPI_Comm_free(&none);
    }
    const int dims = size, periods = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periods, 0, &grid);
    int from, to, v = 0, w;
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(&v, 1, MPI_INT, to, 11, &w, 1, MPI_INT, from, 11, grid, MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Comm_free(&later);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&parity);
}

static void switched_off(void)
{
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    blocking_sends();
    at_the_ends();
    wildcards();
    persistent();
    polling();
    matched_probe();
    collectives(MPI_COMM_WORLD);
    nonblocking_collectives();
    communicators();
    switched_off();
    MPI_Finalize();
    return 0;
}
