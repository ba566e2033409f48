/* tests/apps/validation/test_call_times.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* A record that a known machine would have made, simulated on that machine and on wrong ones. */
#include "check.h"
#include "validation/call_times.h"
#include "validation/one_message.h"

typedef struct row {
    app_time_kind kind;
    const char *name;
    sim_time recorded, simulated; /* ns, mean of the ranks */
} row;

static app_call_times *times_on(bool nonblocking, const char *change)
{
    g_autoptr(sched_trace) trace = one_message(nonblocking);
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    g_autoptr(GError) error = NULL;
    sim_params params = one_message_machine();
    if (change != NULL) {
        g_autoptr(sim_machine) m = sim_machine_load("xt4", NULL);
        m->params = params;
        CHECK(sim_machine_set(m, change, NULL), "%s", change);
        params = m->params;
    }
    const app_call_machine machine = {&params, NULL, profile, NULL, NULL, false};
    app_call_times *t = app_call_times_of(trace, &machine, &error);
    CHECK(t != NULL, "%s", error != NULL ? error->message : "");
    return t;
}

static void check_rows(const app_call_times *t, const row *rows, size_t n, const char *what)
{
    double recorded = 0;
    double simulated = 0;
    CHECK_I64(t->rows->len, n, "%s", what);
    for (guint i = 0; i < t->rows->len; i++) {
        const app_call_time *at = &g_array_index(t->rows, app_call_time, i);
        recorded += at->recorded;
        simulated += at->simulated;
        size_t k = 0;
        while (k < n && (rows[k].kind != at->kind ||
                         (at->kind == APP_TIME_CALL && !g_str_equal(rows[k].name, at->name)))) {
            k++;
        }
        if (CHECK(k < n, "%s: %s", what, at->name)) {
            CHECK_I64(at->recorded, rows[k].recorded * SIM_NS, "%s: %s", what, at->name);
            CHECK_I64(at->simulated, rows[k].simulated * SIM_NS, "%s: %s", what, at->name);
        }
    }
    CHECK_I64(recorded, t->recorded, "%s: the rows are all of the record", what);
    CHECK_I64(simulated, t->simulated, "%s: the rows are all of the run", what);
}

static void on_its_own_machine_all_is_as_recorded(void)
{
    static const row ROWS[] = {
        {APP_TIME_COMPUTATION, "", 9500, 9500}, {APP_TIME_OFF_CPU, "", 0, 0},
        {APP_TIME_CALL, "MPI_Send", 500, 500},  {APP_TIME_CALL, "MPI_Recv", 10500, 10500},
        {APP_TIME_IDLE, "", 4500, 4500},
    };
    g_autoptr(app_call_times) t = times_on(false, NULL);
    CHECK_I64(t->recorded, 25 * SIM_US);
    CHECK_I64(t->simulated, 25 * SIM_US);
    check_rows(t, ROWS, G_N_ELEMENTS(ROWS), "A");
}

static void a_wrong_bandwidth_is_in_the_receive(void)
{
    static const row ROWS[] = {
        {APP_TIME_COMPUTATION, "", 9500, 9500}, {APP_TIME_OFF_CPU, "", 0, 0},
        {APP_TIME_CALL, "MPI_Send", 500, 500},  {APP_TIME_CALL, "MPI_Recv", 10500, 15500},
        {APP_TIME_IDLE, "", 4500, 9500},
    };
    g_autoptr(app_call_times) t = times_on(false, "G=2ns/B"); /* 10 us later at rank 1 */
    check_rows(t, ROWS, G_N_ELEMENTS(ROWS), "G");
}

static void a_wrong_overhead_per_byte_is_in_the_send(void)
{
    /* O = 0.1 ns/B: the sender is busy 1 us longer; its message is on its way by then, and the
     * receiver copies while bytes arrive (docs/model.md, section 2). */
    static const row ROWS[] = {
        {APP_TIME_COMPUTATION, "", 9500, 9500}, {APP_TIME_OFF_CPU, "", 0, 0},
        {APP_TIME_CALL, "MPI_Send", 500, 1000}, {APP_TIME_CALL, "MPI_Recv", 10500, 10500},
        {APP_TIME_IDLE, "", 4500, 4000},
    };
    g_autoptr(app_call_times) t = times_on(false, "O=0.1ns/B");
    check_rows(t, ROWS, G_N_ELEMENTS(ROWS), "O");
}

static void what_was_posted_is_waited_for_where_it_was_completed(void)
{
    static const row ROWS[] = {
        {APP_TIME_COMPUTATION, "", 9500, 9500},       {APP_TIME_OFF_CPU, "", 0, 0},
        {APP_TIME_CALL, "MPI_Send", 500, 500},        {APP_TIME_CALL, "MPI_Irecv", 0, 0},
        {APP_TIME_CALL, "MPI_Waitall", 10500, 12500}, {APP_TIME_IDLE, "", 4500, 6500},
    };
    g_autoptr(app_call_times) t = times_on(true, "L=6us");
    check_rows(t, ROWS, G_N_ELEMENTS(ROWS), "L");
}

static void what_is_between_calls_beyond_cpu_time_is_not_computed(void)
{
    g_autoptr(sched_trace) trace = one_message(false);
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    const sim_params params = one_message_machine();
    const app_call_machine machine = {&params, NULL, profile, NULL, NULL, false};
    trace->ranks[1].calls[2].cpu = 0; /* the microsecond before MPI_Finalize */
    g_autoptr(app_call_times) t = app_call_times_of(trace, &machine, NULL);
    CHECK_I64(g_array_index(t->rows, app_call_time, 0).recorded, 9 * SIM_US);
    CHECK_I64(g_array_index(t->rows, app_call_time, 1).recorded, SIM_US / 2);
    CHECK_I64(t->recorded, 25 * SIM_US);
    CHECK_I64(t->simulated, 24 * SIM_US);
    const app_call_machine by_wall = {&params, NULL, profile, NULL, NULL, true};
    g_autoptr(app_call_times) all = app_call_times_of(trace, &by_wall, NULL);
    CHECK_I64(g_array_index(all->rows, app_call_time, 0).recorded, 9.5 * SIM_US);
    CHECK_I64(g_array_index(all->rows, app_call_time, 0).simulated, 9.5 * SIM_US);
    CHECK_I64(all->simulated, 25 * SIM_US);
}

static void the_first_call_of_several_is_told_apart(void)
{
    g_autoptr(sched_trace) trace = four_barriers();
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    const sim_params params = one_message_machine();
    const app_call_machine machine = {&params, NULL, profile, NULL, NULL, false};
    g_autoptr(app_call_times) t = app_call_times_of(trace, &machine, NULL);
    const app_call_time *at = &g_array_index(t->rows, app_call_time, 2);
    CHECK_STR(at->name, "barrier");
    CHECK_I64(at->calls, 8);
    CHECK_I64(at->recorded, 62 * SIM_US);
    CHECK_I64(at->simulated, 16 * SIM_US);
    CHECK_I64(at->first_calls, 2);
    CHECK_I64(at->first_recorded, 50 * SIM_US);
    CHECK_I64(at->first_simulated, 4 * SIM_US);
    g_autoptr(sched_trace) alone = one_message(false);
    g_autoptr(app_call_times) once = app_call_times_of(alone, &machine, NULL);
    for (guint i = 0; i < once->rows->len; i++) { /* nothing to compare them with */
        CHECK_I64(g_array_index(once->rows, app_call_time, i).first_calls, 0);
    }
}

/* 500 ns before the first message of each barrier: in its row, not in computation. */
static void what_a_call_takes_beside_its_messages_is_in_its_row(void)
{
    static const sim_call_cost COSTS[SIM_NUM_CALLS] = {[SIM_CALL_BARRIER] = {500 * SIM_NS, 0}};
    g_autoptr(sched_trace) trace = four_barriers();
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    const sim_params params = one_message_machine();
    const app_call_machine machine = {&params, NULL, profile, COSTS, NULL, false};
    g_autoptr(app_call_times) t = app_call_times_of(trace, &machine, NULL);
    static const row ROWS[] = {
        {APP_TIME_COMPUTATION, "", 5000, 5000},
        {APP_TIME_OFF_CPU, "", 0, 0},
        {APP_TIME_CALL, "barrier", 62000, 18000},
        {APP_TIME_IDLE, "", 0, 0},
    };
    check_rows(t, ROWS, G_N_ELEMENTS(ROWS), "costs");
    CHECK_I64(t->simulated, 23 * SIM_US);
    CHECK_I64(g_array_index(t->rows, app_call_time, 2).first_simulated, 4500 * SIM_NS);
}

/* Every barrier but the first on each rank comes right after a computation: 1 us of it costs 100
 * ns, of its row. */
static void what_calls_take_after_a_computation_is_in_their_rows(void)
{
    static const sim_cold_cost COLD = {{{10 * SIM_US, 1000 * SIM_NS, 0}}, 1};
    g_autoptr(sched_trace) trace = four_barriers();
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    const sim_params params = one_message_machine();
    const app_call_machine warm = {&params, NULL, profile, NULL, NULL, false};
    const app_call_machine machine = {&params, NULL, profile, NULL, &COLD, false};
    g_autoptr(app_call_times) before = app_call_times_of(trace, &warm, NULL);
    g_autoptr(app_call_times) t = app_call_times_of(trace, &machine, NULL);
    const app_call_time *computation = &g_array_index(t->rows, app_call_time, 0);
    CHECK_I64(computation->simulated, computation->recorded, "nothing of it is computed");
    const app_call_time *at = &g_array_index(t->rows, app_call_time, 2);
    const app_call_time *was = &g_array_index(before->rows, app_call_time, 2);
    CHECK_I64(at->simulated - was->simulated, 400 * SIM_NS);
    CHECK_I64(t->simulated - before->simulated, 400 * SIM_NS);
}

static void a_record_without_an_end_is_refused(void)
{
    g_autoptr(sched_trace) trace = one_message(false);
    g_autoptr(coll_profile) profile = coll_profile_new("sc10", NULL, NULL);
    g_autoptr(GError) error = NULL;
    const sim_params params = one_message_machine();
    const app_call_machine machine = {&params, NULL, profile, NULL, NULL, false};
    trace->ranks[1].num_calls--;
    CHECK(app_call_times_of(trace, &machine, &error) == NULL, "no MPI_Finalize");
    CHECK_ERROR(error, "by hand: rank 1: no record from MPI_Init to MPI_Finalize");
}

SUITE_MAIN("times of calls", TEST(on_its_own_machine_all_is_as_recorded),
           TEST(a_wrong_bandwidth_is_in_the_receive),
           TEST(a_wrong_overhead_per_byte_is_in_the_send),
           TEST(what_was_posted_is_waited_for_where_it_was_completed),
           TEST(what_is_between_calls_beyond_cpu_time_is_not_computed),
           TEST(the_first_call_of_several_is_told_apart),
           TEST(what_a_call_takes_beside_its_messages_is_in_its_row),
           TEST(what_calls_take_after_a_computation_is_in_their_rows),
           TEST(a_record_without_an_end_is_refused))
