/* apps/ripple/mining/messages.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The messages of a recorded run: which send met which receive, and in which calls both began and
 * were complete.
 */
#pragma once

#include "sched/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define APP_NO_CALL UINT32_MAX

/** Calls are indices in the sched_rank of their rank. */
typedef struct app_message {
    uint32_t from, to; /* ranks in the world */
    uint32_t send;     /* the call that sends or posts it */
    uint32_t sent;     /* the call that completes it there; APP_NO_CALL: none does */
    uint32_t recv;     /* the call that receives or posts the receive */
    uint32_t received; /* the call that completes that */
    int64_t bytes;     /* sent */
    bool synchronous;  /* the send completes only when matched */
} app_message;

/** An end of a message whose other end is not known; or a collective that is not waited for. */
typedef struct app_lonely {
    uint32_t rank;
    uint32_t call; /* that sends, receives or posts */
    uint32_t done; /* the call that completes it, or APP_NO_CALL */
} app_lonely;

typedef struct app_messages {
    size_t num_messages;
    app_message *messages; /* in order of (to, communicator, from, tag), then as sent */
    size_t num_lonely;
    app_lonely *lonely;
} app_messages;

/**
 * Messages of one sender, communicator and tag meet their receives in order. Where there are not as
 * many sends as receives (a record that is cut short; a wildcard of which the record does not say
 * what came), all of these are lonely. O(n log n) in calls.
 * @return owned by the caller
 */
app_messages *app_messages_new(const sched_trace *trace);
void app_messages_free(app_messages *messages); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_messages, app_messages_free)
