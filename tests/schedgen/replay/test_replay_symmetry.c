/* tests/schedgen/replay/test_replay_symmetry.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorded ranks stand for their copies where these do the same: against the run of all. */
#include "check.h"
#include "data.h"
#include "few_trial.h"
#include "sched/replay.h"
#include "seeds.h"
#include "sim/symmetry.h"
#include "trace_random.h"

/* Every 50 us all ranks are away for 7 us. */
static sim_time common_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    (void)rank;
    const sim_time period = 50 * SIM_US;
    const sim_time away = 7 * SIM_US;
    const sim_time at = start % period;
    const sim_time begin = at < away && work > 0 ? start - at + away : start;
    const sim_time left = period - begin % period;
    if (work <= left) {
        return begin + work;
    }
    const sim_time rest = work - left;
    const sim_time usable = period - away;
    const sim_time whole = (rest - 1) / usable;
    return begin + left + whole * period + away + (rest - whole * usable);
}

/* @return in how many settings the recorded ranks stood for all */
static unsigned compare(const sim_program *program, const char *name)
{
    static const sim_noise noise = {.finish = common_finish, .same = true};
    const sim_params xt4 = {.L = 9900 * SIM_NS,
                            .o = 1750 * SIM_NS,
                            .g = 3400 * SIM_NS,
                            .G = 580 * SIM_RATE_PER_PS / 1000};
    unsigned taken = 0;
    for (int i = 0; i < 16; i++) {
        sim_params params = xt4;
        params.progress = i & 1 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING;
        params.rendezvous = i & 2 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE;
        params.S = i & 4 ? 1000 : 65535;
        const sim_run_options options = {.noise = i & 8 ? &noise : NULL, .explain = (i & 8) == 0};
        g_autofree char *where = g_strdup_printf("%s, setting %d", name, i);
        /* Blocking sends above S may wait for each other: then with the same words. */
        taken += few_trial_compare(program, &params, &options, where).ranks > 0;
    }
    return taken;
}

static unsigned compare_trace(const sched_trace *trace, const sched_convert_options *options,
                              const char *name)
{
    g_autoptr(GError) error = NULL;
    sched_convert_report report = {0};
    sim_program *program = sched_replay_new(trace, options, &report, &error);
    const unsigned taken = program != NULL ? compare(program, name) : 0;
    sim_program_free(program);
    sched_convert_report_clear(&report);
    return taken;
}

/* All of them begin with a broadcast. */
static void a_root_for_all_copies_breaks_it(void)
{
    static const char *const names[] = {"halo-cg-16", "ocean-pcg-16", "ocean-chrongear-16"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *relative = g_build_filename("../../apps/proxies/traces", names[i], NULL);
        g_autofree char *path = test_data(relative);
        g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
        sched_convert_options options = {.copies = 2};
        CHECK_I64(compare_trace(trace, &options, names[i]), 0, "%s", names[i]);
        options.roots = SCHED_ROOT_PER_COPY;
        CHECK(compare_trace(trace, &options, names[i]) >= 4, "%s", names[i]);
        options.resample = true; /* each copy computes something else */
        CHECK_I64(compare_trace(trace, &options, names[i]), 0, "%s", names[i]);
        options.resample = false;
        options.copies = 1; /* there are no copies */
        CHECK_I64(compare_trace(trace, &options, names[i]), 0, "%s", names[i]);
    }
}

/* By an exclusive-or ranks keep to their classes where there are 2^k of them, else not. */
static void any_collective_that_does_the_same_keeps_it(void)
{
    static const struct {
        const char *profile;
        uint32_t copies;
        bool holds;
    } row[] = {
        {"allreduce=ring", 3, false}, /* 8 bytes in 48 parts */
        {"allreduce=dissemination", 3, true},
        {"allreduce=recursive-doubling,barrier=recursive-doubling", 4, true},
        {"allreduce=recursive-doubling,barrier=recursive-doubling", 3, false},
        {"allreduce=linear", 4, false},
    };
    g_autofree char *path = test_data("../../apps/proxies/traces/halo-cg-16");
    g_autoptr(sched_trace) trace = sched_trace_read(path, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(coll_profile) profile = coll_profile_new("sc10", row[i].profile, NULL);
        const sched_convert_options options = {
            .copies = row[i].copies, .roots = SCHED_ROOT_PER_COPY, .profile = profile};
        const unsigned taken = compare_trace(trace, &options, row[i].profile);
        CHECK((taken > 0) == row[i].holds, "%s, %u copies: in %u settings", row[i].profile,
              row[i].copies, taken);
    }
}

static void random_programs_are_those_of_all_ranks(void)
{
    enum { PROGRAMS = SEEDS(60) };
    static const char *const algorithms[] = {
        "", "allreduce=recursive-doubling,barrier=recursive-doubling",
        "allreduce=dissemination,allgather=bruck,alltoall=bruck"};
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261123);
    unsigned taken = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 1, 40));
        g_autoptr(coll_profile) profile =
            coll_profile_new("sc10", algorithms[i % (int)G_N_ELEMENTS(algorithms)], NULL);
        const sched_convert_options options = {.copies = (uint32_t)g_rand_int_range(rand, 2, 6),
                                               .repeat = (uint32_t)g_rand_int_range(rand, 0, 4),
                                               .roots = i % 5 == 0 ? SCHED_ROOT_GLOBAL
                                                                   : SCHED_ROOT_PER_COPY,
                                               .wildcards = SCHED_WILDCARD_RECORDED,
                                               .profile = profile};
        g_autofree char *name = g_strdup_printf("random program %d", i);
        taken += compare_trace(trace, &options, name);
    }
    CHECK(taken >= PROGRAMS / 2, "taken in %u settings of %d programs", taken, PROGRAMS);
}

/* Every receive takes what comes, of one of two tags; ranks compute equally long, so that much
 * comes at one instant. */
static void receive_from_anyone(sched_trace *trace)
{
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        const sched_rank *rank = &trace->ranks[r];
        for (size_t i = 0; i < rank->num_calls; i++) {
            sched_call *call = &rank->calls[i];
            call->enter = (sim_time)i * 5 * SIM_US;
            call->leave = call->enter + SIM_US;
            call->tag %= 2;
            if (call->kind == SCHED_CALL_RECV || call->kind == SCHED_CALL_IRECV) {
                call->peer = SCHED_ANY;
                call->room = 5000;
            }
        }
    }
}

static void receives_from_anyone_take_the_same_in_each_copy(void)
{
    enum { PROGRAMS = SEEDS(60) };
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261124);
    unsigned taken = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        g_autoptr(sched_trace) trace =
            trace_random_new(rand, (uint32_t)g_rand_int_range(rand, 10, 60));
        receive_from_anyone(trace);
        const sched_convert_options options = {.copies = (uint32_t)g_rand_int_range(rand, 2, 6),
                                               .roots = SCHED_ROOT_PER_COPY,
                                               .wildcards = SCHED_WILDCARD_KEEP};
        g_autofree char *name = g_strdup_printf("random program %d", i);
        taken += compare_trace(trace, &options, name);
    }
    CHECK(taken >= PROGRAMS / 2, "taken in %u settings of %d programs", taken, PROGRAMS);
}

SUITE_MAIN("replay_symmetry", TEST(a_root_for_all_copies_breaks_it),
           TEST(any_collective_that_does_the_same_keeps_it),
           TEST(random_programs_are_those_of_all_ranks),
           TEST(receives_from_anyone_take_the_same_in_each_copy))
