/* apps/tracer/calls/session.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions of MPI 4. Ranks are those of MPI_COMM_WORLD, which a program has that calls MPI_Init;
 * one that has nothing but sessions is not recorded, and must hear so.
 */
#include "calls/entry.h"
#include "record/record.h"

#include <stdlib.h>

#ifdef TRACER_HAS_Session_init

static bool first_of_all; /* rank 0 of all processes: it speaks for them */

static void say_what_is_missing(void)
{
    if (atomic_load(&tracer.phase) == TRACER_BEFORE && first_of_all) {
        tracer_say("nothing is recorded: the program uses MPI sessions without MPI_Init");
    }
}

static void watch(MPI_Session session)
{
    static _Atomic bool watched;
    MPI_Group all;
    int rank = 0;
    if (atomic_exchange(&watched, true)) {
        return;
    }
    if (PMPI_Group_from_session_pset(session, "mpi://WORLD", &all) == MPI_SUCCESS) {
        PMPI_Group_rank(all, &rank);
        PMPI_Group_free(&all);
    }
    first_of_all = rank == 0;
    (void)atexit(say_what_is_missing);
}

TRACER_REAL(Session_init, MPI_Session_init,
            (MPI_Info info, MPI_Errhandler errors, MPI_Session *session))

static int trace_session_init(MPI_Info info, MPI_Errhandler errors, MPI_Session *session)
{
    tracer_call c;
    const bool recorded = tracer_outermost();
    if (recorded) {
        tracer_enter(&c);
    }
    const int rc = real_Session_init()(info, errors, session);
    if (recorded) {
        tracer_leave(&c);
        tracer_plain(&c, REGION_Session_init);
    } else if (rc == MPI_SUCCESS && atomic_load(&tracer.phase) == TRACER_BEFORE) {
        watch(*session);
    }
    return rc;
}

TRACER_EXPORT int MPI_Session_init(MPI_Info info, MPI_Errhandler errors, MPI_Session *session)
{
    return tracer_inside ? real_Session_init()(info, errors, session)
                         : trace_session_init(info, errors, session);
}
TRACER_EXPORT int PMPI_Session_init(MPI_Info info, MPI_Errhandler errors, MPI_Session *session)
{
    return tracer_inside || !tracer_from_fortran(__builtin_return_address(0))
               ? real_Session_init()(info, errors, session)
               : trace_session_init(info, errors, session);
}

#endif
