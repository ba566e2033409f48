/* tests/noise/switches/fuzz_switch_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as what the kernel left in a ring: the first one says where the seam is and whether
 * they are of a thread, and so with names of threads or without; the ring is read to its end, and
 * every interval ends after it began.
 */
#include "fuzz.h"
#include "switches/switch_ring.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 1024, ROOM = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    unsigned char *ring_bytes = malloc(SIZE); /* so that a byte too far is seen */
    const uint64_t at = 8 * (uint64_t)(data[0] >> 1);
    const size_t n = size - 1 < SIZE ? size - 1 : SIZE;
    memset(ring_bytes, 0, SIZE);
    for (size_t i = 0; i < n; i++) {
        ring_bytes[(at + i) % SIZE] = data[1 + i];
    }
    noise_ring ring = {.data = ring_bytes, .size = SIZE, .tail = at, .own = (data[0] & 1) != 0};
    uint64_t lost = 0;
    noise_switch out[ROOM];
    noise_switch_name names[ROOM];
    size_t got;
    ring.names = ring.own ? NULL : names;
    ring.names_room = ROOM;
    do {
        ring.num_names = 0;
        got = noise_ring_parse(&ring, at + n, out, ROOM, &lost);
        for (size_t i = 0; i < got; i++) {
            if (out[i].in < out[i].out) {
                abort();
            }
        }
        for (size_t i = 0; i < ring.num_names; i++) {
            if (memchr(names[i].name, 0, sizeof names[i].name) == NULL) {
                abort();
            }
        }
    } while (got == ROOM || ring.num_names == ROOM);
    if (ring.tail != at + n) {
        abort();
    }
    free(ring_bytes);
    return 0;
}
