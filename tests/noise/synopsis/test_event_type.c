/* tests/noise/synopsis/test_event_type.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/event_type.h"

#include "check.h"

static void names_say_function_size_and_peer(void)
{
    static const struct {
        const char *function;
        int64_t bytes, distance;
        const char *name;
    } ROWS[] = {
        {"MPI_Send", 8192, 1, "MPI_Send <= 8 KiB to rank+1"},
        {"MPI_Send", 8193, 1, "MPI_Send <= 16 KiB to rank+1"},
        {"MPI_Send", 0, 0, "MPI_Send 0 B to itself"},
        {"MPI_Send", 1, -1, "MPI_Send <= 1 B to rank-1"},
        {"MPI_Send", 2, 2, "MPI_Send <= 2 B to rank+2..3"},
        {"MPI_Isend", 1024, -3, "MPI_Isend <= 1 KiB to rank-2..3"},
        {"MPI_Isend", 1025, -4, "MPI_Isend <= 2 KiB to rank-4..7"},
        {"MPI_Send_c", INT64_MAX, 1048575, "MPI_Send_c <= 8 EiB to rank+524288..1048575"},
        {"MPI_Recv", 1048576, -1, "MPI_Recv <= 1 MiB from rank-1"},
        {"MPI_Recv", NOISE_EVENT_NO_SIZE, NOISE_EVENT_NO_PEER, "MPI_Recv"},
        {"MPI_Send", 8192, NOISE_EVENT_NOBODY, "MPI_Send to nobody"},
        {"MPI_Irecv", 8192, 1, "MPI_Irecv"},
        {"MPI_Waitall", 8192, 1, "MPI_Waitall"},
        {"MPI_Allreduce", 8, 1, "MPI_Allreduce <= 8 B"},
        {"main", 8, 1, "main"},
        {"Send", 8, 1, "Send"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const noise_event_function f = noise_event_function_of(ROWS[i].function);
        const noise_event_call call = noise_event_call_of(&f, ROWS[i].bytes, ROWS[i].distance);
        char name[NOISE_EVENT_NAME_BYTES];
        noise_event_call_name(&call, name);
        CHECK_STR(name, ROWS[i].name, "row %zu", i);
    }
}

static void a_computation_is_named_by_the_calls_around_it(void)
{
    const noise_event_function recv = noise_event_function_of("MPI_Recv");
    const noise_event_function wait = noise_event_function_of("MPI_Waitall");
    const noise_event_call before = noise_event_call_of(&recv, 5000, 7);
    const noise_event_call after = noise_event_call_of(&wait, 1, 1);
    char name[NOISE_EVENT_NAME_BYTES];
    noise_event_computation_name(&before, &after, name);
    CHECK_STR(name, "MPI_Recv <= 8 KiB .. MPI_Waitall");
    noise_event_computation_name(&after, &before, name);
    CHECK_STR(name, "MPI_Waitall .. MPI_Recv <= 8 KiB");
    g_autofree char *monster = g_strnfill(1000, 'x');
    const noise_event_function f = noise_event_function_of(monster);
    const noise_event_call call = noise_event_call_of(&f, 1, 1);
    noise_event_computation_name(&call, &call, name);
    CHECK_I64(strlen(name), 50 + 4 + 50);
}

/* What is left of a call that waited has the message's way in it. */
static void a_call_that_waited_is_of_another_type(void)
{
    const noise_event_function f = noise_event_function_of("MPI_Recv");
    const noise_event_call at_once = noise_event_call_of(&f, 8, -1);
    noise_event_call waited = at_once;
    waited.waited = true;
    char name[NOISE_EVENT_NAME_BYTES];
    noise_event_call_name(&waited, name);
    CHECK_STR(name, "MPI_Recv <= 8 B from rank-1, waited");
    CHECK(noise_event_call_type(&waited) != noise_event_call_type(&at_once));
    CHECK(noise_event_computation_type(&waited, &waited) ==
          noise_event_computation_type(&at_once, &at_once));
}

/* Two calls have one type if, and only if, they have one name; a computation never has a call's. */
static void types_differ_where_names_do(void)
{
    static const char *const FUNCTIONS[] = {"MPI_Send",    "MPI_Isend",     "MPI_Recv", "MPI_Irecv",
                                            "MPI_Waitall", "MPI_Allreduce", "MPI_Wait", "MPI_Test"};
    static const int64_t BYTES[] = {-1, 0, 1, 2, 3, 4, 5, 1000, 1024, 1025, 1 << 20, 1 << 30};
    static const int64_t DISTANCES[] = {
        NOISE_EVENT_NO_PEER, NOISE_EVENT_NOBODY, 0, 1, -1, 2, -3, 64};
    noise_event_function f[G_N_ELEMENTS(FUNCTIONS)];
    g_autoptr(GHashTable) names =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    g_autoptr(GHashTable) types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(noise_event_call));
    for (size_t i = 0; i < G_N_ELEMENTS(FUNCTIONS); i++) {
        f[i] = noise_event_function_of(FUNCTIONS[i]);
        for (size_t b = 0; b < G_N_ELEMENTS(BYTES); b++) {
            for (size_t d = 0; d < G_N_ELEMENTS(DISTANCES); d++) {
                const noise_event_call call = noise_event_call_of(&f[i], BYTES[b], DISTANCES[d]);
                g_array_append_val(calls, call);
            }
        }
    }
    for (guint i = 0; i < 20000; i++) {
        const bool pair = i >= calls->len;
        const noise_event_call *a =
            &g_array_index(calls, noise_event_call, pair ? i * 7919U % calls->len : i);
        const noise_event_call *b = &g_array_index(calls, noise_event_call, i / 3U % calls->len);
        char name[NOISE_EVENT_NAME_BYTES];
        uint64_t type;
        if (pair) {
            type = noise_event_computation_type(a, b);
            noise_event_computation_name(a, b, name);
        } else {
            type = noise_event_call_type(a);
            noise_event_call_name(a, name);
        }
        CHECK_I64(noise_event_type_kind(type), pair ? NOISE_EVENT_COMPUTATION : NOISE_EVENT_CALL);
        const char *known = g_hash_table_lookup(names, &type);
        if (known == NULL) {
            CHECK(g_hash_table_add(types, g_strdup(name)), "'%s' has two types", name);
            g_hash_table_insert(names, g_memdup2(&type, sizeof type), g_strdup(name));
        } else if (strcmp(known, name) != 0) {
            CHECK_STR(name, known, "one type");
        }
    }
    CHECK(g_hash_table_size(names) > 1000);
}

/* The ids are written to files: they must never change. By a program that is not this one. */
static void a_type_depends_on_names_and_sizes_alone(void)
{
    const noise_event_function send = noise_event_function_of("MPI_Send");
    const noise_event_call call = noise_event_call_of(&send, 8192, 1);
    CHECK_I64(noise_event_call_type(&call), INT64_C(-4793231839270804005));
    CHECK_I64(noise_event_computation_type(&call, &call), INT64_C(6932657678119088224));
    CHECK_I64(noise_event_task_type("MPI_Send"), INT64_C(-248294155453632493));
}

static void what_may_wait_for_others_is_not_local(void)
{
    static const struct {
        const char *function;
        int64_t bytes;
        uint64_t completed;
        bool local;
    } ROWS[] = {
        {"MPI_Send", 4096, 0, true},       {"MPI_Send", 4097, 0, false},
        {"MPI_Rsend", 0, 0, true},         {"MPI_Ssend", 0, 0, false},
        {"MPI_Bsend", 1 << 20, 0, true},   {"MPI_Isend", 1 << 20, 0, true},
        {"MPI_Isend_c", 1 << 20, 0, true}, {"MPI_Issend", 1 << 20, 0, true},
        {"MPI_Irecv", 1 << 20, 0, true},   {"MPI_Recv", 0, 0, false},
        {"MPI_Sendrecv", 0, 0, false},     {"MPI_Wait", 0, 1, false},
        {"MPI_Test", 0, 0, false},         {"MPI_Test", 0, 1, true},
        {"MPI_Testsome", 0, 3, true},      {"MPI_Iprobe", 0, 1, false},
        {"MPI_Barrier", 0, 0, false},      {"MPI_Ibarrier", 0, 0, true},
        {"MPI_Init", 0, 0, false},         {"BufferFlush", 0, 0, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const noise_event_function f = noise_event_function_of(ROWS[i].function);
        CHECK_I64(noise_event_is_local(&f, ROWS[i].bytes, ROWS[i].completed), ROWS[i].local,
                  "row %zu", i);
    }
}

SUITE_MAIN("event_type", TEST(names_say_function_size_and_peer),
           TEST(a_computation_is_named_by_the_calls_around_it),
           TEST(a_call_that_waited_is_of_another_type), TEST(types_differ_where_names_do),
           TEST(a_type_depends_on_names_and_sizes_alone),
           TEST(what_may_wait_for_others_is_not_local))
