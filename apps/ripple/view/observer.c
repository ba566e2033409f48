/* apps/ripple/view/observer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_observer. */
#include "view/observer.h"

#include "sim/program.h"

enum {
    MOST_STEPS = 1 << 16,
    AHEAD = 12,
    LINE = 64,
    GRAINS = 64 /* of a column: no byte tells less */
};

/* A stretch on the way through. */
typedef struct step {
    app_observer *o;
    const sim_event *e;
    app_observed_rank *rank;
    sim_time idle_from;
    sim_time usual_idle;
} step;

static void add_heat(sim_time begin, sim_time end, void *user)
{
    const step *s = user;
    app_heat_add(s->o->heat, s->e->rank, begin, end);
}

/* Where detours are matters only to what falls into several columns. */
static void map_heat(step *s, sim_time noise, sim_time noise_wait)
{
    const sim_event *e = s->e;
    if (s->o->heat == NULL) {
        return;
    }
    if (noise_wait > 0) {
        app_heat_add(s->o->heat, e->rank, e->start - noise_wait, e->start);
    }
    if (noise > 0 && app_heat_is_one_column(s->o->heat, e->start, e->end)) {
        app_heat_add(s->o->heat, e->rank, e->start, e->start + noise);
    } else if (noise > 0 && s->o->options.noise != NULL) {
        app_detours_find(s->o->options.noise, e->rank, e->start, e->work,
                         app_heat_width(s->o->heat) / GRAINS, add_heat, s);
    }
}

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
    map_heat(&s, noise, noise_wait);
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

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    app_observer *o = (app_observer *)sink; /* its first member */
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n && events[i + AHEAD].rank != events[i + AHEAD - 1].rank) {
            bring_near(o, events[i + AHEAD].rank);
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
    o->ranks = g_aligned_alloc0(options->num_ranks, sizeof *o->ranks, LINE);
    if (options->undisturbed != NULL) {
        o->arrivals = g_new0(app_observed_arrival, options->num_ranks);
        for (uint32_t rank = 0; rank < options->num_ranks; rank++) {
            o->arrivals[rank].usual = SIM_TIME_MAX;
        }
    }
    o->heat = options->maps_heat ? app_heat_new(options->num_ranks) : NULL;
    o->kept = g_array_new(FALSE, FALSE, sizeof(app_observed_stretch));
    o->kept_until = SIM_TIME_MAX;
    o->steps = g_array_new(FALSE, FALSE, sizeof(sim_time));
}

void app_observer_clear(app_observer *o)
{
    g_aligned_free(o->ranks);
    g_free(o->arrivals);
    app_heat_free(o->heat);
    g_clear_pointer(&o->kept, g_array_unref);
    g_clear_pointer(&o->steps, g_array_unref);
    *o = (app_observer){0};
}
