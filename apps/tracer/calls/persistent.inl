/* apps/tracer/calls/persistent.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/* The definitions of persistent requests, in one form of counts; see large_count.h. */

#define DEFINES(NAME, CONST, DEFINED)                                                              \
    TRACER_WRAP(FORM(NAME),                                                                        \
                (CONST void *buffer, COUNT count, MPI_Datatype type, int peer, int tag,            \
                 MPI_Comm comm, MPI_Request *request),                                             \
                (buffer, count, type, peer, tag, comm, request))                                   \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = REAL(NAME)(buffer, count, type, peer, tag, comm, request);                  \
        return DEFINED(&c, REGION(NAME), rc, count, type, peer, tag, comm, request);               \
    }
DEFINES(Send_init, const, send_defined)
DEFINES(Bsend_init, const, send_defined)
DEFINES(Ssend_init, const, send_defined)
DEFINES(Rsend_init, const, send_defined)
DEFINES(Recv_init, , recv_defined)
#undef DEFINES
