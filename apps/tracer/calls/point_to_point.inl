/* apps/tracer/calls/point_to_point.inl — SPDX-License-Identifier: GPL-3.0-or-later */
/* The sends and receives that take counts, in one form of them; see large_count.h. */

#define SEND(NAME)                                                                                 \
    TRACER_WRAP(                                                                                   \
        FORM(NAME),                                                                                \
        (const void *buffer, COUNT count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),    \
        (buffer, count, type, dest, tag, comm))                                                    \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = REAL(NAME)(buffer, count, type, dest, tag, comm);                           \
        return sent(&c, REGION(NAME), rc, count, type, dest, tag, comm);                           \
    }
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)
#undef SEND

TRACER_WRAP(FORM(Recv),
            (void *buffer, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status),
            (buffer, count, type, source, tag, comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc = REAL(Recv)(buffer, count, type, source, tag, comm, s);
    tracer_leave(&c);
    return received(&c, REGION(Recv), rc, room_of(source, tag, count, type), source, tag, comm, s);
}

TRACER_WRAP(FORM(Mrecv),
            (void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
             MPI_Status *status),
            (buffer, count, type, message, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    const uint64_t which = message_bits(*message);
    tracer_enter(&c);
    const int rc = REAL(Mrecv)(buffer, count, type, message, s);
    tracer_leave(&c);
    const struct found f = take_message(which);
    return received(&c, REGION(Mrecv), rc, TRACER_ROOM_UNKNOWN, f.source, f.tag, f.comm, s);
}

TRACER_WRAP(FORM(Sendrecv),
            (const void *out, COUNT out_count, MPI_Datatype out_type, int dest, int send_tag,
             void *in, COUNT in_count, MPI_Datatype in_type, int source, int recv_tag,
             MPI_Comm comm, MPI_Status *status),
            (out, out_count, out_type, dest, send_tag, in, in_count, in_type, source, recv_tag,
             comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc = REAL(Sendrecv)(out, out_count, out_type, dest, send_tag, in, in_count, in_type,
                                  source, recv_tag, comm, s);
    tracer_leave(&c);
    return exchanged(&c, REGION(Sendrecv), rc, tracer_bytes(out_count, out_type), dest, send_tag,
                     room_of(source, recv_tag, in_count, in_type), source, recv_tag, comm, s);
}

TRACER_WRAP(FORM(Sendrecv_replace),
            (void *buffer, COUNT count, MPI_Datatype type, int dest, int send_tag, int source,
             int recv_tag, MPI_Comm comm, MPI_Status *status),
            (buffer, count, type, dest, send_tag, source, recv_tag, comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc =
        REAL(Sendrecv_replace)(buffer, count, type, dest, send_tag, source, recv_tag, comm, s);
    tracer_leave(&c);
    return exchanged(&c, REGION(Sendrecv_replace), rc, tracer_bytes(count, type), dest, send_tag,
                     room_of(source, recv_tag, count, type), source, recv_tag, comm, s);
}

#define ISEND(NAME)                                                                                \
    TRACER_WRAP(FORM(NAME),                                                                        \
                (const void *buffer, COUNT count, MPI_Datatype type, int dest, int tag,            \
                 MPI_Comm comm, MPI_Request *request),                                             \
                (buffer, count, type, dest, tag, comm, request))                                   \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = REAL(NAME)(buffer, count, type, dest, tag, comm, request);                  \
        return isent(&c, REGION(NAME), rc, count, type, dest, tag, comm, request);                 \
    }
ISEND(Isend)
ISEND(Ibsend)
ISEND(Issend)
ISEND(Irsend)
#undef ISEND

TRACER_WRAP(FORM(Irecv),
            (void *buffer, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Request *request),
            (buffer, count, type, source, tag, comm, request))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = REAL(Irecv)(buffer, count, type, source, tag, comm, request);
    tracer_leave(&c);
    return ireceived(&c, REGION(Irecv), rc, tracer_bytes(count, type), source, tag, comm, request);
}

TRACER_WRAP(FORM(Imrecv),
            (void *buffer, COUNT count, MPI_Datatype type, MPI_Message *message,
             MPI_Request *request),
            (buffer, count, type, message, request))
{
    tracer_call c;
    const uint64_t which = message_bits(*message);
    tracer_enter(&c);
    const int rc = REAL(Imrecv)(buffer, count, type, message, request);
    tracer_leave(&c);
    const struct found f = take_message(which);
    return ireceived(&c, REGION(Imrecv), rc, TRACER_ROOM_UNKNOWN, f.source, f.tag, f.comm, request);
}
