/* noise/nit/nit_format.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The bytes of a .nit file: 16 of file header, then frames. A frame is a header of 24 bytes and a
 * deflated payload: records, each a tag and numbers. Numbers are unsigned, 7 bits to a byte, the
 * lowest first, and small: times are differences. docs/monitor.md, section 5.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NIT_MAGIC "RIPPLNIT"
enum {
    NIT_VERSION = 1,
    NIT_FILE_HEADER = 16,  /* magic, version, 0 */
    NIT_FRAME_HEADER = 24, /* magic, kind, bytes inflated, bytes stored, XXH3 of the stored */
    NIT_FRAME_MAGIC = 0x6674696e, /* "nitf" */
    NIT_MOST_INFLATED = 1 << 23,
    NIT_MOST_STORED = NIT_MOST_INFLATED + (1 << 16),
    NIT_MOST_TEXT = 255,
    NIT_MOST_CPUS = 1 << 20,
    NIT_BUCKETS = 512, /* of intervals: 8 for each power of two */
};
#define NIT_MOST_TIME ((uint64_t)1 << 62)

typedef enum { NIT_FRAME_HEAD = 1, NIT_FRAME_DATA, NIT_FRAME_END } nit_frame_kind;

typedef enum {
    NIT_THREAD = 1,
    NIT_ACTIVITY,
    NIT_ACTIVITY_GOES_ON, /* its next record of the same thread, CPU and time continues it */
    NIT_LINE,
    NIT_INTERRUPTS,
    NIT_STEAL,
    NIT_MARKER,
    NIT_CLOCKS,
    NIT_SEEN,
} nit_tag;

/** Sweeps of a second or so; a file's totals are the sums. */
typedef struct nit_seen {
    uint64_t to;
    uint64_t sweeps, interval_ns, max_interval_ns, sweep_ns, monitor_ns, blind_ns;
    uint64_t switches, slices, forks, appeared, steal_ns, lost, most_threads;
    uint32_t intervals[NIT_BUCKETS]; /* how many of each length: nit_bucket() */
} nit_seen;

/** Which bucket an interval belongs to: the power of two, and the three bits below. */
static inline uint32_t nit_bucket(uint64_t ns)
{
    if (ns < 8) {
        return (uint32_t)ns;
    }
    const unsigned power = 63u - (unsigned)__builtin_clzll(ns);
    return (power - 2) * 8 + (uint32_t)((ns >> (power - 3)) & 7);
}

/** The largest interval of a bucket. */
static inline uint64_t nit_bucket_end(uint32_t bucket)
{
    if (bucket < 8) {
        return bucket;
    }
    const unsigned power = bucket / 8 + 2;
    return ((uint64_t)(8 + bucket % 8 + 1) << (power - 3)) - 1;
}

/** Differences that may be negative: 0, -1, 1, -2, … as 0, 1, 2, 3, … */
static inline uint64_t nit_fold(int64_t v)
{
    return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}

static inline int64_t nit_unfold(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static inline void nit_put_fixed(uint8_t *at, unsigned bytes, uint64_t v)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(v >> (8 * i));
    }
}

static inline uint64_t nit_get_fixed(const uint8_t *at, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; i++) {
        v |= (uint64_t)at[i] << (8 * i);
    }
    return v;
}

/** What is being read; once it is bad all numbers are 0. */
typedef struct nit_cursor {
    const uint8_t *at, *end;
    bool bad;
} nit_cursor;

static inline uint64_t nit_get(nit_cursor *c)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        const uint8_t byte = *c->at++;
        if (shift == 63 && byte > 1) {
            break;
        }
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            return c->bad ? 0 : v;
        }
    }
    c->bad = true;
    return 0;
}

/** A number below @p limit. */
static inline uint64_t nit_get_below(nit_cursor *c, uint64_t limit)
{
    const uint64_t v = nit_get(c);
    c->bad |= v >= limit;
    return c->bad ? 0 : v;
}

/** What is being written: whoever puts has made sure of the room. */
static inline uint8_t *nit_put(uint8_t *at, uint64_t v)
{
    while (v >= 128) {
        *at++ = (uint8_t)(v | 128);
        v >>= 7;
    }
    *at++ = (uint8_t)v;
    return at;
}

/** Cut to NIT_MOST_TEXT bytes; NULL like "". */
static inline uint8_t *nit_put_text(uint8_t *at, const char *text)
{
    const size_t n = text != NULL ? strnlen(text, NIT_MOST_TEXT) : 0;
    at = nit_put(at, n);
    if (n > 0) {
        memcpy(at, text, n);
    }
    return at + n;
}
