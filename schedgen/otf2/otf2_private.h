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

typedef enum {
    SCHED_OTF2_COMM_UNSEEN, /* nobody has asked yet */
    SCHED_OTF2_COMM_BAD,    /* not defined, or its members are not ranks of this trace */
    SCHED_OTF2_COMM_WORLD,
    SCHED_OTF2_COMM_SELF, /* another communicator in every rank */
    SCHED_OTF2_COMM_OTHER
} sched_otf2_comm_sort;

typedef struct sched_otf2_comm {
    char *name;
    uint32_t group;
    uint32_t index;    /* in sched_trace.comms; SCHED_UNKNOWN: not yet there */
    uint32_t size;     /* OTHER */
    uint32_t *members; /* OTHER: [size] world ranks; the trace's once it is there */
    uint8_t sort;      /* sched_otf2_comm_sort */
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
    GMutex comms_lock;       /* sched_otf2_comm_find() */
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
/** Is a file of definitions, or of a rank's events, whole, record by record? Its chunks have
 * @p chunk_bytes. O(records) */
bool sched_otf2_records_check(const char *file, bool events, uint64_t chunk_bytes, GError **error);
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
 * A communicator, with its members. Several threads may ask.
 * @return NULL: not defined, or its members are not ranks of this trace
 */
sched_otf2_comm *sched_otf2_comm_find(sched_otf2_archive *archive, uint32_t ref);
/** Index in trace->comms of such a communicator, as seen from @p rank: added if it is new. */
uint32_t sched_otf2_comm_index(sched_otf2_archive *archive, sched_otf2_comm *comm, uint32_t rank);

/** Let OTF2 read what is beside the global definitions, and the ranks' events: all of the trace. */
bool sched_otf2_ranks_read(sched_otf2_archive *archive, OTF2_Reader *reader, GError **error);
/** OTF2_Reader_Open() for one process. NULL: it cannot be read */
OTF2_Reader *sched_otf2_reader_open(const char *anchor);

/**
 * What a rank's events speak of, in its own numbers, so that ranks can be read by several threads:
 * those of the trace are given afterwards, in the order of the ranks.
 */
typedef struct sched_otf2_local {
    GPtrArray *comms;  /* of sched_otf2_comm, in the order in which they come; 0: the world, NULL */
    GHashTable *known; /* reference of the archive to its place in comms */
    uint32_t last_ref; /* the last one asked for, */
    uint32_t last;     /* and its place */
    uint32_t first_name; /* names below are those of the trace; others the next ones, */
    GPtrArray *names;    /* of char *, in the order in which they come */
    GArray *notices;     /* of sched_notice */
} sched_otf2_local;

void sched_otf2_local_init(sched_otf2_local *local, const sched_otf2_archive *archive);
void sched_otf2_local_clear(sched_otf2_local *local);
/** The place of a communicator; SCHED_UNKNOWN as sched_otf2_comm_find(). */
uint32_t sched_otf2_local_comm(sched_otf2_local *local, sched_otf2_archive *archive, uint32_t ref);
uint32_t sched_otf2_local_comm_size(const sched_otf2_local *local,
                                    const sched_otf2_archive *archive, uint32_t comm);
/** Which rank of a communicator @p rank is; SCHED_UNKNOWN: none. */
uint32_t sched_otf2_local_comm_rank(const sched_otf2_local *local, uint32_t comm, uint32_t rank);
/** The number of a function's name that the definitions may lack. */
uint32_t sched_otf2_local_name(sched_otf2_local *local, const sched_otf2_archive *archive,
                               const char *name);
const char *sched_otf2_local_name_of(const sched_otf2_local *local,
                                     const sched_otf2_archive *archive, uint32_t name);
/** The numbers of @p rank, which is read, become those of the trace. In the order of the ranks. */
void sched_otf2_local_settle(const sched_otf2_local *local, sched_otf2_archive *archive,
                             uint32_t rank);

/** Read the events of one rank: sets archive->trace->ranks[rank], in the numbers of @p local. */
bool sched_otf2_events_read(sched_otf2_archive *archive, OTF2_Reader *reader, uint32_t rank,
                            sched_otf2_local *local, GError **error);

/** From now on calls are packed when there are so many that are not; 0: 1024. For tests. */
void sched_otf2_window_use(uint32_t calls);

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

/** Keep what the library complains of from now on, for each thread its own. */
void sched_otf2_complaints_begin(void);
/** The first complaint of the OTF2 library since the last call of this; never NULL. */
const char *sched_otf2_complaint(void);
