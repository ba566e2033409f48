/* apps/ripple/view/reference.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference. */
#include "view/reference.h"

#include <string.h>

/* Stretches that are handed over at once, and batches that may lie between the two threads. */
enum { BATCH = 512, RING = 64, CHUNK = 3, AHEAD = 8 };
#define NONE UINT32_MAX

typedef struct item {
    app_reference_stretch stretch;
    uint32_t rank;
} item;

typedef struct batch {
    size_t n;
    item items[BATCH];
} batch;

/* A piece of a rank's queue. */
typedef struct chunk {
    app_reference_stretch stretch[CHUNK];
    uint32_t next;
} chunk;

typedef struct queue {
    uint32_t first; /* chunk; NONE: empty */
    uint32_t last;
    uint8_t taken; /* of the first */
    uint8_t held;  /* in the last */
} queue;

struct app_reference {
    sim_sink sink;  /* of its thread, and so is */
    batch *filling; /* what is not handed over yet */
    sim_watch watch;
    const sim_program *program;
    const sim_params *params;
    sim_run_options options;
    GThread *thread;
    sim_result *result;
    GError *error;

    GMutex lock; /* of these: */
    GCond moved;
    batch *ring[RING];
    size_t put; /* all counted from the beginning */
    size_t got;
    bool is_over;
    bool is_abandoned;

    queue *queues; /* [ranks]; of the thread that asks, and so are */
    GArray *chunks;
    uint32_t free_chunks; /* a list */
};

/* ---- the thread of the run ---- */

static void hand_over(app_reference *r)
{
    g_mutex_lock(&r->lock);
    while (r->put - r->got == RING && !r->is_abandoned) {
        g_cond_wait(&r->moved, &r->lock);
    }
    if (!r->is_abandoned) {
        batch **place = &r->ring[r->put % RING];
        batch *empty = *place;
        *place = r->filling;
        r->filling = empty;
        r->put++;
        g_cond_broadcast(&r->moved);
    }
    g_mutex_unlock(&r->lock);
    r->filling->n = 0;
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_reference *r = (app_reference *)sink; /* its first member */
    for (size_t i = 0; i < n; i++) {
        if (events[i].cpu == 0) {
            r->filling->items[r->filling->n++] =
                (item){{events[i].start, events[i].end, events[i].op}, events[i].rank};
        }
        if (r->filling->n == BATCH) {
            hand_over(r);
        }
    }
}

static bool look(sim_watch *watch, uint64_t num_ops, sim_time now)
{
    app_reference *r = (app_reference *)((char *)watch - offsetof(app_reference, watch));
    (void)num_ops;
    (void)now;
    g_mutex_lock(&r->lock);
    const bool goes_on = !r->is_abandoned;
    g_mutex_unlock(&r->lock);
    return goes_on;
}

static void *run(void *data)
{
    app_reference *r = data;
    r->result = sim_run(r->program, r->params, &r->options, &r->error);
    hand_over(r);
    g_mutex_lock(&r->lock);
    r->is_over = true;
    g_cond_broadcast(&r->moved);
    g_mutex_unlock(&r->lock);
    return NULL;
}

/* ---- the thread that asks ---- */

app_reference *app_reference_new(const sim_program *program, const sim_params *params,
                                 const sim_levels *levels, const sim_noise *noise)
{
    app_reference *r = g_new0(app_reference, 1);
    r->sink = (sim_sink){.events = take_events, .is_brief = true};
    r->watch.look = look;
    r->program = program;
    r->params = params;
    r->options =
        (sim_run_options){.noise = noise, .levels = levels, .sink = &r->sink, .watch = &r->watch};
    g_mutex_init(&r->lock);
    g_cond_init(&r->moved);
    r->filling = g_new0(batch, 1);
    for (size_t i = 0; i < RING; i++) {
        r->ring[i] = g_new0(batch, 1);
    }
    r->queues = g_new(queue, program->num_ranks);
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        r->queues[rank] = (queue){NONE, NONE, 0, 0};
    }
    r->chunks = g_array_new(FALSE, FALSE, sizeof(chunk));
    r->free_chunks = NONE;
    r->thread = g_thread_new("reference", run, r);
    return r;
}

static void join(app_reference *r)
{
    if (r->thread != NULL) {
        g_thread_join(r->thread);
        r->thread = NULL;
    }
}

void app_reference_free(app_reference *r)
{
    if (r == NULL) {
        return;
    }
    g_mutex_lock(&r->lock);
    r->is_abandoned = true;
    g_cond_broadcast(&r->moved);
    g_mutex_unlock(&r->lock);
    join(r);
    for (size_t i = 0; i < RING; i++) {
        g_free(r->ring[i]);
    }
    g_free(r->filling);
    g_free(r->queues);
    g_array_unref(r->chunks);
    sim_result_free(r->result);
    g_clear_error(&r->error);
    g_mutex_clear(&r->lock);
    g_cond_clear(&r->moved);
    g_free(r);
}

static chunk *chunk_at(const app_reference *r, uint32_t index)
{
    return &g_array_index(r->chunks, chunk, index);
}

static uint32_t take_chunk(app_reference *r)
{
    uint32_t index = r->free_chunks;
    if (index != NONE) {
        r->free_chunks = chunk_at(r, index)->next;
    } else {
        index = r->chunks->len;
        g_array_set_size(r->chunks, index + 1);
    }
    chunk_at(r, index)->next = NONE;
    if (r->free_chunks != NONE) {
        __builtin_prefetch(chunk_at(r, r->free_chunks), 1);
    }
    return index;
}

static void append(app_reference *r, const item *i)
{
    queue *q = &r->queues[i->rank];
    if (q->first == NONE) {
        q->first = q->last = take_chunk(r);
        q->taken = q->held = 0;
    } else if (q->held == CHUNK) {
        const uint32_t next = take_chunk(r);
        chunk_at(r, q->last)->next = next;
        q->last = next;
        q->held = 0;
    }
    chunk_at(r, q->last)->stretch[q->held++] = i->stretch;
}

/* Sort what has come into the queues. @return false: nothing will come any more */
static bool fetch(app_reference *r)
{
    g_mutex_lock(&r->lock);
    while (r->put == r->got && !r->is_over) {
        g_cond_wait(&r->moved, &r->lock);
    }
    const bool is_some = r->put > r->got;
    const batch *b = is_some ? r->ring[r->got % RING] : NULL;
    g_mutex_unlock(&r->lock);
    if (!is_some) {
        return false;
    }
    for (size_t i = 0; i < b->n; i++) {
        if (i + AHEAD < b->n) {
            __builtin_prefetch(&r->queues[b->items[i + AHEAD].rank], 1);
        }
        append(r, &b->items[i]);
    }
    g_mutex_lock(&r->lock);
    r->got++;
    g_cond_broadcast(&r->moved);
    g_mutex_unlock(&r->lock);
    return true;
}

void app_reference_prefetch(const app_reference *r, uint32_t rank, bool is_soon)
{
    const queue *q = &r->queues[rank];
    if (!is_soon) {
        __builtin_prefetch(q, 1);
    } else if (q->first != NONE) {
        __builtin_prefetch(chunk_at(r, q->first), 1);
    }
}

bool app_reference_next(app_reference *r, uint32_t rank, app_reference_stretch *out)
{
    queue *q = &r->queues[rank];
    while (q->first == NONE) {
        if (!fetch(r)) {
            return false;
        }
    }
    const uint32_t index = q->first;
    chunk *c = chunk_at(r, index);
    *out = c->stretch[q->taken++];
    if (index == q->last ? q->taken == q->held : q->taken == CHUNK) {
        q->first = index == q->last ? NONE : c->next;
        q->taken = 0;
        c->next = r->free_chunks;
        r->free_chunks = index;
    }
    return true;
}

sim_result *app_reference_finish(app_reference *r, GError **error)
{
    while (fetch(r)) {
    }
    join(r);
    if (r->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&r->error));
    }
    return g_steal_pointer(&r->result);
}
