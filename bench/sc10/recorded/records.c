/* bench/sc10/recorded/records.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "records.h"

#include "computation.h"
#include "sched/replay.h"
#include "sched/simgrid.h"

struct sc10_records {
    char *folder;
    GMutex mutex;        /* of both below */
    GHashTable *traces;  /* text of what is read, and how -> record */
    GPtrArray *profiles; /* programs borrow them */
};

/* Read by the first thread that asks; others wait for it, but not for other records. */
typedef struct record {
    GMutex mutex;
    sched_trace *trace; /* NULL: not read */
} record;

static void record_free(gpointer data)
{
    record *one = data;
    sched_trace_free(one->trace);
    g_mutex_clear(&one->mutex);
    g_free(one);
}

static void profile_free(gpointer profile)
{
    coll_profile_free(profile);
}

sc10_records *sc10_records_new(const char *folder)
{
    sc10_records *r = g_new0(sc10_records, 1);
    r->folder = g_strdup(folder);
    g_mutex_init(&r->mutex);
    r->traces = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, record_free);
    r->profiles = g_ptr_array_new_with_free_func(profile_free);
    return r;
}

void sc10_records_free(sc10_records *r)
{
    if (r == NULL) {
        return;
    }
    g_mutex_clear(&r->mutex);
    g_hash_table_unref(r->traces);
    g_ptr_array_unref(r->profiles);
    g_free(r->folder);
    g_free(r);
}

static sched_trace *read_trace(const sc10_records *r, const sc10_app_case *what)
{
    const sc10_proxy *proxy = &SC10_PROXIES[what->proxy];
    g_autofree char *name = g_strconcat(proxy->record, ".ti.xz", NULL);
    g_autofree char *path = g_build_filename(r->folder, proxy->record, name, NULL);
    g_autoptr(GError) error = NULL;
    sched_trace *trace =
        sched_simgrid_read(path, proxy->flops_per_second / sc10_app_stretch(what), &error);
    if (trace == NULL) {
        g_error("%s", error->message);
    }
    if (what->computation != SC10_AS_RECORDED) {
        sc10_computation_even(trace, what->computation == SC10_BALANCED);
    }
    return trace;
}

static record *record_of(sc10_records *r, const sc10_app_case *what)
{
    g_autofree char *key = g_strdup_printf("%d %d %g", (int)what->proxy, (int)what->computation,
                                           sc10_app_stretch(what));
    g_mutex_lock(&r->mutex);
    record *one = g_hash_table_lookup(r->traces, key);
    if (one == NULL) {
        one = g_new0(record, 1);
        g_mutex_init(&one->mutex);
        g_hash_table_insert(r->traces, g_steal_pointer(&key), one);
    }
    g_mutex_unlock(&r->mutex);
    return one;
}

const sched_trace *sc10_records_trace(sc10_records *r, const sc10_app_case *what)
{
    record *one = record_of(r, what);
    g_mutex_lock(&one->mutex);
    if (one->trace == NULL) {
        one->trace = read_trace(r, what);
    }
    const sched_trace *trace = one->trace;
    g_mutex_unlock(&one->mutex);
    return trace;
}

/* The profile lives as long as the records. */
static sched_convert_options options_of(sc10_records *r, const sc10_app_case *what)
{
    g_autoptr(GError) error = NULL;
    coll_profile *profile = coll_profile_new("sc10", what->algorithms, &error);
    if (profile == NULL) {
        g_error("%s", error->message);
    }
    g_mutex_lock(&r->mutex);
    g_ptr_array_add(r->profiles, profile);
    g_mutex_unlock(&r->mutex);
    return (sched_convert_options){
        .copies = what->copies,
        .repeat = what->repeat,
        .roots = what->roots_per_copy ? SCHED_ROOT_PER_COPY : SCHED_ROOT_GLOBAL,
        .no_p2p = what->no_p2p,
        .no_collectives = what->no_collectives,
        .profile = profile,
    };
}

sim_program *sc10_records_program(sc10_records *r, const sc10_app_case *what)
{
    const sched_convert_options options = options_of(r, what);
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    sim_program *program = sched_replay_new(sc10_records_trace(r, what), &options, &report, &error);
    sched_convert_report_clear(&report);
    if (program == NULL) {
        g_error("%s", error->message);
    }
    return program;
}

sim_graph *sc10_records_graph(sc10_records *r, const sc10_app_case *what)
{
    const sched_convert_options options = options_of(r, what);
    sched_convert_report report = {0};
    g_autoptr(GError) error = NULL;
    sim_graph *graph = sched_convert(sc10_records_trace(r, what), &options, &report, &error);
    sched_convert_report_clear(&report);
    if (graph == NULL) {
        g_error("%s", error->message);
    }
    return graph;
}
