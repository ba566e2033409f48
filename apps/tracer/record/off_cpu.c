/* apps/tracer/record/off_cpu.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/off_cpu.h"

#include "noise/switch_record.h"
#include "record/attempt.h"
#include "record/state.h"
#include "tracer/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 256, LOOK_NS = 200000 };

_Thread_local tracer_off_cpu *tracer_off_cpu_mine __attribute__((tls_model("initial-exec")));

static noise_switch_header header;
static _Atomic(tracer_off_cpu *) logs; /* of all threads; only the head changes */
static _Atomic uint64_t lost;
static int file = -1; /* -1: nothing is recorded, or no more */

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static noise_switch_clocks read_clocks(void)
{
    return (noise_switch_clocks){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_REALTIME)};
}

static void note_allowed(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    for (int c = 0; c < NOISE_SWITCH_MAX_CPUS && c < CPU_SETSIZE; c++) {
        if (CPU_ISSET(c, &set)) {
            header.allowed[c / 8] |= (uint8_t)(1U << (c % 8));
        }
    }
}

typedef struct piece {
    const void *bytes;
    size_t size;
    bool at_start;
    bool done;
} piece;

static void write_piece(void *data)
{
    piece *p = data;
    tracer_attempt_writes(); /* a limit on sizes must not end the program */
    const ssize_t n =
        p->at_start ? pwrite(file, p->bytes, p->size, 0) : write(file, p->bytes, p->size);
    p->done = n == (ssize_t)p->size;
}

/* All or nothing more: half a record at the end would make the next one unreadable. */
static bool put(piece p)
{
    if (file >= 0 && !(tracer_attempt(write_piece, &p) && p.done)) {
        tracer_say("rank %d: cannot write more of its context switches: %s", tracer.rank,
                   strerror(errno));
        (void)close(file);
        file = -1;
    }
    return file >= 0;
}

static void put_switches(const tracer_off_cpu *log, const noise_switch *got, size_t n)
{
    noise_switch_record out[BATCH];
    for (size_t i = 0; i < n; i++) {
        out[i] = (noise_switch_record){.out = got[i].out,
                                       .in = got[i].in,
                                       .cpu = got[i].cpu,
                                       .cpu_in = got[i].cpu_in,
                                       .tid = log->tid,
                                       .preempted = got[i].preempted ? 1 : 0};
    }
    if (n > 0 && !put((piece){.bytes = out, .size = n * sizeof *out})) {
        atomic_fetch_add(&lost, 2 * n);
    }
}

static bool read_delay(const tracer_off_cpu *log, uint64_t *delay)
{
    char text[96];
    char *end = NULL;
    const ssize_t n = pread(log->fd, text, sizeof text - 1, 0);
    if (n <= 0) {
        return false;
    }
    text[n] = '\0';
    (void)strtoull(text, &end, 10); /* the time that it ran */
    *delay = strtoull(end, NULL, 10);
    return true;
}

bool tracer_off_cpu_is_due(const tracer_off_cpu *log)
{
    return read_clock(CLOCK_MONOTONIC) - log->looked >= LOOK_NS;
}

/* When, since the last look, it waited nobody says: as if just now. */
static void look_at_delay(tracer_off_cpu *log)
{
    uint64_t delay = 0;
    const uint64_t now = read_clock(CLOCK_MONOTONIC);
    if (log->tid != (uint32_t)syscall(SYS_gettid) || !read_delay(log, &delay)) {
        return; /* at the end others' are asked for, too: they will not run any more */
    }
    const uint64_t more = delay > log->delay ? delay - log->delay : 0;
    const uint64_t since = now - log->looked;
    const int cpu = sched_getcpu();
    const noise_switch s = {.out = now - (more < since ? more : since),
                            .in = now,
                            .cpu = cpu >= 0 ? (uint32_t)cpu : 0,
                            .cpu_in = cpu >= 0 ? (uint32_t)cpu : 0,
                            .preempted = true};
    put_switches(log, &s, more > 0 ? 1 : 0);
    log->delay = delay;
    log->looked = now;
}

static void drain(tracer_off_cpu *log)
{
    if (log->ring == NULL) {
        look_at_delay(log);
        return;
    }
    noise_switch got[BATCH];
    uint64_t missing = 0;
    size_t n;
    do {
        n = noise_switches_drain(log->ring, got, BATCH, &missing);
        put_switches(log, got, n);
    } while (n == BATCH);
    if (missing > 0) {
        atomic_fetch_add(&lost, missing);
    }
}

void tracer_off_cpu_drain(tracer_off_cpu *log)
{
    if (tracer_otf2_begin()) { /* else another thread is at work; there is room in the ring yet */
        drain(log);
        tracer_otf2_end();
    }
}

/* A child of the program has no ring, and looking for one there would end it. */
static void forget_in_child(void)
{
    tracer_off_cpu_mine = NULL;
    atomic_store(&logs, NULL);
    if (file >= 0) {
        (void)close(file);
        file = -1;
    }
}

/* errno stays that of the refusal. */
static bool open_delay(tracer_off_cpu *log)
{
    const int why = errno;
    log->fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    const bool ok = log->fd >= 0 && read_delay(log, &log->delay);
    if (!ok && log->fd >= 0) {
        (void)close(log->fd);
    }
    log->looked = read_clock(CLOCK_MONOTONIC);
    errno = why;
    return ok;
}

/* @param may_be_coarse a file has records of one kind: of counters only if the first thread's are
 */
static bool listen_to_this_thread(bool may_be_coarse)
{
    tracer_off_cpu *log = tracer_calloc(1, sizeof *log);
    log->ring = header.refused == 0 ? noise_switches_open(0, -1, 0) : NULL;
    log->tid = (uint32_t)syscall(SYS_gettid);
    log->fd = -1;
    if (log->ring == NULL && !(may_be_coarse && open_delay(log))) {
        free(log);
        return false;
    }
    log->next = atomic_load(&logs);
    while (!atomic_compare_exchange_weak(&logs, &log->next, log)) {
    }
    tracer_off_cpu_mine = log;
    return true;
}

void tracer_off_cpu_thread(void)
{
    if (file >= 0 && tracer_off_cpu_mine == NULL) {
        (void)listen_to_this_thread(header.refused !=
                                    0); /* memory may be short; the first thread is what counts */
    }
}

void tracer_off_cpu_start(uint64_t entered)
{
    char path[4096];
    const char *asked = getenv(TRACER_ENV_SWITCHES);
    if (asked == NULL || strcmp(asked, "1") != 0) {
        return;
    }
    memcpy(header.magic, NOISE_SWITCH_MAGIC, sizeof header.magic);
    header.version = NOISE_SWITCH_VERSION;
    header.header_bytes = sizeof header;
    header.record_bytes = sizeof(noise_switch_record);
    header.rank = (uint32_t)tracer.rank;
    header.num_ranks = (uint32_t)tracer.size;
    header.pid = (uint32_t)getpid();
    header.tid = (uint32_t)syscall(SYS_gettid);
    const char *anonymous = getenv(TRACER_ENV_ANONYMOUS);
    if (anonymous == NULL || strcmp(anonymous, "1") != 0) {
        (void)gethostname(header.host, sizeof header.host - 1);
    }
    note_allowed();
    header.begin = read_clocks();
    header.init_enter = entered;
    const int n =
        snprintf(path, sizeof path, "%s/" NOISE_SWITCH_FILE "%d", tracer.dir, tracer.rank);
    if (n > 0 && (size_t)n < sizeof path) {
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        tracer_say("rank %d: context switches are not recorded: %s", tracer.rank, strerror(errno));
        return;
    }
    const bool listens = listen_to_this_thread(true);
    const bool is_coarse = listens && tracer_off_cpu_mine->ring == NULL;
    if (listens) {
        (void)pthread_atfork(NULL, NULL, forget_in_child);
    }
    if (listens && !is_coarse) {
        header.ring_pages = tracer_off_cpu_mine->ring->pages;
    } else {
        header.refused = (uint32_t)errno;
        if (tracer.rank == 0) { /* as it goes for one, it mostly goes for all */
            tracer_say("context switches are not recorded: %s%s",
                       noise_switches_refusal((int)header.refused, true),
                       is_coarse ? "; how long ranks wait for a CPU is read at calls instead" : "");
        }
    }
    if (put((piece){.bytes = &header, .size = sizeof header}) && !listens) {
        (void)close(file);
        file = -1;
    }
}

void tracer_off_cpu_clock(bool first, const char *boot_id, uint64_t when, int64_t offset,
                          uint64_t uncertainty)
{
    memcpy(header.boot_id, boot_id, 36);
    *(first ? &header.offset_begin : &header.offset_end) =
        (noise_switch_offset){when, offset, uncertainty};
    if (first && file >= 0) { /* known even of a rank that is killed */
        (void)put((piece){.bytes = &header, .size = sizeof header, .at_start = true});
    }
}

void tracer_off_cpu_end(void)
{
    tracer_off_cpu *log = atomic_exchange(&logs, NULL);
    tracer_off_cpu_mine = NULL;
    if (log == NULL) {
        return;
    }
    while (log != NULL) { /* a ring that another thread may look at stays where it is */
        drain(log);
        log = log->next;
    }
    header.end = read_clocks();
    header.lost = atomic_load(&lost);
    header.is_whole = 1;
    if (put((piece){.bytes = &header, .size = sizeof header, .at_start = true})) {
        (void)close(file);
        file = -1;
    }
}
