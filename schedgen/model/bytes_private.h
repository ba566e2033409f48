/* schedgen/model/bytes_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Bytes that numbers are appended to, 7 bits each: several for every call that is packed. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct sched_bytes {
    uint8_t *at;
    size_t len;
    size_t room;
} sched_bytes;

/* Room for @p n more. @return where they go */
static inline uint8_t *sched_bytes_reserve(sched_bytes *b, size_t n)
{
    enum { FIRST = 256 };
    if (b->room - b->len < n) {
        b->room = MAX(2 * b->room, b->len + n + FIRST);
        b->at = g_realloc(b->at, b->room);
    }
    return b->at + b->len;
}

static inline void sched_bytes_put(sched_bytes *b, uint64_t value)
{
    enum { MOST = 10 };
    uint8_t *at = sched_bytes_reserve(b, MOST);
    for (; value >= 0x80; value >>= 7) {
        *at++ = (uint8_t)(value | 0x80);
    }
    *at++ = (uint8_t)value;
    b->len = (size_t)(at - b->at);
}

static inline void sched_bytes_append(sched_bytes *b, const sched_bytes *more)
{
    memcpy(sched_bytes_reserve(b, more->len), more->at, more->len);
    b->len += more->len;
}
