/* schedgen/otf2/otf2_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the sources of the OTF2 reader share: the definitions of an archive, and the reading of one
 * rank's events against them.
 */
#pragma once

#include "sched/error.h"
#include "sched/otf2.h"
#include "sched/otf2_names.h"

#include <otf2/otf2.h>

typedef enum {
#define X(symbol, ...) SCHED_OTF2_ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        SCHED_OTF2_NUM_ATTRIBUTES
} sched_otf2_attribute;

typedef enum {
#define X(symbol, name) SCHED_OTF2_PARAM_##symbol,
    SCHED_OTF2_PARAMETERS(X)
#undef X
        SCHED_OTF2_NUM_PARAMETERS
} sched_otf2_parameter;

/* A region, as far as it concerns us. */
typedef struct sched_otf2_region {
    bool mpi; /* else the program's own: what it does is computation */
    bool synchronous;
    bool probed;        /* a receive whose buffer was made for the message */
    uint8_t kind;       /* sched_call_kind */
    uint8_t collective; /* coll_kind, of the collective kinds */
    uint32_t name;      /* in sched_trace.names */
} sched_otf2_region;

typedef struct sched_otf2_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    uint32_t size;
    uint64_t *members;
} sched_otf2_group;

typedef struct sched_otf2_comm {
    char *name;
    uint32_t group;
    uint32_t index; /* in sched_trace.comms; SCHED_UNKNOWN: not yet there */
    bool self;      /* MPI_COMM_SELF: another communicator in every rank */
} sched_otf2_comm;

typedef struct sched_otf2_archive {
    char *path;          /* of the anchor file */
    char *folder;        /* of the event files */
    bool ripple;         /* written by our tracer */
    bool finalized;      /* all of the archive was written */
    bool pack;           /* ranks, once they are read */
    uint64_t resolution; /* ticks per second */
    uint64_t offset;     /* ticks at which the trace begins */
    uint32_t num_ranks;
    uint64_t *location;  /* [num_ranks] of each rank's main thread */
    uint64_t *events;    /* [num_ranks] as defined; OTF2_UNDEFINED_UINT64: not known */
    uint32_t num_others; /* locations of other threads and devices */
    uint32_t *self; /* [num_ranks] index of its MPI_COMM_SELF in trace->comms, or SCHED_UNKNOWN */
    sched_trace *trace;    /* NULL until the number of ranks is known */
    GHashTable *strings;   /* by reference: char * */
    GHashTable *groups;    /* by reference: sched_otf2_group * */
    GHashTable *comms;     /* by reference: sched_otf2_comm * */
    GHashTable *regions;   /* by reference: sched_otf2_region * */
    GHashTable *locations; /* by number: its place in location_list */
    GArray *location_list; /* of sched_otf2_location */
    OTF2_AttributeRef attribute[SCHED_OTF2_NUM_ATTRIBUTES]; /* undefined: not in the archive */
    OTF2_ParameterRef parameter[SCHED_OTF2_NUM_PARAMETERS];
    GPtrArray *region_names; /* until trace exists: names of regions in order of .name */
} sched_otf2_archive;

typedef struct sched_otf2_location {
    uint64_t id;
    uint64_t events;
    uint32_t group;
    OTF2_LocationType type;
} sched_otf2_location;

sched_otf2_archive *sched_otf2_archive_new(const char *anchor);
void sched_otf2_archive_free(sched_otf2_archive *archive);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_otf2_archive, sched_otf2_archive_free)

/** "<folder>/<location>.<suffix>": a file of one rank. Owned by the caller. */
char *sched_otf2_file(const sched_otf2_archive *archive, uint32_t rank, const char *suffix);
/** Is a file of definitions whole, record by record? Its chunks have @p chunk_bytes. O(records) */
bool sched_otf2_records_check(const char *file, uint64_t chunk_bytes, GError **error);
/** Let the OTF2 library read the anchor file and the definitions, to see whether it survives. */
void sched_otf2_try(const char *anchor);
/** Does the OTF2 library live through that? A child process tries. */
bool sched_otf2_survives(const char *anchor, GError **error);
/** sched_otf2_read() with another trial: when fuzzing, a child for each input takes too long. */
typedef bool sched_otf2_trial(const char *anchor, GError **error);
sched_trace *sched_otf2_read_after(const char *path, bool pack, sched_otf2_trial *survives,
                                   GError **error);
/** Read the global definitions; sets everything above but trace. */
bool sched_otf2_definitions_read(sched_otf2_archive *archive, OTF2_Reader *reader, GError **error);
/** Take communicators from local definitions: those of a program that died have no others. */
void sched_otf2_local_callbacks(sched_otf2_archive *archive, OTF2_DefReaderCallbacks *callbacks);
/**
 * Index in trace->comms of an archive's communicator, as seen from @p rank.
 * @return SCHED_UNKNOWN: not defined, or its members are not ranks of this trace
 */
uint32_t sched_otf2_comm_index(sched_otf2_archive *archive, uint32_t ref, uint32_t rank);

/** Read the events of one rank into archive->trace. Sets archive->trace->ranks[rank]. */
bool sched_otf2_events_read(sched_otf2_archive *archive, OTF2_Reader *reader, uint32_t rank,
                            GError **error);

/** What a function of MPI is to the conversion. @p name: "MPI_Send" */
sched_otf2_region sched_otf2_region_classify(const char *name);

/** A collective as OTF2 records it: totals over all partners of this rank. */
typedef struct sched_otf2_collective {
    coll_kind kind;
    uint32_t size;
    uint32_t rank;
    uint32_t root;
    uint64_t sent;
    uint64_t received;
} sched_otf2_collective;

/**
 * Fill call->bytes and in_place from such totals, and the counts of v-collectives with equal
 * parts: *@p equal says so.
 */
void sched_otf2_collective_bytes(const sched_otf2_collective *c, sched_rank *rank, sched_call *call,
                                 bool *equal);
bool sched_otf2_collective_kind(OTF2_CollectiveOp op, coll_kind *out);

/** Keep what the library complains of from now on. */
void sched_otf2_complaints_begin(void);
/** The last complaint of the OTF2 library since the last call of this; never NULL. */
const char *sched_otf2_complaint(void);
