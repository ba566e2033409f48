/* tests/collectives/test_coll_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The implicit program hands out the steps of the walk, when the chain rule of coll/step.h says
 * so, whatever the order in which it is told of starts and finishes.
 */
#include "calls.h"
#include "check.h"
#include "coll/program.h"

/* One operation as the rule wants it, and what has become of it. */
typedef struct expected_op {
    coll_step step;
    uint32_t repetition;
    uint32_t stage;
    sim_time start;  /* -1: not yet */
    sim_time finish; /* -1: not yet */
} expected_op;

/* The steps of @p rank in all repetitions, with their stages. */
static GArray *expected_ops(const calls_spec *spec, uint32_t rank, uint32_t repeat)
{
    GArray *ops = g_array_new(FALSE, FALSE, sizeof(expected_op));
    g_autofree int64_t *counts = g_new0(int64_t, 2 * spec->period + 1);
    const coll_call call = calls_of(spec, rank, counts);
    coll_course course;
    coll_course_init(&course, &call, spec->algorithm);
    uint32_t stage = 0;
    for (uint32_t i = 0; i < repeat; i++) {
        coll_walk walk = {0};
        expected_op op = {.repetition = i, .start = -1, .finish = -1};
        while (coll_walk_next(&course, rank, &walk, &op.step)) {
            stage += op.step.with_previous ? 0 : 1;
            op.stage = stage;
            g_array_append_val(ops, op);
        }
    }
    return ops;
}

/* The instant at which operation @p i must have become ready, by the rule; -1: not yet. */
static sim_time ready_time(const GArray *ops, uint32_t i)
{
    const expected_op *op = &g_array_index(ops, expected_op, i);
    if (op->step.with_previous) {
        return (op - 1)->start;
    }
    sim_time latest = 0;
    for (uint32_t j = 0; j < i; j++) {
        const expected_op *other = &g_array_index(ops, expected_op, j);
        if (other->stage + 1 == op->stage && (latest < 0 || other->finish < 0)) {
            latest = -1;
        } else if (other->stage + 1 == op->stage && other->finish > latest) {
            latest = other->finish;
        }
    }
    return latest;
}

static void check_ready(const GArray *ops, uint32_t i, const sim_ready *ready, const char *what)
{
    const expected_op *op = &g_array_index(ops, expected_op, i);
    CHECK_I64(ready->index, i, "%s", what);
    CHECK_I64(ready->op.type, op->step.type, "%s op %u", what, i);
    CHECK_I64(ready->op.size, op->step.size, "%s op %u", what, i);
    CHECK_I64(ready->op.peer, op->step.peer, "%s op %u", what, i);
    CHECK_I64(ready->op.tag, op->step.type == SIM_OP_CALC ? 0 : op->repetition, "%s op %u", what,
              i);
    CHECK_I64(ready->time, ready_time(ops, i), "%s op %u", what, i);
    const bool exchange =
        i + 1 < ops->len && g_array_index(ops, expected_op, i + 1).step.with_previous;
    CHECK_I64(ready->quiet, !exchange, "%s op %u", what, i);
    if (i == 0) {
        CHECK_I64(ready->cause, SIM_ANY, "%s", what);
        return;
    }
    if (!CHECK(ready->cause < i, "%s op %u", what, i)) {
        return;
    }
    CHECK_I64(ready->at_start, op->step.with_previous, "%s op %u", what, i);
    const expected_op *cause = &g_array_index(ops, expected_op, ready->cause);
    CHECK_I64(op->step.with_previous ? cause->start : cause->finish, ready->time, "%s op %u", what,
              i);
    for (uint32_t j = ready->cause + 1; j < i && !op->step.with_previous; j++) {
        CHECK(g_array_index(ops, expected_op, j).finish < ready->time,
              "%s op %u: of several causes, the last operation", what, i);
    }
}

/* Operations under way, told of in a random order. */
typedef struct driver {
    const sim_program *program;
    void *cursor;
    GRand *rand;
    GArray *ops;
    uint32_t rank;
    uint32_t num_ready; /* 0 .. num_ready-1 have become ready */
    const char *what;
} driver;

static void take(driver *d, const sim_ready *ready, size_t n)
{
    CHECK(n <= d->program->max_ready, "%s", d->what);
    for (size_t i = 0; i < n; i++) {
        if (CHECK(d->num_ready < d->ops->len, "%s: one too many", d->what)) {
            check_ready(d->ops, d->num_ready, &ready[i], d->what);
            d->num_ready++;
        }
    }
    CHECK_I64(d->program->methods->remaining(d->cursor, d->rank), d->ops->len - d->num_ready, "%s",
              d->what);
}

static void drive(driver *d)
{
    const sim_program_class *class = d->program->methods;
    sim_ready ready[4];
    uint32_t num_finished = 0;
    take(d, ready, class->first(d->cursor, d->rank, ready));
    while (num_finished < d->num_ready) {
        const uint32_t i =
            (uint32_t)g_rand_int_range(d->rand, (gint32)num_finished, (gint32)d->num_ready);
        expected_op *op = &g_array_index(d->ops, expected_op, i);
        if (op->start < 0) {
            /* Small numbers, so that finishes coincide at times. */
            op->start = ready_time(d->ops, i) + g_rand_int_range(d->rand, 0, 3);
            take(d, ready, class->started(d->cursor, d->rank, i, op->start, ready));
        } else if (op->finish < 0) {
            op->finish = op->start + g_rand_int_range(d->rand, 0, 3);
            take(d, ready, class->finished(d->cursor, d->rank, i, op->finish, ready));
        }
        while (num_finished < d->num_ready &&
               g_array_index(d->ops, expected_op, num_finished).finish >= 0) {
            num_finished++;
        }
    }
    CHECK_I64(d->num_ready, d->ops->len, "%s: all operations", d->what);
}

static void check_program(const calls_spec *spec, uint32_t repeat, GRand *rand)
{
    g_autofree int64_t *counts = g_new0(int64_t, 2 * spec->period + 1);
    g_autofree char *what = calls_describe(spec);
    g_autoptr(GError) error = NULL;
    const coll_call call = calls_of(spec, spec->root, counts);
    sim_program *program = coll_program_new(&call, spec->algorithm, repeat, &error);
    if (!CHECK(program != NULL, "%s: %s", what, error != NULL ? error->message : "")) {
        return;
    }
    memset(counts, 0x7f, sizeof *counts * 2 * spec->period); /* the program has its own */
    CHECK_I64(program->num_ranks, spec->size);
    void *cursor = program->methods->begin(program);
    for (uint32_t rank = 0; rank < spec->size; rank++) {
        g_autoptr(GArray) ops = expected_ops(spec, rank, repeat);
        CHECK_I64(program->methods->num_ops(program, rank), ops->len, "%s", what);
        driver d = {program, cursor, rand, ops, rank, 0, what};
        drive(&d);
    }
    program->methods->end(cursor);
    sim_program_free(program);
}

static void the_program_follows_the_chain_rule(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        for (size_t a = 0; a < calls_algorithm_count((coll_kind)kind); a++) {
            const coll_algorithm algorithm = calls_algorithm_at((coll_kind)kind, a);
            for (uint32_t size = 1; size <= 12; size++) {
                const bool has_pairs = coll_kind_has_pairs((coll_kind)kind);
                const calls_spec spec = {
                    .kind = (coll_kind)kind,
                    .algorithm = algorithm,
                    .size = size,
                    .root = coll_kind_is_rooted((coll_kind)kind) ? size / 2 : 0,
                    .bytes = 100,
                    .period = coll_kind_has_counts((coll_kind)kind) && !has_pairs ? 5 : 0,
                    .seed = size,
                    .reduce = size % 2 * SIM_RATE_PER_PS,
                };
                check_program(&spec, 1 + size % 3, rand);
            }
        }
    }
}

/* alltoallv: what everyone sends to i is what i receives from everyone. */
static void counts_of_an_alltoallv_hold_for_all_ranks(void)
{
    int64_t counts[] = {5, 0, 7};
    const coll_call call = {.kind = COLL_ALLTOALLV,
                            .size = 4,
                            .send_counts = counts,
                            .num_counts = G_N_ELEMENTS(counts)};
    sim_program *program = coll_program_new(&call, coll_algorithm_get("linear"), 1, NULL);
    /* To 1: nothing. Hence 0 and 3 (again 5) receive 3 messages and send 2, 1 sends 3, 2 both. */
    static const uint64_t wanted[] = {5, 3, 5, 5};
    for (uint32_t rank = 0; rank < 4; rank++) {
        CHECK_I64(program->methods->num_ops(program, rank), wanted[rank], "rank %u", rank);
    }
    sim_program_free(program);
}

static void labels_name_collective_repetition_and_step(void)
{
    const coll_call call = {.kind = COLL_ALLREDUCE, .size = 8, .bytes = 1};
    sim_program *program = coll_program_new(&call, coll_algorithm_get("dissemination"), 3, NULL);
    g_autofree char *label = program->methods->label(program, 5, 2 * 6 + 4);
    CHECK_STR(label, "allreduce.2.4"); /* 3 rounds of 2 operations each */
    sim_program_free(program);
}

static void what_cannot_be_is_refused(void)
{
    static const struct {
        coll_call call;
        const char *algorithm;
        uint32_t repeat;
        const char *message;
    } row[] = {
        {{.kind = COLL_GATHER, .size = 4, .bytes = 1},
         "ring",
         1,
         "gather cannot be done by \"ring\""},
        {{.kind = COLL_BCAST, .size = 4, .root = 4},
         "linear",
         1,
         "bcast of 0 bytes on 4 ranks with root 4"},
        {{.kind = COLL_BCAST, .size = 0}, "linear", 1, "on 0 ranks"},
        {{.kind = COLL_BCAST, .size = 4, .bytes = -1}, "linear", 1, "of -1 bytes"},
        {{.kind = COLL_BARRIER, .size = 4},
         NULL,
         1,
         "barrier on 4 ranks needs an algorithm; known for it: linear, dissemination"},
        {{.kind = COLL_ALLTOALL, .size = 1U << 20, .bytes = 1},
         "pairwise",
         1000,
         "alltoall by \"pairwise\" on 1Mi ranks, 1000 times, has more operations"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autoptr(GError) error = NULL;
        const coll_algorithm none = {0};
        const coll_algorithm algorithm =
            row[i].algorithm != NULL ? coll_algorithm_get(row[i].algorithm) : none;
        CHECK(coll_program_new(&row[i].call, algorithm, row[i].repeat, &error) == NULL, "row %zu",
              i);
        CHECK_ERROR(error, row[i].message);
    }
}

SUITE_MAIN("coll_program", TEST(the_program_follows_the_chain_rule),
           TEST(counts_of_an_alltoallv_hold_for_all_ranks),
           TEST(labels_name_collective_repetition_and_step), TEST(what_cannot_be_is_refused))
