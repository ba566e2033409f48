/* tests/noise/handover/fuzz_sample_reader.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a rank's samples, as they are and with checksums made right: refused with a message
 * or a part of them taken, each sample of a sequence that there is; and the same whether they come
 * at once or in two pieces.
 */
#include "fuzz.h"
#include "noise/sample_reader.h"

#include <stdlib.h>
#include <string.h>

static void add(void *data, const noise_sample_header *h, const noise_sample_record *s)
{
    uint64_t *sum = data;
    if (s->sequence >= h->num_sequences || s->end < s->begin || s->compute < 0 || s->off < -1 ||
        s->off > s->compute) {
        abort();
    }
    *sum = *sum * 31 + (uint64_t)s->compute + s->sequence;
}

static size_t feed(noise_sample_reader *r, const uint8_t *data, size_t size, uint64_t *sum)
{
    g_autoptr(GError) error = NULL;
    uint8_t *copy = malloc(size > 0 ? size : 1); /* so that a byte too far is seen */
    memcpy(copy, data, size);
    const size_t used = noise_sample_reader_feed(r, copy, size, add, sum, &error);
    if (used > size || (error != NULL && error->message[0] == '\0')) {
        abort();
    }
    free(copy);
    return used;
}

static void read_it(const uint8_t *data, size_t size)
{
    g_autoptr(noise_sample_reader) whole = noise_sample_reader_new("input");
    g_autoptr(noise_sample_reader) halves = noise_sample_reader_new("input");
    uint64_t sum[2] = {0, 0};
    const size_t at_once = feed(whole, data, size, &sum[0]);
    const size_t first = feed(halves, data, size / 2, &sum[1]);
    const size_t second = feed(halves, data + first, size - first, &sum[1]);
    if (sum[0] != sum[1] || at_once != first + second) {
        abort();
    }
}

/* What a writer would have sealed so: as far as heads lead. */
static void seal(uint8_t *data, size_t size)
{
    static noise_sample_page p;
    noise_sample_header h;
    if (size < sizeof h) {
        return;
    }
    memcpy(&h, data, sizeof h);
    noise_sample_header_seal(&h);
    memcpy(data, &h, sizeof h);
    for (size_t at = sizeof h; size - at >= sizeof p.block;) {
        memcpy(&p.block, data + at, sizeof p.block);
        p.block.num %= 4;
        const size_t bytes = sizeof p.block + p.block.num * sizeof p.record[0];
        if (size - at < bytes) {
            return;
        }
        memcpy(p.record, data + at + sizeof p.block, bytes - sizeof p.block);
        at += noise_sample_page_seal(&p);
        memcpy(data + at - bytes, &p.block, sizeof p.block);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_it(data, size);
    uint8_t *sealed = malloc(size > 0 ? size : 1);
    memcpy(sealed, data, size);
    seal(sealed, size);
    read_it(sealed, size);
    free(sealed);
    return 0;
}
