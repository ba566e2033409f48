/* tests/apps/analysis/test_analysis.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis against the path and the waits that it sums up, of programs at random. */
#include "analysis/analysis.h"
#include "check.h"
#include "random_program.h"
#include "record/recorded_run.h"
#include "sim/graph.h"

#define SEED 20101113U

static void count_stretch(const sim_path_stretch *stretch, void *user)
{
    g_array_append_vals(user, stretch, 1);
}

static void count_wait(const sim_wait *wait, void *user)
{
    g_array_append_vals(user, wait, 1);
}

static void check_sums(const app_analysis *a, const GArray *path, const char *where)
{
    sim_time parts = 0;
    sim_time types = 0;
    sim_time ranks = 0;
    uint64_t stretches = 0;
    uint64_t visits = 0;
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        parts += a->part[p];
    }
    for (int t = 0; t < APP_NUM_TYPES; t++) {
        types += a->type[t].time;
        stretches += a->type[t].stretches;
    }
    for (guint i = 0; i < a->ranks->len; i++) {
        const app_analysis_rank *r = &g_array_index(a->ranks, app_analysis_rank, i);
        ranks += r->time;
        visits += r->visits;
        CHECK(i == 0 || (r - 1)->time >= r->time, "%s: rank %u", where, r->rank);
    }
    uint64_t turns = path->len > 0; /* how often the rank is another one, and the first */
    for (guint i = 1; i < path->len; i++) {
        turns += g_array_index(path, sim_path_stretch, i).rank !=
                 g_array_index(path, sim_path_stretch, i - 1).rank;
    }
    CHECK_I64(parts, a->facts.makespan, "%s: parts", where);
    CHECK_I64(types, a->facts.makespan, "%s: types", where);
    CHECK_I64(ranks, a->facts.makespan, "%s: ranks", where);
    CHECK_I64(visits, turns, "%s: visits", where);
    CHECK(stretches == path->len && a->stretches == path->len, "%s", where);
}

/* How many of @p all, by their lengths, are longer than @p length? */
static guint longer(const GArray *all, bool waits, sim_time length)
{
    guint n = 0;
    for (guint i = 0; i < all->len; i++) {
        if (waits) {
            n += g_array_index(all, sim_wait, i).length > length;
        } else {
            const sim_path_stretch *s = &g_array_index(all, sim_path_stretch, i);
            n += s->finish - s->start > length;
        }
    }
    return n;
}

static void check_lists(const app_analysis *a, const GArray *path, const GArray *waits,
                        const char *where)
{
    for (guint i = 0; i < a->operations->len; i++) {
        const sim_path_stretch *s = &g_array_index(a->operations, sim_path_stretch, i);
        CHECK(longer(path, false, s->finish - s->start) <= i, "%s: stretch %u", where, i);
    }
    for (guint i = 0; i < a->waits->len; i++) {
        const sim_wait *w = &g_array_index(a->waits, sim_wait, i);
        CHECK(longer(waits, true, w->length) <= i, "%s: wait %u", where, i);
    }
    sim_int128 total[SIM_NUM_CAUSES] = {0};
    for (guint i = 0; i < waits->len; i++) {
        const sim_wait *w = &g_array_index(waits, sim_wait, i);
        total[w->cause.kind] += w->length;
    }
    for (int k = 0; k < SIM_NUM_CAUSES; k++) {
        CHECK(total[k] == a->cause[k].total, "%s: cause %d", where, k);
    }
}

static void it_sums_up_what_there_is(void)
{
    const random_shape shape = {.max_ranks = 12,
                                .max_steps = 80,
                                .max_cpus = 2,
                                .max_nics = 2,
                                .max_size = 60,
                                .max_calc = 5000};
    unsigned runs = 0;
    for (unsigned k = 0; k < 200; k++) {
        g_auto(random_case) c = random_case_draw(SEED + k, &shape);
        const app_analysis_request request = {.operations = 1 + g_rand_int(c.random) % 9,
                                              .waits = g_rand_int(c.random) % 9,
                                              .waited = true};
        const sim_run_options options = {.noise = &c.noise.noise};
        g_autoptr(sim_run_record) record = recorded_run(c.program, &c.params, &options, NULL);
        if (record == NULL) { /* some rendezvous wait for each other */
            continue;
        }
        g_autofree char *where = g_strdup_printf("seed %u", SEED + k);
        g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(sim_path_stretch));
        g_autoptr(GArray) waits = g_array_new(FALSE, FALSE, sizeof(sim_wait));
        CHECK(sim_run_record_walk_path(record, count_stretch, path, NULL));
        CHECK(sim_run_record_visit_waits(record, count_wait, waits, NULL));
        g_autoptr(app_analysis) a = app_analysis_new(record, &request, NULL);
        if (CHECK(a != NULL, "%s", where)) {
            CHECK_I64(a->operations->len, MIN(request.operations, path->len), "%s", where);
            CHECK_I64(a->waits->len, MIN(request.waits, waits->len), "%s", where);
            check_sums(a, path, where);
            check_lists(a, path, waits, where);
            runs++;
        }
    }
    CHECK(runs > 100, "%u", runs);
}

SUITE_MAIN("analysis", TEST(it_sums_up_what_there_is))
