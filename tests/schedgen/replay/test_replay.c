/* tests/schedgen/replay/test_replay.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A replayed program against the graph of the same conversion, which is written by other code. */
#include "check.h"
#include "data.h"
#include "sched/replay.h"
#include "seeds.h"
#include "sim/run.h"
#include "trace_random.h"

/* Every 50 us rank r is away for r % 7 + 1 us, from an instant of its own on; by a loop. */
static sim_time noisy_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    const sim_time period = 50 * SIM_US;
    const sim_time away = (rank % 7 + 1) * SIM_US;
    const sim_time phase = (sim_time)rank * 1234567 % period;
    sim_time now = start;
    while (work > 0) {
        const sim_time at = (now + phase) % period; /* away at the beginning of each period */
        if (at < away) {
            now += away - at;
            continue;
        }
        const sim_time until = period - at;
        const sim_time part = work < until ? work : until;
        now += part;
        work -= part;
    }
    return now;
}

static unsigned converted; /* of compare_trace() */
static unsigned runs;      /* of compare_runs() */
static unsigned runs_done; /* to the end */

static void compare_runs(const sim_program *a, const sim_program *b, const char *name)
{
    static const sim_noise noise = {.finish = noisy_finish};
    const sim_params xt4 = {.L = 9900 * SIM_NS,
                            .o = 1750 * SIM_NS,
                            .g = 3400 * SIM_NS,
                            .G = 580 * SIM_RATE_PER_PS / 1000,
                            .S = 65535};
    for (int setting = 0; setting < 8; setting++) {
        sim_params params = xt4;
        params.progress = setting & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = setting & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        params.S = setting & 4 ? 1000 : 65535;
        const sim_run_options options = {.noise = setting & 4 ? &noise : NULL,
                                         .explain = setting == 0 || setting >= 6};
        g_autoptr(GError) error_a = NULL;
        g_autoptr(GError) error_b = NULL;
        g_autoptr(sim_result) x = sim_run(a, &params, &options, &error_a);
        g_autoptr(sim_result) y = sim_run(b, &params, &options, &error_b);
        runs++;
        runs_done += x != NULL;
        if (x == NULL || y == NULL) { /* blocking sends above S may wait for each other */
            if (CHECK((x == NULL) == (y == NULL), "%s, setting %d: %s", name, setting,
                      x == NULL ? error_a->message : error_b->message)) {
                CHECK_STR(error_b->message, error_a->message, "%s, setting %d", name, setting);
            }
            continue;
        }
        CHECK_I64(x->num_ops, y->num_ops, "%s, setting %d", name, setting);
        CHECK_I64(x->num_messages, y->num_messages, "%s, setting %d", name, setting);
        CHECK_I64(memcmp(x->finish, y->finish, x->num_ranks * sizeof *x->finish), 0,
                  "%s, setting %d: a rank finishes at another instant", name, setting);
        CHECK_I64(memcmp(&x->breakdown, &y->breakdown, sizeof x->breakdown), 0,
                  "%s, setting %d: the breakdown differs", name, setting);
    }
}

static void compare_trace(const sched_trace *trace, const sched_convert_options *options,
                          const char *name)
{
    g_autoptr(GError) error_a = NULL;
    g_autoptr(GError) error_b = NULL;
    sched_convert_report for_graph = {0};
    sched_convert_report for_replay = {0};
    g_autoptr(sim_graph) graph = sched_convert(trace, options, &for_graph, &error_a);
    sim_program *replay = sched_replay_new(trace, options, &for_replay, &error_b);
    CHECK_STR(error_b != NULL ? error_b->message : "", error_a != NULL ? error_a->message : "",
              "%s", name);
    if (CHECK((graph != NULL) == (replay != NULL), "%s", name) && graph != NULL) {
        converted++;
        const sim_program *stored = sim_graph_program(graph);
        CHECK(sim_graph_of(replay) == NULL, "%s: it is stored", name);
        CHECK_I64(replay->num_ranks, stored->num_ranks);
        CHECK_I64(replay->any_source, stored->any_source);
        for (uint32_t r = 0; r < replay->num_ranks; r++) {
            CHECK_I64(replay->methods->num_ops(replay, r), stored->methods->num_ops(stored, r),
                      "%s, rank %u", name, r);
        }
        CHECK_I64(for_replay.p2p, for_graph.p2p);
        CHECK_I64(for_replay.compute, for_graph.compute);
        compare_runs(stored, replay, name);
    }
    sim_program_free(replay);
    sched_convert_report_clear(&for_graph);
    sched_convert_report_clear(&for_replay);
}

static void compare(const char *path, const sched_convert_options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = sched_trace_read(path, &error);
    if (CHECK(trace != NULL, "%s", error != NULL ? error->message : "")) {
        converted = 0;
        compare_trace(trace, options, path);
        CHECK_I64(converted, 1, "%s", path);
    }
}

static void equals_the_graph_on_the_bundled_traces(void)
{
    static const char *const names[] = {"halo-cg-16", "ocean-pcg-16", "ocean-chrongear-16"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *relative = g_build_filename("../../apps/proxies/traces", names[i], NULL);
        g_autofree char *path = test_data(relative);
        for (uint32_t copies = 1; copies <= 5; copies += 2) {
            const sched_convert_options options = {.copies = copies};
            compare(path, &options);
        }
    }
}

/* Every collective that @p algorithm can do, by it: "bcast=linear,reduce=linear,…". */
static char *all_by(coll_algorithm algorithm)
{
    GString *overrides = g_string_new(NULL);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (coll_algorithm_does(algorithm, (coll_kind)kind)) {
            g_string_append_printf(overrides, "%s%s=%s", overrides->len > 0 ? "," : "",
                                   coll_kind_name((coll_kind)kind), coll_algorithm_name(algorithm));
        }
    }
    return g_string_free(overrides, FALSE);
}

static const sim_call_cost COSTS[SIM_NUM_CALLS] = {
    [SIM_CALL_BARRIER] = {17 * SIM_NS, 0},
    [SIM_CALL_BCAST] = {5 * SIM_NS, SIM_RATE_PER_PS},
    [SIM_CALL_ALLREDUCE] = {333 * SIM_NS, SIM_RATE_PER_PS / 3},
    [SIM_CALL_ALLTOALL] = {2 * SIM_US, 0},
};

static void equals_the_graph_with_every_option(void)
{
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    const sched_convert_options rows[] = {
        {.copies = 2, .no_p2p = true},
        {.copies = 2, .no_collectives = true},
        {.copies = 3, .roots = SCHED_ROOT_PER_COPY, .reduce = SIM_RATE_PER_PS},
        {.copies = 2, .compute = SCHED_COMPUTE_WALL},
        {.copies = 2, .repeat = 3},
        {.copies = 3, .repeat = 2, .resample = true, .resample_seed = 5},
        {.copies = 2, .calls = COSTS},
        {.copies = 3, .calls = COSTS, .repeat = 2, .resample = true, .resample_seed = 5},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        compare(path, &rows[i]);
    }
    for (size_t i = 0; i < coll_algorithm_count(); i++) {
        g_autofree char *overrides = all_by(coll_algorithm_at(i));
        g_autoptr(coll_profile) profile = coll_profile_new("sc10", overrides, NULL);
        CHECK(profile != NULL, "%s", overrides);
        const sched_convert_options options = {
            .copies = 3, .profile = profile, .reduce = SIM_RATE_PER_PS};
        compare(path, &options);
    }
}

/* Nonblocking collectives, persistent requests, Waitany, sub-communicators, wildcards. */
static void equals_the_graph_on_a_program_of_everything(void)
{
    g_autofree char *path = test_data("otf2/everything-4");
    for (uint32_t copies = 1; copies <= 3; copies++) {
        const sched_convert_options options = {.copies = copies, .repeat = 4 - copies};
        compare(path, &options);
    }
}

static void equals_the_graph_on_recorded_applications(void)
{
    static const char *const names[] = {"amg.np8",      "cgpop.np8",   "comd.np8",
                                        "lulesh.np8",   "minife.np8",  "npb-ft.S.np8",
                                        "npb-mg.S.np8", "sweep3d.np16"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *relative = g_strdup_printf("traces/apps/%s.tar.xz", names[i]);
        g_autofree char *path = shared_data(relative);
        if (path == NULL) {
            SKIP_TEST("the recorded applications are not here");
        }
        const sched_convert_options options = {.copies = i % 3 + 1};
        compare(path, &options);
    }
}

/* Several nonblocking collectives under way at once, requests awaited late, early, never. */
static void equals_the_graph_on_random_programs(void)
{
    enum { PROGRAMS = SEEDS(300) };
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    static const char *const algorithms[] = {
        "", "allreduce=recursive-doubling,barrier=recursive-doubling,bcast=scatter-allgather",
        "allreduce=composite,barrier=linear,bcast=ring,allgather=ring,alltoall=pairwise"};
    converted = runs = runs_done = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 60));
        g_autoptr(coll_profile) profile =
            coll_profile_new("sc10", algorithms[i % (int)G_N_ELEMENTS(algorithms)], NULL);
        const sched_convert_options options = {.copies = (uint32_t)g_rand_int_range(rand, 1, 5),
                                               .repeat = (uint32_t)g_rand_int_range(rand, 0, 4),
                                               .roots = i % 2 == 0 ? SCHED_ROOT_GLOBAL
                                                                   : SCHED_ROOT_PER_COPY,
                                               .reduce = i % 3 == 0 ? SIM_RATE_PER_PS : 0,
                                               .calls = i % 5 < 2 ? COSTS : NULL,
                                               .resample = i % 4 == 1,
                                               .resample_seed = (uint64_t)i,
                                               .profile = profile};
        g_autofree char *name = g_strdup_printf("random program %d", i);
        compare_trace(trace, &options, name);
    }
    CHECK(converted > PROGRAMS / 2, "only %u programs were converted", converted);
    CHECK(runs_done > runs / 2, "only %u of %u runs came to an end", runs_done, runs);
}

/* Rank 0 posts @p n sends to rank 1, which posts as many receives; later on both wait for all at
 * once or for one after the other, the last first, but never for the very first. */
static sched_trace *posts_new(GRand *rand, uint32_t n, bool barrier, bool one_by_one)
{
    sim_time now[2] = {0};
    GArray *pending[2];
    trace_random t = {.rand = rand,
                      .trace = sched_trace_new("posts", "posts", 2),
                      .now = now,
                      .pending = pending};
    for (uint32_t rank = 0; rank < 2; rank++) {
        pending[rank] = g_array_new(FALSE, FALSE, sizeof(uint64_t));
        t.trace->ranks[rank].file = g_strdup_printf("rank-%u", rank);
        (void)trace_random_call(&t, rank, SCHED_CALL_INIT, "MPI_Init");
        for (uint32_t i = 0; i < n; i++) {
            sched_call *post =
                trace_random_call(&t, rank, rank == 0 ? SCHED_CALL_ISEND : SCHED_CALL_IRECV,
                                  rank == 0 ? "MPI_Isend" : "MPI_Irecv");
            post->peer = post->matched_peer = 1 - rank;
            post->tag = post->matched_tag = i;
            post->bytes = post->room = INT64_C(300) * (i % 7);
            trace_random_post(&t, rank, post);
        }
        if (barrier) {
            sched_call *call = trace_random_call(&t, rank, SCHED_CALL_COLLECTIVE, "MPI_Barrier");
            call->collective = COLL_BARRIER;
        }
        while (pending[rank]->len > 1) {
            sched_call *call = trace_random_call(&t, rank, SCHED_CALL_COMPLETE, "MPI_Waitall");
            call->list = t.trace->ranks[rank].num_requests;
            do {
                (void)sched_rank_add_request(
                    &t.trace->ranks[rank],
                    g_array_index(pending[rank], uint64_t, pending[rank]->len - 1));
                g_array_set_size(pending[rank], pending[rank]->len - 1);
                call->num_list++;
            } while (!one_by_one && pending[rank]->len > 1);
        }
        (void)trace_random_call(&t, rank, SCHED_CALL_FINALIZE, "MPI_Finalize");
        g_array_unref(pending[rank]);
    }
    return t.trace;
}

/* Many at a time, for long, over a collective: requests that are near, far, and both in one. */
static void equals_the_graph_where_requests_are_open_long(void)
{
    static const uint32_t posts[] = {2, 5, 100, 128, 150, 260, 600};
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (size_t i = 0; i < 4 * G_N_ELEMENTS(posts); i++) {
        const bool barrier = i % 2 == 1;
        const bool one_by_one = i / 2 % 2 == 1;
        g_autoptr(sched_trace) trace = posts_new(rand, posts[i / 4], barrier, one_by_one);
        const sched_convert_options options = {.copies = 2, .repeat = 3};
        g_autofree char *name =
            g_strdup_printf("%u posts%s%s", posts[i / 4], barrier ? ", a barrier" : "",
                            one_by_one ? ", one by one" : "");
        converted = runs = runs_done = 0;
        compare_trace(trace, &options, name);
        CHECK_I64(converted, 1, "%s", name);
        CHECK_I64(runs_done, runs, "%s", name);
    }
}

/* Different threads ask about different ranks, also of several nonblocking collectives at once. */
static void is_the_same_on_any_number_of_threads(void)
{
    static const struct {
        const char *path;
        uint32_t copies;
        bool resample;
    } rows[] = {{"../../apps/proxies/traces/halo-cg-16", 64, false},
                {"../../apps/proxies/traces/halo-cg-16", 64, true},
                {"otf2/everything-4", 64, false}};
    static const sim_noise noise = {.finish = noisy_finish};
    const sim_params params = {
        .L = 9900 * SIM_NS, .o = 1750 * SIM_NS, .g = 3400 * SIM_NS, .S = 1000};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = test_data(rows[i].path);
        g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
        sched_convert_report report = {0};
        const sched_convert_options options = {.copies = rows[i].copies,
                                               .resample = rows[i].resample};
        sim_program *replay = sched_replay_new(trace, &options, &report, NULL);
        g_autoptr(sim_result) alone = NULL;
        for (unsigned threads = 1; threads <= 4; threads++) {
            const sim_run_options run_options = {
                .noise = &noise, .threads = threads, .serial_below = 1};
            g_autoptr(sim_result) result = sim_run(replay, &params, &run_options, NULL);
            if (alone == NULL) {
                alone = g_steal_pointer(&result);
            } else if (CHECK(result != NULL, "%s, %u threads", rows[i].path, threads)) {
                CHECK_I64(memcmp(result->finish, alone->finish,
                                 result->num_ranks * sizeof *result->finish),
                          0, "%s, %u threads", rows[i].path, threads);
            }
        }
        CHECK(alone != NULL, "%s", rows[i].path);
        sim_program_free(replay);
        sched_convert_report_clear(&report);
    }
}

/* What a million ranks are to take; docs/conversion.md. */
static void a_rank_takes_a_few_lines_of_memory(void)
{
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
    sched_convert_report report = {0};
    for (int resample = 0; resample < 2; resample++) {
        const sched_convert_options options = {.copies = 1024, .resample = resample > 0};
        sim_program *replay = sched_replay_new(trace, &options, &report, NULL);
        CHECK(sched_replay_rank_bytes(replay) <= 128, "%zu", sched_replay_rank_bytes(replay));
        sim_program_free(replay);
    }
    sched_convert_report_clear(&report);
}

SUITE_MAIN("replay", TEST(equals_the_graph_on_the_bundled_traces),
           TEST(equals_the_graph_with_every_option),
           TEST(equals_the_graph_on_a_program_of_everything),
           TEST(equals_the_graph_on_random_programs),
           TEST(equals_the_graph_where_requests_are_open_long),
           TEST(is_the_same_on_any_number_of_threads), TEST(a_rank_takes_a_few_lines_of_memory),
           TEST(equals_the_graph_on_recorded_applications))
