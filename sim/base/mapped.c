/* sim/base/mapped.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/mapped.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void sim_mapped_let_go(const void *begin, const void *end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t skipped = -(uintptr_t)begin % page;
    const size_t bytes = (size_t)((const char *)end - (const char *)begin);
    const union {
        const char *read;
        void *give; /* the bytes are not changed */
    } from = {.read = (const char *)begin + skipped};
    if (bytes > skipped) { /* a hint: where it is not taken, more memory is in use */
        (void)madvise(from.give, (bytes - skipped) / page * page, MADV_DONTNEED);
    }
}
