/* tests/apps/tracer/test_tracer_archive.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What another tool, otf2-print, reads in the archives of the tracer. Expected numbers are those of
 * the programs' sources.
 */
#include "check.h"
#include "mpi_record.h"
#include "sched/convert.h"

/* What otf2-print says of one rank's events; @p complaints  and of the archive. Both owned. */
static char *print(const char *dir, const char *rank, char **complaints)
{
    g_autofree char *anchor = g_build_filename(dir, "trace", "traces.otf2", NULL);
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup(OTF2_PRINT));
    g_ptr_array_add(argv, g_strdup("-L"));
    g_ptr_array_add(argv, g_strdup(rank));
    g_ptr_array_add(argv, g_strdup(anchor));
    g_ptr_array_add(argv, NULL);
    char *out = NULL;
    g_autoptr(GError) error = NULL;
    CHECK(g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out,
                       complaints, NULL, &error),
          "%s", error != NULL ? error->message : "");
    return out;
}

/* The text of the n-th call of a name, up to its end; owned, "" if there is none. */
static char *call_text(const char *printed, const char *name, int n)
{
    g_autofree char *region = g_strdup_printf("Region: \"%s\"", name);
    const char *at = printed;
    for (int i = 0; at != NULL; i++) {
        const char *from = strstr(at, region);
        const char *to = from != NULL ? strstr(from + 1, region) : NULL; /* the Leave */
        if (to != NULL && i == n) {
            return g_strndup(from, (gsize)(to - from));
        }
        at = to != NULL ? to + 1 : NULL;
    }
    return g_strdup("");
}

static bool can_print(const mpi *m)
{
    return m->mpirun[0] != '\0' && OTF2_PRINT[0] != '\0';
}

/* Number @p i, from 0, of the words of a line. */
static uint64_t number_in(const char *line, int i)
{
    g_auto(GStrv) words = g_strsplit_set(line, " ", -1);
    for (char **w = words; *w != NULL; w++) {
        if ((*w)[0] != '\0' && i-- == 0) {
            return g_ascii_strtoull(*w, NULL, 10);
        }
    }
    return 0;
}

/* Calls that follow each other: none begins inside another, or before it ends. */
static void check_calls_in_turn(const char *printed, const char *what)
{
    /* Under sanitizers, g_strsplit() measures the rest of the text for every line. */
    g_auto(GStrv) lines = g_strsplit_set(printed, "\n", -1);
    const char *open = NULL;
    uint64_t last = 0;
    uint64_t calls = 0;
    for (char **l = lines; *l != NULL; l++) {
        const char *region = strstr(*l, "Region: ");
        if (region == NULL) {
            continue;
        }
        const uint64_t time = number_in(*l, 2);
        CHECK(time >= last, "%s: %s", what, *l);
        last = time;
        if (g_str_has_prefix(*l, "ENTER")) {
            CHECK(open == NULL, "%s: %s", what, *l);
            open = region;
            calls++;
        } else {
            CHECK(open != NULL && strcmp(open, region) == 0, "%s: %s", what, *l);
            open = NULL;
        }
    }
    CHECK(open == NULL && calls > 0, "%s", what);
}

/* Calls in which nobody computes, whatever else the program does; of the converted ones some. */
static bool is_communication(const char *line)
{
    static const char *const names[] = {"Send",    "Recv",  "Sendrecv", "Wait",
                                        "Waitall", "Bcast", "Barrier",  "Allreduce"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *region = g_strdup_printf("Region: \"MPI_%s\"", names[i]);
        if (strstr(line, region) != NULL) {
            return true;
        }
    }
    return false;
}

/* @return ps from the end of MPI_Init to MPI_Finalize; *in_calls: of these in communication */
static sim_time printed_span(const char *printed, sim_time *in_calls)
{
    g_auto(GStrv) lines = g_strsplit_set(printed, "\n", -1);
    sim_time entered = 0;
    sim_time begin = 0;
    sim_time end = 0;
    *in_calls = 0;
    for (char **l = lines; *l != NULL; l++) {
        const sim_time now = (sim_time)number_in(*l, 2) * SIM_NS;
        if (g_str_has_prefix(*l, "ENTER")) {
            entered = now;
            end = strstr(*l, "\"MPI_Finalize\"") != NULL ? now : end;
        } else if (g_str_has_prefix(*l, "LEAVE")) {
            begin = strstr(*l, "\"MPI_Init") != NULL ? now : begin;
            *in_calls += is_communication(*l) ? now - entered : 0;
        }
    }
    return end - begin;
}

static sim_time computed(const sched_trace *t, uint32_t rank, const sched_convert_options *options)
{
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_graph) graph = sched_convert(t, options, &report, &error);
    sched_convert_report_clear(&report);
    sim_time sum = 0;
    if (CHECK(graph != NULL, "%s", error != NULL ? error->message : "")) {
        for (uint32_t i = 0; i < sim_graph_num_ops(graph, rank); i++) {
            const sim_op op = sim_graph_op(graph, rank, i);
            sum += op.type == SIM_OP_CALC ? op.size : 0;
        }
    }
    return sum;
}

/* What is called computation was there: no time of the record is counted twice, or made up. */
static void check_computation_fits(const char *dir, const char *printed, const char *what)
{
    static const struct {
        bool all; /* calls are left out: computation, too */
        sched_compute compute;
    } row[] = {{false, SCHED_COMPUTE_WALL},
               {true, SCHED_COMPUTE_WALL},
               {false, SCHED_COMPUTE_CPU},
               {true, SCHED_COMPUTE_CPU}};
    sim_time in_calls;
    const sim_time span = printed_span(printed, &in_calls);
    g_autoptr(sched_trace) t = read_trace(dir);
    CHECK(span > in_calls && in_calls > 0, "%s", what);
    for (size_t i = 0; t != NULL && i < G_N_ELEMENTS(row); i++) {
        const sched_convert_options options = {.copies = 1,
                                               .compute = row[i].compute,
                                               .no_p2p = row[i].all,
                                               .no_collectives = row[i].all};
        const sim_time sum = computed(t, 1, &options) + (row[i].all ? 0 : in_calls);
        /* a thread's CPU clock and the wall clock are two clocks, read one after the other */
        const sim_time room = row[i].compute == SCHED_COMPUTE_CPU ? span / 50 : 0;
        CHECK(sum <= span + room, "%s, row %zu: %g of %g us", what, i, (double)sum / SIM_US,
              (double)span / SIM_US);
        CHECK(!row[i].all || sum >= in_calls, "%s: calls that are left out are computation", what);
    }
}

static void other_tools_read_calls_in_turn_and_do_not_complain(void)
{
    bool ran = false;
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (!can_print(&MPI[k])) {
            continue;
        }
        static const struct {
            const char *name;
            int ranks;
        } row[] = {{"comms", 4}, {"everything", 4}, {"rare", 4}, {"threads", 2}};
        for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
            const char *name = row[i].name;
            g_autofree char *dir = folder();
            g_autofree char *said = record(&MPI[k], row[i].ranks, dir, program(&MPI[k], name), dir);
            g_autofree char *complaints = NULL;
            g_autofree char *printed = print(dir, "1", &complaints);
            CHECK(strstr(printed, "\"MPI_Finalize\"") != NULL, "%s: %s", name, said);
            CHECK(complaints != NULL && complaints[0] == '\0', "%s, %s: %s", MPI[k].name, name,
                  complaints);
            check_calls_in_turn(printed, name);
            if (strcmp(name, "threads") != 0) { /* whose times lie side by side */
                check_computation_fits(dir, printed, name);
            }
            CHECK(strcmp(name, "rare") != 0 || strstr(printed, "_Allreduce_init\"") != NULL,
                  "%s: a persistent collective, MPI_ or MPIX_", MPI[k].name);
            remove_folder(dir);
        }
        ran = true;
    }
    if (!ran) {
        SKIP_TEST("no MPI, or no otf2-print");
    }
}

static void room_stands_beside_what_arrived(void)
{
    static const struct {
        const char *name;
        int n;      /* which of that name */
        int posted; /* bytes; 0: not said */
        int arrived;
    } row[] = {{"MPI_Recv", 0, 400, 12},     {"MPI_Recv", 1, 360, 12},
               {"MPI_Recv", 2, 0, 12},       {"MPI_Sendrecv", 0, 280, 12},
               {"MPI_Irecv", 0, 200, 0},     {"MPI_Sendrecv_replace", 0, 240, 12},
               {"MPI_Recv_init", 0, 160, 0}, {"MPI_Mrecv", 0, 0, 12}};
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (!can_print(&MPI[k])) {
            SKIP_TEST("no %s, or no otf2-print", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "rooms"), NULL);
        g_autofree char *complaints = NULL;
        g_autofree char *printed = print(dir, "1", &complaints);
        for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
            g_autofree char *text = call_text(printed, row[i].name, row[i].n);
            g_autofree char *posted =
                g_strdup_printf("\"ripple::recv_bytes\" <6>; UINT64; %d)", row[i].posted);
            g_autofree char *arrived = g_strdup_printf("Length: %d\n", row[i].arrived);
            CHECK(strstr(text, row[i].posted > 0 ? posted : "ripple::cpu") != NULL &&
                      (strstr(text, "ripple::recv_bytes") != NULL) == (row[i].posted > 0),
                  "%s, %s: %s", MPI[k].name, row[i].name, text);
            CHECK(row[i].arrived == 0 || strstr(text, arrived) != NULL, "%s, %s: %s", MPI[k].name,
                  row[i].name, text);
        }
        CHECK(complaints != NULL && complaints[0] == '\0', "%s: %s", said, complaints);
        remove_folder(dir);
    }
}

/* The same records in a call with large counts as in one without. */
static void large_counts_are_recorded_like_small_ones(void)
{
    static const struct {
        const char *name, *record;
    } row[] = {{"MPI_Irecv_c", "\"ripple::recv_bytes\" <6>; UINT64; 256)"},
               {"MPI_Irecv_c", "MPI_IRECV_REQUEST"},
               {"MPI_Isend_c", "Length: 12,"},
               {"MPI_Sendrecv_c", "MPI_SEND "},
               {"MPI_Sendrecv_c", "Length: 12\n"},
               {"MPI_Bcast_c", "\"ripple::bytes\" <3>; UINT64; 20)"},
               {"MPI_Bcast_c", "Operation: BCAST"},
               {"MPI_Allgatherv_c", "Parameter: \"ripple::recv_count\" <1>, Value: 8\n"}};
    if (!can_print(&MPI[1])) {
        SKIP_TEST("no MPICH, or no otf2-print");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[1], 2, dir, program(&MPI[1], "rare"), dir);
    g_autofree char *complaints = NULL;
    g_autofree char *printed = print(dir, "1", &complaints);
    if (strstr(printed, "MPI_Session_init") == NULL) {
        SKIP_TEST("no MPI 4: %s", said);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(row); i++) {
        g_autofree char *text = call_text(printed, row[i].name, 0);
        CHECK(strstr(text, row[i].record) != NULL, "%s: %s", row[i].name, text);
    }
    remove_folder(dir);
}

static void a_cancelled_request_that_nobody_waits_for_ends_with_the_program(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(MPI); k++) {
        if (!can_print(&MPI[k])) {
            SKIP_TEST("no %s, or no otf2-print", MPI[k].name);
        }
        g_autofree char *dir = folder();
        g_autofree char *said = record(&MPI[k], 2, dir, program(&MPI[k], "rare"), dir);
        g_autofree char *complaints = NULL;
        g_autofree char *printed = print(dir, "0", &complaints);
        g_autofree char *text = call_text(printed, "MPI_Finalize", 0);
        CHECK(strstr(text, "MPI_REQUEST_CANCELLED") != NULL, "%s: %s, %s", MPI[k].name, said, text);
        remove_folder(dir);
    }
}

/*
 * Calls are handed to OTF2 some hundreds at a time. Nobody computes meanwhile, but that is after
 * them all: time that is taken off in their midst would be taken again and again.
 */
static void no_call_begins_while_a_buffer_is_written(void)
{
    if (!can_print(&MPI[0])) {
        SKIP_TEST("no Open MPI, or no otf2-print");
    }
    g_autofree char *dir = folder();
    g_autofree char *said = record(&MPI[0], 2, dir, program(&MPI[0], "fills"), "disk:20000");
    g_autofree char *complaints = NULL;
    g_autofree char *printed = print(dir, "1", &complaints);
    g_auto(GStrv) lines = g_strsplit_set(printed, "\n", -1);
    uint64_t stop = 0;
    uint64_t flushes = 0;
    uint64_t inside = 0;
    for (char **l = lines; *l != NULL; l++) {
        if (g_str_has_prefix(*l, "BUFFER_FLUSH")) { /* its location, start, "Stop" "Time:" stop */
            stop = number_in(*l, 5);
            flushes++;
        } else if (g_str_has_prefix(*l, "ENTER")) {
            inside += number_in(*l, 2) < stop ? 1 : 0;
        }
    }
    CHECK(flushes > 20 && stop > 0, "%" PRIu64 ": %s", flushes, said);
    CHECK_I64(inside, 0);
    check_computation_fits(dir, printed, said);
    remove_folder(dir);
}

SUITE_MAIN("tracer_archive", TEST(no_call_begins_while_a_buffer_is_written),
           TEST(other_tools_read_calls_in_turn_and_do_not_complain),
           TEST(room_stands_beside_what_arrived), TEST(large_counts_are_recorded_like_small_ones),
           TEST(a_cancelled_request_that_nobody_waits_for_ends_with_the_program))
