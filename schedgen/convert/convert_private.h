/* schedgen/convert/convert_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The conversion. convert_template.c turns the record of a rank into a template: a list of steps in
 * the rank's own terms. convert_stamp.c stamps it once per copy, and expands collectives there; the
 * result is the graph, or one rank after the other (convert_source.c). The records are checked:
 * which posts are cancelled later on (convert_cancel.c), whether all ranks make the same
 * collectives (convert_agree.c), whether messages pair up (convert_tally.c, convert_match.c), how
 * large a message a receive takes (convert_room.c), which messages need no partner
 * (convert_again.c); and it is said what was left out (convert_left_out.c). What copies compute may
 * be drawn from the record (convert_resample.c).
 */
#pragma once

#include "coll/step.h"
#include "sched/convert.h"
#include "sched/growth.h"
#include "sched/rank_source.h"

#define CONV_NONE UINT32_MAX

typedef enum {
    CONV_CALC, /* size: ps */
    CONV_SEND, /* blocking: what follows requires it */
    CONV_RECV,
    CONV_ISEND, /* what follows irequires it; `slot` remembers it */
    CONV_IRECV,
    CONV_EXCHANGE, /* a receive that irequires the send right before it (MPI_Sendrecv) */
    CONV_COLL,     /* size: index in colls; slot CONV_NONE: blocking */
    CONV_JOIN,     /* what follows requires what `slot` remembers */
    CONV_BESIDE    /* size: ps that the call after it takes beside its messages */
} conv_step_type;

/* The matching contexts of communicator @p comm of a trace: of its messages, of its collectives. */
static inline uint32_t conv_messages_of(uint32_t comm)
{
    return 2 * comm;
}

static inline uint32_t conv_collectives_of(uint32_t comm)
{
    return 2 * comm + 1;
}

static inline bool conv_is_of_collectives(uint32_t context)
{
    return context % 2 != 0;
}

typedef struct conv_step {
    int64_t size;
    uint32_t peer; /* world rank in the copy, or SIM_ANY */
    uint32_t tag;
    uint32_t comm; /* matching context */
    uint32_t slot;
    uint8_t type;  /* conv_step_type */
    uint32_t call; /* of the record, its index: CALC: computes before it; else part of it */
} conv_step;

typedef struct conv_coll {
    coll_call call;          /* as recorded; counts borrowed from the trace */
    const uint32_t *members; /* [call.size]; NULL: with a growth */
    uint32_t comm;           /* matching context */
    uint32_t tag;            /* in the first repetition of the record */
    uint32_t tags;           /* how much larger the tag is in each further repetition */
    uint32_t span;           /* with a growth: what sched_growth_class.place() is to be asked */
    bool grows;              /* made by all copies together */
} conv_coll;

/** One recorded rank. */
typedef struct conv_template {
    GArray *steps; /* of conv_step */
    GArray *colls; /* of conv_coll */
    uint32_t num_slots;
    uint64_t num_calls; /* of the record */
} conv_template;

/** A communicator a rank is in. */
typedef struct conv_place {
    uint32_t comm;
    uint32_t position; /* its rank there */
    uint32_t made;     /* collectives on it so far */
    int64_t largest;   /* bytes: no larger message is sent to the rank there; 0 unless wild */
    bool wild;         /* the rank makes a receive there that more than one message may meet */
} conv_place;

typedef struct conv_tally conv_tally;
typedef struct conv_match conv_match;
typedef struct conv_left_out conv_left_out;
typedef struct conv_lonely conv_lonely;
typedef struct conv_resample conv_resample; /* convert_resample.h */

/** What the sources of the conversion share. */
typedef struct conv_context {
    const sched_trace *trace;
    const sched_convert_options *options;
    const coll_profile *profile;
    coll_profile *own_profile; /* if the options name none */
    sched_convert_report *report;
    conv_tally *tally; /* NULL: messages go to match, or, if that is NULL, too, nowhere */
    conv_match *match;
    uint64_t *first_place; /* [ranks + 1] index of a rank's first in places */
    conv_place *places;    /* by rank, then communicator */
    conv_left_out *left_out;
    conv_lonely *lonely;
    conv_resample *resample;     /* NULL: copies compute the same */
    sched_convert_report before; /* the conversion */
    bool again;
    bool *is_probe; /* [names] */
    bool *probes;   /* [ranks] */
} conv_context;

/**
 * Begin a conversion: find the places of ranks in communicators, and check that the ranks agree. To
 * be closed by sched_convert_close(), even after an error.
 */
bool sched_convert_open(conv_context *context, const sched_trace *trace,
                        const sched_convert_options *options, sched_convert_report *report,
                        GError **error);
void sched_convert_close(conv_context *context);
/** Begin no more than that: can the program be had so? Sets the profile. To be closed, likewise. */
bool sched_convert_prepare(conv_context *context, const sched_trace *trace,
                           const sched_convert_options *options, GError **error);
/** As sched_convert_source_known(): the context of a record that needs no check. */
bool sched_convert_open_known(conv_context *context, const sched_trace *trace,
                              const sched_convert_options *options, conv_lonely *lonely,
                              conv_resample *resample, GError **error);
/**
 * All templates are filled: do all messages find each other? Then say what was left out. Else they
 * are filled once more, to say which messages do not.
 */
bool sched_convert_finish(const conv_context *context, GError **error);

/** Places of all ranks in all communicators. @return false with SCHED_ERROR_BAD_FILE */
bool sched_convert_places_find_all(conv_context *context, GError **error);
/** Is the call converted, or does its time count as computation? COMPLETE: see the template. */
bool sched_convert_is_converted(const conv_context *context, const sched_call *call);

/** Does a receive take any source or any tag? *@p kept: although what came should replace it. */
bool sched_convert_is_wild(const conv_context *context, const sched_call *call, bool *kept);
/** Find which receives may meet more than one message. After the places. O(calls). */
void sched_convert_rooms_find(conv_context *context);
/** How large a message a receive (of SENDRECV: its receive) of @p rank takes, in bytes. */
int64_t sched_convert_room(const conv_context *context, uint32_t rank, const sched_call *call);

conv_left_out *sched_convert_left_out_new(const sched_trace *trace);
void sched_convert_left_out_free(conv_left_out *left_out); /* NULL is a no-op */
/** A call whose time counts as computation. */
void sched_convert_left_out_add(conv_left_out *left_out, const sched_call *call);
/** Is the time of a call that is not converted waiting, rather than computation? */
bool sched_convert_left_out_waits(const conv_left_out *left_out, const sched_call *call);
/** A rank took that long in all. */
void sched_convert_left_out_pass(conv_left_out *left_out, sim_time time);
/** Add what another has counted. */
void sched_convert_left_out_join(conv_left_out *left_out, const conv_left_out *more);
/** Say how much of the time was left out, by what it was spent on. */
void sched_convert_left_out_say(const conv_left_out *left_out, GArray *notices);

/** @p rank's place in @p comm; its members must be known. NULL: it is not one of them. */
conv_place *sched_convert_place_find(const conv_context *context, uint32_t rank, uint32_t comm);

/**
 * Which posts of a record are cancelled later on? Posts are counted from 1: isend, irecv, and each
 * request of a start.
 * @return a set of GSIZE_TO_POINTER(post), owned by the caller; NULL: none. O(calls)
 */
GHashTable *sched_convert_cancelled_posts(const sched_rank *record);

/** An empty template; sched_convert_template_clear() frees what it, or a zeroed one, holds. */
conv_template sched_convert_template_new(void);
void sched_convert_template_clear(conv_template *template);
/** Convert @p rank into @p template, which is emptied first; record its messages in match. */
bool sched_convert_template_fill(conv_template *template, const conv_context *context,
                                 uint32_t rank, GError **error);

/**
 * What becomes of a template, which is the thread's own and used again unless its arrays are taken
 * away. Called by several threads (model/parallel_private.h), for each rank once.
 */
typedef void conv_filled(void *data, uint32_t rank, conv_template *template, uint32_t thread);
/** Convert all ranks, in any order. @return false: the error of the first that cannot be */
bool sched_convert_fill_all(const conv_context *context, conv_filled *filled, void *data,
                            GError **error);

/** Records may hold any times: a sum stays in range, and what goes back counts as nothing. */
static inline sim_time conv_add_times(sim_time sum, sim_time more)
{
    return more > SIM_TIME_MAX - sum ? SIM_TIME_MAX : sum + MAX(more, 0);
}

/** How many ranks the converted program has. */
static inline uint64_t conv_num_ranks(const conv_context *context)
{
    const sched_growth *growth = context->options->growth;
    return growth != NULL ? growth->num_ranks
                          : (uint64_t)context->trace->num_ranks * context->options->copies;
}

/** The recorded rank that @p rank of the converted program follows. */
static inline uint32_t conv_record_of(const conv_context *context, uint32_t rank)
{
    const sched_growth *growth = context->options->growth;
    return growth != NULL ? growth->methods->record(growth, rank)
                          : rank % context->trace->num_ranks;
}

/** Is a collective of @p size of the recorded ranks made by all copies together? */
static inline bool conv_coll_grows(coll_kind kind, uint32_t size, uint32_t num_recorded,
                                   const sched_convert_options *options)
{
    return options->copies > 1 && size == num_recorded &&
           (!coll_kind_is_rooted(kind) || options->roots == SCHED_ROOT_GLOBAL);
}

/**
 * The call that @p coll is for @p rank, which is in copy @p copy. One of all copies has H K ranks:
 * its rank p H + r is rank r of copy p.
 */
static inline coll_call conv_coll_call(const conv_coll *coll, const sched_convert_options *options,
                                       uint32_t rank, uint32_t copy)
{
    coll_call call = coll->call;
    if (options->growth != NULL) {
        call.rank = options->growth->methods->place(options->growth, rank, coll->span);
    } else if (coll->grows) {
        call.rank += call.size * copy;
        call.size *= options->copies;
    }
    return call;
}

/** Who @p rank is to sched_convert_resample_turn(): a copy or, with a growth, a rank. */
static inline uint32_t conv_resample_who(const sched_growth *growth, uint32_t num_records,
                                         uint32_t rank, uint32_t copy)
{
    return growth == NULL ? copy : growth->num_ranks > num_records ? rank + 1 : 0;
}

/** How often every rank goes through its record. */
static inline uint32_t conv_repeat(const sched_convert_options *options)
{
    return options->repeat > 0 ? options->repeat : 1;
}

/**
 * The operation of a step of @p coll in the copy whose first rank is @p shift, after the record
 * has been gone through @p repetition times.
 */
static inline sim_op conv_coll_op(const conv_coll *coll, const coll_step *step, uint32_t shift,
                                  uint32_t repetition)
{
    sim_op op = {.size = step->size, .type = step->type};
    if (step->type != SIM_OP_CALC) {
        const uint32_t size = coll->call.size;
        op.peer = coll->members == NULL ? step->peer /* a growth is asked who that is */
                  : coll->grows ? coll->members[step->peer % size] + step->peer / size * size
                                : coll->members[step->peer] + shift;
        op.comm = coll->comm;
        op.tag = coll->tag + repetition * coll->tags;
    }
    return op;
}

/** Does a message go or come? */
static inline bool conv_step_is_message(const conv_step *step)
{
    return step->type != CONV_CALC && step->type != CONV_BESIDE && step->type != CONV_COLL &&
           step->type != CONV_JOIN;
}

/** The operation of a step that is one (neither CONV_COLL nor CONV_JOIN). */
static inline sim_op conv_step_op(const conv_step *step, uint32_t shift)
{
    static const uint8_t TYPES[] = {
        [CONV_CALC] = SIM_OP_CALC,  [CONV_SEND] = SIM_OP_SEND,  [CONV_RECV] = SIM_OP_RECV,
        [CONV_ISEND] = SIM_OP_SEND, [CONV_IRECV] = SIM_OP_RECV, [CONV_EXCHANGE] = SIM_OP_RECV,
        [CONV_BESIDE] = SIM_OP_CALC};
    sim_op op = {.size = step->size, .type = TYPES[step->type]};
    if (op.type != SIM_OP_CALC) {
        op.peer = step->peer == SIM_ANY ? SIM_ANY : step->peer + shift;
        op.tag = step->tag;
        op.comm = step->comm;
    }
    return op;
}

typedef struct conv_stamp conv_stamp;
conv_stamp *sched_convert_stamp_new(const conv_context *context);
void sched_convert_stamp_free(conv_stamp *stamp);
/** What @p rank does, which follows @p template. Borrowed until the next call. */
sched_rank_ops sched_convert_stamp_rank(conv_stamp *stamp, const conv_template *template,
                                        uint32_t rank);

/**
 * sched_convert_source_new() that keeps the templates of all ranks up to @p most_kept steps, and
 * makes ranks by several threads if their records have @p long_record steps or more.
 */
sched_rank_source *sched_convert_source_keep(const sched_trace *trace,
                                             const sched_convert_options *options,
                                             uint64_t most_kept, uint64_t long_record,
                                             sched_convert_report *report, GError **error);

/**
 * Of a record that has been converted with these options before, but for the copies: it is not
 * checked again.
 * @param lonely what was left out then
 * @param resample how its computation was resampled then; or NULL
 * @param steps  about how many steps its templates have in all
 */
sched_rank_source *sched_convert_source_known(const sched_trace *trace,
                                              const sched_convert_options *options,
                                              conv_lonely *lonely, conv_resample *resample,
                                              uint64_t steps, GError **error);

/** All members of a communicator make the same collectives, in the same order. */
bool sched_convert_agree(const conv_context *context, GError **error);

/** How many messages of each kind, and size, are sent and received. */
conv_tally *sched_convert_tally_new(void);
void sched_convert_tally_free(conv_tally *tally); /* NULL is a no-op */
/** A message that @p rank sends or receives. Amortised O(1) */
void sched_convert_tally_add(conv_tally *tally, const conv_step *step, bool is_recv, uint32_t rank);
/** Add those of @p more; each rank's messages are in one of the two. O(kinds and runs) */
void sched_convert_tally_join(conv_tally *tally, const conv_tally *more);
/** Is every message received, does every receive get one that it has room for? */
bool sched_convert_tally_check(const conv_tally *tally);

/**
 * A context to fill templates again that have been filled before: nothing is counted, noticed or
 * matched once more. Borrows what is in @p context; to be ended.
 */
conv_context sched_convert_quiet_begin(const conv_context *context, sched_convert_report *report);
void sched_convert_quiet_end(conv_context *quiet);
/** Fill the template of a rank for which that has been done before. Does not fail. */
void sched_convert_quiet_fill(conv_template *template, const conv_context *quiet, uint32_t rank);

conv_match *sched_convert_match_new(const sched_trace *trace);
void sched_convert_match_free(conv_match *match);
/** A message of world rank @p from to world rank @p to; source and tag may be SIM_ANY. */
void sched_convert_match_add(conv_match *match, const conv_step *step, bool is_recv, uint32_t rank,
                             const sched_call *call, uint64_t message);
/** Every message is received, every receive gets one. */
bool sched_convert_match_check(conv_match *match, GError **error);
/** After a check that failed: which messages may be left out? @return false: others fail, too */
bool sched_convert_match_forgive(const conv_match *match, conv_lonely *lonely);
void sched_convert_match_clear(conv_match *match);

/**
 * Messages that find no partner, and need none: receives that no call completes, sends so small
 * that they complete without. Messages are numbered in each rank.
 */
#define CONV_LONELY_BYTES 4096
conv_lonely *sched_convert_lonely_new(const sched_trace *trace);
conv_lonely *sched_convert_lonely_ref(conv_lonely *lonely);
void sched_convert_lonely_unref(conv_lonely *lonely); /* the last one frees; NULL is a no-op */
/** No call completes this one. */
void sched_convert_lonely_note(conv_lonely *lonely, uint32_t rank, uint64_t message);
bool sched_convert_lonely_noted(const conv_lonely *lonely, uint32_t rank, uint64_t message);
void sched_convert_lonely_add(conv_lonely *lonely, uint32_t rank, uint64_t message, bool is_recv);
/** How many are left out. */
uint64_t sched_convert_lonely_count(const conv_lonely *lonely, bool recvs);
bool sched_convert_is_lonely(const conv_lonely *lonely, uint32_t rank, uint64_t message);
/** Remember the report, so that the conversion can be made again. */
void sched_convert_before(conv_context *context);
/**
 * The conversion has failed. Did it for messages that may be left out? Then @p error is cleared,
 * and the conversion is to be made again.
 */
bool sched_convert_again(conv_context *context, GError **error);
