/* apps/ripple/stretches/reference.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference. */
#include "stretches/reference.h"

#include "sim/large.h"
#include "sim/symmetry.h"
#include "stretches/shared_stretches.h"

#include <string.h>

/* Bytes that are handed over at once, and batches that may lie between the two threads. */
enum { BATCH = 8192, RING = 16, AHEAD = 8, FAR = 16 };

/* A few ranks are run for all where they are at most one part in so many: they are run twice. */
enum { FEW = 8 };

/* Groups of stretches of a rank: its number, how many bytes, the bytes. */
typedef struct batch {
    size_t n;
    uint8_t bytes[BATCH];
} batch;

enum { HEAD = sizeof(uint32_t) + 1 };

/* What the thread of the run has in hand. */
typedef struct filler {
    batch *batch;
    uint8_t *group;            /* in the batch; NULL: none has begun */
    uint32_t rank;             /* of the group */
    app_stretch_place *places; /* [ranks] */
    app_length_table lengths;
} filler;

struct app_reference {
    sim_sink sink; /* of its thread, and so is */
    filler filler; /* what is not handed over yet */
    sim_watch watch;
    sim_program *few;           /* those that stand for all; NULL: all are run */
    sim_time makespan;          /* of those; 0: not known */
    const sim_program *program; /* that is run: those, or all */
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

    app_stretch_queues *queues;   /* of the thread that asks */
    app_shared_stretches *shared; /* of its ranks where few are run; NULL */
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
        *place = r->filler.batch;
        r->filler.batch = empty;
        r->put++;
        g_cond_broadcast(&r->moved);
    }
    g_mutex_unlock(&r->lock);
    r->filler.batch->n = 0;
    r->filler.group = NULL;
}

static void begin_group(app_reference *r, uint32_t rank)
{
    if (r->filler.batch->n + HEAD + APP_STRETCH_GROUP > BATCH) {
        hand_over(r);
    }
    batch *b = r->filler.batch;
    r->filler.group = b->bytes + b->n;
    r->filler.rank = rank;
    memcpy(r->filler.group, &rank, sizeof rank);
    r->filler.group[HEAD - 1] = 0;
    b->n += HEAD;
}

static void code(app_reference *r, const sim_event *e)
{
    filler *f = &r->filler;
    uint8_t bytes[APP_STRETCH_BYTES];
    const size_t n =
        (size_t)(app_stretch_put(bytes, &f->lengths, &f->places[e->rank], e->start, e->end, e->op) -
                 bytes);
    if (f->group == NULL || f->rank != e->rank || f->group[HEAD - 1] + n > APP_STRETCH_GROUP) {
        begin_group(r, e->rank);
    }
    memcpy(f->batch->bytes + f->batch->n, bytes, n);
    f->batch->n += n;
    f->group[HEAD - 1] = (uint8_t)(f->group[HEAD - 1] + n);
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_reference *r = (app_reference *)sink; /* its first member */
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n) {
            __builtin_prefetch(&r->filler.places[events[i + AHEAD].rank], 1);
        }
        if (events[i].cpu == 0) {
            code(r, &events[i]);
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

/*
 * Ranks that stand for all, if that holds: which is only known once they have been run. What a run
 * tells goes on to who asks, who cannot give it back; so they are run twice.
 * @return NULL: all are to be run
 */
static sim_program *few_of(const sim_program *program, const sim_params *params,
                           const sim_run_options *options, sim_time *makespan)
{
    const uint32_t holds = sim_symmetry_holds(program, params, options);
    if (holds == 0 || holds > program->num_ranks / FEW) {
        return NULL;
    }
    sim_program *few = sim_quotient_new(program, params, holds);
    g_autoptr(sim_result) result = sim_run(few, params, options, NULL);
    const bool ok = result != NULL && !sim_quotient_has_failed(few);
    sim_program_free(few);
    *makespan = ok ? result->makespan : 0;
    return ok ? sim_quotient_new(program, params, holds) : NULL;
}

static uint32_t rank_of(const uint8_t *group)
{
    uint32_t rank;
    memcpy(&rank, group, sizeof rank);
    return rank;
}

static const uint8_t *after(const uint8_t *group)
{
    return group + HEAD + group[HEAD - 1];
}

/* The queues of the groups to come are brought near some groups ahead. */
static void sort_in(app_reference *r, const batch *b)
{
    const uint8_t *end = b->bytes + b->n;
    const uint8_t *far = b->bytes;  /* FAR groups ahead: the queue, */
    const uint8_t *near = b->bytes; /* AHEAD: its end */
    size_t k = 0;
    for (const uint8_t *group = b->bytes; group < end; group = after(group)) {
        for (; k < FAR && far < end; k++) {
            app_stretch_queues_near(r->queues, rank_of(far));
            far = after(far);
            if (k >= AHEAD) {
                app_stretch_queues_near_last(r->queues, rank_of(near));
                near = after(near);
            }
        }
        k--;
        app_stretch_queues_add(r->queues, rank_of(group), group + HEAD, group[HEAD - 1]);
    }
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
    sort_in(r, b);
    g_mutex_lock(&r->lock);
    r->got++;
    g_cond_broadcast(&r->moved);
    g_mutex_unlock(&r->lock);
    return true;
}

/* The next one that has come of a rank that is run. */
static bool take_queued(void *user, uint32_t rank, app_reference_stretch *out)
{
    app_reference *r = user;
    while (!app_stretch_queues_take(r->queues, rank, out)) {
        if (!fetch(r)) {
            return false;
        }
    }
    return true;
}

app_reference *app_reference_new(const sim_program *program, const sim_params *params,
                                 const sim_levels *levels, const sim_noise *noise)
{
    app_reference *r = g_new0(app_reference, 1);
    r->sink = (sim_sink){.events = take_events, .is_brief = true};
    r->watch.look = look;
    r->params = params;
    r->options = (sim_run_options){.noise = noise, .levels = levels};
    r->few = few_of(program, params, &r->options, &r->makespan);
    r->program = r->few != NULL ? r->few : program;
    r->options.sink = &r->sink;
    r->options.watch = &r->watch;
    g_mutex_init(&r->lock);
    g_cond_init(&r->moved);
    r->filler.batch = g_new0(batch, 1);
    r->filler.places = sim_large_new(r->program->num_ranks, sizeof(app_stretch_place));
    memset(r->filler.places, 0, r->program->num_ranks * sizeof(app_stretch_place));
    for (size_t i = 0; i < RING; i++) {
        r->ring[i] = g_new0(batch, 1);
    }
    r->queues = app_stretch_queues_new(r->program->num_ranks, &r->filler.lengths);
    if (r->few != NULL) {
        r->shared = app_shared_stretches_new(program->num_ranks, r->few->num_ranks, take_queued, r);
    }
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
    g_free(r->filler.batch);
    sim_large_free(r->filler.places);
    app_shared_stretches_free(r->shared);
    app_stretch_queues_free(r->queues);
    if (r->few != NULL) {
        sim_program_free(r->few);
    }
    sim_result_free(r->result);
    g_clear_error(&r->error);
    g_mutex_clear(&r->lock);
    g_cond_clear(&r->moved);
    g_free(r);
}

void app_reference_prefetch(const app_reference *r, uint32_t rank)
{
    if (r->shared != NULL) {
        app_shared_stretches_near(r->shared, rank);
    } else {
        app_stretch_queues_near(r->queues, rank);
    }
}

void app_reference_prefetch_next(const app_reference *r, uint32_t rank)
{
    if (r->shared == NULL) { /* what many ranks share is near */
        app_stretch_queues_near_first(r->queues, rank);
    }
}

bool app_reference_next(app_reference *r, uint32_t rank, app_reference_stretch *out)
{
    return r->shared != NULL ? app_shared_stretches_take(r->shared, rank, out)
                             : take_queued(r, rank, out);
}

bool app_reference_is_shared(const app_reference *r)
{
    return r->shared != NULL;
}

sim_time app_reference_makespan(const app_reference *r)
{
    return r->makespan;
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
