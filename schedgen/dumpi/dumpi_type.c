/* schedgen/dumpi/dumpi_type.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_dumpi, fuzz_dumpi. */
#include "dumpi/dumpi_private.h"

#include <string.h>

static int64_t size_of(const dumpi_rank *rank, uint32_t type)
{
    const GArray *sizes = rank->head.sizes;
    return type < sizes->len ? g_array_index(sizes, int64_t, type) : -1;
}

static void set_size(dumpi_rank *rank, uint16_t type, int64_t size)
{
    const int64_t unknown = -1;
    while (rank->head.sizes->len <= type) {
        g_array_append_val(rank->head.sizes, unknown);
    }
    g_array_index(rank->head.sizes, int64_t, type) = size;
}

bool sched_dumpi_bytes(const dumpi_reading *in, int32_t count, uint32_t type, int64_t *out)
{
    const dumpi_stream *s = &in->rank->stream;
    const int64_t size = size_of(in->rank, type);
    if (count < 0) {
        return sched_dumpi_fail(s, "not a number of elements:", count, in->error);
    }
    if (count > 0 && size < 0) {
        return sched_dumpi_fail(s, "a type whose size is not known:", type, in->error);
    }
    return !__builtin_mul_overflow(count, count > 0 ? size : 0, out) ||
           sched_dumpi_fail(s, "too many elements:", count, in->error);
}

/* What the record says of a new type, where it says enough; else what the file has of its number.
 */
void sched_dumpi_type_make(dumpi_rank *rank, const dumpi_record *r)
{
    const bool has_count = r->function->args[0] == 'n';
    const int64_t blocks = has_count ? r->count : 1;
    const int64_t block = strchr(r->function->args, 'l') != NULL ? r->block : 1;
    const int64_t size = size_of(rank, r->type);
    int64_t bytes;
    if (size >= 0 && blocks >= 0 && block >= 0 &&
        !__builtin_mul_overflow(blocks * block, size, &bytes)) {
        set_size(rank, r->new_type, bytes);
    }
}

void sched_dumpi_type_make_of_blocks(dumpi_rank *rank, const dumpi_record *r)
{
    int64_t bytes = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->blocks.n; i++) {
        const int64_t n = sched_dumpi_entry(&r->blocks, i);
        const int64_t size = i < r->types.n
                                 ? size_of(rank, (uint16_t)sched_dumpi_entry(&r->types, i))
                                 : size_of(rank, r->type);
        int64_t part;
        ok = n >= 0 && size >= 0 && !__builtin_mul_overflow(n, size, &part) &&
             !__builtin_add_overflow(bytes, part, &bytes);
    }
    if (ok) {
        set_size(rank, r->new_type, bytes);
    }
}
