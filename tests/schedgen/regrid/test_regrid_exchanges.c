/* tests/schedgen/regrid/test_regrid_exchanges.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of each exchange is what the program was written to do: counted here by loops over
 * ranks and neighbours. Of messages that were planted, the first one is named. */
#include "regrid/trace_grid.h"

#include "seeds.h"

typedef struct row {
    uint64_t messages;
    uint64_t bytes;
} row;

static sched_regrid_exchanges *exchanges_of(const sched_trace *trace)
{
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    sched_regrid_exchanges *e = sched_regrid_exchanges_new(regrid);
    uint64_t messages = 0;
    uint64_t bytes = 0;
    uint64_t explained = 0;
    for (size_t i = 0; i < e->n; i++) {
        messages += e->list[i].messages;
        bytes += e->list[i].bytes;
        explained += e->list[i].explained_messages;
        CHECK(i == 0 || e->list[i - 1].messages >= e->list[i].messages);
        CHECK(e->list[i].first_call > 0 &&
              e->list[i].first_call <= trace->ranks[e->list[i].first_rank].num_calls);
    }
    CHECK_I64(messages, f.messages);
    CHECK_I64(bytes, f.bytes);
    CHECK_I64(explained, f.explained_messages);
    return e;
}

/* Messages of one iteration one way, or (@p by NULL) all ways, counted place by place. */
static row count(const grid_program *p, const int *way, int sign)
{
    row sum = {0};
    int by[] = {-2, -1, -1, -1};
    while (grid_next(p, by)) {
        bool upwards = false;
        bool same = true;
        for (uint32_t d = 0; d < p->grid.num_dims; d++) {
            upwards = upwards || by[d] == sign;
            same = same && (way == NULL || by[d] == way[d]);
        }
        for (uint32_t place = 0; place < grid_size(&p->grid); place++) {
            uint32_t to = 0;
            if (same && (sign == 0 || upwards) && grid_neighbour(&p->grid, place, by, &to)) {
                sum.messages += p->iterations;
                sum.bytes += p->iterations * (uint64_t)grid_bytes(p, by);
            }
        }
    }
    return sum;
}

/* Take a row off the list. @return false: there is none like it */
static bool take(sched_regrid_exchanges *e, bool *taken, row want, const char *pattern)
{
    for (size_t i = 0; i < e->n; i++) {
        const sched_regrid_exchange *x = &e->list[i];
        if (!taken[i] && x->messages == want.messages && x->bytes == want.bytes &&
            x->explained_messages == want.messages && x->receives == want.messages &&
            x->pattern != NULL && g_str_has_prefix(x->pattern, pattern) && x->expected == NULL &&
            x->alone == NULL) {
            taken[i] = true;
            return true;
        }
    }
    return false;
}

static grid_program random_program(uint32_t seed)
{
    GRand *rand = g_rand_new_with_seed(seed);
    grid_program p = {.grid = {.num_dims = (uint32_t)g_rand_int_range(rand, 2, 4)},
                      .shape = g_rand_boolean(rand) ? GRID_BOX : GRID_STAR,
                      .form = (grid_form)g_rand_int_range(rand, 0, 3),
                      .iterations = (uint32_t)g_rand_int_range(rand, 2, 6),
                      .lines = g_rand_boolean(rand),
                      .seed = seed};
    for (uint32_t d = 0; d < p.grid.num_dims; d++) {
        p.grid.extent[d] = (uint32_t)g_rand_int_range(rand, 3, 6);
        p.grid.periodic[d] = p.form != GRID_SWEPT && g_rand_boolean(rand);
    }
    if (p.form == GRID_SWEPT) { /* there are no corners in it */
        p.shape = GRID_STAR;
    }
    g_rand_free(rand);
    return p;
}

static void each_exchange_is_what_was_written(void)
{
    for (uint32_t seed = 1; seed <= SEEDS(60); seed++) {
        const grid_program p = random_program(seed);
        g_autoptr(sched_trace) trace = grid_trace(&p);
        g_autoptr(sched_regrid_exchanges) e = exchanges_of(trace);
        g_autofree bool *taken = g_new0(bool, e->n + 1);
        size_t wanted = 0;
        if (p.form == GRID_POSTED) {
            wanted = 1;
            CHECK(take(e, taken, count(&p, NULL, 0), p.grid.num_dims == 2 ? "2-D st" : "3-D st"),
                  "seed %u", seed);
        } else if (p.form == GRID_SWEPT) { /* there, and back again */
            wanted = 2;
            for (int sign = -1; sign <= 1; sign += 2) {
                CHECK(take(e, taken, count(&p, NULL, sign),
                           p.grid.num_dims == 2 ? "wavefront by (" : "3-D wavefront"),
                      "seed %u", seed);
            }
        } else { /* each call of MPI_Sendrecv by itself */
            int by[] = {-2, -1, -1, -1};
            while (grid_next(&p, by)) {
                wanted++;
                CHECK(take(e, taken, count(&p, by, 0), "shift by ("), "seed %u", seed);
            }
        }
        CHECK_I64(e->n, wanted, "seed %u", seed);
    }
}

/* The number of the call with that tag, counted from 1; 0: there is none. */
static uint64_t call_with_tag(const sched_trace *trace, uint32_t rank, sched_call_kind kind,
                              uint32_t tag)
{
    for (uint64_t i = 0; i < trace->ranks[rank].num_calls; i++) {
        const sched_call *call = &trace->ranks[rank].calls[i];
        if (call->kind == (uint8_t)kind && call->tag == tag) {
            return i + 1;
        }
    }
    return 0;
}

static void a_planted_message_is_named(void)
{
    for (uint32_t seed = 1; seed <= SEEDS(60); seed++) {
        grid_program p = random_program(seed);
        p.foreign = 1;
        g_autoptr(sched_trace) trace = grid_trace(&p);
        g_autoptr(sched_regrid_exchanges) e = exchanges_of(trace);
        const sched_regrid_exchange *odd = NULL;
        for (size_t i = 0; i < e->n; i++) {
            if (e->list[i].expected != NULL) {
                CHECK(odd == NULL, "seed %u", seed);
                odd = &e->list[i];
            }
        }
        if (!CHECK(odd != NULL, "seed %u", seed)) {
            continue;
        }
        const uint64_t at = call_with_tag(trace, odd->rank, SCHED_CALL_ISEND, 999);
        CHECK(!odd->is_recv && at > 0, "seed %u", seed);
        CHECK_I64(odd->call, at, "seed %u", seed);
        CHECK_I64(odd->peer, trace->ranks[odd->rank].calls[at - 1].peer, "seed %u", seed);
        CHECK_I64(odd->tag, 999);
        CHECK_I64(odd->bytes_there, 24);
        CHECK_I64(odd->messages - odd->explained_messages, 1, "seed %u", seed);
    }
}

static const grid_program SQUARE = {.grid = {.num_dims = 2, .extent = {4, 4}}, .iterations = 5};

/* Rank 6 sends a different number of bytes to rank 7, once: in the second iteration. */
static void bytes_of_one_message_are_compared(void)
{
    grid_program p = SQUARE; /* 4 x 4 might be 2 x 2 x 2 x 2, each of which may do what it likes */
    p.grid.extent[0] = p.grid.extent[1] = 5;
    g_autoptr(sched_trace) trace = grid_trace(&p);
    uint64_t at = 0;
    for (uint64_t i = 0, seen = 0; i < trace->ranks[6].num_calls; i++) {
        sched_call *call = &trace->ranks[6].calls[i];
        if (call->kind == SCHED_CALL_ISEND && call->peer == 7 && ++seen == 2) {
            call->bytes -= 8;
            at = i + 1;
        }
    }
    g_autoptr(sched_regrid_exchanges) e = exchanges_of(trace);
    if (CHECK_I64(e->n, 1)) {
        CHECK_I64(e->list[0].rank, 6);
        CHECK_I64(e->list[0].peer, 7);
        CHECK_I64(e->list[0].call, at);
        CHECK_STR(e->list[0].expected, "80 B"); /* grid_bytes() */
        /* all ranks have the other four: the fifth of those that go that way is nobody's */
        CHECK_I64(e->list[0].messages - e->list[0].explained_messages, 20);
    }
}

/* As if ranks 5 and 9 had mistaken each other's neighbours. */
static void redirect(sched_trace *trace, uint32_t rank, sched_call_kind kind, uint32_t from,
                     uint32_t to)
{
    for (uint64_t i = 0; i < trace->ranks[rank].num_calls; i++) {
        sched_call *call = &trace->ranks[rank].calls[i];
        if (call->kind == (uint8_t)kind && call->peer == from) {
            call->peer = to;
        }
    }
}

static void where_a_rank_may_send_is_said(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    redirect(trace, 5, SCHED_CALL_ISEND, 6, 10);
    redirect(trace, 9, SCHED_CALL_ISEND, 10, 6);
    redirect(trace, 6, SCHED_CALL_IRECV, 5, 9);
    redirect(trace, 10, SCHED_CALL_IRECV, 9, 5);
    const sched_regrid_options here = {.explain = 1, .grid = SQUARE.grid, .periodic_given = true};
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &here);
    g_autoptr(sched_regrid_exchanges) e = sched_regrid_exchanges_new(regrid);
    if (CHECK_I64(e->n, 1)) {
        CHECK_I64(e->list[0].rank, 5);
        CHECK_I64(e->list[0].peer, 10);
        CHECK_STR(e->list[0].expected, "to 1, 4, 6, 9");
    }
}

/* Two exchanges in turn, of which no call has the tags of the other. */
static sched_trace *two_in_turn(const grid_program *first, const grid_program *second, bool powers)
{
    const uint32_t n = grid_size(&first->grid);
    grid_writer w = {.program = first, .trace = sched_trace_new("grid", "test", n)};
    w.now = g_new0(sim_time, n);
    w.request = g_new0(uint64_t, n);
    for (uint32_t rank = 0; rank < n; rank++) {
        (void)grid_call(&w, rank, SCHED_CALL_INIT, "MPI_Init");
        for (uint32_t i = 0; i < first->iterations; i++) {
            w.program = first;
            grid_exchange(&w, rank);
            w.program = second;
            for (uint32_t by = 1; powers && by < n; by *= 2) {
                sched_call *call = grid_call(&w, rank, SCHED_CALL_SENDRECV, "MPI_Sendrecv");
                call->peer = call->recv_peer = rank ^ by;
                call->tag = call->recv_tag = 77;
                call->bytes = call->recv_bytes = call->room = 64;
            }
            if (!powers) {
                grid_exchange(&w, rank);
            }
            grid_collective(&w, rank, COLL_ALLREDUCE, 0, 0);
        }
        (void)grid_call(&w, rank, SCHED_CALL_FINALIZE, "MPI_Finalize");
        w.trace->ranks[rank].complete = true;
    }
    g_free(w.now);
    g_free(w.request);
    return w.trace;
}

static void two_exchanges_are_told_apart(void)
{
    grid_program box = SQUARE;
    box.shape = GRID_BOX;
    box.grid.extent[0] = 5;
    grid_program star = box;
    star.shape = GRID_STAR;
    g_autoptr(sched_trace) trace = two_in_turn(&box, &star, false);
    g_autoptr(sched_regrid_exchanges) e = exchanges_of(trace);
    bool taken[8] = {false};
    CHECK_I64(e->n, 2);
    CHECK(e->n <= 8 && take(e, taken, count(&box, NULL, 0), "2-D stencil, 9-point"));
    CHECK(e->n <= 8 && take(e, taken, count(&star, NULL, 0), "2-D stencil, 5-point"));
}

/* Not explained by the grid, but understood by itself. */
static void a_butterfly_beside_a_stencil_is_named(void)
{
    grid_program p = SQUARE;
    p.grid.extent[0] = p.grid.extent[1] = 8; /* no grid of 4 dimensions has 6 of two */
    g_autoptr(sched_trace) trace = two_in_turn(&p, &p, true);
    const sched_regrid_options here = {.explain = 1, .grid = p.grid, .periodic_given = true};
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &here);
    g_autoptr(sched_regrid_exchanges) e = sched_regrid_exchanges_new(regrid);
    if (CHECK_I64(e->n, 2)) {
        const sched_regrid_exchange *odd = e->list[0].expected != NULL ? &e->list[0] : &e->list[1];
        CHECK_I64(odd->messages, UINT64_C(64) * 6 * 5); /* ranks, stages, iterations */
        CHECK_I64(odd->explained_messages, 0);
        CHECK_I64(odd->alone_messages, odd->messages);
        CHECK_STR(odd->alone, "butterfly, 6 stages, 5 times: rank xor 2^k");
        CHECK_STR(odd->tags, "tag 77");
        CHECK_STR(odd->calls, "MPI_Sendrecv");
    }
}

/* Receives from anybody are part of the exchange whose messages they take. */
static void receives_from_anybody_belong_to_it(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    grid_receive_any(trace);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    g_autoptr(sched_regrid_exchanges) e = sched_regrid_exchanges_new(regrid);
    if (CHECK_I64(e->n, 1)) {
        CHECK_I64(e->list[0].messages, 240);
        CHECK_I64(e->list[0].receives, 240);
        CHECK_I64(e->list[0].explained_messages, 0);
        CHECK(e->list[0].pattern == NULL);
        CHECK(e->list[0].expected != NULL);
    }
}

static void packed_records_say_the_same(void)
{
    grid_program p = SQUARE;
    p.foreign = 2;
    p.seed = 3;
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_trace) packed = grid_trace(&p);
    sched_trace_pack(packed);
    g_autoptr(sched_regrid) regrid = grid_recognise(packed, &GRID_ASKED);
    g_autoptr(sched_regrid_exchanges) a = exchanges_of(trace);
    g_autoptr(sched_regrid_exchanges) b = sched_regrid_exchanges_new(regrid);
    for (size_t i = 0; CHECK_I64(a->n, b->n) && i < a->n; i++) {
        CHECK_STR(a->list[i].calls, b->list[i].calls);
        CHECK_I64(a->list[i].messages, b->list[i].messages);
        CHECK_I64(a->list[i].first_call, b->list[i].first_call);
        CHECK_I64(a->list[i].call, b->list[i].call);
    }
}

static void no_messages_are_no_exchange(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("grid", "test", 4);
    g_autoptr(sched_regrid_exchanges) e = exchanges_of(trace);
    CHECK_I64(e->n, 0);
    sched_regrid_exchanges_free(NULL);
}

SUITE_MAIN("regrid_exchanges", TEST(each_exchange_is_what_was_written),
           TEST(a_planted_message_is_named), TEST(bytes_of_one_message_are_compared),
           TEST(where_a_rank_may_send_is_said), TEST(two_exchanges_are_told_apart),
           TEST(a_butterfly_beside_a_stencil_is_named), TEST(receives_from_anybody_belong_to_it),
           TEST(packed_records_say_the_same), TEST(no_messages_are_no_exchange))
