/* tests/collectives/test_coll_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives on the engine: the implicit program and the same steps written down as a graph
 * finish alike on every rank, and none of them gets stuck, whatever the machine does.
 */
#include "calls.h"
#include "check.h"
#include "coll/program.h"
#include "sim/graph.h"
#include "sim/run.h"

/* The happens-before graph of the steps by the rule of coll/step.h, @p repeat times over. */
static sim_graph *written_down(const calls_spec *spec, uint32_t repeat)
{
    GArray **steps = calls_steps(spec);
    sim_graph_builder *builder = sim_graph_builder_new(spec->size);
    for (uint32_t rank = 0; rank < spec->size; rank++) {
        sim_graph_builder_begin_rank(builder, rank);
        uint32_t stage = 0;  /* first operation of the current stage */
        uint32_t before = 0; /* of the one before */
        uint32_t n = 0;
        for (uint32_t i = 0; i < repeat * steps[rank]->len; i++) {
            const coll_step *step =
                &g_array_index(steps[rank], calls_step, i % steps[rank]->len).step;
            const sim_op op = {.size = step->size,
                               .peer = step->peer,
                               .tag = step->type == SIM_OP_CALC ? 0 : i / steps[rank]->len,
                               .type = step->type};
            sim_graph_builder_add(builder, &op);
            if (step->with_previous) {
                sim_graph_builder_irequire(builder, n, n - 1);
            } else {
                before = stage;
                stage = n;
                for (uint32_t j = before; j < stage; j++) {
                    sim_graph_builder_require(builder, n, j);
                }
            }
            n++;
        }
    }
    calls_steps_free(steps, spec->size);
    GError *error = NULL;
    sim_graph *graph = sim_graph_builder_finish(builder, &error);
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    g_clear_error(&error);
    return graph;
}

/* Every rank is away for AWAY out of PERIOD, each at an offset of its own. */
#define PERIOD (9 * SIM_US)
#define AWAY   (2 * SIM_US)

static sim_time away_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    const sim_time offset = (sim_time)(rank * 2654435761U % 9000) * SIM_NS;
    if (work == 0) {
        return start;
    }
    sim_time t = start + offset;
    sim_time left = work;
    while (left > 0) {
        const sim_time phase = t % PERIOD;
        if (phase < AWAY) {
            t += AWAY - phase;
        } else {
            const sim_time slice = PERIOD - phase < left ? PERIOD - phase : left;
            t += slice;
            left -= slice;
        }
    }
    return t - offset;
}

static const sim_noise AWAY_NOISE = {.finish = away_finish};

/* All four readings of the model, everything eager or everything by rendezvous. */
static sim_params machine(uint32_t variant)
{
    return (sim_params){
        .L = 2500 * SIM_NS,
        .o = 1500 * SIM_NS,
        .g = 1000 * SIM_NS,
        .G = 6 * SIM_NS * SIM_RATE_PER_PS,
        .O = SIM_NS * SIM_RATE_PER_PS,
        .S = (variant & 4) != 0 ? 0 : INT64_MAX,
        .progress = (variant & 1) != 0 ? SIM_PROGRESS_ASYNC : SIM_PROGRESS_POLLING,
        .rendezvous = (variant & 2) != 0 ? SIM_RENDEZVOUS_INSTANT : SIM_RENDEZVOUS_HANDSHAKE,
    };
}

static void check_same(const calls_spec *spec, uint32_t repeat, const sim_noise *noise)
{
    g_autofree char *what = calls_describe(spec);
    g_autofree int64_t *counts = g_new0(int64_t, 2 * spec->period + 1);
    const coll_call call = calls_of(spec, spec->root, counts);
    g_autoptr(sim_graph) graph = written_down(spec, repeat);
    sim_program *program = coll_program_new(&call, spec->algorithm, repeat, NULL);
    for (uint32_t variant = 0; variant < 8; variant++) {
        const sim_params params = machine(variant);
        sim_run_options options = {.noise = noise, .serial_below = 1, .threads = 1};
        if (spec->seed % 3 == 1) { /* threads cost more than the rest */
            options.threads = variant == 5 ? 2 : variant == 6 ? 3 : 1;
        }
        g_autoptr(GError) error = NULL;
        g_autoptr(sim_result) implicit = sim_run(program, &params, &options, &error);
        options.threads = 1;
        g_autoptr(sim_result) explicit =
            implicit != NULL ? sim_run(sim_graph_program(graph), &params, &options, &error) : NULL;
        if (!CHECK(implicit != NULL && explicit != NULL, "%s variant %u: %s", what, variant,
                   error != NULL ? error->message : "")) {
            break;
        }
        CHECK_I64(implicit->num_ops, explicit->num_ops, "%s variant %u", what, variant);
        CHECK_I64(implicit->num_messages, explicit->num_messages, "%s variant %u", what, variant);
        for (uint32_t rank = 0; rank < spec->size; rank++) {
            CHECK_I64(implicit->finish[rank], explicit->finish[rank], "%s variant %u rank %u", what,
                      variant, rank);
        }
    }
    sim_program_free(program);
}

static void check_all(const uint32_t *sizes, size_t num_sizes, int64_t bytes, uint32_t repeat,
                      const sim_noise *noise)
{
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (size_t a = 0; a < coll_algorithm_count(); a++) {
            const coll_algorithm algorithm = coll_algorithm_at(a);
            if (!coll_algorithm_does(algorithm, (coll_kind)kind)) {
                continue;
            }
            const bool has_pairs = coll_kind_has_pairs((coll_kind)kind);
            for (size_t i = 0; i < num_sizes; i++) {
                const calls_spec spec = {
                    .kind = (coll_kind)kind,
                    .algorithm = algorithm,
                    .size = sizes[i],
                    .root = coll_kind_is_rooted((coll_kind)kind) ? sizes[i] / 2 : 0,
                    .bytes = bytes,
                    .period = coll_kind_has_counts((coll_kind)kind) && !has_pairs ? 3 : 0,
                    .seed = i,
                    .reduce = SIM_RATE_PER_PS * 200,
                };
                check_same(&spec, repeat, noise);
            }
        }
    }
}

static void implicit_and_explicit_agree_without_noise(void)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17};
    check_all(sizes, G_N_ELEMENTS(sizes), 100, 1, NULL);
}

static void implicit_and_explicit_agree_under_noise(void)
{
    static const uint32_t sizes[] = {3, 8, 10};
    check_all(sizes, G_N_ELEMENTS(sizes), 1000, 3, &AWAY_NOISE);
}

static void no_algorithm_gets_stuck_on_33_ranks(void)
{
    static const uint32_t sizes[] = {32, 33};
    check_all(sizes, G_N_ELEMENTS(sizes), 1, 1, &AWAY_NOISE);
}

static void empty_messages_travel(void)
{
    static const uint32_t sizes[] = {5, 8};
    check_all(sizes, G_N_ELEMENTS(sizes), 0, 2, NULL);
}

SUITE_MAIN("coll_run", TEST(implicit_and_explicit_agree_without_noise),
           TEST(implicit_and_explicit_agree_under_noise), TEST(no_algorithm_gets_stuck_on_33_ranks),
           TEST(empty_messages_travel))
