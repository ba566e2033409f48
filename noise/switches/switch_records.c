/* noise/switches/switch_records.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/switches.h"

#include "switches/switch_ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 64 };

static int open_event(int tid, int cpu)
{
    struct perf_event_attr a = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof a,
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
        .exclude_kernel = 1, /* all that is asked: events of the kernel want a privilege */
        .exclude_hv = 1,
        .context_switch = 1,
        .comm = cpu >= 0, /* who it is, of threads that are gone before anybody looks */
        .task = cpu >= 0,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
    };
    return (int)syscall(SYS_perf_event_open, &a, cpu < 0 ? tid : -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The ring, or as much of it as the kernel lends. */
static void *map_ring(int fd, uint32_t *pages, size_t page_bytes)
{
    for (;; *pages /= 2) {
        void *map = mmap(NULL, (1 + (size_t)*pages) * page_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED, fd, 0);
        if (map != MAP_FAILED || errno != EPERM || *pages <= 1) {
            return map;
        }
    }
}

noise_switches *noise_switches_open(int tid, int cpu, uint32_t pages)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    noise_switches *s = calloc(1, sizeof *s + sizeof *s->ring);
    if (s == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    s->ring = (noise_ring *)(void *)(s + 1);
    s->pages = pages > 0 ? pages : PAGES;
    s->owner = (int)getpid();
    s->fd = open_event(tid, cpu);
    s->map = s->fd >= 0 ? map_ring(s->fd, &s->pages, page_bytes) : MAP_FAILED;
    if (s->map == MAP_FAILED) {
        const int error = errno;
        if (s->fd >= 0) {
            (void)close(s->fd);
        }
        free(s);
        errno = error;
        return NULL;
    }
    s->map_bytes = (1 + (size_t)s->pages) * page_bytes;
    struct perf_event_mmap_page *page = s->map;
    _Static_assert(sizeof page->data_head == sizeof *s->head, "positions are 64 bits");
    s->head = (const uint64_t *)(const void *)&page->data_head;
    *s->ring = (noise_ring){
        .data = (const unsigned char *)s->map + page_bytes,
        .size = s->pages * (uint64_t)page_bytes,
        .own = cpu < 0,
    };
    s->enough = s->ring->size / 4;
    return s;
}

size_t noise_switches_drain(noise_switches *s, noise_switch *out, size_t room, uint64_t *lost)
{
    size_t none;
    return noise_switches_drain_named(s, out, room, NULL, 0, &none, lost);
}

size_t noise_switches_drain_named(noise_switches *s, noise_switch *out, size_t room,
                                  noise_switch_name *names, size_t names_room, size_t *num_names,
                                  uint64_t *lost)
{
    *num_names = 0;
    if ((int)getpid() != s->owner) {
        return 0;
    }
    s->ring->names = names;
    s->ring->names_room = names_room;
    s->ring->num_names = 0;
    struct perf_event_mmap_page *page = s->map;
    uint64_t missing = 0;
    /* what the kernel wrote before it moved the head is there; it may write again what is behind
     * the tail: perf_event_open(2) */
    const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    const size_t n = noise_ring_parse(s->ring, head, out, room, &missing);
    __atomic_store_n(&page->data_tail, s->ring->tail, __ATOMIC_RELEASE);
    s->enough = s->ring->tail + s->ring->size / 4;
    if (lost != NULL) {
        *lost += missing;
    }
    *num_names = s->ring->num_names;
    return n;
}

void noise_switches_close(noise_switches *s)
{
    if (s == NULL) {
        return;
    }
    if ((int)getpid() == s->owner) { /* the kernel does not pass the ring on to a child */
        (void)munmap(s->map, s->map_bytes);
    }
    (void)close(s->fd);
    free(s);
}

const char *noise_switches_refusal(int error, bool own)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return own ? "the kernel does not tell unprivileged programs of their switches "
                     "(kernel.perf_event_paranoid above 2, or a container forbids it)"
                   : "who else ran on a CPU the kernel tells only root, or with "
                     "kernel.perf_event_paranoid at 0 or below";
    case ENOSYS:
        return "the kernel, or the container, has no perf_event_open";
    case EINVAL:
    case E2BIG:
        return "the kernel records no switches; Linux 4.3 and later do";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    case ENODEV:
        return "there is no such CPU, or it is off line";
    case ESRCH:
        return "there is no such thread";
    case ENOMEM:
        return "out of memory";
    default:
        return "perf_event_open failed";
    }
}
