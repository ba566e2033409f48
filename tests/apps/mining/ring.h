/* tests/apps/mining/ring.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A ring that was never run: every instant follows from the rules below, and so does the
 * truth. */
#pragma once

#include "sched/trace.h"

/** What strikes the ring every @p every steps, for @p length. */
typedef struct ring_fault {
    uint32_t rank;
    uint32_t every; /* 0: never */
    sim_time length;
} ring_fault;

/**
 * Each rank computes for 400 us, sends 1 KiB to the right within 2 us, and receives what the left
 * one has sent, which is there 3 us after that returned; taking it costs 1 us. All with a jitter of
 * up to 100 ns.
 */
typedef struct ring {
    uint32_t ranks, steps;
    ring_fault send;    /* inside MPI_Send, before the message leaves, on the CPU */
    ring_fault compute; /* the program computes longer */
    ring_fault burner;  /* another process has the CPU while the program computes */
    uint64_t seed;
} ring;

/** Owned by the caller. */
sched_trace *ring_record(const ring *r);
