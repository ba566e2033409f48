/* tests/apps/tracer/mpi/rare.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Calls that programs make rarely, one or two of a kind, on 2 ranks or more: with requests that are
 * not waited for by calls we convert, split, shared and ordered file access, and what MPI 4
 * brought. Also what may be called before MPI_Init and after MPI_Finalize. Its argument is a folder
 * to write files to.
 */
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdio.h>
#include <string.h>

static int rank, size, left, right;

static void one_sided(void)
{
    int memory[4] = {0}, v = 1, flag;
    MPI_Win window;
    MPI_Request r;
    MPI_Group all;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Rput(&v, 1, MPI_INT, right, 0, 1, MPI_INT, window, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Raccumulate(&v, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, window, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Win_flush_local(right, window);
    MPI_Win_flush_local_all(window);
    MPI_Rget(&v, 1, MPI_INT, right, 0, 1, MPI_INT, window, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Win_post(all, 0, window);
    MPI_Win_start(all, 0, window);
    MPI_Win_complete(window);
    do {
        MPI_Win_test(window, &flag);
    } while (!flag);
    MPI_Win_free(&window);
    MPI_Group_free(&all);
}

static void neighbours(void)
{
    int dims[1] = {0}, periods[1] = {1}, v = 1, got[2];
    MPI_Comm ring;
    MPI_Request r;
    MPI_Dims_create(size, 1, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Ineighbor_allgather(&v, 1, MPI_INT, got, 1, MPI_INT, ring, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
}

static void files(const char *folder)
{
    char name[4096];
    int v = rank;
    MPI_File f;
    MPI_Request r;
    MPI_Offset length;
    (void)snprintf(name, sizeof name, "%s/rare", folder);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_iwrite_at(f, (MPI_Offset)rank * 4, &v, 1, MPI_INT, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(f, (MPI_Offset)rank * 4, &v, 1, MPI_INT);
    MPI_File_write_at_all_end(f, &v, MPI_STATUS_IGNORE);
    MPI_File_write_ordered(f, &v, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_shared(f, &v, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_size(f, &length);
    MPI_File_close(&f);
}

static void alone(void)
{
    char packed[64];
    int place = 0, v = 1, flag;
    void *memory;
    MPI_Request r;
    MPI_Pack(&v, 1, MPI_INT, packed, sizeof packed, &place, MPI_COMM_WORLD);
    MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
    MPI_Free_mem(memory);
    MPI_Irecv(&v, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    do {
        MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    } while (!flag);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    /* cancelled, and never waited for */
    MPI_Irecv(&v, 1, MPI_INT, right, 12345, MPI_COMM_WORLD, &r);
    MPI_Cancel(&r);
}

static void persistent_collective(void)
{
    int in = 1, out;
    MPI_Request r;
#if MPI_VERSION >= 4
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
#else
    MPIX_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
#endif
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
}

#if MPI_VERSION >= 4
static void partitioned(void)
{
    int out[2] = {1, 2}, in[2], flag;
    MPI_Request r[2];
    MPI_Psend_init(out, 2, 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(in, 2, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
    MPI_Startall(2, r);
    MPI_Pready(0, r[0]);
    MPI_Pready(1, r[0]);
    do {
        MPI_Parrived(r[1], 1, &flag);
    } while (!flag);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

/* The same message and the same collectives with large counts as without. */
static void large_counts(void)
{
    int v[64] = {0}, w[64];
    const MPI_Count counts[64] = {[0 ... 63] = 2};
    MPI_Aint places[64];
    MPI_Request r[2];
    for (int i = 0; i < 64; i++) {
        places[i] = 0;
    }
    MPI_Irecv_c(w, 64, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &r[0]);
    MPI_Isend_c(v, 3, MPI_INT, right, 5, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Sendrecv_c(v, 3, MPI_INT, right, 6, w, 64, MPI_INT, left, 6, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    MPI_Bcast_c(v, 5, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv_c(v, 2, MPI_INT, w, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Isendrecv(v, 1, MPI_INT, right, 8, w, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

static void sessions(void)
{
    MPI_Session s;
    MPI_Comm copy;
    MPI_Request r;
    MPI_Group all;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s);
    MPI_Group_from_session_pset(s, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &copy);
    MPI_Bcast(&left, 1, MPI_INT, 0, copy);
    MPI_Comm_free(&copy);
    MPI_Group_free(&all);
    MPI_Session_finalize(&s);
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &copy, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Bcast(&left, 1, MPI_INT, 0, copy);
    MPI_Comm_free(&copy);
}
#endif

int main(int argc, char **argv)
{
    int flag, version, minor;
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &minor);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    one_sided();
    neighbours();
    files(argc > 1 ? argv[1] : ".");
    alone();
    persistent_collective();
#if MPI_VERSION >= 4
    partitioned();
    large_counts();
    sessions();
#endif
    MPI_Finalize();
    MPI_Finalized(&flag);
    MPI_Get_version(&version, &minor);
    return !flag;
}
