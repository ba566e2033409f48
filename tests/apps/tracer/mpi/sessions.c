/* tests/apps/tracer/mpi/sessions.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A session of MPI 4, and no MPI_Init: a barrier of all. Elsewhere it does nothing. */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
#if MPI_VERSION >= 4
    MPI_Session s;
    MPI_Group all;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s);
    MPI_Group_from_session_pset(s, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&all);
    MPI_Session_finalize(&s);
#else
    (void)fprintf(stderr, "no sessions\n");
#endif
    return 0;
}
