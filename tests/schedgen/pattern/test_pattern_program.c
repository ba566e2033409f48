/* tests/schedgen/pattern/test_pattern_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A pattern that is computed runs as the same pattern stored, and as what else says the same. */
#include "check.h"
#include "coll/program.h"
#include "pattern/pattern_random.h"
#include "sched/check.h"
#include "sched/pattern.h"
#include "sim/run.h"

static const sim_params XT4 = {.L = 9900 * SIM_NS,
                               .o = 1750 * SIM_NS,
                               .g = 3400 * SIM_NS,
                               .G = 580 * SIM_RATE_PER_PS / 1000,
                               .S = 65535};

/* Some ranks are slower than others, from time to time. */
static sim_time uneven_finish(const sim_noise *noise, uint32_t rank, sim_time start, sim_time work)
{
    (void)noise;
    const sim_time slow = (sim_time)(rank % 5 + (uint64_t)start / (30 * SIM_US) % 4);
    return start + work + work / 16 * slow;
}
static const sim_noise UNEVEN = {.finish = uneven_finish};

static sim_program *program_of(const sched_pattern *pattern, const sched_pattern_options *options)
{
    g_autoptr(GError) error = NULL;
    sim_program *program = sched_pattern_program_new(pattern, options, &error);
    CHECK(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static sim_graph *graph_of(const sched_pattern *pattern, const sched_pattern_options *options)
{
    g_autoptr(GError) error = NULL;
    sched_rank_source *source = sched_pattern_source_new(pattern, options, &error);
    sim_graph *graph = source != NULL ? sched_rank_source_build(source, &error) : NULL;
    CHECK(graph != NULL, "%s", error != NULL ? error->message : "");
    sched_pattern_source_free(source);
    return graph;
}

/* Every rank finishes at the same time in both, on the same critical path. */
static void check_same_run(const sim_program *a, const sim_program *b, const sim_params *params,
                           const sim_noise *noise, const char *what)
{
    const sim_run_options options = {.noise = noise, .explain = true};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_result) x = sim_run(a, params, &options, &error);
    g_autoptr(sim_result) y = x != NULL ? sim_run(b, params, &options, &error) : NULL;
    if (!CHECK(y != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        return;
    }
    CHECK_I64(x->makespan, y->makespan, "%s", what);
    CHECK_I64(x->num_ops, y->num_ops, "%s", what);
    CHECK_I64(x->num_messages, y->num_messages, "%s", what);
    CHECK(memcmp(x->finish, y->finish, sizeof *x->finish * x->num_ranks) == 0, "%s", what);
    CHECK(memcmp(&x->breakdown, &y->breakdown, sizeof x->breakdown) == 0, "%s", what);
    if (CHECK_I64(x->path_len, y->path_len, "%s", what)) {
        for (size_t i = 0; i < x->path_len; i++) {
            CHECK(x->path[i].rank == y->path[i].rank && x->path[i].op == y->path[i].op &&
                      x->path[i].start == y->path[i].start,
                  "%s: stretch %zu", what, i);
        }
    }
}

static void check_counts(const sim_program *program, const sim_graph *graph, const char *what)
{
    void *cursor = program->methods->begin(program);
    for (uint32_t rank = 0; rank < program->num_ranks; rank++) {
        const uint64_t n = program->methods->num_ops(program, rank);
        CHECK_I64(n, sim_graph_num_ops(graph, rank), "%s, rank %u", what, rank);
        CHECK_I64(program->methods->remaining(cursor, rank), n, "%s, rank %u", what, rank);
    }
    program->methods->end(cursor);
}

static void equals_the_stored_pattern(void)
{
    sim_params meets = XT4; /* all messages above 200 bytes wait for their receives */
    meets.S = 200;
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    g_autoptr(coll_profile) profile =
        coll_profile_new("sc10", "allreduce=recursive-doubling,scan=linear", NULL);
    for (int i = 0; i < 200; i++) {
        g_autofree char *text = pattern_random_text(rand);
        const sched_pattern_options options = {.ranks = (uint32_t)g_rand_int_range(rand, 1, 40),
                                               .repeat = (uint32_t)g_rand_int_range(rand, 1, 4),
                                               .profile = i % 2 == 0 ? profile : NULL,
                                               .reduce = i % 3 == 0 ? SIM_RATE_PER_PS : 0};
        g_autofree char *what =
            g_strdup_printf("%s on %u ranks, %u times", text, options.ranks, options.repeat);
        g_autoptr(sched_pattern) pattern = sched_pattern_new(text, NULL);
        sim_program *program = program_of(pattern, &options);
        g_autoptr(sim_graph) graph = graph_of(pattern, &options);
        if (program != NULL && graph != NULL) {
            check_counts(program, graph, what);
            check_same_run(program, sim_graph_program(graph), i % 2 == 0 ? &XT4 : &meets,
                           i % 4 < 2 ? &UNEVEN : NULL, what);
        }
        sim_program_free(program);
    }
}

static void a_collective_alone_is_that_collective(void)
{
    for (int k = 0; k < COLL_NUM_KINDS; k++) {
        int64_t bytes = 24;
        const coll_call call = {.kind = (coll_kind)k,
                                .size = 23,
                                .bytes = bytes,
                                .send_counts = &bytes,
                                .recv_counts = &bytes,
                                .num_counts = 1,
                                .reduce = SIM_RATE_PER_PS};
        g_autofree char *text =
            g_strdup_printf("%s%s", coll_kind_name((coll_kind)k), k == COLL_BARRIER ? "" : ":24");
        g_autoptr(sched_pattern) pattern = sched_pattern_new(text, NULL);
        g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
        const sched_pattern_options options = {.ranks = 23, .repeat = 3, .reduce = SIM_RATE_PER_PS};
        sim_program *program = program_of(pattern, &options);
        sim_program *wanted = coll_program_new(&call, coll_profile_select(profile, &call), 3, NULL);
        if (CHECK(wanted != NULL, "%s", text) && program != NULL) {
            check_same_run(program, wanted, &XT4, &UNEVEN, text);
        }
        sim_program_free(program);
        sim_program_free(wanted);
    }
}

static void is_the_same_on_any_number_of_threads(void)
{
    const sched_pattern_options options = {.ranks = 600, .repeat = 2};
    g_autoptr(sched_pattern) pattern = sched_pattern_new(
        "(stencil3d:2KiB,calc=20us~30%,random:64)*3,(wavefront:8,calc=2us)*2,allreduce", NULL);
    sim_program *program = program_of(pattern, &options);
    for (int noisy = 0; program != NULL && noisy < 2; noisy++) {
        sim_result *result[2] = {NULL, NULL};
        sim_time end[2][4] = {{0}, {0}};
        for (unsigned i = 0; i < 2; i++) {
            const sim_slices slices = {.n = program->num_slices, .end = end[i]};
            const sim_run_options run = {.noise = noisy ? &UNEVEN : NULL,
                                         .slices = &slices,
                                         .threads = 1 + 3 * i,
                                         .serial_below = 1};
            CHECK_I64(slices.n, 4);
            result[i] = sim_run(program, &XT4, &run, NULL);
        }
        if (CHECK(result[0] != NULL && result[1] != NULL)) {
            CHECK(memcmp(result[0]->finish, result[1]->finish, sizeof(sim_time) * options.ranks) ==
                  0);
            CHECK(memcmp(end[0], end[1], sizeof end[0]) == 0);
        }
        sim_result_free(result[0]);
        sim_result_free(result[1]);
    }
    sim_program_free(program);
}

/* The oracle: when the last operation of each half of a pass ends. */
typedef struct halves {
    sim_sink sink; /* first: the sink is the halves */
    uint32_t half; /* operations in the first half of a pass of any rank */
    uint32_t all;
    sim_time end[8];
} halves;

static void take_events(sim_sink *sink, const sim_event *events, size_t n)
{
    halves *h = (halves *)(void *)sink;
    for (size_t i = 0; i < n; i++) {
        const uint32_t second = events[i].op % h->all >= h->half ? 1 : 0;
        sim_time *end = &h->end[2 * (events[i].op / h->all) + second];
        *end = MAX(*end, events[i].end);
    }
}

static void slices_end_with_the_last_operation_of_a_half(void)
{
    const sched_pattern_options options = {.ranks = 12, .repeat = 4};
    /* two items of four; on all ranks five operations of nine */
    g_autoptr(sched_pattern) pattern =
        sched_pattern_new("stencil1d,calc=50us~50%,ring:100,random", NULL);
    sim_program *program = program_of(pattern, &options);
    if (program == NULL) {
        return;
    }
    halves wanted = {.sink.events = take_events, .half = 5, .all = 9};
    sim_time end[8] = {0};
    const sim_slices slices = {.n = program->num_slices, .end = end};
    const sim_run_options run = {.noise = &UNEVEN, .slices = &slices, .sink = &wanted.sink};
    g_autoptr(sim_result) result = sim_run(program, &XT4, &run, NULL);
    CHECK_I64(program->num_slices, 8);
    CHECK(result != NULL);
    for (size_t i = 0; i < 8; i++) {
        CHECK_I64(end[i], wanted.end[i], "slice %zu", i);
    }
    sim_program_free(program);
}

/* One item, and items in which a rank has nothing to do: slices still are in order. */
static void slices_of_short_patterns_end_in_order(void)
{
    static const char *const texts[] = {"ring", "bcast", "wavefront", "bcast,wavefront,bcast"};
    for (size_t t = 0; t < G_N_ELEMENTS(texts); t++) {
        for (uint32_t ranks = 1; ranks <= 7; ranks += 3) {
            const sched_pattern_options options = {.ranks = ranks, .repeat = 3};
            g_autoptr(sched_pattern) pattern = sched_pattern_new(texts[t], NULL);
            sim_program *program = program_of(pattern, &options);
            sim_time end[6] = {0};
            const sim_slices slices = {.n = 6, .end = end};
            const sim_run_options run = {.slices = &slices};
            g_autoptr(sim_result) result = sim_run(program, &XT4, &run, NULL);
            CHECK(result != NULL && end[5] == result->makespan, "%s", texts[t]);
            for (size_t i = 1; i < 6; i++) {
                CHECK(end[i] >= end[i - 1], "%s on %u, slice %zu", texts[t], ranks, i);
            }
            sim_program_free(program);
        }
    }
}

static void operations_are_named_after_their_items(void)
{
    static const struct {
        uint32_t rank;
        uint32_t index;
        const char *name;
    } row[] = {{0, 0, "ring.0.0"},         {0, 1, "ring.0.1"},     {0, 2, "bcast:linear.1.0"},
               {0, 3, "calc=1us.2.0"},     {0, 4, "ring.3.0"},     {0, 8, "ring.6.0"},
               {2, 2, "bcast:linear.1.0"}, {2, 3, "calc=1us.2.0"}, {0, 11, "calc=1us.8.0"}};
    const sched_pattern_options options = {.ranks = 2, .repeat = 3};
    const sched_pattern_options of_three = {.ranks = 3, .repeat = 1};
    g_autoptr(sched_pattern) pattern = sched_pattern_new("ring,bcast:linear,calc=1us", NULL);
    sim_program *program = program_of(pattern, &options);
    sim_program *three = program_of(pattern, &of_three);
    for (size_t i = 0; program != NULL && i < G_N_ELEMENTS(row); i++) {
        const sim_program *p = row[i].rank == 2 ? three : program;
        g_autofree char *label = p->methods->label(p, row[i].rank, row[i].index);
        CHECK_STR(label, row[i].name, "rank %u, operation %u", row[i].rank, row[i].index);
    }
    sim_program_free(program);
    sim_program_free(three);
}

static void what_cannot_be_had_at_a_size_is_refused(void)
{
    static const struct {
        const char *text;
        uint32_t ranks;
        uint32_t repeat;
        const char *why;
    } row[] = {
        {"alltoall:nothing", 4, 1, NULL},
        {"scan:ring", 6, 1, "known for it"},
        {"ring,(calc=1us)*4000000000", 4, 2, "more than can be numbered"},
        {"(stencil3d)*400000000", 8, 1, "more than can be numbered"},
        {"(bcast)*100", 1u << 20, 4000000, "more than can be numbered"},
        {"ring*4294967294", 1, 1, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(sched_pattern) pattern = sched_pattern_new(row[i].text, NULL);
        const sched_pattern_options options = {.ranks = row[i].ranks, .repeat = row[i].repeat};
        if (pattern == NULL || row[i].why == NULL) {
            CHECK((pattern == NULL) == (i == 0), "%s", row[i].text);
            continue;
        }
        CHECK(!sched_pattern_check(pattern, &options, &error), "%s", row[i].text);
        CHECK_ERROR(error, row[i].why);
        CHECK(sched_pattern_program_new(pattern, &options, NULL) == NULL, "%s", row[i].text);
        CHECK(sched_pattern_source_new(pattern, &options, NULL) == NULL, "%s", row[i].text);
    }
}

SUITE_MAIN("pattern_program", TEST(equals_the_stored_pattern),
           TEST(a_collective_alone_is_that_collective), TEST(is_the_same_on_any_number_of_threads),
           TEST(slices_end_with_the_last_operation_of_a_half),
           TEST(slices_of_short_patterns_end_in_order),
           TEST(operations_are_named_after_their_items),
           TEST(what_cannot_be_had_at_a_size_is_refused))
