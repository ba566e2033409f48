/* schedgen/convert/convert_filler.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The template of a rank while it is made of its record, call by call: convert_template.c; what
 * collectives become is in convert_collective.c.
 */
#pragma once

#include "convert/convert_private.h"
#include "model/by_number_private.h"

/* A request as this rank's record tells it. */
typedef struct conv_request {
    uint64_t number;  /* key */
    sched_call post;  /* the call that defined it */
    uint64_t message; /* the last that it stood for */
    uint32_t slot;    /* while it is pending; CONV_NONE: nothing to wait for */
    bool converted;
    bool pending;
    struct conv_request *next; /* of those that are vacant */
} conv_request;

/* When calls were made last, in what the rank had computed by then. */
typedef struct conv_warmth {
    sim_time computed;                 /* by now */
    sim_time any;                      /* before the last call */
    sim_time kind[1 + COLL_NUM_KINDS]; /* of point-to-point, and of each collective */
} conv_warmth;

typedef struct conv_filler {
    const conv_context *context;
    conv_template *out;
    const sched_rank *record;
    sched_walk walk;          /* through it */
    sched_by_number requests; /* number (in the call) to conv_request */
    conv_request *vacant;     /* those of requests that were completed, to be used again */
    GByteArray *retired;   /* bits by number: requests that were completed, no more in requests */
    GHashTable *cancelled; /* ordinals of the posts that never happen */
    uint64_t posts;
    uint64_t messages; /* sent or received so far, those left out included */
    uint64_t pending;
    uint64_t lost;       /* requests posted anew while pending */
    sim_time last_leave; /* of the last converted call */
    sim_time begin;      /* of the rank's time */
    sim_time previous;   /* leave of the call before, of whatever kind */
    sim_time cpu;        /* computed since the last converted call, with SCHED_COMPUTE_CPU */
    conv_warmth warmth;
    uint32_t rank;
    uint32_t call; /* the index of the one that is being converted */
} conv_filler;

static inline void conv_notice(const conv_filler *f, uint64_t n, const char *what)
{
    sched_notices_add(f->context->report->notices, n, what);
}

static inline const char *conv_name_of(const conv_filler *f, const sched_call *call)
{
    return g_ptr_array_index(f->context->trace->names, call->name);
}

static inline bool conv_refuse(const conv_filler *f, const sched_call *call, sched_error code,
                               GError **error, const char *what, uint64_t value)
{
    g_set_error(error, SCHED_ERROR, (gint)code, "%s:%u: %s: %s '%" G_GUINT64_FORMAT "'",
                f->record->file, call->line, conv_name_of(f, call), what, value);
    return false;
}

/** The call takes time beside its messages: part of it, not of what is computed before. */
static inline void conv_add_beside(conv_filler *f, sim_time time)
{
    if (time > 0) {
        const conv_step step = {
            .type = CONV_BESIDE, .size = time, .slot = CONV_NONE, .call = f->call};
        g_array_append_val(f->out->steps, step);
    }
}

/** So much was computed. */
void sched_convert_warmth_pass(conv_warmth *warmth, sim_time computed);
/** @p call is made. @return what it takes more because of what was computed before it */
sim_time sched_convert_warmth_call(conv_warmth *warmth, const sched_call *call,
                                   const sim_cold_cost *cold);

/** What follows awaits @p slot; CONV_NONE: the call blocks. */
bool sched_convert_collective_add(conv_filler *f, const sched_call *call, uint32_t slot,
                                  GError **error);
/** Collectives of the next repetition follow those of this one: their tags, too. */
bool sched_convert_collectives_finish(conv_filler *f, GError **error);
