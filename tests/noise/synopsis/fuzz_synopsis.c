/* tests/noise/synopsis/fuzz_synopsis.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a synopsis: refused with a message, or read, merged, written, and the same when read
 * again. What the reader checks behind a wrong checksum is reached by mending size and checksum.
 */
#include "fuzz.h"
#include "synopsis/packed.h"

#include <glib.h>

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void store(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static void check(const uint8_t *data, size_t size)
{
    size_t where = 0;
    noise_synopsis s;
    const char *wrong = noise_synopsis_unpack(&s, data, size, 1 << 24, &where);
    if (wrong != NULL ? wrong[0] == '\0' || where > size : where != size) {
        abort();
    }
    if (wrong == NULL) {
        size_t num = 0;
        size_t again = 0;
        uint8_t *out = noise_synopsis_pack(&s, &num);
        noise_synopsis second;
        if (noise_synopsis_unpack(&second, out, num, 0, &where) != NULL) {
            abort();
        }
        uint8_t *twice = noise_synopsis_pack(&second, &again);
        if (again != num || memcmp(out, twice, num) != 0 || !noise_synopsis_merge(&second, &s)) {
            abort();
        }
        noise_synopsis_clear(&second);
        free(out);
        free(twice);
    }
    noise_synopsis_clear(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size);
    if (size >= NOISE_SYNOPSIS_HEADER) {
        const size_t rest = size - NOISE_SYNOPSIS_HEADER;
        uint8_t *mended = g_memdup2(data, size);
        store(mended + 12, rest);
        store(mended + 20, XXH3_64bits(mended + NOISE_SYNOPSIS_HEADER, rest));
        check(mended, size);
        g_free(mended);
    }
    return 0;
}
