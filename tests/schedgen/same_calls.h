/* tests/schedgen/same_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Is a call the same as another, in whatever form both are kept? */
#pragma once

#include "check.h"
#include "sched/trace.h"

#include <string.h>

/* What sched_call.list and counts count in is not part of a call: what they point at is. */
static inline void same_calls_check(const sched_rank *was, const sched_call *a,
                                    const int64_t *counts, const uint64_t *requests,
                                    const sched_call *b, const char *what)
{
    sched_call x = *a;
    sched_call y = *b;
    for (uint32_t i = 0; i < x.num_list && x.num_list == y.num_list; i++) {
        CHECK(was->requests[x.list + i] == requests[y.list + i], "%s: request %u", what, i);
    }
    for (uint32_t i = 0; i < x.num_send_counts + x.num_recv_counts; i++) {
        CHECK_I64(counts[y.counts + i], was->counts[x.counts + i], "%s: count %u", what, i);
    }
    x.list = y.list = x.counts = y.counts = 0;
    CHECK(memcmp(&x, &y, sizeof x) == 0, "%s: call in line %u", what, x.line);
}
