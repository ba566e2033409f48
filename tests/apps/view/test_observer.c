/* tests/apps/view/test_observer.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is lost, absorbed and waited against two whole runs that are laid side by side afterwards,
 * and against what must hold of every rank: how much later it finishes is what it lost, less what
 * it absorbed.
 */
#include "check.h"
#include "random_program.h"
#include "view/observer.h"

typedef struct list_sink {
    sim_sink sink;
    GArray *events;
} list_sink;

static void take(sim_sink *sink, const sim_event *events, size_t n)
{
    g_array_append_vals(((list_sink *)sink)->events, events, (guint)n);
}

static GArray *events_of(const sim_program *program, const sim_params *params,
                         const sim_noise *noise)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(sim_event));
    list_sink sink = {{.events = take}, all};
    const sim_run_options options = {.sink = &sink.sink, .noise = noise};
    g_autoptr(sim_result) result = sim_run(program, params, &options, NULL);
    if (result == NULL) {
        g_array_set_size(all, 0);
    }
    return all;
}

/* The k-th stretch of a rank, or NULL. */
static const sim_event *nth(const GArray *all, uint32_t rank, guint k)
{
    for (guint i = 0; i < all->len; i++) {
        const sim_event *e = &g_array_index(all, sim_event, i);
        if (e->rank == rank && e->cpu == 0 && k-- == 0) {
            return e;
        }
    }
    return NULL;
}

static void check_rank(const app_observer *o, const GArray *noisy, const GArray *ideal,
                       uint32_t rank, unsigned seed)
{
    app_observed_rank wanted = {0};
    sim_time end = 0;
    sim_time usual_end = 0;
    sim_time work = 0;
    sim_time usual_work = 0;
    const sim_event *a;
    const sim_event *b;
    for (guint k = 0; (a = nth(noisy, rank, k)) != NULL && (b = nth(ideal, rank, k)) != NULL; k++) {
        const sim_time idle = a->start - end;
        const sim_time usual = b->start - usual_end;
        wanted.time[APP_PICTURE_DETOUR] += a->end - a->start - a->work;
        wanted.time[APP_PICTURE_NOISE_WAIT] += MAX(idle - usual, 0);
        wanted.time[APP_PICTURE_WAIT] += MIN(idle, usual);
        wanted.absorbed += MAX(usual - idle, 0);
        end = a->end;
        usual_end = b->end;
        work += a->work;
        usual_work += b->end - b->start;
    }
    const app_observed_rank *r = &o->ranks[rank];
    CHECK_I64(r->time[APP_PICTURE_DETOUR], wanted.time[APP_PICTURE_DETOUR], "seed %u", seed);
    CHECK_I64(r->time[APP_PICTURE_NOISE_WAIT], wanted.time[APP_PICTURE_NOISE_WAIT], "seed %u",
              seed);
    CHECK_I64(r->time[APP_PICTURE_WAIT], wanted.time[APP_PICTURE_WAIT], "seed %u", seed);
    CHECK_I64(r->absorbed, wanted.absorbed, "seed %u", seed);
    CHECK_I64(r->finish, end, "seed %u", seed);
    CHECK_I64(r->finish - usual_end,
              r->time[APP_PICTURE_DETOUR] + r->time[APP_PICTURE_NOISE_WAIT] - r->absorbed + work -
                  usual_work,
              "seed %u rank %u", seed, rank);
}

static void lost_time_is_what_two_runs_differ_by(void)
{
    unsigned runs = 0;
    for (unsigned seed = 1; seed <= 200; seed++) {
        const random_shape shape = {.max_ranks = 6,
                                    .max_steps = 80,
                                    .max_cpus = 1 + seed % 2,
                                    .max_nics = 1,
                                    .blocking = seed % 3 == 0,
                                    .max_size = 60,
                                    .max_calc = 5000};
        g_auto(random_case) c = random_case_draw(seed, &shape);
        const sim_program *program = c.program;
        g_autoptr(GArray) ideal = events_of(program, &c.params, NULL);
        g_autoptr(GArray) noisy = events_of(program, &c.params, &c.noise.noise);
        if (ideal->len == 0 || noisy->len == 0) {
            continue; /* it got stuck */
        }
        runs++;
        g_autoptr(app_reference) reference = app_reference_new(program, &c.params, NULL, NULL);
        const app_observer_options options = {.num_ranks = program->num_ranks,
                                              .noise = &c.noise.noise,
                                              .ideal = reference,
                                              .injected = APP_PICTURE_NONE,
                                              .maps_heat = true,
                                              .to = SIM_TIME_MAX,
                                              .most_kept = 100000};
        g_auto(app_observer) o;
        app_observer_init(&o, &options);
        const sim_run_options run = {.sink = &o.sink, .noise = &c.noise.noise};
        g_autoptr(sim_result) result = sim_run(program, &c.params, &run, NULL);
        CHECK(result != NULL, "seed %u", seed);
        app_observer_gather(&o);
        sim_time lost = 0;
        for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
            check_rank(&o, noisy, ideal, rank, seed);
            lost += o.ranks[rank].time[APP_PICTURE_DETOUR];
            lost += o.ranks[rank].time[APP_PICTURE_NOISE_WAIT];
        }
        CHECK_I64(app_heat_sum(o.heat), lost, "seed %u: all of it is on the map", seed);
        CHECK(o.kept_all && o.kept->len + o.further == noisy->len, "seed %u", seed);
    }
    CHECK(runs > 50, "%u runs", runs);
}

SUITE_MAIN("observer", TEST(lost_time_is_what_two_runs_differ_by))
