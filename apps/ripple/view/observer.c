/* apps/ripple/view/observer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_observer. */
#include "view/observer.h"

#include "sim/large.h"
#include "sim/program.h"
#include "view/lost_stretch.h"

#include <string.h>

enum {
    MOST_STEPS = 1 << 16,
    MOST_EXTRA = 1024, /* stretches beyond those to be kept, and a quarter of these */
    FAR = 32,          /* events ahead: what a rank has */
    AHEAD = 12         /* and what that points to */
};

/* A stretch on the way through. */
typedef struct step {
    app_observer_part *part;
    const sim_event *e;
    app_observed_rank *rank;
    sim_time idle_from;
    sim_time usual_idle;
} step;

static int by_start(const void *a, const void *b)
{
    const app_observed_stretch *x = a;
    const app_observed_stretch *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The first ones stay, whatever the order they have come in: sorting is stable, so those of a rank
 * stay in theirs. */
static void cut(app_observer_part *p, size_t most)
{
    if (p->kept->len > most) {
        g_array_sort(p->kept, by_start);
        const app_observed_stretch *next = &g_array_index(p->kept, app_observed_stretch, most);
        p->kept_until = MIN(p->kept_until, next->start);
        g_array_set_size(p->kept, (guint)most);
    }
}

static void keep_in(app_observer_part *p, const app_observed_stretch *s)
{
    const app_observer_options *o = &p->whole->options;
    if ((o->is_kept != NULL && !o->is_kept[s->rank]) || s->end < o->from || s->idle_from > o->to ||
        s->start > p->kept_until) {
        return;
    }
    if (o->most_kept == 0) {
        p->kept_until = MIN(p->kept_until, s->start);
        return;
    }
    g_array_append_val(p->kept, *s);
    if (p->kept->len >= o->most_kept + o->most_kept / 4 + MOST_EXTRA) {
        cut(p, o->most_kept);
    }
}

void app_observer_keep(app_observer *o, const app_observed_stretch *s)
{
    keep_in(g_ptr_array_index(o->parts, 0), s);
}

static void keep(const step *s)
{
    app_observer_part *p = s->part;
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
    if (p->log != NULL) {
        app_stretch_log_add(p->log, &stretch);
    } else {
        keep_in(p, &stretch);
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
    app_observer *o = s->part->whole;
    const sim_event *e = s->e;
    app_reference_stretch usual = {.start = e->start, .op = e->op};
    s->usual_idle = e->start - s->idle_from;
    if (o->options.ideal != NULL && app_reference_next(o->options.ideal, e->rank, &usual)) {
        s->usual_idle = usual.idle;
        s->part->reordered += usual.op != e->op;
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

static void observe(app_observer_part *p, const sim_event *e)
{
    app_observer *o = p->whole;
    app_observed_rank *r = &o->ranks[e->rank];
    step s = {.part = p, .e = e, .rank = r, .idle_from = r->finish};
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

static void observe_all(app_observer_part *p, const sim_event *events, size_t n)
{
    size_t far = 0;
    size_t near = 0;
    for (size_t i = 0; i < n; i++) {
        for (; far < n && far < i + FAR; far++) {
            if (is_first(events, far)) {
                bring_near(p->whole, events[far].rank);
            }
        }
        for (; near < n && near < i + AHEAD; near++) {
            if (is_first(events, near)) {
                bring_nearer(p->whole, events[near].rank);
            }
        }
        if (events[i].cpu == 0) {
            observe(p, &events[i]);
        } else {
            p->further++;
        }
    }
}

static sim_time last_end(const sim_event *events, size_t n)
{
    sim_time end = 0;
    for (size_t i = 0; i < n; i++) {
        end = MAX(end, events[i].end);
    }
    return end;
}

static void take_part(sim_sink *sink, const sim_event *events, size_t n)
{
    app_observer_part *p = (app_observer_part *)sink; /* its first member */
    app_observer *o = p->whole;
    if (o->heat == NULL) {
        observe_all(p, events, n);
        return;
    }
    /* Several threads write to the map, but while one of them makes room. */
    const sim_time end = last_end(events, n);
    g_rw_lock_reader_lock(&o->heat_lock);
    if (end > app_heat_reached(o->heat)) {
        g_rw_lock_reader_unlock(&o->heat_lock);
        g_rw_lock_writer_lock(&o->heat_lock);
        app_heat_reach(o->heat, MAX(end, app_heat_reached(o->heat)));
        g_rw_lock_writer_unlock(&o->heat_lock);
        g_rw_lock_reader_lock(&o->heat_lock);
    }
    observe_all(p, events, n);
    g_rw_lock_reader_unlock(&o->heat_lock);
}

static app_observer_part *add_part(app_observer *o)
{
    app_observer_part *p = g_new0(app_observer_part, 1);
    p->sink = (sim_sink){.events = take_part, .is_brief = true};
    p->whole = o;
    p->kept = g_array_new(FALSE, FALSE, sizeof(app_observed_stretch));
    p->log = o->options.logs ? app_stretch_log_new() : NULL;
    p->kept_until = SIM_TIME_MAX;
    g_ptr_array_add(o->parts, p);
    return p;
}

static void free_part(void *part)
{
    app_observer_part *p = part;
    g_array_unref(p->kept);
    app_stretch_log_free(p->log);
    g_free(p);
}

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    const app_observer *o = (app_observer *)sink; /* its first member */
    app_observer_part *p = g_ptr_array_index(o->parts, 0);
    take_part(&p->sink, events, n);
}

static sim_sink *part_of(sim_sink *sink, const sim_noise *noise, uint32_t part)
{
    app_observer *o = (app_observer *)sink; /* its first member */
    (void)noise;
    while (o->parts->len <= part) {
        add_part(o);
    }
    app_observer_part *p = g_ptr_array_index(o->parts, part);
    return &p->sink;
}

static bool may_be_asked(const app_reference *r)
{
    return r == NULL || app_reference_is_shared(r);
}

void app_observer_init(app_observer *o, const app_observer_options *options)
{
    const bool has_parts = may_be_asked(options->ideal) && may_be_asked(options->undisturbed);
    *o = (app_observer){
        .sink = {.events = take_events, .part = has_parts ? part_of : NULL, .is_brief = true},
        .options = *options,
        .kept_all = true};
    o->ranks = sim_large_new(options->num_ranks, sizeof *o->ranks);
    memset(o->ranks, 0, options->num_ranks * sizeof *o->ranks);
    if (options->undisturbed != NULL) {
        o->arrivals = g_new0(app_observed_arrival, options->num_ranks);
        for (uint32_t rank = 0; rank < options->num_ranks; rank++) {
            o->arrivals[rank].usual = SIM_TIME_MAX;
        }
    }
    o->heat = options->maps_heat ? app_heat_new(options->num_ranks, options->makespan) : NULL;
    g_rw_lock_init(&o->heat_lock);
    o->kept_until = SIM_TIME_MAX;
    o->steps = g_array_new(FALSE, FALSE, sizeof(sim_time));
    o->parts = g_ptr_array_new_with_free_func(free_part);
    add_part(o);
}

void app_observer_gather(app_observer *o)
{
    app_observer_part *all = g_ptr_array_index(o->parts, 0);
    for (guint i = 1; i < o->parts->len; i++) {
        const app_observer_part *p = g_ptr_array_index(o->parts, i);
        g_array_append_vals(all->kept, p->kept->data, p->kept->len);
        g_array_set_size(p->kept, 0);
        all->kept_until = MIN(all->kept_until, p->kept_until);
        all->further += p->further;
        all->reordered += p->reordered;
    }
    cut(all, o->options.most_kept);
    o->kept = g_array_ref(all->kept);
    o->kept_all = all->kept_until == SIM_TIME_MAX;
    o->kept_until = all->kept_until;
    o->further += all->further;
    o->reordered += all->reordered;
}

bool app_observer_read_logs(app_observer *o, const bool *wanted, app_stretch_log_visit *visit,
                            void *user)
{
    for (guint i = 0; i < o->parts->len; i++) {
        const app_observer_part *p = g_ptr_array_index(o->parts, i);
        if (!app_stretch_log_read(p->log, wanted, o->options.num_ranks, visit, user)) {
            return false;
        }
    }
    return true;
}

void app_observer_clear(app_observer *o)
{
    sim_large_free(o->ranks);
    g_free(o->arrivals);
    app_heat_free(o->heat);
    if (o->parts != NULL) {
        g_rw_lock_clear(&o->heat_lock);
    }
    g_clear_pointer(&o->parts, g_ptr_array_unref);
    g_clear_pointer(&o->kept, g_array_unref);
    g_clear_pointer(&o->steps, g_array_unref);
    *o = (app_observer){0};
}
