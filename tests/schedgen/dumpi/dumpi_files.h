/* tests/schedgen/dumpi/dumpi_files.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files of DUMPI made by hand, for tests.
 */
#pragma once

#include "check.h"
#include "sched/convert.h"
#include "sched/dumpi.h"
#include "sim/run.h"

#include <stdarg.h>
#include <string.h>

/* Numbers of functions: funclabels.h of DUMPI. */
enum {
    SEND = 0,
    RECV = 1,
    ISEND = 8,
    IRECV = 12,
    WAIT = 13,
    TEST = 14,
    WAITANY = 16,
    WAITALL = 18,
    WAITSOME = 20,
    CANCEL = 24,
    SEND_INIT = 26,
    START = 31,
    SENDRECV = 33,
    SENDRECV_REPLACE = 34,
    TYPE_VECTOR = 36,
    TYPE_STRUCT = 40,
    BARRIER = 52,
    BCAST = 53,
    GATHER = 54,
    GATHERV = 55,
    SCATTERV = 57,
    ALLGATHER = 58,
    ALLTOALLV = 61,
    ALLREDUCE = 65,
    REDUCE_SCATTER = 66,
    COMM_DUP = 84,
    COMM_CREATE = 85,
    COMM_SPLIT = 86,
    COMM_FREE = 87,
    CART_CREATE = 99,
    CART_SUB = 111,
    INIT = 124,
    FINALIZE = 125,
    PUT = 143,
    END = 293
};

enum { INT = 9, WORLD = 2, SELF = 3, MINE = 4 };

static inline void dumpi_put(GByteArray *to, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--) {
        const guint8 byte = (guint8)(value >> (8 * i));
        g_byte_array_append(to, &byte, 1);
    }
}

/* A file begins. */
static inline GByteArray *dumpi_file_new(void)
{
    GByteArray *file = g_byte_array_new();
    dumpi_put(file, UINT64_C(0xffaadd44554d5049), 8);
    dumpi_put(file, 0, 4);
    dumpi_put(file, 1000, 4);
    return file;
}

/*
 * A record of a call at some microseconds, with CPU time beside it, and its arguments: 1, 2, 4 are
 * bytes of a number; l and h begin a list of numbers of 4 and 2 bytes, whose length comes first; z
 * is a status: bytes, source, tag; Z one that says cancelled; 0 no status.
 */
static inline void dumpi_record(GByteArray *f, unsigned number, unsigned enter, unsigned leave,
                                const char *form, ...)
{
    dumpi_put(f, number, 2);
    dumpi_put(f, 1 + 4 + 8 + 64, 1);
    dumpi_put(f, 0, 2);
    for (int clock = 0; clock < 2; clock++) {
        for (int i = 0; i < 2; i++) {
            const uint64_t us = i == 0 ? enter : leave;
            dumpi_put(f, us / 1000000, 2);
            dumpi_put(f, us % 1000000 * 1000, 4);
        }
    }
    va_list args;
    va_start(args, form);
    for (; *form != '\0'; form++) {
        if (*form == 'l' || *form == 'h') {
            const int n = va_arg(args, int);
            dumpi_put(f, (uint64_t)n, 4);
            for (int i = 0; i < n; i++) {
                dumpi_put(f, (uint64_t)va_arg(args, int), *form == 'l' ? 4 : 2);
            }
        } else if (*form == 'z' || *form == 'Z') {
            dumpi_put(f, 1, 4);
            dumpi_put(f, (uint64_t)va_arg(args, int), 4);
            dumpi_put(f, (uint64_t)va_arg(args, int), 4);
            dumpi_put(f, *form == 'Z' ? 1 : 0, 1);
            dumpi_put(f, 0, 1);
            dumpi_put(f, (uint64_t)va_arg(args, int), 4);
        } else if (*form == '0') {
            dumpi_put(f, 0, 4);
        } else {
            dumpi_put(f, (uint64_t)va_arg(args, int), *form - '0');
        }
    }
    va_end(args);
}

/* What follows the records: the header, sizes of types (of an int: 4), the index. */
static inline void dumpi_file_end(GByteArray *f)
{
    dumpi_put(f, END, 2);
    const size_t header = f->len;
    dumpi_put(f, 0x010000, 3);
    dumpi_put(f, 1000, 8);
    const size_t sizes = f->len;
    dumpi_put(f, INT + 1, 4);
    for (int i = 0; i <= INT; i++) {
        dumpi_put(f, i == INT ? 4 : 1, 4);
    }
    dumpi_put(f, UINT64_C(0xffaadd44554d5049), 8);
    const size_t index[] = {sizes, 0, 0, header, 8, 0, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(index); i++) {
        dumpi_put(f, index[i], 8);
    }
}

enum { MOST = 6 };

static inline sched_trace *dumpi_read_files(GByteArray *const *files, uint32_t n, GError **error)
{
    static const char *const names[MOST] = {"0", "1", "2", "3", "4", "5"};
    const char *data[MOST];
    size_t sizes[MOST];
    for (uint32_t i = 0; i < n; i++) {
        data[i] = (const char *)files[i]->data;
        sizes[i] = files[i]->len;
    }
    return sched_dumpi_read_data(names, data, sizes, n, error);
}

/* Ends the files, reads and frees them. */
static inline sched_trace *dumpi_read_whole(GByteArray **files, uint32_t n)
{
    GError *error = NULL;
    for (uint32_t i = 0; i < n; i++) {
        dumpi_record(files[i], FINALIZE, 9000, 9001, "");
        dumpi_file_end(files[i]);
    }
    sched_trace *trace = dumpi_read_files(files, n, &error);
    CHECK(trace != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    for (uint32_t i = 0; i < n; i++) {
        g_byte_array_unref(files[i]);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(trace);
    return trace;
}

static inline const sched_call *call_of(const sched_trace *trace, uint32_t rank, uint64_t i)
{
    CU_ASSERT_FATAL(i < trace->ranks[rank].num_calls);
    return &trace->ranks[rank].calls[i];
}

static inline const char *name_of(const sched_trace *trace, const sched_call *call)
{
    return g_ptr_array_index(trace->names, call->name);
}

static inline sim_graph *dumpi_convert(const sched_trace *trace)
{
    static const sched_convert_options wall = {
        .copies = 1, .repeat = 1, .compute = SCHED_COMPUTE_WALL};
    sched_convert_report report = {0};
    GError *error = NULL;
    sim_graph *graph = sched_convert(trace, &wall, &report, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    sched_convert_report_clear(&report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}
