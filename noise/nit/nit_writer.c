/* noise/nit/nit_writer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_file. */
#include "nit/nit_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

enum {
    BUFFER = 4 << 20,
    MOST_RECORD = 4096 + 16 * NIT_BUCKETS, /* no record is longer */
    RESERVE = 1 << 20, /* of a buffer, for what others refer to: threads, lines, what was seen */
    WORTH_SPILLING = BUFFER / 2,
    LEVEL = 6,
};

typedef struct buffer {
    uint8_t *data;
    size_t used;
} buffer;

struct noise_nit_writer {
    char *path;
    int fd;
    pthread_t thread;
    sem_t work;         /* a buffer is waiting, or it is time to end */
    atomic_bool busy;   /* the other buffer belongs to the thread */
    atomic_bool ending; /* nothing will follow */
    atomic_uint_least64_t cpu_ns;
    buffer buffers[2];
    unsigned current; /* the buffer that records are added to */
    uint64_t base;    /* time that those in the current buffer are relative to */
    uint64_t lost;    /* records since this was last told */
    uint32_t num_threads, num_lines;
    uint8_t *stored; /* of the thread: frame header and deflated bytes */
    int failed;      /* errno of the first write that failed; read after the thread has ended */
};

static bool write_all(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        data += n;
        size -= (size_t)n;
    }
    return true;
}

/* In one write(), so that whoever kills us in between leaves the beginning of a frame. */
static bool write_frame(noise_nit_writer *w, nit_frame_kind kind, const uint8_t *data, size_t size)
{
    uint8_t *head = w->stored;
    uLongf stored = NIT_MOST_STORED;
    if (compress2(head + NIT_FRAME_HEADER, &stored, data, size, LEVEL) != Z_OK) {
        errno = ENOMEM;
        return false;
    }
    nit_put_fixed(head, 4, NIT_FRAME_MAGIC);
    nit_put_fixed(head + 4, 4, kind);
    nit_put_fixed(head + 8, 4, size);
    nit_put_fixed(head + 12, 4, stored);
    const uint64_t seed = nit_get_fixed(head + 4, 4) ^ nit_get_fixed(head + 8, 8);
    nit_put_fixed(head + 16, 8, XXH3_64bits_withSeed(head + NIT_FRAME_HEADER, stored, seed));
    return write_all(w->fd, head, NIT_FRAME_HEADER + stored);
}

static void keep_error(noise_nit_writer *w, bool ok)
{
    w->failed = ok || w->failed != 0 ? w->failed : errno;
}

static void *write_on(void *data)
{
    noise_nit_writer *w = data;
    for (;;) {
        while (sem_wait(&w->work) != 0) {
        }
        if (atomic_load(&w->busy)) {
            buffer *full = &w->buffers[1 - w->current];
            keep_error(w, w->failed != 0 || write_frame(w, NIT_FRAME_DATA, full->data, full->used));
            full->used = 0;
            struct timespec cpu;
            (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
            atomic_store(&w->cpu_ns, (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec);
            atomic_store(&w->busy, false);
        } else if (atomic_load(&w->ending)) {
            return NULL;
        }
    }
}

static uint8_t *put_clocks(uint8_t *at, const noise_nit_clocks *clocks)
{
    at = nit_put(at, clocks->monotonic);
    at = nit_put(at, clocks->monotonic_raw);
    at = nit_put(at, clocks->realtime);
    return nit_put(at, clocks->tsc);
}

static bool write_head(noise_nit_writer *w, const noise_nit_node *node)
{
    uint8_t head[NIT_FILE_HEADER] = NIT_MAGIC;
    nit_put_fixed(head + 8, 4, NIT_VERSION);
    nit_put_fixed(head + 12, 4, 0);
    g_autofree uint8_t *payload = g_malloc(4096 + (size_t)node->num_cpus * 12);
    uint8_t *at = nit_put_text(payload, node->name);
    at = nit_put_text(at, node->boot_id);
    at = nit_put_text(at, node->kernel);
    at = nit_put(at, node->num_cpus);
    for (uint32_t i = 0; i < node->num_cpus; i++) {
        at = nit_put(at, node->cpus[i]);
        at = nit_put(at, node->core[i]);
    }
    at = nit_put(at, node->hz);
    at = nit_put(at, (uint64_t)node->clk_tck);
    at = nit_put(at, node->mode);
    at = nit_put(at, (uint64_t)(node->asked * 1e6 + 0.5));
    at = nit_put_text(at, node->blind);
    at = put_clocks(at, &node->clocks[0]);
    return write_all(w->fd, head, sizeof head) &&
           write_frame(w, NIT_FRAME_HEAD, payload, (size_t)(at - payload));
}

static void writer_free(noise_nit_writer *w)
{
    if (w->fd >= 0) {
        (void)close(w->fd);
    }
    (void)sem_destroy(&w->work);
    g_free(w->buffers[0].data);
    g_free(w->buffers[1].data);
    g_free(w->stored);
    g_free(w->path);
    g_free(w);
}

static void set_error(const noise_nit_writer *w, int code, GError **error)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "%s: %s", w->path,
                g_strerror(code));
}

/* Signals are for the threads that know of them. */
static int start_quiet(pthread_t *thread, void *(*run)(void *), void *data)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(thread, NULL, run, data);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

noise_nit_writer *noise_nit_writer_new(const char *path, const noise_nit_node *node, GError **error)
{
    noise_nit_writer *w = g_new0(noise_nit_writer, 1);
    w->path = g_strdup(path);
    w->base = node->clocks[0].monotonic;
    w->stored = g_malloc(NIT_MOST_STORED + NIT_FRAME_HEADER);
    for (unsigned i = 0; i < 2; i++) {
        w->buffers[i].data = g_malloc(BUFFER);
    }
    (void)sem_init(&w->work, 0, 0);
    w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int code = w->fd < 0 || !write_head(w, node) ? errno : 0;
    code = code == 0 ? start_quiet(&w->thread, write_on, w) : code;
    if (code != 0) {
        set_error(w, code, error);
        writer_free(w);
        return NULL;
    }
    return w;
}

void noise_nit_writer_spill(noise_nit_writer *w, uint64_t now)
{
    if (w->buffers[w->current].used == 0 || atomic_load(&w->busy)) {
        return;
    }
    w->current = 1 - w->current;
    w->base = now;
    atomic_store(&w->busy, true);
    (void)sem_post(&w->work);
}

/* Where to put a record; NULL: dropped. @p reserve: bytes that it leaves alone */
static uint8_t *room(noise_nit_writer *w, size_t reserve)
{
    buffer *b = &w->buffers[w->current];
    if (b->used > WORTH_SPILLING) {
        noise_nit_writer_spill(w, w->base);
        b = &w->buffers[w->current];
    }
    if (b->used + MOST_RECORD + reserve > BUFFER) {
        w->lost++;
        return NULL;
    }
    if (b->used == 0) {
        b->used = (size_t)(nit_put(b->data, w->base) - b->data);
    }
    return b->data + b->used;
}

static void added(noise_nit_writer *w, const uint8_t *end)
{
    buffer *b = &w->buffers[w->current];
    b->used = (size_t)(end - b->data);
}

static uint8_t *put_time(const noise_nit_writer *w, uint8_t *at, uint64_t time)
{
    return nit_put(at, nit_fold((int64_t)(time - w->base)));
}

static uint8_t *put_stretch(const noise_nit_writer *w, uint8_t *at, uint64_t from, uint64_t to)
{
    return nit_put(put_time(w, at, to), to - from);
}

uint32_t noise_nit_writer_thread(noise_nit_writer *w, const noise_nit_thread *t)
{
    uint8_t *at = room(w, 0);
    if (at == NULL) {
        return UINT32_MAX;
    }
    at = nit_put(at, NIT_THREAD);
    at = nit_put(at, t->pid);
    at = nit_put(at, t->tid);
    at = nit_put(at, t->parent);
    at = nit_put(at, t->start_ticks);
    at = nit_put(at, t->kind);
    at = nit_put(at, (uint64_t)((int64_t)t->rank + 1));
    at = nit_put_text(at, t->name);
    at = nit_put_text(at, t->command);
    added(w, at);
    return w->num_threads++;
}

void noise_nit_writer_activity(noise_nit_writer *w, const noise_nit_activity *a, bool goes_on)
{
    uint8_t *at = a->thread != UINT32_MAX ? room(w, RESERVE) : NULL;
    if (at == NULL) {
        w->lost += a->thread == UINT32_MAX;
        return;
    }
    at = nit_put(at, goes_on ? NIT_ACTIVITY_GOES_ON : NIT_ACTIVITY);
    at = nit_put(at, a->thread);
    at = nit_put(at, (uint32_t)(a->cpu + 1)); /* 0: not known */
    at = put_stretch(w, at, a->from, a->to);
    at = nit_put(at, a->cpu_ns);
    at = nit_put(at, a->slices);
    at = nit_put(at, a->voluntary);
    at = nit_put(at, a->involuntary);
    at = nit_put(at, a->run_delay_ns);
    added(w, at);
}

uint32_t noise_nit_writer_line(noise_nit_writer *w, const noise_nit_line *line)
{
    uint8_t *at = room(w, 0);
    if (at == NULL) {
        return UINT32_MAX;
    }
    at = nit_put(at, NIT_LINE);
    at = nit_put(at, line->is_soft);
    added(w, nit_put_text(at, line->name));
    return w->num_lines++;
}

void noise_nit_writer_interrupts(noise_nit_writer *w, const noise_nit_interrupts *i)
{
    uint8_t *at = i->line != UINT32_MAX ? room(w, RESERVE) : NULL;
    if (at != NULL) {
        at = nit_put(at, NIT_INTERRUPTS);
        at = nit_put(at, i->line);
        at = nit_put(at, i->cpu);
        at = put_stretch(w, at, i->from, i->to);
        added(w, nit_put(at, i->count));
    }
}

void noise_nit_writer_steal(noise_nit_writer *w, const noise_nit_steal *s)
{
    uint8_t *at = room(w, RESERVE);
    if (at != NULL) {
        at = nit_put(at, NIT_STEAL);
        at = nit_put(at, s->cpu);
        at = put_stretch(w, at, s->from, s->to);
        added(w, nit_put(at, s->ns));
    }
}

void noise_nit_writer_marker(noise_nit_writer *w, const noise_nit_marker *m)
{
    uint8_t *at = room(w, 0);
    if (at != NULL) {
        at = put_time(w, nit_put(at, NIT_MARKER), m->when);
        added(w, nit_put_text(at, m->text));
    }
}

void noise_nit_writer_clocks(noise_nit_writer *w, const noise_nit_clocks *clocks)
{
    uint8_t *at = room(w, 0);
    if (at != NULL) {
        added(w, put_clocks(nit_put(at, NIT_CLOCKS), clocks));
    }
}

void noise_nit_writer_seen(noise_nit_writer *w, nit_seen *s)
{
    uint8_t *at = room(w, 0);
    if (at == NULL) {
        return;
    }
    s->lost = w->lost;
    w->lost = 0;
    at = put_time(w, nit_put(at, NIT_SEEN), s->to);
    const uint64_t numbers[] = {s->sweeps,      s->interval_ns, s->sweep_ns, s->monitor_ns,
                                s->blind_ns,    s->switches,    s->slices,   s->forks,
                                s->appeared,    s->steal_ns,    s->lost,     s->max_interval_ns,
                                s->most_threads};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        at = nit_put(at, numbers[i]);
    }
    uint32_t used = 0;
    for (uint32_t b = 0; b < NIT_BUCKETS; b++) {
        used += s->intervals[b] > 0;
    }
    at = nit_put(at, used);
    for (uint32_t b = 0; b < NIT_BUCKETS; b++) {
        if (s->intervals[b] > 0) {
            at = nit_put(nit_put(at, b), s->intervals[b]);
        }
    }
    added(w, at);
}

uint64_t noise_nit_writer_cpu_ns(const noise_nit_writer *w)
{
    return atomic_load(&w->cpu_ns);
}

bool noise_nit_writer_close(noise_nit_writer *w, uint64_t end, GError **error)
{
    while (atomic_load(&w->busy)) {
        g_usleep(1000);
    }
    atomic_store(&w->ending, true);
    (void)sem_post(&w->work);
    (void)pthread_join(w->thread, NULL);
    buffer *rest = &w->buffers[w->current];
    if (rest->used > 0) {
        keep_error(w, w->failed != 0 || write_frame(w, NIT_FRAME_DATA, rest->data, rest->used));
    }
    uint8_t last[16];
    const size_t size = (size_t)(nit_put(last, end) - last);
    keep_error(w, w->failed != 0 || write_frame(w, NIT_FRAME_END, last, size));
    const int fd = w->fd;
    w->fd = -1;
    keep_error(w, close(fd) == 0);
    const int code = w->failed;
    if (code != 0) {
        set_error(w, code, error);
    }
    writer_free(w);
    return code == 0;
}
