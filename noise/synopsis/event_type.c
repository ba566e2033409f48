/* noise/synopsis/event_type.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "noise/event_type.h"

#include <stdio.h>
#include <string.h>

enum { LOCAL = 1, EAGER = 2, SIZED = 4, TO = 8, FROM = 16, TESTS = 32 };

static const struct {
    const char *name; /* without MPI_ */
    int what;
} FUNCTIONS[] = {
    {"Send", EAGER | SIZED | TO},
    {"Rsend", EAGER | SIZED | TO},
    {"Bsend", LOCAL | SIZED | TO},
    {"Ssend", SIZED | TO},
    {"Isend", LOCAL | SIZED | TO},
    {"Irsend", LOCAL | SIZED | TO},
    {"Ibsend", LOCAL | SIZED | TO},
    {"Issend", LOCAL | SIZED | TO},
    {"Sendrecv", SIZED | TO},
    {"Sendrecv_replace", SIZED | TO},
    {"Recv", SIZED | FROM},
    {"Mrecv", SIZED | FROM},
    {"Irecv", LOCAL},
    {"Imrecv", LOCAL},
    {"Send_init", LOCAL},
    {"Bsend_init", LOCAL},
    {"Ssend_init", LOCAL},
    {"Rsend_init", LOCAL},
    {"Recv_init", LOCAL},
    {"Start", LOCAL},
    {"Startall", LOCAL},
    {"Cancel", LOCAL},
    {"Request_free", LOCAL},
    {"Test", TESTS},
    {"Testany", TESTS},
    {"Testall", TESTS},
    {"Testsome", TESTS},
    {"Barrier", 0},
    {"Ibarrier", LOCAL},
    {"Bcast", SIZED},
    {"Reduce", SIZED},
    {"Allreduce", SIZED},
    {"Gather", SIZED},
    {"Gatherv", SIZED},
    {"Scatter", SIZED},
    {"Scatterv", SIZED},
    {"Allgather", SIZED},
    {"Allgatherv", SIZED},
    {"Alltoall", SIZED},
    {"Alltoallv", SIZED},
    {"Alltoallw", SIZED},
    {"Reduce_scatter", SIZED},
    {"Reduce_scatter_block", SIZED},
    {"Scan", SIZED},
    {"Exscan", SIZED},
    {"Ibcast", LOCAL | SIZED},
    {"Ireduce", LOCAL | SIZED},
    {"Iallreduce", LOCAL | SIZED},
    {"Igather", LOCAL | SIZED},
    {"Igatherv", LOCAL | SIZED},
    {"Iscatter", LOCAL | SIZED},
    {"Iscatterv", LOCAL | SIZED},
    {"Iallgather", LOCAL | SIZED},
    {"Iallgatherv", LOCAL | SIZED},
    {"Ialltoall", LOCAL | SIZED},
    {"Ialltoallv", LOCAL | SIZED},
    {"Ialltoallw", LOCAL | SIZED},
    {"Ireduce_scatter", LOCAL | SIZED},
    {"Ireduce_scatter_block", LOCAL | SIZED},
    {"Iscan", LOCAL | SIZED},
    {"Iexscan", LOCAL | SIZED},
};

/* Is it the function @p known, or its form with large counts, MPI_Send_c? */
static bool is_function(const char *name, const char *known)
{
    const size_t n = strlen(known);
    return strncmp(name, known, n) == 0 && (name[n] == '\0' || strcmp(name + n, "_c") == 0);
}

/* FNV-1a. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3U;
    }
    return noise_event_mix(hash);
}

noise_event_function noise_event_function_of(const char *name)
{
    noise_event_function f = {.name = name, .hash = hash_of(name), .local = -1};
    if (strncmp(name, "MPI_", 4) != 0) {
        return f;
    }
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        if (is_function(name + 4, FUNCTIONS[i].name)) {
            const int what = FUNCTIONS[i].what;
            f.local = (what & LOCAL) != 0   ? INT64_MAX
                      : (what & EAGER) != 0 ? NOISE_EVENT_EAGER_BYTES
                                            : -1;
            f.sized = (what & SIZED) != 0;
            f.peered = (what & (TO | FROM)) != 0;
            f.receives = (what & FROM) != 0;
            f.collective = (what & ~SIZED) == 0;
            f.tests = (what & TESTS) != 0;
        }
    }
    return f;
}

uint64_t noise_event_task_type(const char *name)
{
    return noise_event_typed(NOISE_EVENT_TASK, hash_of(name));
}

/* Text is added as long as there is room. */
typedef struct text {
    char *out;
    size_t used;
} text;

static void put(text *t, int written)
{
    const size_t room = NOISE_EVENT_NAME_BYTES - 1 - t->used;
    t->used += written < 0 ? 0 : (size_t)written < room ? (size_t)written : room;
}

#define PUT(t, ...)                                                                                \
    put(t, snprintf((t)->out + (t)->used, NOISE_EVENT_NAME_BYTES - (t)->used, __VA_ARGS__))

static void put_size(text *t, uint8_t class)
{
    static const char *const UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (class == 1) {
        PUT(t, " 0 B");
    } else if (class > 1) {
        const unsigned power = class - 2U;
        PUT(t, " <= %u %s", 1U << (power % 10), UNITS[power / 10]);
    }
}

static void put_peer(text *t, uint8_t class, bool receives)
{
    const char *word = receives ? "from" : "to";
    if (class == 1 || class == 2) {
        PUT(t, " %s %s", word, class == 1 ? "nobody" : "itself");
    } else if (class > 2) {
        const unsigned octave = (class - 3U) / 2;
        const unsigned long long first = 1ULL << octave;
        PUT(t, " %s rank%c%llu", word, class % 2 == 1 ? '+' : '-', first);
        if (octave > 0) {
            PUT(t, "..%llu", 2 * first - 1);
        }
    }
}

static void put_function(text *t, const noise_event_call *call)
{
    PUT(t, "%.50s", call->function->name);
    put_size(t, call->size);
}

void noise_event_call_name(const noise_event_call *call, char out[NOISE_EVENT_NAME_BYTES])
{
    text t = {out, 0};
    put_function(&t, call);
    put_peer(&t, call->peer, call->function->receives);
    if (call->waited) {
        PUT(&t, ", waited");
    }
}

void noise_event_computation_name(const noise_event_call *before, const noise_event_call *after,
                                  char out[NOISE_EVENT_NAME_BYTES])
{
    text t = {out, 0};
    put_function(&t, before);
    PUT(&t, " .. ");
    put_function(&t, after);
}
