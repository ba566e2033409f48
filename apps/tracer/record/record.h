/* apps/tracer/record/record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * One record per MPI call, noted when the call has returned: its Enter with the attributes, the
 * standard records in it, its Leave. The clock for the next computation starts after that, so
 * recording costs wall clock, never CPU time of the program. entry.h shows the order of the calls.
 */
#pragma once

#include "record/comm.h"
#include "record/regions.h"
#include "record/request.h"

typedef struct tracer_call {
    uint64_t enter; /* ns of the monotonic clock */
    uint64_t leave;
    int64_t cpu;         /* ns since the call before in this thread; -1: its first */
    uint64_t cpu_inside; /* ns in the call; until tracer_leave(): the CPU clock at enter */
    tracer_region region;
} tracer_call;

void tracer_enter(tracer_call *c);
void tracer_leave(tracer_call *c);
void tracer_attr_i32(tracer_attribute a, int value);
void tracer_attr_u64(tracer_attribute a, uint64_t value);
void tracer_attr_comm(uint32_t comm);
void tracer_open(tracer_call *c, tracer_region region);
void tracer_close(void);
/** An unsuccessful poll; a run of them is one record. Opens and closes. */
void tracer_poll(tracer_call *c, tracer_region region);
/** Nothing to say but the call and its time. Opens and closes. */
void tracer_plain(tracer_call *c, tracer_region region);
void tracer_put_send(const tracer_comm *comm, int peer, int tag, uint64_t bytes);
void tracer_put_recv(const tracer_comm *comm, const MPI_Status *status);
void tracer_put_post(const tracer_request *r);
void tracer_put_complete(const tracer_request *r, const MPI_Status *status);
void tracer_put_collective(const tracer_comm *comm, const tracer_collective *what);
void tracer_put_collective_post(uint64_t request);
void tracer_put_counts(tracer_parameter which, const uint64_t *bytes, int n);
void tracer_put_parameter(tracer_parameter which, uint64_t value);

/**
 * Who works on the notes while the program runs, beside the archive. Called when a buffer of notes
 * is full or something is due, never for a single call; under the lock of the notes.
 */
typedef struct tracer_listener {
    /** Read @p n words of notes (buffer.h). The last call stays open. */
    void (*take)(const uint64_t *notes, size_t n);
    /** The call that is open, if one is, is over. */
    void (*leave)(void);
    /** Nobody computed since the last call was over, until @p now, ns. */
    void (*flushed)(uint64_t now);
    /** Is it time to write something down? @p now, ns */
    bool (*due)(uint64_t now);
    /** Write down what is due. */
    void (*write)(uint64_t now);
} tracer_listener;
/** From the first call on. @param listener static */
void tracer_record_listen(const tracer_listener *listener);

uint64_t tracer_calls(void);
uint64_t tracer_calls_of_other_threads(void);
/** Before the first call; by the thread that initialises MPI. */
void tracer_record_start(void);
/** Hand everything to OTF2. @return false: OTF2 was interrupted at work; that cannot be saved */
bool tracer_record_end(void);
/** The lock of the notes and of the tables; taken by tracer_leave, given back at close. */
void tracer_lock(void);
void tracer_unlock(void);
