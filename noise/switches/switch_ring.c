/* noise/switches/switch_ring.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "switches/switch_ring.h"

#include <linux/perf_event.h>
#include <string.h>

enum { SAMPLE_ID = 24, NAME_FROM = 8, FORK_BYTES = 24 };

typedef struct record {
    uint32_t type;
    uint16_t misc;
    uint16_t size; /* with the header */
    unsigned char body[64];
    uint32_t tid; /* sample_id */
    uint64_t time;
    uint32_t cpu;
} record;

static void copy_out(const noise_ring *ring, uint64_t at, void *to, size_t bytes)
{
    const uint64_t from = at & (ring->size - 1);
    const size_t first = bytes < ring->size - from ? bytes : (size_t)(ring->size - from);
    memcpy(to, ring->data + from, first);
    memcpy((unsigned char *)to + first, ring->data, bytes - first);
}

/* Bytes between the header and the sample_id; -1: a record that is skipped. */
static int body_bytes(const struct perf_event_header *h)
{
    switch (h->type) {
    case PERF_RECORD_SWITCH:
        return 0;
    case PERF_RECORD_SWITCH_CPU_WIDE:
        return 8;
    case PERF_RECORD_LOST:
        return 16;
    case PERF_RECORD_FORK:
        return FORK_BYTES;
    case PERF_RECORD_COMM: /* the name is as long as it is, with its 0 */
        return h->size > sizeof *h + SAMPLE_ID + NAME_FROM ? (int)(h->size - sizeof *h - SAMPLE_ID)
                                                           : NAME_FROM + 1;
    default:
        return -1;
    }
}

/* The record at the tail. @return false: no record can look like this */
static bool read_record(const noise_ring *ring, uint64_t head, record *r)
{
    struct perf_event_header h;
    const uint64_t left = head - ring->tail;
    if (left < sizeof h || left > ring->size) {
        return false;
    }
    copy_out(ring, ring->tail, &h, sizeof h);
    if (h.size < sizeof h || h.size > left || h.size % 8 != 0) {
        return false;
    }
    r->type = h.type;
    r->misc = h.misc;
    r->size = h.size;
    const int bytes = body_bytes(&h);
    if (bytes < 0) {
        return true; /* skipped */
    }
    const size_t extra = (size_t)bytes;
    if (h.size != sizeof h + extra + SAMPLE_ID || extra > sizeof r->body) {
        return false;
    }
    unsigned char id[SAMPLE_ID];
    copy_out(ring, ring->tail + sizeof h, r->body, extra);
    copy_out(ring, ring->tail + sizeof h + extra, id, SAMPLE_ID);
    memcpy(&r->tid, id + 4, sizeof r->tid);
    memcpy(&r->time, id + 8, sizeof r->time);
    memcpy(&r->cpu, id + 16, sizeof r->cpu);
    return true;
}

static void begin(noise_ring *ring, const record *r, uint32_t next_tid)
{
    ring->is_open = true;
    ring->preempted = (r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
    ring->cpu = r->cpu;
    ring->next_tid = next_tid;
    ring->out = r->time;
}

/* The interval that is open ends with this record. @return 1: it is in *out */
static size_t end(noise_ring *ring, const record *r, noise_switch *out)
{
    const bool whole = ring->is_open && r->time >= ring->out;
    ring->is_open = false;
    if (whole) {
        *out = (noise_switch){.out = ring->out,
                              .in = r->time,
                              .cpu = ring->cpu,
                              .cpu_in = r->cpu,
                              .next_tid = ring->next_tid,
                              .preempted = ring->preempted};
    }
    return whole ? 1 : 0;
}

/* One thread: out, in, out, in. Two of a kind in a row: a loss is counted elsewhere. */
static size_t take_own(noise_ring *ring, const record *r, noise_switch *out)
{
    if ((r->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0) {
        begin(ring, r, 0);
        return 0;
    }
    return end(ring, r, out);
}

/* A CPU: each switch is an "out" of the one that goes, which names the next, and an "in" of the
 * next, a microsecond later. The first says all; only, there is none when the CPU was idle, or had
 * a thread of process 1 (seen with Linux 6.18). */
static size_t take_wide(noise_ring *ring, const record *r, noise_switch *out)
{
    const uint32_t tid = r->tid != 0 ? r->tid : NOISE_SWITCH_IDLE;
    if ((r->misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
        if (ring->is_open && ring->next_tid == tid) {
            return 0; /* its "out" was there */
        }
        uint32_t before; /* an "out" that was not written is made up for by who comes next */
        memcpy(&before, r->body + 4, sizeof before);
        ring->is_open = ring->is_open && (ring->next_tid == NOISE_SWITCH_IDLE ||
                                          (before != 0 && ring->next_tid == before));
        const size_t n = end(ring, r, out);
        begin(ring, r, tid);
        return n;
    }
    uint32_t next;
    memcpy(&next, r->body + 4, sizeof next);
    /* who goes is not who came: records in between are missing, and so is when it came. A thread
     * that has ended has no number any more */
    ring->is_open = ring->is_open && (ring->next_tid == tid || r->tid == UINT32_MAX);
    const size_t n = end(ring, r, out);
    begin(ring, r, next != 0 ? next : NOISE_SWITCH_IDLE);
    return n;
}

/* Who began whom, or how a thread is called from now on. */
static void take_name(noise_ring *ring, const record *r)
{
    uint32_t id[4] = {0};
    const bool begins = r->type == PERF_RECORD_FORK;
    memcpy(id, r->body, begins ? sizeof id : NAME_FROM);
    noise_switch_name *n = &ring->names[ring->num_names++];
    *n = (noise_switch_name){.when = r->time, .pid = id[0], .tid = begins ? id[2] : id[1]};
    if (begins) {
        n->parent = id[1];
        n->by = id[3];
    } else {
        memcpy(n->name, r->body + NAME_FROM, sizeof n->name - 1);
    }
}

size_t noise_ring_parse(noise_ring *ring, uint64_t head, noise_switch *out, size_t room,
                        uint64_t *lost)
{
    size_t n = 0;
    const bool named = ring->names != NULL;
    while (n < room && ring->tail != head && (!named || ring->num_names < ring->names_room)) {
        record r = {0};
        if (!read_record(ring, head, &r)) {
            ring->is_open = false;
            ring->tail = head;
            (*lost)++;
            break;
        }
        ring->tail += r.size;
        if (r.type == PERF_RECORD_LOST) {
            uint64_t count;
            memcpy(&count, r.body + 8, sizeof count);
            *lost += count;
            ring->is_open = false;
        } else if (r.type == PERF_RECORD_SWITCH && ring->own) {
            n += take_own(ring, &r, &out[n]);
        } else if (r.type == PERF_RECORD_SWITCH_CPU_WIDE && !ring->own) {
            n += take_wide(ring, &r, &out[n]);
        } else if (named && (r.type == PERF_RECORD_FORK || r.type == PERF_RECORD_COMM)) {
            take_name(ring, &r);
        }
    }
    return n;
}
