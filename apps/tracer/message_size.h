/* apps/tracer/message_size.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Bytes of messages. */
#pragma once

#include <mpi.h>
#include <stdint.h>

/** Of @p count elements; 0 for what is no message. */
uint64_t tracer_bytes(int count, MPI_Datatype type);
/** Of what was received. */
uint64_t tracer_status_bytes(const MPI_Status *status);
