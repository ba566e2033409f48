/* sched/otf2_names.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What Ripple's archives say beyond the standard records of OTF2: the names of its attributes and
 * parameters. Shared by the tracer, which writes them, and the reader, so this header needs
 * nothing but the preprocessor.
 *
 * A call is Enter, its standard records, Leave. The attributes below belong to the Enter. A number
 * that a standard record of the same call already gives is not repeated as an attribute.
 */
#pragma once

/** Creator of the archive: Ripple's begins with this word. */
#define SCHED_OTF2_CREATOR "ripple"

/**
 * X(symbol, name, OTF2 type, description). The symbol's position is its number in our archives;
 * readers go by the name. In ranks, -1 is MPI_ANY_SOURCE and -2 is MPI_PROC_NULL; in tags, -1 is
 * MPI_ANY_TAG.
 *
 * RECV_BYTES is at every receive that is posted without waiting or defined to be persistent, and
 * at a receive that waits (MPI_Recv, MPI_Sendrecv, ...) if it asked for any source or
 * any tag; a matched receive (MPI_Mrecv, MPI_Imrecv) has none, as its buffer is made for its
 * message. The record of the receive says what arrived, which is another number. Absent: no limit
 * is known.
 *
 * CPU_INSIDE is not there where a call has used the CPU from Enter to Leave. In an archive that
 * does not define it, CPU time inside calls was not recorded.
 */
#define SCHED_OTF2_ATTRIBUTES(X)                                                                   \
    X(CPU, "ripple::cpu", UINT64, "CPU time of the computation since the MPI call before, ns")     \
    X(PEER, "ripple::peer", INT32, "Destination, where no send record says it")                    \
    X(TAG, "ripple::tag", INT32, "Tag sent, where no send record says it")                         \
    X(BYTES, "ripple::bytes", UINT64, "Bytes sent; of a collective: its block or vector")          \
    X(SOURCE, "ripple::source", INT32, "Source as asked for")                                      \
    X(RECV_TAG, "ripple::recv_tag", INT32, "Tag as asked for")                                     \
    X(RECV_BYTES, "ripple::recv_bytes", UINT64, "Room of the receive: bytes that were posted")     \
    X(COMM, "ripple::comm", COMM, "Communicator, where no standard record says it")                \
    X(ROOT, "ripple::root", INT32, "Root of a nonblocking collective")                             \
    X(REQUEST, "ripple::request", UINT64, "Request that a persistent or PROC_NULL call defines")   \
    X(IN_PLACE, "ripple::in_place", UINT8, "The collective was called with MPI_IN_PLACE")          \
    X(CPU_INSIDE, "ripple::cpu_inside", UINT64, "CPU time inside the call, ns")

/**
 * X(symbol, name): unsigned parameters between Enter and Leave, for lists. REPEAT n: the value
 * before it is repeated n more times.
 */
#define SCHED_OTF2_PARAMETERS(X)                                                                   \
    X(SEND_COUNT, "ripple::send_count") /* v-collectives: bytes for partner 0, 1, ... */           \
    X(RECV_COUNT, "ripple::recv_count")                                                            \
    X(REPEAT, "ripple::repeat")                                                                    \
    X(START, "ripple::start")       /* a persistent request for MPI_PROC_NULL is started */        \
    X(COMPLETE, "ripple::complete") /* a request for MPI_PROC_NULL is complete */

/** Property of the archive; present and "false" until every rank has finished MPI_Finalize. */
#define SCHED_OTF2_FINALIZED "RIPPLE::FINALIZED"
