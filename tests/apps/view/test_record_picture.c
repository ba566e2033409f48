/* tests/apps/view/test_record_picture.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a run against the picture that was drawn while it ran. */
#include "check.h"
#include "sim/run_record.h"
#include "view/record_picture.h"
#include "viewed_run.h"

static const step_program PROGRAM = {STEP_HALO, true, 12, 40, 1, 1024, 100 * SIM_US};
#define NOISE "fixed:1ms:60us+fixed:370us:9us"

static sim_run_record *record_of(const sim_program *program, const sim_noise *noise)
{
    const sim_params params = step_params();
    sim_run_record *record = sim_run_record_spill(NULL);
    const sim_run_options options = {.noise = noise, .record = record};
    g_autoptr(sim_result) result = sim_run(program, &params, &options, NULL);
    CHECK(result != NULL, "it runs");
    return record;
}

/* As viewed_run() has it, with the same seed. */
static sim_run_record *noisy_record(void)
{
    g_autoptr(sim_graph) graph = step_program_new(&PROGRAM);
    g_autoptr(noise_signature) signature = noise_signature_parse(NOISE, 1, NULL);
    const noise_injection_options injection = {.seed = 1};
    noise_injection *noise = noise_injection_new(signature, PROGRAM.num_ranks, &injection);
    sim_run_record *record = record_of(sim_graph_program(graph), noise_injection_hook(noise));
    noise_injection_free(noise);
    return record;
}

static void name_ranks(app_view_request *request)
{
    static const uint32_t RANKS[] = {7, 2};
    request->lanes = RANKS;
    request->num_lanes = 2;
}

/* Both kinds of waiting are one, all else is the same to the picosecond. */
static void sums_and_messages_are_those_of_the_run(void)
{
    static const uint32_t RANKS[] = {7, 2};
    g_autoptr(app_picture) run = viewed_run(NOISE, name_ranks);
    g_autoptr(sim_run_record) record = noisy_record();
    g_autoptr(app_picture) read = app_record_picture(record, RANKS, 2, 0, 0, NULL);
    CHECK(read != NULL && !app_picture_knows(read, APP_PICTURE_NOISE_WAIT) &&
              app_picture_knows(read, APP_PICTURE_DETOUR) && read->num_levels == 0,
          "what is known");
    CHECK_I64(read->makespan, run->makespan, "");
    CHECK_I64(read->time[APP_PICTURE_WAIT],
              run->time[APP_PICTURE_WAIT] + run->time[APP_PICTURE_NOISE_WAIT], "waiting");
    static const app_picture_kind SAME[] = {APP_PICTURE_COMPUTE, APP_PICTURE_SEND, APP_PICTURE_RECV,
                                            APP_PICTURE_DETOUR};
    for (size_t k = 0; k < G_N_ELEMENTS(SAME); k++) {
        CHECK_I64(read->time[SAME[k]], run->time[SAME[k]], "%s", app_picture_kind_name(SAME[k]));
    }
    CHECK(run->num_messages == 0 && read->num_messages == 0, "7 and 2 are not neighbours");
    CHECK_I64(read->num_path, run->num_path, "the path");
    CHECK_I64(read->path_part[APP_PICTURE_PATH_NOISE], run->path_part[APP_PICTURE_PATH_NOISE],
              "noise on it");
}

/* Slices lie side by side, and add up to what the rank did. */
static void lanes_are_whole(void)
{
    g_autoptr(sim_run_record) record = noisy_record();
    g_autoptr(app_picture) p = app_record_picture(record, NULL, 64, 0, 0, NULL);
    CHECK_I64(p->num_lanes, 12, "all of them");
    CHECK(p->num_messages > 100, "%zu messages", p->num_messages);
    for (size_t i = 0; i < p->num_lanes; i++) {
        const app_picture_lane *l = &p->lanes[i];
        sim_time time[APP_PICTURE_NUM_KINDS] = {0};
        sim_time at = 0;
        for (size_t k = 0; k < l->num_slices; k++) {
            const app_picture_slice *s = &p->slices[l->first_slice + k];
            CHECK_I64(s->begin, at, "rank %u slice %zu", l->rank, k);
            time[s->kind] += s->end - s->begin;
            at = s->end;
        }
        CHECK_I64(at, l->finish, "rank %u", l->rank);
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            CHECK_I64(time[k], l->time[k], "rank %u, %s", l->rank, app_picture_kind_name(k));
        }
        CHECK(i == 0 || l[-1].time[APP_PICTURE_DETOUR] >= l->time[APP_PICTURE_DETOUR],
              "the worst first");
    }
}

/* Two calcs at once: the second is on another CPU. */
static void work_at_the_same_time_is_on_a_further_cpu(void)
{
    sim_graph_builder *b = sim_graph_builder_new(1);
    sim_graph_builder_begin_rank(b, 0);
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 100});
    sim_graph_builder_add(b, &(sim_op){.type = SIM_OP_CALC, .size = 40, .cpu = 1});
    g_autoptr(sim_graph) graph = sim_graph_builder_finish(b, NULL);
    g_autoptr(sim_run_record) record = record_of(sim_graph_program(graph), NULL);
    g_autoptr(app_picture) p = app_record_picture(record, NULL, 1, 0, 0, NULL);
    CHECK(p->further == 1 && p->num_slices == 1, "%" PRIu64 " further", p->further);
    CHECK_I64(p->makespan, 100, "");
}

static void only_a_record_is_one(void)
{
    CHECK(!sim_run_record_is_one("/nonexistent") && !sim_run_record_is_one("/dev/null"), "");
}

SUITE_MAIN("record_picture", TEST(sums_and_messages_are_those_of_the_run), TEST(lanes_are_whole),
           TEST(work_at_the_same_time_is_on_a_further_cpu), TEST(only_a_record_is_one))
