/* schedgen/liballprof/liballprof_layout.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof, fuzz_liballprof. */
#include "liballprof/liballprof_private.h"

#include <string.h>

/*
 * Arguments, one letter each, after the start time and before the end time:
 *   .  not needed             n d  count and datatype (sent)     m e  the same (received)
 *   p t  peer and tag         q u  source and tag of a Sendrecv  o    root
 *   c  communicator           r k  request, number of them       w    new communicator
 *   i j  buffer that may be MPI_IN_PLACE (send, receive)
 *   S R L  address of a list of counts sent, received, of displacements; the list may follow
 *   y z f  colour, key, reorder
 */
#define P2P(name_, args_, kind_)                                                                   \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = (kind_)                                     \
    }
#define P2P_SYNC(name_, args_, kind_)                                                              \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = (kind_), .synchronous = true                \
    }
#define COLL(name_, args_, which_)                                                                 \
    {.name = "MPI_" name_,                                                                         \
     .args = (args_),                                                                              \
     .kind = SCHED_CALL_COLLECTIVE,                                                                \
     .collective = (which_)},                                                                      \
    {                                                                                              \
        .name = "MPI_I" name_, .args = args_ "r", .kind = SCHED_CALL_ICOLLECTIVE,                  \
        .collective = (which_)                                                                     \
    }
#define DONE(name_, args_, action_)                                                                \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .kind = SCHED_CALL_COMPLETE, .action = (action_)    \
    }
#define OTHER(name_, args_, action_)                                                               \
    {                                                                                              \
        .name = "MPI_" name_, .args = (args_), .action = (action_)                                 \
    }

static const sched_lap_layout LAYOUTS[] = {
    P2P("Send", ".ndptc", SCHED_CALL_SEND),
    P2P("Bsend", ".ndptc", SCHED_CALL_SEND),
    P2P("Rsend", ".ndptc", SCHED_CALL_SEND),
    P2P_SYNC("Ssend", ".ndptc", SCHED_CALL_SEND),
    P2P("Recv", ".ndptc.", SCHED_CALL_RECV),
    P2P("Isend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Ibsend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Irsend", ".ndptcr", SCHED_CALL_ISEND),
    P2P_SYNC("Issend", ".ndptcr", SCHED_CALL_ISEND),
    P2P("Irecv", ".ndptcr", SCHED_CALL_IRECV),
    P2P("Send_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Bsend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Rsend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P_SYNC("Ssend_init", ".ndptcr", SCHED_CALL_SEND_INIT),
    P2P("Recv_init", ".ndptcr", SCHED_CALL_RECV_INIT),
    P2P("Sendrecv", ".ndpt.mequc.", SCHED_CALL_SENDRECV),
    P2P("Sendrecv_replace", ".ndptquc.", SCHED_CALL_SENDRECV),
    P2P("Start", "r", SCHED_CALL_START),
    P2P("Startall", "kr", SCHED_CALL_START),
    P2P("Cancel", "r", SCHED_CALL_CANCEL),
    DONE("Wait", "r.", LAP_WAIT),
    DONE("Waitall", "kr.", LAP_WAIT),
    DONE("Waitany", "kr..", LAP_ANY),
    DONE("Waitsome", "kr...", LAP_ANY),
    DONE("Test", "r..", LAP_ANY),
    DONE("Testall", "kr..", LAP_ANY),
    DONE("Testany", "kr...", LAP_ANY),
    DONE("Testsome", "kr...", LAP_ANY),
    DONE("Request_get_status", "...", LAP_CALL),
    COLL("barrier", "c", COLL_BARRIER),
    COLL("bcast", ".ndoc", COLL_BCAST),
    COLL("reduce", "i.nd.oc", COLL_REDUCE),
    COLL("allreduce", "i.nd.c", COLL_ALLREDUCE),
    COLL("scan", "i.nd.c", COLL_SCAN),
    COLL("exscan", "i.nd.c", COLL_EXSCAN),
    COLL("gather", "ind.meoc", COLL_GATHER),
    COLL("gatherv", "ind.RLeoc", COLL_GATHERV),
    COLL("scatter", ".ndjmeoc", COLL_SCATTER),
    COLL("scatterv", ".SLdjmeoc", COLL_SCATTERV),
    COLL("allgather", "ind.mec", COLL_ALLGATHER),
    COLL("allgatherv", "ind.RLec", COLL_ALLGATHERV),
    COLL("alltoall", "ind.mec", COLL_ALLTOALL),
    COLL("alltoallv", "iSLd.RLec", COLL_ALLTOALLV),
    COLL("alltoallw", "iSL..RL.c", COLL_ALLTOALLW),
    COLL("reduce_scatter", "i.Rd.c", COLL_REDUCE_SCATTER),
    COLL("reduce_scatter_block", "i.nd.c", COLL_REDUCE_SCATTER_BLOCK),
    OTHER("Comm_rank", "c.", LAP_CALL), /* from here on: they show which communicators there are */
    OTHER("Comm_size", "c.", LAP_CALL),
    OTHER("Comm_group", "c.", LAP_CALL),
    OTHER("Cart_get", "c....", LAP_CALL),
    OTHER("Cart_rank", "c..", LAP_CALL),
    OTHER("Cart_coords", "c...", LAP_CALL),
    OTHER("Cart_shift", "c....", LAP_CALL),
    OTHER("Request_free", "r", LAP_FREE_REQ),
    OTHER("Comm_free", "w", LAP_FREE_COMM),
    OTHER("Comm_disconnect", "w", LAP_FREE_COMM),
    OTHER("Comm_dup", "cw", LAP_DUP),
    OTHER("Comm_dup_with_info", "c.w", LAP_DUP),
    OTHER("Comm_idup", "cw.", LAP_DUP),
    OTHER("Comm_split", "cyzw", LAP_SPLIT),
    OTHER("Comm_split_type", "c.z.w", LAP_TYPE),
    OTHER("Comm_create", "c.w", LAP_CREATE),
    OTHER("Cart_create", "c...fw", LAP_CART),
    OTHER("Cart_sub", "c.w", LAP_SUB),
    OTHER("Graph_create", "c...fw", LAP_CART),
    OTHER("Dist_graph_create_adjacent", "c.......fw", LAP_CART),
    OTHER("Dist_graph_create", "c......fw", LAP_CART),
    {.name = "MPI_Init", .args = "..", .kind = SCHED_CALL_INIT},
    {.name = "MPI_Init_thread", .args = "....", .kind = SCHED_CALL_INIT},
    {.name = "MPI_Finalize", .args = "", .kind = SCHED_CALL_FINALIZE},
};

/* Layouts by name, lower case: collectives are listed as they are spelled after MPI_I. */
static const sched_lap_layout *layout_find(sched_lap_slice name)
{
    static GHashTable *index;
    if (g_once_init_enter(&index)) {
        GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);
        for (size_t i = 0; i < G_N_ELEMENTS(LAYOUTS); i++) {
            g_hash_table_insert(table, g_ascii_strdown(LAYOUTS[i].name, -1),
                                GSIZE_TO_POINTER(i + 1));
        }
        g_once_init_leave(&index, table);
    }
    char lower[40];
    if (name.len >= sizeof lower) {
        return NULL;
    }
    for (size_t i = 0; i < name.len; i++) {
        lower[i] = g_ascii_tolower(name.text[i]);
    }
    lower[name.len] = '\0';
    const gsize at = GPOINTER_TO_SIZE(g_hash_table_lookup(index, lower));
    return at > 0 ? &LAYOUTS[at - 1] : NULL;
}

/* ---- the functions of a file ---------------------------------------------------------------- */

enum { NUM_NEAR = 64 };

struct sched_lap_functions {
    GHashTable *by_name;                /* of sched_lap_function, owned */
    GPtrArray *called;                  /* those with numbers */
    sched_lap_function *near[NUM_NEAR]; /* found before */
};

static void function_free(void *data)
{
    sched_lap_function *function = data;
    g_free(function->name);
    g_free(function);
}

sched_lap_functions *sched_lap_functions_new(void)
{
    sched_lap_functions *f = g_new0(sched_lap_functions, 1);
    f->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, function_free);
    f->called = g_ptr_array_new();
    return f;
}

void sched_lap_functions_free(sched_lap_functions *f)
{
    if (f != NULL) {
        g_hash_table_unref(f->by_name);
        g_ptr_array_unref(f->called);
        g_free(f);
    }
}

static bool is_name(sched_lap_slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!g_ascii_isalnum(s.text[i]) && s.text[i] != '_') {
            return false;
        }
    }
    return s.len > 0 && g_ascii_isalpha(s.text[0]);
}

static sched_lap_function *function_new(char *name, const sched_lap_layout *layout)
{
    sched_lap_function *function = g_new0(sched_lap_function, 1);
    *function = (sched_lap_function){
        .name = name, .len = strlen(name), .number = LAP_NONE, .layout = layout};
    for (const char *letter = layout != NULL ? layout->args : ""; *letter != '\0'; letter++) {
        function->num_letters++;
        function->num_lists += g_ascii_isupper(*letter) ? 1 : 0;
        function->comm_at = *letter == 'c' ? function->num_letters : function->comm_at;
        function->is_message = function->is_message || *letter == 'p';
        function->has_request = function->has_request || *letter == 'r';
    }
    function->has_comm = function->comm_at > 0;
    return function;
}

sched_lap_function *sched_lap_functions_find(sched_lap_functions *f, sched_lap_slice name)
{
    enum { PREFIX = 4 }; /* "MPI_" */
    const uint8_t *text = (const uint8_t *)name.text;
    const size_t hash = name.len > PREFIX
                            ? name.len ^ (size_t)text[PREFIX] << 1 ^ (size_t)text[PREFIX + 1] << 2 ^
                                  (size_t)text[name.len - 1] << 3
                            : 0;
    sched_lap_function **near = &f->near[hash % NUM_NEAR];
    if (*near != NULL && (*near)->len == name.len &&
        memcmp((*near)->name, name.text, name.len) == 0) {
        return *near;
    }
    if (!is_name(name)) {
        return NULL;
    }
    g_autofree char *copy = g_strndup(name.text, name.len);
    sched_lap_function *function = g_hash_table_lookup(f->by_name, copy);
    if (function == NULL) {
        function = function_new(g_steal_pointer(&copy), layout_find(name));
        g_hash_table_insert(f->by_name, function->name, function);
    }
    *near = function;
    return function;
}

uint32_t sched_lap_functions_number(sched_lap_functions *f, sched_lap_function *function)
{
    if (function->number == LAP_NONE) {
        function->number = f->called->len;
        g_ptr_array_add(f->called, function);
    }
    return function->number;
}

uint32_t *sched_lap_functions_names(const sched_lap_functions *f, sched_trace *trace)
{
    uint32_t *names = g_new(uint32_t, (gsize)f->called->len + 1);
    for (guint i = 0; i < f->called->len; i++) {
        names[i] =
            sched_trace_name(trace, ((sched_lap_function *)g_ptr_array_index(f->called, i))->name);
    }
    return names;
}
