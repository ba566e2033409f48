/* apps/ripple/view/observer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_observer. */
#include "view/observer.h"

#include "sim/large.h"
#include "sim/program.h"
#include "view/lost_stretch.h"

#include <string.h>

enum {
    MOST_STEPS = 1 << 16,
    FAR = 32,  /* events ahead: what a rank has */
    AHEAD = 12 /* and what that points to */
};

/* A stretch on the way through. */
typedef struct step {
    app_observer *o;
    const sim_event *e;
    app_observed_rank *rank;
    sim_time idle_from;
    sim_time usual_idle;
} step;

void app_observer_keep(app_observer *o, const app_observed_stretch *s)
{
    if ((o->options.is_kept != NULL && !o->options.is_kept[s->rank]) || s->end < o->options.from ||
        s->idle_from > o->options.to) {
        return;
    }
    if (o->kept->len >= o->options.most_kept) {
        o->kept_until = o->kept_all ? s->start : MIN(o->kept_until, s->start);
        o->kept_all = false;
        return;
    }
    g_array_append_val(o->kept, *s);
}

static void keep(const step *s)
{
    app_observer *o = s->o;
    const sim_event *e = s->e;
    const app_observed_stretch stretch = {.idle_from = s->idle_from,
                                          .start = e->start,
                                          .end = e->end,
                                          .work = e->work,
                                          .usual_idle = s->usual_idle,
                                          .rank = e->rank,
                                          .op = e->op,
                                          .cause_rank = e->cause_rank,
                                          .cause_op = e->cause_op,
                                          .type = e->type};
    if (o->options.log != NULL) {
        app_stretch_log_add(o->options.log, &stretch);
    } else {
        app_observer_keep(o, &stretch);
    }
}

static void note_step(app_observer *o, const sim_event *e, sim_time usual)
{
    if (e->rank == o->options.injected && e->type == SIM_OP_CALC && e->work > 0 &&
        o->steps->len < MOST_STEPS) {
        g_array_append_val(o->steps, usual);
    }
}

/* Before a detour comes to a rank, both runs are the same to it, to the picosecond. */
static void note_arrival(app_observer *o, const sim_event *e, sim_time usual)
{
    app_observed_arrival *a = &o->arrivals[e->rank];
    if (a->usual == SIM_TIME_MAX && e->start - usual >= o->options.threshold) {
        *a = (app_observed_arrival){usual, e->start - usual, e->cause_rank};
    }
}

/* The same stretch of the other runs. */
static void compare(step *s)
{
    app_observer *o = s->o;
    const sim_event *e = s->e;
    app_reference_stretch usual = {.start = e->start, .op = e->op};
    s->usual_idle = e->start - s->idle_from;
    if (o->options.ideal != NULL && app_reference_next(o->options.ideal, e->rank, &usual)) {
        s->usual_idle = usual.idle;
        o->reordered += usual.op != e->op;
        note_step(o, e, usual.start);
    }
    if (o->arrivals == NULL) {
        return;
    }
    if (o->options.undisturbed != o->options.ideal &&
        !app_reference_next(o->options.undisturbed, e->rank, &usual)) {
        return;
    }
    note_arrival(o, e, usual.start);
}

static const uint8_t KIND_OF[] = {[SIM_OP_CALC] = APP_PICTURE_COMPUTE,
                                  [SIM_OP_SEND] = APP_PICTURE_SEND,
                                  [SIM_OP_RECV] = APP_PICTURE_RECV};

static void observe(app_observer *o, const sim_event *e)
{
    app_observed_rank *r = &o->ranks[e->rank];
    step s = {.o = o, .e = e, .rank = r, .idle_from = r->finish};
    compare(&s);
    const sim_time idle = e->start - r->finish;
    const sim_time noise = e->end - e->start - e->work;
    const sim_time noise_wait = MAX(idle - s.usual_idle, 0);
    r->time[KIND_OF[e->type]] += e->work;
    r->time[APP_PICTURE_DETOUR] += noise;
    r->time[APP_PICTURE_NOISE_WAIT] += noise_wait;
    r->time[APP_PICTURE_WAIT] += idle - noise_wait;
    r->absorbed += MAX(s.usual_idle - idle, 0);
    r->finish = e->end;
    if (o->heat != NULL && (noise > 0 || noise_wait > 0)) {
        const app_lost_stretch lost = {e->start, e->end, e->work, noise_wait, e->rank};
        app_lost_stretch_map(&lost, o->options.noise, e->rank, o->heat);
    }
    keep(&s);
}

/* A million ranks do not fit into a cache: ask for what comes before it is needed. */
static void bring_near(const app_observer *o, uint32_t rank)
{
    __builtin_prefetch(&o->ranks[rank], 1);
    if (o->heat != NULL) {
        app_heat_prefetch(o->heat, rank);
    }
    if (o->options.ideal != NULL) {
        app_reference_prefetch(o->options.ideal, rank);
    }
}

/* And what that says where to find, once it is here. */
static void bring_nearer(const app_observer *o, uint32_t rank)
{
    if (o->heat != NULL) {
        app_heat_prefetch_cell(o->heat, rank);
    }
    if (o->options.ideal != NULL) {
        app_reference_prefetch_next(o->options.ideal, rank);
    }
}

/* Of events in order: is that the first of several of one rank? */
static bool is_first(const sim_event *events, size_t i)
{
    return i == 0 || events[i].rank != events[i - 1].rank;
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_observer *o = (app_observer *)sink; /* its first member */
    size_t far = 0;
    size_t near = 0;
    for (size_t i = 0; i < n; i++) {
        for (; far < n && far < i + FAR; far++) {
            if (is_first(events, far)) {
                bring_near(o, events[far].rank);
            }
        }
        for (; near < n && near < i + AHEAD; near++) {
            if (is_first(events, near)) {
                bring_nearer(o, events[near].rank);
            }
        }
        if (events[i].cpu == 0) {
            observe(o, &events[i]);
        } else {
            o->further++;
        }
    }
}

void app_observer_init(app_observer *o, const app_observer_options *options)
{
    *o = (app_observer){
        .sink = {.events = take_events, .is_brief = true}, .options = *options, .kept_all = true};
    o->ranks = sim_large_new(options->num_ranks, sizeof *o->ranks);
    memset(o->ranks, 0, options->num_ranks * sizeof *o->ranks);
    if (options->undisturbed != NULL) {
        o->arrivals = g_new0(app_observed_arrival, options->num_ranks);
        for (uint32_t rank = 0; rank < options->num_ranks; rank++) {
            o->arrivals[rank].usual = SIM_TIME_MAX;
        }
    }
    o->heat = options->maps_heat ? app_heat_new(options->num_ranks, options->makespan) : NULL;
    o->kept = g_array_new(FALSE, FALSE, sizeof(app_observed_stretch));
    o->kept_until = SIM_TIME_MAX;
    o->steps = g_array_new(FALSE, FALSE, sizeof(sim_time));
}

void app_observer_clear(app_observer *o)
{
    sim_large_free(o->ranks);
    g_free(o->arrivals);
    app_heat_free(o->heat);
    g_clear_pointer(&o->kept, g_array_unref);
    g_clear_pointer(&o->steps, g_array_unref);
    *o = (app_observer){0};
}
