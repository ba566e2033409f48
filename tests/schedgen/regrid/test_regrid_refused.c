/* tests/schedgen/regrid/test_regrid_refused.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is not understood is refused, in one line that names it; and what is left out is told. */
#include "regrid/grid_compare.h"

#include "seeds.h"

static const grid_program SQUARE = {.grid = {.num_dims = 2, .extent = {4, 4}}, .iterations = 5};

static void check_refused(const sched_trace *trace, const sched_regrid_options *options,
                          const char *why)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, options);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    const sched_regrid_target target = {.ranks = 2 * trace->num_ranks};
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    CHECK(growth == NULL);
    CHECK(f.num_refusals > 0 && strstr(f.refusals[0], why) != NULL, "'%s', wanted '%s'",
          f.num_refusals > 0 ? f.refusals[0] : "", why);
    CHECK_ERROR(error, why);
}

static sched_call *add(sched_trace *trace, uint32_t rank, sched_call_kind kind, const char *name)
{
    sched_rank *r = &trace->ranks[rank];
    sched_call *end = sched_rank_append(r); /* before MPI_Finalize, which goes one further */
    const sched_call last = r->calls[r->num_calls - 2];
    *end = last;
    end->enter += 10 * SIM_US;
    end->leave += 10 * SIM_US;
    sched_call *call = end - 1;
    call->kind = (uint8_t)kind;
    call->name = sched_trace_name(trace, name);
    call->leave = call->enter + SIM_US;
    return call;
}

static void add_message(sched_trace *trace, uint32_t from, uint32_t to)
{
    sched_call *send = add(trace, from, SCHED_CALL_SEND, "MPI_Send");
    send->peer = to;
    send->tag = 7;
    send->bytes = 8;
    sched_call *recv = add(trace, to, SCHED_CALL_RECV, "MPI_Recv");
    recv->peer = from;
    recv->tag = 7;
    recv->bytes = recv->room = 8;
}

static void a_single_strange_message_is_named(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    add_message(trace, 3, 12);
    check_refused(trace, &GRID_ASKED, "explains 99.58 %"); /* 240 of 241, rounded down */
    const sched_regrid_options as_said = {.explain = 0.9958};
    g_autoptr(sched_regrid) allowed = grid_recognise(trace, &as_said);
    CHECK_I64(sched_regrid_find(allowed).num_refusals, 0);
    for (int packed = 0; packed < 2; packed++) {
        if (packed == 1) {
            sched_trace_pack(trace);
        }
        g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
        const sched_regrid_findings f = sched_regrid_find(regrid);
        CHECK_I64(f.rest_in_all, 2);
        if (CHECK_I64(f.num_rest, 2)) {
            CHECK_STR(f.rest[0].what, "MPI_Send of rank 3 to 12, tag 7, 8 B");
            CHECK_STR(f.rest[1].what, "MPI_Recv of rank 12 from 3, tag 7");
        }
    }
}

/* A message between neighbours, but of one pair alone: it is no part of the exchange. */
static void one_more_message_between_neighbours_is_named(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    add_message(trace, 5, 6);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_findings f = sched_regrid_find(regrid);
    CHECK_I64(f.explained_messages, f.messages - 1);
    CHECK_I64(f.rest_in_all, 2);
    CHECK_STR(f.num_rest > 0 ? f.rest[0].what : "", "MPI_Send of rank 5 to 6, tag 7, 8 B");
}

/* 1 % of strange messages: told one by one, and left out where that is allowed. */
static void strange_messages_are_told_not_absorbed(void)
{
    for (uint32_t seed = 1; seed <= SEEDS(10); seed++) {
        grid_program p = {.grid = {.num_dims = 2 + seed % 2, .extent = {4, 4, 4}},
                          .shape = seed % 3 == 0 ? GRID_BOX : GRID_STAR,
                          .form = seed % 4 < 2 ? GRID_POSTED : GRID_SHIFTED,
                          .iterations = 20,
                          .seed = seed};
        p.grid.periodic[0] = seed % 4 == 1;
        g_autoptr(sched_trace) clean = grid_trace(&p);
        g_autoptr(sched_regrid) whole = grid_recognise(clean, &GRID_ASKED);
        p.foreign = (uint32_t)(sched_regrid_find(whole).messages / 100);
        g_autoptr(sched_trace) trace = grid_trace(&p);
        check_refused(trace, &GRID_ASKED, "explains 99.");
        const sched_regrid_options allowed = {.explain = 0.95};
        g_autoptr(sched_regrid) regrid = grid_recognise(trace, &allowed);
        const sched_regrid_findings f = sched_regrid_find(regrid);
        CHECK_I64(f.rest_in_all, 2 * p.foreign, "seed %u", seed);
        CHECK_I64(f.messages - f.explained_messages, p.foreign, "seed %u", seed);
        CHECK_I64(f.num_refusals, 0, "seed %u: %s", seed, f.num_refusals > 0 ? f.refusals[0] : "");

        g_autoptr(GError) error = NULL; /* what is left is the program without them */
        const uint32_t larger = p.grid.num_dims == 2 ? 30 : 100;
        const sched_regrid_target target = {.ranks = larger};
        g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
        g_autoptr(sched_growth) without = sched_regrid_grow(whole, &target, NULL);
        sched_convert_report reports[2] = {{0}};
        sched_rank_source *a = grid_source(trace, growth, &reports[0]);
        sched_rank_source *b = grid_source(clean, without, &reports[1]);
        CHECK(grid_compare(a, b, "without strange ones") > 0, "seed %u", seed);
        sched_convert_source_free(a);
        sched_convert_source_free(b);
        sched_convert_report_clear(&reports[0]);
        sched_convert_report_clear(&reports[1]);
    }
}

static void a_dimension_of_two_is_not_guessed(void)
{
    const grid_program p = {.grid = {.num_dims = 3, .extent = {2, 2, 2}}, .iterations = 1};
    g_autoptr(sched_trace) trace = grid_trace(&p);
    check_refused(trace, &GRID_ASKED, "cannot grow");
}

/* It does not grow, but others do. */
static void a_dimension_of_two_may_stay(void)
{
    const grid_program p = {.grid = {.num_dims = 2, .extent = {2, 5}}, .iterations = 2};
    const grid_program wanted = {.grid = {.num_dims = 2, .extent = {2, 8}}, .iterations = 2};
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = grid_trace(&p);
    g_autoptr(sched_trace) at_large = grid_trace(&wanted);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_target target = {.ranks = 16};
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    if (CHECK(growth != NULL, "%s", error != NULL ? error->message : "")) {
        sched_convert_report reports[2] = {{0}};
        sched_rank_source *a = grid_source(trace, growth, &reports[0]);
        sched_rank_source *b = grid_source(at_large, NULL, &reports[1]);
        CHECK(grid_compare(a, b, "2 x 5 to 2 x 8") > 0);
        sched_convert_source_free(a);
        sched_convert_source_free(b);
        sched_convert_report_clear(&reports[0]);
        sched_convert_report_clear(&reports[1]);
    }
    const sched_regrid_target other = {.ranks = 20, .grid = {.num_dims = 2, .extent = {4, 5}}};
    CHECK(sched_regrid_grow(regrid, &other, &error) == NULL);
    CHECK_ERROR(error, "dimension 1 cannot become 4");
}

/* Exchanges in one dimension only: whether ranks are 9 in a line, or 3 lines of 3, is not there. */
static void two_grids_that_explain_as_much_are_refused(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("grid", "test", 21);
    for (uint32_t r = 0; r < 21; r++) {
        sched_call *init = sched_rank_append(&trace->ranks[r]);
        init->kind = SCHED_CALL_INIT;
        init->name = sched_trace_name(trace, "MPI_Init");
        sched_call *end = sched_rank_append(&trace->ranks[r]);
        end->kind = SCHED_CALL_FINALIZE;
        end->name = sched_trace_name(trace, "MPI_Finalize");
        end->enter = end->leave = SIM_US;
        trace->ranks[r].complete = true;
    }
    for (uint32_t r = 0; r + 3 < 21; r++) {
        add_message(trace, r, r + 3);
    }
    check_refused(trace, &GRID_ASKED, "another grid explains as much");
    const sched_regrid_options said = {
        .explain = 1, .grid = {.num_dims = 2, .extent = {7, 3}}, .periodic_given = true};
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &said);
    CHECK_I64(sched_regrid_find(regrid).num_refusals, 0);
}

static void receives_from_anybody_are_refused(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    grid_receive_any(trace);
    check_refused(trace, &GRID_ASKED, "no grid of the 16 ranks");
    sched_convert_options recorded = GRID_CONVERT;
    recorded.wildcards = SCHED_WILDCARD_RECORDED;
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_regrid) regrid = sched_regrid_recognise(trace, &recorded, &GRID_ASKED, &error);
    CHECK_I64(sched_regrid_find(regrid).num_refusals, 0);
}

/* Ranks 0 to 4 of 16 are no line of 4 x 4. */
static void communicators_of_any_shape_are_refused(void)
{
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    uint32_t *members = g_new(uint32_t, 5);
    for (uint32_t i = 0; i < 5; i++) {
        members[i] = i;
    }
    const uint32_t comm = sched_trace_add_comm(trace, "first five", 5, members);
    for (uint32_t i = 0; i < 5; i++) {
        sched_call *call = add(trace, i, SCHED_CALL_COLLECTIVE, "MPI_Barrier");
        call->collective = COLL_BARRIER;
        call->comm = comm;
    }
    check_refused(trace, &GRID_ASKED,
                  "MPI_Barrier on first five: its 5 members are no line or plane of the grid");
}

/* All ranks make it; rank i gives as much as rank i modulo 16 of the record. */
static void add_lists(sched_trace *trace)
{
    for (uint32_t r = 0; r < trace->num_ranks; r++) {
        sched_call *call = add(trace, r, SCHED_CALL_COLLECTIVE, "MPI_Allgatherv");
        call->collective = COLL_ALLGATHERV;
        call->num_recv_counts = trace->num_ranks;
        call->counts = trace->ranks[r].num_counts;
        call->bytes = INT64_C(8) * (r % 16);
        for (uint32_t i = 0; i < trace->num_ranks; i++) {
            (void)sched_rank_add_count(&trace->ranks[r], INT64_C(8) * (i % 16));
        }
    }
}

static void lists_that_all_ranks_know_go_round(void)
{
    grid_program large = SQUARE;
    large.grid.extent[0] = large.grid.extent[1] = 6;
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_trace) trace = grid_trace(&SQUARE);
    g_autoptr(sched_trace) wanted = grid_trace(&large);
    add_lists(trace);
    add_lists(wanted);
    g_autoptr(sched_regrid) regrid = grid_recognise(trace, &GRID_ASKED);
    const sched_regrid_target target = {.ranks = 36};
    g_autoptr(sched_growth) growth = sched_regrid_grow(regrid, &target, &error);
    if (CHECK(growth != NULL, "%s", error != NULL ? error->message : "")) {
        sched_convert_report reports[2] = {{0}};
        sched_rank_source *a = grid_source(trace, growth, &reports[0]);
        sched_rank_source *b = grid_source(wanted, NULL, &reports[1]);
        CHECK(grid_compare(a, b, "with lists") > 0);
        sched_convert_source_free(a);
        sched_convert_source_free(b);
        sched_convert_report_clear(&reports[0]);
        sched_convert_report_clear(&reports[1]);
    }
}

static void nothing_to_recognise_is_said(void)
{
    g_autoptr(sched_trace) trace = sched_trace_new("grid", "test", 4);
    check_refused(trace, &GRID_ASKED, "no rank sends a message");
}

SUITE_MAIN("regrid_refused", TEST(a_single_strange_message_is_named),
           TEST(one_more_message_between_neighbours_is_named),
           TEST(strange_messages_are_told_not_absorbed), TEST(a_dimension_of_two_is_not_guessed),
           TEST(a_dimension_of_two_may_stay), TEST(two_grids_that_explain_as_much_are_refused),
           TEST(receives_from_anybody_are_refused), TEST(communicators_of_any_shape_are_refused),
           TEST(lists_that_all_ranks_know_go_round), TEST(nothing_to_recognise_is_said))
