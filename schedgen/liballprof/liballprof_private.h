/* schedgen/liballprof/liballprof_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The reader of liballprof text. liballprof_layout.c knows what the lines of each function look
 * like; liballprof_line.c takes a line apart; liballprof_file.c makes the lines of a file a rank,
 * whose requests liballprof_request.c tells apart by address; liballprof_comm.c finds the members
 * of communicators, over all ranks; liballprof.c finds the files and puts the trace together.
 */
#pragma once

#include "sched/error.h"
#include "sched/trace.h"

#define LAP_NONE    UINT32_MAX
#define LAP_NO_TIME ((sim_int128)-1) /* before MPI_Init or after MPI_Finalize */

/** What a line does beyond being a call: chosen by name. */
typedef enum {
    LAP_CALL,     /* what its sched_call_kind says */
    LAP_WAIT,     /* these requests are complete */
    LAP_ANY,      /* some of these requests are, or none: the format does not say which */
    LAP_FREE_REQ, /* MPI_Request_free */
    LAP_FREE_COMM,
    LAP_DUP,    /* creates a communicator like its parent */
    LAP_SPLIT,  /* by colour and key */
    LAP_CREATE, /* creates communicators whose members are not in the record */
    LAP_CART,   /* as LAP_CREATE, but ranks keep their order unless `reorder` is set */
    LAP_SUB,    /* parts of a grid */
    LAP_TYPE    /* by something that is not in the record, and key */
} sched_lap_action;

/** One kind of line; docs/conversion.md, section 5. Static. */
typedef struct sched_lap_layout {
    const char *name;
    const char *args; /* one letter per argument: see liballprof_line.c */
    uint8_t kind;     /* sched_call_kind */
    uint8_t action;   /* sched_lap_action */
    uint8_t collective;
    bool synchronous;
} sched_lap_layout;

typedef struct sched_lap_slice {
    const char *text;
    size_t len;
    size_t fields; /* between commas; of what lies between colons */
} sched_lap_slice;

/** A function of MPI as a file knows it. */
typedef struct sched_lap_function {
    char *name;
    size_t len;
    const sched_lap_layout *layout; /* NULL: not converted */
    uint32_t number;                /* among those called; LAP_NONE: not yet */
    uint8_t num_letters;            /* of the layout's arguments */
    uint8_t num_lists;
    uint8_t comm_at; /* which of them, from 1 on, is a communicator; 0: none */
    bool has_comm, has_request, is_message;
} sched_lap_function;

/** Those of a file. */
typedef struct sched_lap_functions sched_lap_functions;
sched_lap_functions *sched_lap_functions_new(void);
void sched_lap_functions_free(sched_lap_functions *functions); /* NULL is a no-op */
/** @return borrowed; NULL: that is no name */
sched_lap_function *sched_lap_functions_find(sched_lap_functions *functions, sched_lap_slice name);
/** The number of a function that is called; a new one the first time. */
uint32_t sched_lap_functions_number(sched_lap_functions *functions, sched_lap_function *function);
/** The names in @p trace of functions by number; owned by the caller. */
uint32_t *sched_lap_functions_names(const sched_lap_functions *functions, sched_trace *trace);

#define LAP_MAX_ARGS 40

/** A line taken apart. Slices point into the line. */
typedef struct sched_lap_line {
    sched_lap_slice name;
    sched_lap_function *function;
    const sched_lap_layout *layout; /* of it; NULL: not converted */
    sim_int128 enter;               /* ps on the rank's own clock, or LAP_NO_TIME */
    sim_int128 leave;
    int64_t count, type_size, recv_count, recv_type_size;
    int64_t peer, tag, recv_peer, recv_tag, root;
    int64_t color, key, reorder;
    int64_t num_requests;
    uint64_t request; /* address of the user's variable */
    uint64_t new_comm;
    uint64_t comm; /* handle */
    uint32_t comm_rank, comm_size;
    sched_lap_slice send_list, recv_list; /* counts; text NULL: only the address was given */
    bool send_in_place, recv_in_place;
} sched_lap_line;

/** Where in which file we are, for messages. */
typedef struct sched_lap_place {
    const char *file;
    uint32_t line;
} sched_lap_place;

/** Take a line (without its end) apart. @return false with SCHED_ERROR_BAD_FILE */
bool sched_lap_line_parse(const sched_lap_place *place, sched_lap_functions *functions,
                          const char *line, size_t len, sched_lap_line *out, GError **error);
/** The next number of a list "1,2,3", as bytes of @p type_size each; moves @p list on. */
bool sched_lap_list_next(const sched_lap_place *place, sched_lap_slice *list, int64_t type_size,
                         int64_t *bytes, GError **error);

/** A request variable. */
typedef struct sched_lap_request {
    uint64_t address; /* key */
    uint64_t number;  /* in the trace */
    int64_t last_any; /* the last call that may have completed it; -1: none */
    bool persistent;
    bool active;
} sched_lap_request;

/** Entry of a call's list of requests, before the lists are laid out. */
typedef struct sched_lap_listed {
    uint64_t call;
    uint64_t request;
    uint64_t order;
} sched_lap_listed;

/** A communicator as one rank sees it between two MPI_Comm_free. */
typedef struct sched_lap_comm {
    uint64_t handle;
    uint32_t rank;
    uint32_t size;
    uint32_t previous; /* the same handle before the last free, LAP_NONE: first seen here */
    uint32_t line;
    uint32_t comm; /* in the trace; found by sched_lap_comms_resolve() */
} sched_lap_comm;

typedef enum { LAP_ITEM_USE, LAP_ITEM_CREATE, LAP_ITEM_FREE } sched_lap_item_type;

/** What happened to communicators, in order. */
typedef struct sched_lap_item {
    uint8_t type;   /* sched_lap_item_type */
    uint8_t action; /* CREATE: sched_lap_action */
    bool reorder;
    uint32_t local; /* USE: index in comms; CREATE: that of the parent */
    uint32_t line;
    uint32_t name; /* CREATE: function name */
    int64_t color;
    int64_t key;
    uint64_t address; /* CREATE, FREE: of the user's variable */
} sched_lap_item;

/** Counters of what the format does not say; they become notices. */
typedef struct sched_lap_unsure {
    uint64_t any;       /* requests whose completion was inferred from wait-any and test calls */
    uint64_t bad_start; /* starts of a request that was never initialised */
    uint64_t no_counts[COLL_NUM_KINDS];
} sched_lap_unsure;

/** One rank's file. */
typedef struct sched_lap_file {
    sched_rank rank; /* comm of its calls: index in comms; name: number in functions */
    sched_lap_functions *functions;
    GArray *times;        /* of sim_int128: enter and leave of each call */
    GHashTable *requests; /* address to sched_lap_request */
    GArray *listed;       /* of sched_lap_listed */
    GArray *comms;        /* of sched_lap_comm */
    GArray *items;        /* of sched_lap_item */
    GHashTable *handles;  /* handle to index + 1 in comms, since the last free */
    GHashTable *known;    /* handle to index + 1 in comms, ever */
    uint32_t last_comm;   /* in handles, the last one asked for; LAP_NONE: none */
    sched_lap_unsure unsure;
    uint64_t next_request;
    uint32_t line;
    uint32_t max_size; /* of a communicator */
    uint32_t max_size_line;
    bool mpich; /* by the handle of MPI_COMM_WORLD */
    bool odd;   /* a request variable lies at an odd multiple of 4 */
    bool header_2011;
} sched_lap_file;

sched_lap_file *sched_lap_file_new(const char *path);
void sched_lap_file_free(sched_lap_file *file);
/** One more line, without its end. */
bool sched_lap_file_line(sched_lap_file *file, const char *line, size_t len, GError **error);
/** After the last line: lists of requests, times from the end of MPI_Init. */
bool sched_lap_file_finish(sched_lap_file *file, GError **error);

/** Functions get the numbers of @p trace; calls of @p rank, the file's, name those. */
void sched_lap_file_rename(sched_lap_file *file, sched_rank *rank, sched_trace *trace);
/** The communicators are found: calls of @p rank, the file's, name those of the trace. */
void sched_lap_file_renumber(const sched_lap_file *file, sched_rank *rank);

void sched_lap_requests_post(sched_lap_file *file, uint64_t address, uint64_t number,
                             bool persistent);
/** What a line says about requests, other than posting one: the call it became is @p call. */
void sched_lap_requests_apply(sched_lap_file *file, const sched_lap_line *line, uint64_t call);
/** Requests still pending at the end; then the lists. */
void sched_lap_requests_finish(sched_lap_file *file);

/** What a process says of its communicator. */
typedef struct sched_lap_claim {
    uint32_t rank, size;
} sched_lap_claim;

/**
 * Which of @p n processes that made a call together got into the same communicator? O(n).
 * @param claim  in the order that ranks follow
 * @param grid   the call was MPI_Cart_sub
 * @param group  [n] numbers from 0
 * @return how many communicators; 0: not known, or not possible
 */
uint32_t sched_lap_groups_find(const sched_lap_claim *claim, uint32_t n, bool grid,
                               uint32_t *group);

/** Find the communicators of a trace over all its ranks' files and renumber the calls' `comm`. */
void sched_lap_comms_resolve(sched_trace *trace, sched_lap_file *const *files);
