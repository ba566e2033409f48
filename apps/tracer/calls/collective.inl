/* apps/tracer/calls/collective.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The collectives that take counts, in one form of them (large_count.h):
 * COLLECTIVE(its name, that of the nonblocking one, their parameters, their arguments, description)
 */

COLLECTIVE(FORM(Bcast), FORM(Ibcast),
           (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm), of_bcast(count, type, root, comm))
COLLECTIVE(FORM(Reduce), FORM(Ireduce),
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (from, to, count, type, op, root, comm), of_reduce(from, count, type, root, comm))
COLLECTIVE(FORM(Allreduce), FORM(Iallreduce),
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm), of_allreduce(from, count, type, comm))
COLLECTIVE(FORM(Gather), FORM(Igather),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to, COUNT recv_count,
            MPI_Datatype recv_type, int root, MPI_Comm comm),
           (from, send_count, send_type, to, recv_count, recv_type, root, comm),
           of_gather(from, send_count, send_type, recv_count, recv_type, root, comm))
COLLECTIVE(FORM(Gatherv), FORM(Igatherv),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to,
            const COUNT *recv_counts, const PLACE *places, MPI_Datatype recv_type, int root,
            MPI_Comm comm),
           (from, send_count, send_type, to, recv_counts, places, recv_type, root, comm),
           of_gatherv(from, send_count, send_type, LIST(recv_counts), recv_type, root, comm))
COLLECTIVE(FORM(Scatter), FORM(Iscatter),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to, COUNT recv_count,
            MPI_Datatype recv_type, int root, MPI_Comm comm),
           (from, send_count, send_type, to, recv_count, recv_type, root, comm),
           of_scatter(send_count, send_type, to, recv_count, recv_type, root, comm))
COLLECTIVE(FORM(Scatterv), FORM(Iscatterv),
           (const void *from, const COUNT *send_counts, const PLACE *places, MPI_Datatype send_type,
            void *to, COUNT recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm),
           (from, send_counts, places, send_type, to, recv_count, recv_type, root, comm),
           of_scatterv(LIST(send_counts), send_type, to, recv_count, recv_type, root, comm))
COLLECTIVE(FORM(Allgather), FORM(Iallgather),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to, COUNT recv_count,
            MPI_Datatype recv_type, MPI_Comm comm),
           (from, send_count, send_type, to, recv_count, recv_type, comm),
           of_allgather(from, recv_count, recv_type, comm))
COLLECTIVE(FORM(Allgatherv), FORM(Iallgatherv),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to,
            const COUNT *recv_counts, const PLACE *places, MPI_Datatype recv_type, MPI_Comm comm),
           (from, send_count, send_type, to, recv_counts, places, recv_type, comm),
           of_allgatherv(from, LIST(recv_counts), recv_type, comm))
COLLECTIVE(FORM(Alltoall), FORM(Ialltoall),
           (const void *from, COUNT send_count, MPI_Datatype send_type, void *to, COUNT recv_count,
            MPI_Datatype recv_type, MPI_Comm comm),
           (from, send_count, send_type, to, recv_count, recv_type, comm),
           of_alltoall(from, recv_count, recv_type, comm))
COLLECTIVE(FORM(Alltoallv), FORM(Ialltoallv),
           (const void *from, const COUNT *send_counts, const PLACE *send_places,
            MPI_Datatype send_type, void *to, const COUNT *recv_counts, const PLACE *recv_places,
            MPI_Datatype recv_type, MPI_Comm comm),
           (from, send_counts, send_places, send_type, to, recv_counts, recv_places, recv_type,
            comm),
           of_alltoallv(from, LIST(send_counts), send_type, LIST(recv_counts), recv_type, comm))
COLLECTIVE(FORM(Alltoallw), FORM(Ialltoallw),
           (const void *from, const COUNT *send_counts, const PLACE *send_places,
            const MPI_Datatype *send_types, void *to, const COUNT *recv_counts,
            const PLACE *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm),
           (from, send_counts, send_places, send_types, to, recv_counts, recv_places, recv_types,
            comm),
           of_alltoallw(from, LIST(send_counts), send_types, LIST(recv_counts), recv_types, comm))
COLLECTIVE(FORM(Reduce_scatter), FORM(Ireduce_scatter),
           (const void *from, void *to, const COUNT *recv_counts, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm),
           (from, to, recv_counts, type, op, comm),
           of_reduce_scatter(from, LIST(recv_counts), type, comm))
COLLECTIVE(FORM(Reduce_scatter_block), FORM(Ireduce_scatter_block),
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm), of_reduce_scatter_block(from, count, type, comm))
COLLECTIVE(FORM(Scan), FORM(Iscan),
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm),
           of_scan(OTF2_COLLECTIVE_OP_SCAN, from, count, type, comm))
COLLECTIVE(FORM(Exscan), FORM(Iexscan),
           (const void *from, void *to, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, to, count, type, op, comm),
           of_scan(OTF2_COLLECTIVE_OP_EXSCAN, from, count, type, comm))
