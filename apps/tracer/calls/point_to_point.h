/* apps/tracer/calls/point_to_point.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What posted sends and receives have in common with those of persistent requests. */
#pragma once

#include "record/request.h"

/**
 * No limit is known of a receive. So it is with a message that a probe has found: programs make its
 * buffer as large as that message, and would have done so for another one.
 */
#define TRACER_ROOM_UNKNOWN UINT64_MAX

/** A posted send or receive, as it was asked for. Under the lock. */
tracer_request *tracer_post(MPI_Request request, tracer_request_kind kind, uint64_t bytes, int peer,
                            int tag, MPI_Comm comm);
/** The attributes of a receive that is posted or defined. */
void tracer_attr_receive(const tracer_request *r);
