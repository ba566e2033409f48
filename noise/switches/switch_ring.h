/* noise/switches/switch_ring.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the bytes that the kernel leaves in a ring (perf_event_open(2), "MMAP layout") to
 * intervals. Pure: the bytes may come from anywhere, and may be any.
 *
 * Every record ends with a sample_id of PERF_SAMPLE_TID | TIME | CPU, 24 bytes.
 */
#pragma once

#include "noise/switches.h"

typedef struct noise_ring {
    const unsigned char *data; /* [size] */
    uint64_t size;             /* bytes, a power of two */
    uint64_t tail;             /* bytes read since the beginning */
    bool own;                  /* records of one thread, not of a CPU */
    noise_switch_name *names;  /* [names_room] borrowed; NULL: they are skipped */
    size_t names_room, num_names;
    /* the interval that has begun */
    bool is_open;
    bool preempted;
    uint32_t cpu;
    uint32_t next_tid;
    uint64_t out;
} noise_ring;

/**
 * Take complete intervals out, at most @p room, and names, as long as there is room for them; the
 * caller sets num_names to 0. Bytes that are no records (sizes that go beyond
 * @p head) end it: everything up to @p head is skipped and counted as one that was lost.
 * @param head bytes written since the beginning, >= ring->tail
 * @param lost += records that are missing
 */
size_t noise_ring_parse(noise_ring *ring, uint64_t head, noise_switch *out, size_t room,
                        uint64_t *lost);
