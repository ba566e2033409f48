/* schedgen/otf2/otf2_window.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2_threads. */
/*
 * Of the calls of a rank only the last ones are there as such. What a call was may be said by the
 * completion of its request; all before the first whose request is open are packed. So a rank takes
 * the memory of its packed calls and of a window that fits into a cache, unless it posts a request
 * that stays open, as persistent ones do: then the window holds all since.
 */
#include "otf2/otf2_call.h"

enum { WINDOW = 1024 };

static gint wanted; /* sched_otf2_window_use() */

void sched_otf2_window_use(uint32_t calls)
{
    g_atomic_int_set(&wanted, (gint)calls);
}

static uint64_t window(void)
{
    const uint64_t calls = (uint64_t)g_atomic_int_get(&wanted);
    return calls > 0 ? calls : WINDOW;
}

void sched_otf2_window_begin(sched_otf2_rank *s)
{
    if (s->archive->pack) {
        s->packer = sched_packer_new();
        s->most = window();
    }
}

/* Receives of other tools say what they are when they complete. Of the first @p n these never did.
 */
static void settle(sched_otf2_rank *s, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        sched_call *c = &s->rank->calls[i];
        if ((c->kind == SCHED_CALL_IRECV && c->peer == SCHED_UNKNOWN) ||
            (c->kind == SCHED_CALL_ICOLLECTIVE && c->comm == SCHED_UNKNOWN)) {
            c->kind = SCHED_CALL_OTHER;
            c->comm = 0;
            s->unknown++;
        }
    }
}

/* How many calls of the window nothing can change any more. The last one stays: what comes next may
 * ask when it ended. */
static uint64_t count_settled(const sched_otf2_rank *s)
{
    uint64_t first = s->taken + s->rank->num_calls - 1;
    for (uint32_t i = 0; i < s->requests.size; i++) {
        const sched_otf2_request *open = s->requests.entry[i].thing;
        first = open != NULL ? MIN(first, open->call) : first;
    }
    return first - s->taken;
}

void sched_otf2_window_move(sched_otf2_rank *s)
{
    if (s->packer == NULL || s->rank->num_calls < s->most) {
        return;
    }
    const uint64_t n = count_settled(s);
    settle(s, n);
    sched_packer_take(s->packer, s->rank, n);
    s->taken += n;
    /* So that a look at those that stay, and at the table, is paid for by the calls between. */
    s->most = MAX(MAX(window(), s->requests.size / 16), 2 * s->rank->num_calls);
}

void sched_otf2_window_end(sched_otf2_rank *s)
{
    settle(s, s->rank->num_calls);
    if (s->unknown > 0) {
        sched_notices_add(s->local->notices, s->unknown,
                          "a nonblocking call that never completes: what it was is not recorded");
    }
    if (s->packer != NULL) {
        sched_packer_finish(s->packer, s->rank);
        g_clear_pointer(&s->packer, sched_packer_free);
    }
}
