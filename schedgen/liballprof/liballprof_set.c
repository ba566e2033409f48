/* schedgen/liballprof/liballprof_set.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_liballprof_file. */
#include "liballprof/liballprof_set.h"
#include "model/packed_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

sched_lap_set *sched_lap_set_new(const char *path)
{
    sched_lap_set *set = g_new0(sched_lap_set, 1);
    set->path = g_strdup(path);
    set->files = g_ptr_array_new_with_free_func((GDestroyNotify)sched_lap_file_free);
    return set;
}

void sched_lap_set_free(sched_lap_set *set)
{
    if (set != NULL) {
        g_free(set->path);
        g_ptr_array_unref(set->files);
        g_free(set);
    }
}

/* A name with one of its numbers taken for the rank's. */
typedef struct lap_reading {
    size_t prefix; /* length of what comes before the number */
    const char *suffix;
    uint32_t number;
} lap_reading;

/* The next number to the left of @p before (in the file's name, not its folder). */
static bool read_number(const char *name, size_t before, lap_reading *out)
{
    const char *slash = strrchr(name, '/');
    const size_t base = slash != NULL ? (size_t)(slash - name) + 1 : 0;
    size_t end = before;
    while (end > base && !g_ascii_isdigit(name[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > base && g_ascii_isdigit(name[start - 1])) {
        start--;
    }
    const guint64 value = g_ascii_strtoull(name + start, NULL, 10);
    *out = (lap_reading){start, name + end, (uint32_t)MIN(value, (guint64)UINT32_MAX)};
    return start < end;
}

static bool same_but_number(const char *name, const lap_reading *a, const char *other,
                            uint32_t *number)
{
    lap_reading b;
    for (size_t before = strlen(other); read_number(other, before, &b); before = b.prefix) {
        if (a->prefix == b.prefix && memcmp(name, other, a->prefix) == 0 &&
            strcmp(a->suffix, b.suffix) == 0) {
            *number = b.number;
            return true;
        }
    }
    return false;
}

/* The reading of @p of under which most of @p names are its siblings; the rightmost on a tie. */
static bool best_reading(const GPtrArray *names, const char *of, lap_reading *best)
{
    lap_reading r;
    guint most = 0;
    for (size_t before = strlen(of); read_number(of, before, &r); before = r.prefix) {
        guint siblings = 0;
        uint32_t number;
        for (guint i = 0; i < names->len; i++) {
            siblings += same_but_number(of, &r, g_ptr_array_index(names, i), &number);
        }
        if (siblings > most) {
            most = siblings;
            *best = r;
        }
    }
    return most > 0;
}

void sched_lap_set_narrow(GPtrArray *names, const char *of)
{
    lap_reading r;
    const bool numbered = best_reading(names, of, &r);
    for (guint i = names->len; i-- > 0;) {
        uint32_t number;
        const char *name = g_ptr_array_index(names, i);
        if (numbered ? !same_but_number(of, &r, name, &number) : strcmp(name, of) != 0) {
            g_ptr_array_remove_index(names, i);
        }
    }
}

static bool refuse(sched_error code, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool refuse(sched_error code, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, SCHED_ERROR, (gint)code, text);
    return false;
}

/* Put the files in the order of their ranks into @p sorted. */
static bool number(const sched_lap_set *set, sched_lap_file **sorted, GError **error)
{
    const guint n = set->files->len;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, ((sched_lap_file *)g_ptr_array_index(set->files, i))->rank.file);
    }
    const char *first = g_ptr_array_index(names, 0);
    lap_reading r;
    if (!best_reading(names, first, &r)) {
        if (n > 1) {
            return refuse(SCHED_ERROR_NOT_RECOGNISED, error, "%s: no rank in the name", first);
        }
        sorted[0] = g_ptr_array_index(set->files, 0);
        return true;
    }
    g_autoptr(GHashTable) by_rank = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < n; i++) {
        const char *name = g_ptr_array_index(names, i);
        uint32_t rank;
        if (!same_but_number(first, &r, name, &rank)) {
            return refuse(SCHED_ERROR_NOT_RECOGNISED, error,
                          "%s: more than one trace: '%s' and '%s'; give the files of one",
                          set->path, first, name);
        }
        const sched_lap_file *twin = g_hash_table_lookup(by_rank, GUINT_TO_POINTER(rank));
        if (twin != NULL) {
            return refuse(SCHED_ERROR_BAD_FILE, error, "%s: rank %u twice: '%s' and '%s'",
                          set->path, rank, twin->rank.file, name);
        }
        g_hash_table_insert(by_rank, GUINT_TO_POINTER(rank), g_ptr_array_index(set->files, i));
    }
    for (guint i = 0; i < n; i++) {
        sorted[i] = g_hash_table_lookup(by_rank, GUINT_TO_POINTER(i));
        if (sorted[i] == NULL) {
            return refuse(SCHED_ERROR_INCOMPLETE, error,
                          "%s: rank %u is missing: %u files, but none named '%.*s%u%s'", set->path,
                          i, n, (int)r.prefix, first, i, r.suffix);
        }
    }
    return true;
}

static bool sched_check_size(const sched_lap_set *set, GError **error)
{
    const uint32_t n = set->files->len;
    for (uint32_t i = 0; i < n; i++) {
        const sched_lap_file *file = g_ptr_array_index(set->files, i);
        if (file->max_size > n) {
            return refuse(SCHED_ERROR_INCOMPLETE, error,
                          "%s: rank %u is missing: %u files, but %s:%u has a communicator of '%u' "
                          "ranks",
                          set->path, n, n, file->rank.file, file->max_size_line, file->max_size);
        }
    }
    return true;
}

static bool lacks_counts(const uint64_t *missing, uint8_t kind, uint8_t collective)
{
    return (kind == SCHED_CALL_COLLECTIVE || kind == SCHED_CALL_ICOLLECTIVE) &&
           missing[collective] > 0;
}

/* Of one rank; how many calls of each kind are dropped goes to @p dropped. */
static void drop_in_rank(sched_rank *rank, const uint64_t *missing, uint64_t *dropped)
{
    sched_walk walk;
    sched_walk_begin(&walk, rank);
    for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) {
        dropped[call->collective] += lacks_counts(missing, call->kind, call->collective);
    }
    sched_walk_end(&walk);
    for (uint32_t i = 0; rank->packed != NULL && i < rank->packed->num_classes; i++) {
        packed_class *class = &rank->packed->classes[i];
        if (lacks_counts(missing, class->kind, class->collective)) {
            class->kind = SCHED_CALL_OTHER;
        }
    }
    for (uint64_t i = 0; rank->packed == NULL && i < rank->num_calls; i++) {
        sched_call *call = &rank->calls[i];
        if (lacks_counts(missing, call->kind, call->collective)) {
            call->kind = SCHED_CALL_OTHER;
        }
    }
}

/* A call whose counts some rank does not have is a call of none. */
static void drop_uncounted(sched_trace *trace, const uint64_t *missing)
{
    uint64_t dropped[COLL_NUM_KINDS] = {0};
    bool any = false;
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        any = any || missing[kind] > 0;
    }
    for (uint32_t i = 0; any && i < trace->num_ranks; i++) {
        drop_in_rank(&trace->ranks[i], missing, dropped);
    }
    for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
        if (dropped[kind] > 0) {
            sched_trace_notice(trace, dropped[kind],
                               "MPI_%c%s: the record has no counts; taken as computation",
                               g_ascii_toupper(coll_kind_name((coll_kind)kind)[0]),
                               coll_kind_name((coll_kind)kind) + 1);
        }
    }
}

static void add_notices(sched_trace *trace, const sched_lap_unsure *unsure)
{
    if (unsure->any > 0) {
        sched_trace_notice(trace, unsure->any,
                           "requests completed by a wait-any or test call: which call it was is "
                           "not in this format, the last possible one is taken");
    }
    if (unsure->bad_start > 0) {
        sched_trace_notice(trace, unsure->bad_start,
                           "starts of a request that was never initialised: left out");
    }
    drop_uncounted(trace, unsure->no_counts);
}

sched_trace *sched_lap_set_finish(sched_lap_set *set, GError **error)
{
    const guint n = set->files->len;
    if (n == 0) {
        (void)refuse(SCHED_ERROR_NOT_RECOGNISED, error, "%s: no liballprof text in it", set->path);
        return NULL;
    }
    g_autofree sched_lap_file **sorted = g_new0(sched_lap_file *, n);
    if (!number(set, sorted, error) || !sched_check_size(set, error)) {
        return NULL;
    }
    const sched_lap_file *any = g_ptr_array_index(set->files, 0);
    g_autoptr(sched_trace) trace = sched_trace_new(
        set->path, any->header_2011 ? "liballprof 1 (PMPI Tracer)" : "liballprof 1 (collprof 0.9)",
        n);
    for (guint i = 0; i < n; i++) { /* in the order in which they were read */
        sched_lap_file *file = g_ptr_array_index(set->files, i);
        sched_lap_file_rename(file, &file->rank, trace);
    }
    sched_lap_unsure unsure = {0};
    uint64_t incomplete = 0;
    for (guint i = 0; i < n; i++) {
        assert(sorted[i] != NULL); /* number() saw to it */
        trace->ranks[i] = sorted[i]->rank;
        sorted[i]->rank = (sched_rank){.file = g_strdup(trace->ranks[i].file)};
        unsure.any += sorted[i]->unsure.any;
        unsure.bad_start += sorted[i]->unsure.bad_start;
        for (int kind = 0; kind < COLL_NUM_KINDS; kind++) {
            unsure.no_counts[kind] += sorted[i]->unsure.no_counts[kind];
        }
        incomplete += !trace->ranks[i].complete;
    }
    sched_lap_comms_resolve(trace, sorted);
    add_notices(trace, &unsure);
    if (incomplete > 0) {
        sched_trace_notice(trace, incomplete, "ranks whose record ends without MPI_Finalize");
    }
    return g_steal_pointer(&trace);
}
