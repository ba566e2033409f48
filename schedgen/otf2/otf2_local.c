/* schedgen/otf2/otf2_local.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2, test_otf2_threads. */
/*
 * Communicators, names and notices have numbers in the order in which ranks first speak of them:
 * known only when all ranks have been read. Until then each rank counts for itself.
 */
#include "model/packed_private.h"
#include "otf2/otf2_private.h"

#include <string.h>

void sched_otf2_local_init(sched_otf2_local *l, const sched_otf2_archive *a)
{
    *l = (sched_otf2_local){.comms = g_ptr_array_new(),
                            .known = g_hash_table_new(NULL, NULL),
                            .last = SCHED_UNKNOWN,
                            .first_name = a->trace->names->len,
                            .names = g_ptr_array_new_with_free_func(g_free),
                            .notices = sched_notices_new()};
    g_ptr_array_add(l->comms, NULL);
}

void sched_otf2_local_clear(sched_otf2_local *l)
{
    g_clear_pointer(&l->comms, g_ptr_array_unref);
    g_clear_pointer(&l->known, g_hash_table_unref);
    g_clear_pointer(&l->names, g_ptr_array_unref);
    g_clear_pointer(&l->notices, g_array_unref);
}

/* ---- communicators -------------------------------------------------------------------------- */

static uint32_t comm_add(sched_otf2_local *l, sched_otf2_archive *a, uint32_t ref)
{
    sched_otf2_comm *comm = sched_otf2_comm_find(a, ref);
    if (comm == NULL) {
        return SCHED_UNKNOWN;
    }
    const uint32_t place = comm->sort == SCHED_OTF2_COMM_WORLD ? 0 : l->comms->len;
    if (place > 0) {
        g_ptr_array_add(l->comms, comm);
    }
    g_hash_table_insert(l->known, GUINT_TO_POINTER(ref), GUINT_TO_POINTER(place));
    return place;
}

uint32_t sched_otf2_local_comm(sched_otf2_local *l, sched_otf2_archive *a, uint32_t ref)
{
    void *found;
    if (l->last == SCHED_UNKNOWN || l->last_ref != ref) {
        l->last_ref = ref;
        l->last = g_hash_table_lookup_extended(l->known, GUINT_TO_POINTER(ref), NULL, &found)
                      ? GPOINTER_TO_UINT(found)
                      : comm_add(l, a, ref);
    }
    return l->last;
}

static const sched_otf2_comm *comm_at(const sched_otf2_local *l, uint32_t comm)
{
    return g_ptr_array_index(l->comms, comm);
}

uint32_t sched_otf2_local_comm_size(const sched_otf2_local *l, const sched_otf2_archive *a,
                                    uint32_t comm)
{
    const sched_otf2_comm *c = comm_at(l, comm);
    return c == NULL ? a->num_ranks : c->sort == SCHED_OTF2_COMM_SELF ? 1 : c->size;
}

uint32_t sched_otf2_local_comm_rank(const sched_otf2_local *l, uint32_t comm, uint32_t rank)
{
    const sched_otf2_comm *c = comm_at(l, comm);
    if (c == NULL || c->sort == SCHED_OTF2_COMM_SELF) {
        return c == NULL ? rank : 0;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->members[i] == rank) {
            return i;
        }
    }
    return SCHED_UNKNOWN;
}

/* ---- names ---------------------------------------------------------------------------------- */

uint32_t sched_otf2_local_name(sched_otf2_local *l, const sched_otf2_archive *a, const char *name)
{
    void *found;
    if (g_hash_table_lookup_extended(a->trace->name_index, name, NULL, &found)) {
        return GPOINTER_TO_UINT(found);
    }
    for (guint i = 0; i < l->names->len; i++) {
        if (strcmp(g_ptr_array_index(l->names, i), name) == 0) {
            return l->first_name + i;
        }
    }
    g_ptr_array_add(l->names, g_strdup(name));
    return l->first_name + l->names->len - 1;
}

const char *sched_otf2_local_name_of(const sched_otf2_local *l, const sched_otf2_archive *a,
                                     uint32_t name)
{
    return name < l->first_name ? g_ptr_array_index(a->trace->names, name)
                                : g_ptr_array_index(l->names, name - l->first_name);
}

/* ---- in the trace --------------------------------------------------------------------------- */

/* Numbers in the trace of the rank's own. */
typedef struct numbers {
    const uint32_t *comm;
    const uint32_t *name; /* from first_name on */
    uint32_t first_name;
} numbers;

static void renumber(const numbers *n, uint32_t *comm, uint32_t *name)
{
    *comm = n->comm[*comm];
    *name = *name < n->first_name ? *name : n->name[*name - n->first_name];
}

void sched_otf2_local_settle(const sched_otf2_local *l, sched_otf2_archive *a, uint32_t rank)
{
    sched_rank *record = &a->trace->ranks[rank];
    g_autofree uint32_t *comm = g_new0(uint32_t, l->comms->len);
    g_autofree uint32_t *name = g_new(uint32_t, (gsize)l->names->len + 1);
    for (guint i = 1; i < l->comms->len; i++) {
        comm[i] = sched_otf2_comm_index(a, g_ptr_array_index(l->comms, i), rank);
    }
    for (guint i = 0; i < l->names->len; i++) {
        name[i] = sched_trace_name(a->trace, g_ptr_array_index(l->names, i));
    }
    for (guint i = 0; i < l->notices->len; i++) {
        const sched_notice *notice = &g_array_index(l->notices, sched_notice, i);
        sched_notices_add(a->trace->notices, notice->count, notice->what);
    }
    const numbers n = {comm, name, l->first_name};
    if (record->packed != NULL) {
        for (uint32_t i = 0; i < record->packed->num_classes; i++) {
            renumber(&n, &record->packed->classes[i].comm, &record->packed->classes[i].name);
        }
        return;
    }
    for (uint64_t i = 0; i < record->num_calls; i++) {
        renumber(&n, &record->calls[i].comm, &record->calls[i].name);
    }
}
