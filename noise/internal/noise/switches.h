/* noise/switches.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the kernel says about context switches, to the nanosecond: when a thread was taken off its
 * CPU and came back, or who ran on a CPU. No GLib: the tracer has this, too. Not installed.
 *
 * PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE of perf_event_open(2), Linux 4.3, on an event
 * that counts nothing. The own threads need no privilege up to kernel.perf_event_paranoid = 2; a
 * whole CPU needs root, CAP_PERFMON or kernel.perf_event_paranoid <= 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In place of next_tid: nobody ran, the CPU was idle; or, within a PID namespace, one outside of
 * it, which the kernel does not tell from that. */
#define NOISE_SWITCH_IDLE UINT32_MAX

/**
 * Of a thread: it was off the CPU from out to in. Of a CPU: next_tid was on it from out to in.
 * ns of CLOCK_MONOTONIC, out <= in.
 */
typedef struct noise_switch {
    uint64_t out;
    uint64_t in;
    uint32_t cpu;      /* where it was switched out */
    uint32_t cpu_in;   /* where it came back; of a CPU: as cpu */
    uint32_t next_tid; /* of a CPU: who was on it; 0: not known (of a thread: always) */
    bool preempted; /* the one that left at out could have gone on: it did not wait for anything */
} noise_switch;

/** A thread began, or took a name: by PERF_RECORD_FORK and PERF_RECORD_COMM, of a CPU alone. */
typedef struct noise_switch_name {
    uint64_t when; /* ns of CLOCK_MONOTONIC */
    uint32_t pid, tid;
    uint32_t parent; /* process that began it; 0: it has taken the name */
    uint32_t by;     /* thread that began it; 0: it has taken the name */
    char name[16];   /* ends with 0; "" of one that began: it has that of the thread it is by */
} noise_switch_name;

typedef struct noise_switches {
    /* what noise_switches_filling() looks at: written by the kernel, and by the last drain */
    const uint64_t *head;
    uint64_t enough;
    void *map; /* the page of positions, then the ring */
    size_t map_bytes;
    uint32_t pages; /* of the ring */
    int fd;
    int owner; /* process that opened it: a child does not have the ring */
    struct noise_ring *ring;
} noise_switches;

/**
 * Begin to listen. Own mode (@p cpu -1): to thread @p tid of this process, 0: the calling one. CPU
 * mode (@p cpu >= 0, @p tid 0): to whoever runs there. Some 10 us.
 * @param pages of the ring, a power of two, 0: 64; one page holds 64 intervals. Fewer, if the
 *   kernel does not lend as many (kernel.perf_event_mlock_kb)
 * @return owned by the caller; NULL: refused, errno says why (noise_switches_refusal())
 */
noise_switches *noise_switches_open(int tid, int cpu, uint32_t pages);

/** Is the ring a quarter full? One load and one comparison; by the thread that drains. Not in a
 * child of the process that opened it: the kernel does not pass the ring on. */
static inline bool noise_switches_filling(const noise_switches *s)
{
    return __atomic_load_n(s->head, __ATOMIC_RELAXED) >= s->enough;
}

/**
 * Take out what is complete, in the order in which it ended. Call it until it gives less than
 * @p room. Allocates nothing, takes no lock; one thread at a time. Some 10 ns per interval.
 * @param lost NULL, or += the records that the kernel had no room for; an interval of a thread has
 *   two. One that has a record missing is not given
 * @return number of intervals in @p out; 0 in a child of the process that opened it
 */
size_t noise_switches_drain(noise_switches *s, noise_switch *out, size_t room, uint64_t *lost);

/**
 * The same with the names of threads, of a CPU. Call it until both are less than there is room for.
 * @param num_names how many there are in @p names
 */
size_t noise_switches_drain_named(noise_switches *s, noise_switch *out, size_t room,
                                  noise_switch_name *names, size_t names_room, size_t *num_names,
                                  uint64_t *lost);

/** NULL is a no-op; in a child of the process that opened it, too. */
void noise_switches_close(noise_switches *s);

/**
 * Why noise_switches_open() was refused, in words for users, without a full stop.
 * @param error errno after it
 * @param own of the thread (true) or of a CPU
 */
const char *noise_switches_refusal(int error, bool own);
