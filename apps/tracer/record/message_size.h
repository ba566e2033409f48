/* apps/tracer/record/message_size.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Bytes of messages. In the header, because nearly every call that is recorded asks. */
#pragma once

#include <mpi.h>
#include <stdint.h>

/** Of @p count elements; 0 for what is no message. */
static inline uint64_t tracer_bytes(MPI_Count count, MPI_Datatype type)
{
    int small = 0;
    if (type != MPI_DATATYPE_NULL) {
        PMPI_Type_size(type, &small);
    }
    MPI_Count size = small;
    if (small == MPI_UNDEFINED) { /* does not fit an int */
        PMPI_Type_size_x(type, &size);
    }
    return count > 0 && size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/** Of what was received. */
static inline uint64_t tracer_status_bytes(const MPI_Status *status)
{
    MPI_Count n = 0;
    PMPI_Get_elements_x(status, MPI_BYTE, &n);
    return n > 0 ? (uint64_t)n : 0;
}
