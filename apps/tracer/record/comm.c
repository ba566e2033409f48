/* apps/tracer/record/comm.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators. Rank 0 of a new one names it and tells the members; the number is made of that
 * process's world rank and a count, so it is unique without asking anybody else, and the same in
 * every record of every member. Rank 0 also keeps the member list for the definitions. There they
 * are counted without gaps, as tools want them, so each record ends with a table from one to the
 * other.
 */
#include "record/comm.h"

#include "record/archive.h"
#include "record/state.h"

#include <stdlib.h>
#include <string.h>

enum { ID_WORLD, ID_SELF, ID_FIRST };

static tracer_comm *comms; /* few and long-lived: looked up from the newest */
static size_t num_comms, room_comms;
static _Atomic uint32_t made; /* communicators whose rank 0 is this process */
static uint32_t *led;
static size_t num_led, room_led;
/* The communicators that this process was ever in, beside those all have. */
static struct met {
    uint32_t id;
    uint32_t rank, size;
} * met;
static size_t num_met, room_met;
static const tracer_comm NOBODY = {.known = false};

/* Grow by doubling. @return false: out of memory; the record goes on without the new entry */
static bool reserve(void **array, size_t *room, size_t want, size_t width)
{
    if (want <= *room) {
        return true;
    }
    const size_t more = want > 2 * *room ? want : 2 * *room;
    void *bigger = realloc(*array, more * width);
    if (bigger == NULL) {
        return false;
    }
    *array = bigger;
    *room = more;
    return true;
}

static void enroll(MPI_Comm handle, uint32_t id)
{
    if (!reserve((void **)&comms, &room_comms, num_comms + 1, sizeof *comms)) {
        return;
    }
    tracer_comm *c = &comms[num_comms++];
    *c = (tracer_comm){.handle = handle, .id = id, .known = id != OTF2_UNDEFINED_COMM};
    PMPI_Comm_size(handle, &c->size);
    PMPI_Comm_rank(handle, &c->rank);
    if (c->known && id >= ID_FIRST && reserve((void **)&met, &room_met, num_met + 1, sizeof *met)) {
        met[num_met++] = (struct met){id, (uint32_t)c->rank, (uint32_t)c->size};
    }
}

void tracer_comm_start(void)
{
    enroll(MPI_COMM_SELF, ID_SELF);
    enroll(MPI_COMM_WORLD, ID_WORLD);
}

const tracer_comm *tracer_comm_find(MPI_Comm comm)
{
    for (size_t i = num_comms; i-- > 0;) {
        if (comms[i].handle == comm) {
            return &comms[i];
        }
    }
    return &NOBODY;
}

/* NULL: it is one that all have, or none. */
static const struct met *find_met(uint32_t id)
{
    for (size_t i = id < ID_FIRST ? 0 : num_met; i-- > 0;) { /* from the newest */
        if (met[i].id == id) {
            return &met[i];
        }
    }
    return NULL;
}

uint32_t tracer_comm_rank(uint32_t id)
{
    const struct met *m = find_met(id);
    return m != NULL ? m->rank : id == ID_WORLD ? (uint32_t)tracer.rank : 0;
}

uint32_t tracer_comm_size(uint32_t id)
{
    const struct met *m = find_met(id);
    return m != NULL ? m->size : id == ID_WORLD ? (uint32_t)tracer.size : id == ID_SELF ? 1 : 0;
}

void tracer_comm_forget(MPI_Comm comm)
{
    for (size_t i = num_comms; i-- > 0;) {
        if (comms[i].handle == comm) {
            memmove(&comms[i], &comms[i + 1], (--num_comms - i) * sizeof *comms);
            return;
        }
    }
}

uint32_t tracer_comm_new_id(void)
{
    const uint64_t id =
        ID_FIRST + (uint64_t)tracer.rank + (uint64_t)(made++) * (uint64_t)tracer.size;
    return id < OTF2_UNDEFINED_COMM ? (uint32_t)id : OTF2_UNDEFINED_COMM;
}

typedef struct definition {
    const uint64_t *members;
    uint32_t id;
    uint32_t size;
} definition;

static void define(void *data)
{
    const definition *d = data;
    (void)OTF2_DefWriter_WriteGroup(tracer.definitions, d->id, OTF2_UNDEFINED_STRING,
                                    OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, d->size, d->members);
    (void)OTF2_DefWriter_WriteComm(tracer.definitions, d->id, OTF2_UNDEFINED_STRING, d->id,
                                   OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

/* Rank 0 keeps who is in it: for the definitions, and locally for a program that dies. */
static void lead(MPI_Comm comm, uint32_t id, int size)
{
    const size_t need = num_led + 2 + (size_t)size;
    int *ranks = tracer_calloc(2 * (size_t)size, sizeof *ranks);
    uint64_t *members = tracer_calloc((size_t)size, sizeof *members);
    if (ranks != NULL && members != NULL && reserve((void **)&led, &room_led, need, sizeof *led)) {
        MPI_Group theirs, world;
        PMPI_Comm_group(comm, &theirs);
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
        for (int i = 0; i < size; i++) {
            ranks[i] = i;
        }
        PMPI_Group_translate_ranks(theirs, size, ranks, world, ranks + size);
        PMPI_Group_free(&theirs);
        PMPI_Group_free(&world);
        led[num_led] = id;
        led[num_led + 1] = (uint32_t)size;
        for (int i = 0; i < size; i++) {
            led[num_led + 2 + (size_t)i] = (uint32_t)ranks[size + i];
            members[i] = (uint64_t)ranks[size + i];
        }
        num_led = need;
        definition d = {.members = members, .id = id, .size = (uint32_t)size};
        tracer_archive_define(define, &d);
    }
    free(ranks);
    free(members);
}

void tracer_comm_add(MPI_Comm comm, uint32_t id)
{
    enroll(comm, id);
    const tracer_comm *c = tracer_comm_find(comm);
    if (c->known && c->rank == 0) {
        lead(comm, id, c->size);
    }
}

bool tracer_comm_within_world(MPI_Comm comm)
{
    int inter = 0;
    int outside = 0;
    MPI_Group theirs, world, others;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        return false;
    }
    PMPI_Comm_group(comm, &theirs);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_difference(theirs, world, &others);
    PMPI_Group_size(others, &outside);
    PMPI_Group_free(&theirs);
    PMPI_Group_free(&world);
    if (others != MPI_GROUP_EMPTY) {
        PMPI_Group_free(&others);
    }
    return outside == 0;
}

uint32_t tracer_comm_agree(MPI_Comm comm)
{
    int rank;
    if (!tracer_comm_within_world(comm)) {
        return OTF2_UNDEFINED_COMM;
    }
    PMPI_Comm_rank(comm, &rank);
    uint32_t id = rank == 0 ? tracer_comm_new_id() : 0;
    PMPI_Bcast(&id, 1, MPI_UINT32_T, 0, comm);
    return id;
}

const uint32_t *tracer_comm_led(size_t *words)
{
    *words = num_led;
    return led;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t *x = a;
    const uint32_t *y = b;
    return (*x > *y) - (*x < *y);
}

typedef struct numbering {
    const uint32_t *ids; /* ascending */
    size_t n;
} numbering;

static void map(void *data)
{
    const numbering *all = data;
    OTF2_IdMap *table = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, num_met);
    for (size_t i = 0; i < num_met; i++) {
        const uint32_t *at = bsearch(&met[i].id, all->ids, all->n, sizeof *all->ids, by_id);
        if (at != NULL) {
            (void)OTF2_IdMap_AddIdPair(table, met[i].id, ID_FIRST + (uint64_t)(at - all->ids));
        }
    }
    (void)OTF2_DefWriter_WriteMappingTable(tracer.definitions, OTF2_MAPPING_COMM, table);
    OTF2_IdMap_Free(table);
}

void tracer_comm_number(const uint32_t *all, size_t words)
{
    uint64_t n = 0;
    for (size_t i = 0; i < words; i += 2 + (size_t)all[i + 1]) {
        n++;
    }
    PMPI_Bcast(&n, 1, MPI_UINT64_T, 0, tracer.world);
    uint32_t *ids = tracer_calloc(n, sizeof *ids);
    for (size_t i = 0, k = 0; i < words; i += 2 + (size_t)all[i + 1]) {
        ids[k++] = all[i];
    }
    qsort(ids, n, sizeof *ids, by_id);
    PMPI_Bcast(ids, (int)n, MPI_UINT32_T, 0, tracer.world);
    numbering known = {.ids = ids, .n = n};
    if (num_met > 0) {
        tracer_archive_define(map, &known);
    }
    free(ids);
}
