/* noise/switch_record.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The file switches.RANK that the tracer writes beside its archive: one header, then records, in
 * the byte order and layout of the machine that wrote it. No GLib. Not installed. Who reads it:
 * noise/switch_file.h.
 */
#pragma once

#include <stdint.h>

#define NOISE_SWITCH_FILE    "switches." /* and the rank */
#define NOISE_SWITCH_MAGIC   "ripplesw"  /* 8 bytes */
#define NOISE_SWITCH_VERSION 1

enum { NOISE_SWITCH_MAX_CPUS = 1024 };

/** The clock of rank 0 less the own one, at the own time when; ns. */
typedef struct noise_switch_offset {
    uint64_t when; /* 0: not measured */
    int64_t offset;
    uint64_t uncertainty; /* give or take; 0 with offset 0: the same clock */
} noise_switch_offset;

/** The same instant on two clocks, ns. */
typedef struct noise_switch_clocks {
    uint64_t monotonic; /* 0: not there yet */
    uint64_t realtime;
} noise_switch_clocks;

/** Written at the beginning, and again at the end; all members are naturally aligned. */
typedef struct noise_switch_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; /* sizeof this */
    uint32_t record_bytes;
    uint32_t rank, num_ranks;
    uint32_t pid;
    uint32_t tid;        /* of the thread that initialised MPI */
    uint32_t refused;    /* errno of perf_event_open; 0: records are of switches. Else each is what
                          * run_delay grew by between two looks at calls, ending at the second;
                          * where there are none and it is not whole, that was not there either */
    uint32_t is_whole;   /* 1: closed by the tracer; 0: the program was killed */
    uint32_t ring_pages; /* of that thread; fewer than asked for where memory may not be locked */
    uint64_t lost;       /* switch records of the kernel, two of an interval, that are not here */
    noise_switch_clocks begin, end;
    uint64_t init_enter; /* own CLOCK_MONOTONIC at the Enter of MPI_Init, the first call recorded */
    noise_switch_offset offset_begin, offset_end;
    char boot_id[40];
    char host[64];
    uint8_t allowed[NOISE_SWITCH_MAX_CPUS / 8]; /* CPUs that the thread could run on at the start:
                                                 * bit c % 8 of byte c / 8 */
} noise_switch_header;

/** One time off the CPU, of any of the process's threads that call MPI. */
typedef struct noise_switch_record {
    uint64_t out, in; /* ns of the own CLOCK_MONOTONIC */
    uint32_t cpu, cpu_in;
    uint32_t tid;
    uint32_t preempted; /* 1: it could have run on, 0: it waited */
} noise_switch_record;
