/* schedgen/convert/convert_left_out.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_left_out. */
/*
 * What is not converted counts as computation; here it is said of what, how often, and how much of
 * the time it takes. Calls are put together by what they do: a program that writes a file through
 * eleven functions gets one line for them. Functions that a rank answers by itself (MPI_Comm_rank,
 * MPI_Type_commit) are computation indeed, and are named only where they take their time.
 *
 * Two kinds are no computation, but waiting. What a test that found nothing waits for is converted,
 * and the wait for that is computed anew: counted as well, no delay would ever be absorbed by it.
 * What makes communicators waits for all their ranks, most of all for those that come late.
 */
#include "convert/convert_private.h"

#include <stdlib.h>
#include <string.h>

/* Families of functions. A name that ends with an underscore begins others. */
typedef struct family {
    const char *what;
    const char *const *names;
    bool waits; /* then it is no computation */
} family;

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const family FAMILIES[] = {
    {.what = "probes", .names = NAMES("Probe", "Iprobe", "Mprobe", "Improbe")},
    {.what = "tests that found nothing",
     .names = NAMES("Test", "Testany", "Testall", "Testsome", "Request_get_status",
                    "Request_get_status_"),
     .waits = true},
    {.what = "one-sided calls",
     .names = NAMES("Win_", "Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op",
                    "Compare_and_swap", "Rput", "Rget", "Raccumulate", "Rget_accumulate")},
    {.what = "file operations", .names = NAMES("File_", "Register_datarep")},
    {.what = "neighbourhood collectives", .names = NAMES("Neighbor_", "Ineighbor_")},
    {.what = "calls that make or free communicators",
     .names =
         NAMES("Comm_dup", "Comm_dup_", "Comm_idup", "Comm_idup_", "Comm_create", "Comm_create_",
               "Comm_split", "Comm_split_", "Comm_free", "Comm_disconnect", "Cart_create",
               "Cart_sub", "Graph_create", "Dist_graph_create", "Dist_graph_create_", "Intercomm_"),
     .waits = true},
    {.what = "calls that start or meet other programs",
     .names = NAMES("Comm_spawn", "Comm_spawn_", "Comm_accept", "Comm_connect", "Comm_join",
                    "Comm_get_parent", "Open_port", "Close_port", "Publish_name", "Unpublish_name",
                    "Lookup_name")},
    {.what = "partitioned messages",
     .names = NAMES("Psend_init", "Precv_init", "Pready", "Pready_", "Parrived")},
};

/* What a rank does by itself. */
static const char *const LOCAL[] = {"Comm_rank",
                                    "Comm_size",
                                    "Comm_group",
                                    "Comm_compare",
                                    "Comm_remote_",
                                    "Comm_test_inter",
                                    "Comm_get_",
                                    "Comm_set_",
                                    "Comm_create_keyval",
                                    "Comm_free_keyval",
                                    "Comm_delete_attr",
                                    "Comm_create_errhandler",
                                    "Comm_call_errhandler",
                                    "Comm_c2f",
                                    "Comm_f2c",
                                    "Cart_get",
                                    "Cart_rank",
                                    "Cart_coords",
                                    "Cart_shift",
                                    "Cart_map",
                                    "Cartdim_get",
                                    "Graph_get",
                                    "Graph_map",
                                    "Graph_neighbors",
                                    "Graph_neighbors_count",
                                    "Graphdims_get",
                                    "Dist_graph_neighbors",
                                    "Dist_graph_neighbors_count",
                                    "Topo_test",
                                    "Dims_create",
                                    "Type_",
                                    "Group_",
                                    "Info_",
                                    "Op_",
                                    "Errhandler_",
                                    "Error_",
                                    "Add_error_",
                                    "Attr_",
                                    "Keyval_",
                                    "Get_address",
                                    "Get_count",
                                    "Get_elements",
                                    "Get_elements_",
                                    "Get_processor_name",
                                    "Get_version",
                                    "Get_library_version",
                                    "Get_hw_resource_info",
                                    "Status_",
                                    "Pack",
                                    "Pack_",
                                    "Unpack",
                                    "Unpack_",
                                    "Address",
                                    "Alloc_mem",
                                    "Free_mem",
                                    "Buffer_",
                                    "Wtime",
                                    "Wtick",
                                    "Initialized",
                                    "Finalized",
                                    "Query_thread",
                                    "Is_thread_main",
                                    "Pcontrol",
                                    "T_",
                                    "Aint_",
                                    "Request_free",
                                    "Request_c2f",
                                    "Request_f2c",
                                    "Cancel",
                                    "Grequest_",
                                    "Message_",
                                    "Win_get_attr",
                                    "Sizeof",
                                    NULL};

/* What a wait without requests is among. */
static const char *const WAITS[] = {"Wait", "Waitany", "Waitall", "Waitsome", NULL};

enum { NUM_FAMILIES = G_N_ELEMENTS(FAMILIES), OTHERS = NUM_FAMILIES, LOCALS, IDLE, NUM_LINES };

/* Of one function, or one communicator. */
typedef struct left_out {
    const char *name; /* of the function */
    uint64_t count;
    sim_time time;
} left_out;

struct conv_left_out {
    const sched_trace *trace;
    left_out *of;      /* [names] */
    bool *waits;       /* [names] */
    bool *idle;        /* [names] may complete nothing: waits and tests */
    left_out *of_comm; /* [communicators]: calls on those whose members are not known */
    sim_time all;      /* of all ranks, from their first call to their last one */
};

void sched_convert_left_out_add(conv_left_out *l, const sched_call *call)
{
    if (call->kind == SCHED_CALL_COMPLETE && !l->idle[call->name]) {
        return; /* recording was off, or wrote its buffer: no computation, and no call either */
    }
    const bool by_name = call->kind == SCHED_CALL_OTHER || call->kind == SCHED_CALL_COMPLETE;
    left_out *sum = by_name ? &l->of[call->name] : &l->of_comm[call->comm];
    sum->count++;
    sum->time = conv_add_times(sum->time, call->leave - call->enter);
}

void sched_convert_left_out_pass(conv_left_out *l, sim_time time)
{
    l->all = conv_add_times(l->all, time);
}

static void join(left_out *sums, const left_out *more, guint n)
{
    for (guint i = 0; i < n; i++) {
        sums[i].count += more[i].count;
        sums[i].time = conv_add_times(sums[i].time, more[i].time);
    }
}

void sched_convert_left_out_join(conv_left_out *l, const conv_left_out *more)
{
    join(l->of, more->of, l->trace->names->len);
    join(l->of_comm, more->of_comm, l->trace->num_comms);
    l->all = conv_add_times(l->all, more->all);
}

static bool is_one_of(const char *const *names, const char *name)
{
    for (; *names != NULL; names++) {
        const size_t n = strlen(*names);
        if ((*names)[n - 1] == '_' ? g_ascii_strncasecmp(name, *names, n) == 0
                                   : g_ascii_strcasecmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

/* The line that a function belongs to. Forms with large counts end with "_c". */
static guint line_of(const char *function)
{
    const size_t prefix = g_ascii_strncasecmp(function, "MPIX_", 5) == 0  ? 5
                          : g_ascii_strncasecmp(function, "MPI_", 4) == 0 ? 4
                                                                          : 0;
    g_autofree char *name = g_strdup(function + prefix);
    if (g_str_has_suffix(name, "_c")) {
        name[strlen(name) - 2] = '\0';
    }
    if (prefix == 0 || is_one_of(LOCAL, name)) {
        return LOCALS;
    }
    if (is_one_of(WAITS, name)) {
        return IDLE;
    }
    for (guint i = 0; i < NUM_FAMILIES; i++) {
        if (is_one_of(FAMILIES[i].names, name)) {
            return i;
        }
    }
    return OTHERS;
}

conv_left_out *sched_convert_left_out_new(const sched_trace *trace)
{
    conv_left_out *l = g_new0(conv_left_out, 1);
    l->trace = trace;
    l->of = g_new0(left_out, (gsize)trace->names->len + 1);
    l->waits = g_new0(bool, (gsize)trace->names->len + 1);
    l->idle = g_new0(bool, (gsize)trace->names->len + 1);
    for (guint i = 0; i < trace->names->len; i++) {
        const guint line = line_of(g_ptr_array_index(trace->names, i));
        l->waits[i] = line < NUM_FAMILIES && FAMILIES[line].waits;
        l->idle[i] = l->waits[i] || line == IDLE;
    }
    l->of_comm = g_new0(left_out, (gsize)trace->num_comms + 1);
    return l;
}

void sched_convert_left_out_free(conv_left_out *l)
{
    if (l != NULL) {
        g_free(l->of);
        g_free(l->waits);
        g_free(l->idle);
        g_free(l->of_comm);
        g_free(l);
    }
}

bool sched_convert_left_out_waits(const conv_left_out *l, const sched_call *call)
{
    return call->kind == SCHED_CALL_OTHER && l->waits[call->name];
}

static double share_of(const conv_left_out *l, sim_time time)
{
    return l->all > 0 ? (double)time / (double)l->all : 0;
}

/* Say it of a part of the time that may not be what it counts as. */
static void say_share(const conv_left_out *l, const left_out *sum, const char *what,
                      GArray *notices)
{
    const sched_notice notice = {g_strdup(what), sum->count, share_of(l, sum->time)};
    g_array_append_val(notices, notice);
}

/* "3.1 % of the time". Owned by the caller. */
static char *share_text(const conv_left_out *l, sim_time time)
{
    const double percent = 100 * share_of(l, time);
    return percent < 0.01
               ? g_strdup("less than 0.01 % of the time")
               : g_strdup_printf(percent < 10 ? "%.2g %% of the time" : "%.0f %% of the time",
                                 percent);
}

/* The function that takes most time comes first. */
static int by_time(const void *a, const void *b)
{
    const left_out *x = a;
    const left_out *y = b;
    if (x->time != y->time) {
        return x->time > y->time ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

/* "MPI_Put 3, MPI_Get 1"; and the sum of all. Owned by the caller. */
static char *list(GArray *functions, left_out *sum)
{
    enum { SHOWN = 8 };
    g_autoptr(GString) text = g_string_new(NULL);
    g_array_sort(functions, by_time);
    *sum = (left_out){0};
    for (guint i = 0; i < functions->len; i++) {
        const left_out *one = &g_array_index(functions, left_out, i);
        sum->count += one->count;
        sum->time = conv_add_times(sum->time, one->time);
        if (i < SHOWN) {
            g_string_append_printf(text, "%s%s %" G_GUINT64_FORMAT, i > 0 ? ", " : "", one->name,
                                   one->count);
        }
    }
    if (functions->len > SHOWN) {
        g_string_append_printf(text, ", %u more", functions->len - SHOWN);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void say(const conv_left_out *l, guint line, GArray *functions, GArray *notices)
{
    enum { WORTH_PERCENT = 1, LARGE_PERCENT = 10 };
    static const char *const WHAT[] = {
        [OTHERS - NUM_FAMILIES] = "other calls that are not converted",
        [LOCALS - NUM_FAMILIES] = "functions that a rank answers by itself",
        [IDLE - NUM_FAMILIES] = "waits that complete nothing"};
    left_out sum;
    g_autofree char *names = list(functions, &sum);
    const bool small = sum.time < l->all / 100 * WORTH_PERCENT;
    if (sum.count == 0 || (small && (line == LOCALS || line == IDLE))) {
        return;
    }
    const bool waits = line == IDLE || (line < NUM_FAMILIES && FAMILIES[line].waits);
    g_autofree char *part = share_text(l, sum.time);
    g_autofree char *what =
        g_strdup_printf("%s is in %s, %s%s: %s", part,
                        line < NUM_FAMILIES ? FAMILIES[line].what : WHAT[line - NUM_FAMILIES],
                        waits ? "taken as waiting" : "kept as computation",
                        waits || line == LOCALS || sum.time < l->all / 100 * LARGE_PERCENT
                            ? ""
                            : ", although ranks may be waiting there",
                        names);
    if (line == LOCALS) {
        sched_notices_add(notices, sum.count, what);
    } else {
        say_share(l, &sum, what, notices);
    }
}

static void say_comm(const conv_left_out *l, uint32_t comm, GArray *notices)
{
    const left_out *sum = &l->of_comm[comm];
    if (sum->count > 0) {
        g_autofree char *part = share_text(l, sum->time);
        g_autofree char *what = g_strdup_printf(
            "%s is in calls on the communicator of %u ranks from %s, whose members are not known, "
            "kept as computation",
            part, l->trace->comms[comm].size, l->trace->comms[comm].name);
        say_share(l, sum, what, notices);
    }
}

void sched_convert_left_out_say(const conv_left_out *l, GArray *notices)
{
    for (uint32_t comm = 0; comm < l->trace->num_comms; comm++) {
        say_comm(l, comm, notices);
    }
    GArray *functions[NUM_LINES];
    for (guint i = 0; i < NUM_LINES; i++) {
        functions[i] = g_array_new(FALSE, FALSE, sizeof(left_out));
    }
    for (guint i = 0; i < l->trace->names->len; i++) {
        left_out one = l->of[i];
        one.name = g_ptr_array_index(l->trace->names, i);
        if (one.count > 0) {
            g_array_append_val(functions[line_of(one.name)], one);
        }
    }
    for (guint i = 0; i < NUM_LINES; i++) {
        say(l, i, functions[i], notices);
        g_array_unref(functions[i]);
    }
}
