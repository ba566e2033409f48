/* noise/handover/sample_record.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sample_reader. */
#include "noise/sample_record.h"

#include <string.h>
#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

static uint64_t header_check(const noise_sample_header *h)
{
    return XXH3_64bits(h, offsetof(noise_sample_header, check));
}

/* The checksum of the records begins with that of the head. */
static uint64_t page_check(const noise_sample_page *p)
{
    const uint64_t head = XXH3_64bits(&p->block, offsetof(noise_sample_block, check));
    return XXH3_64bits_withSeed(p->record, p->block.num * sizeof p->record[0], head);
}

void noise_sample_header_seal(noise_sample_header *h)
{
    memcpy(h->magic, NOISE_SAMPLE_MAGIC, sizeof h->magic);
    h->version = NOISE_SAMPLE_VERSION;
    h->header_bytes = sizeof(noise_sample_header);
    h->block_bytes = sizeof(noise_sample_block);
    h->record_bytes = sizeof(noise_sample_record);
    h->unused = 0;
    h->check = header_check(h);
}

size_t noise_sample_page_seal(noise_sample_page *p)
{
    p->block.check = page_check(p);
    return sizeof p->block + p->block.num * sizeof p->record[0];
}

bool noise_sample_header_is_whole(const noise_sample_header *h)
{
    return h->check == header_check(h);
}

bool noise_sample_page_is_whole(const noise_sample_page *p)
{
    return p->block.num <= NOISE_SAMPLE_ROOM && p->block.check == page_check(p);
}
