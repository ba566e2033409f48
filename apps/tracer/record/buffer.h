/* apps/tracer/record/buffer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What record.c notes while the program waits, and replay.c makes into events of OTF2 when there
 * is a buffer full of it. OTF2 touches many cache lines for each event, and a program that
 * computes has emptied the caches; notes are one or two lines per call, and replayed in one go.
 *
 * A note is a word with its kind in the lower half and one number in the upper, and further words.
 * A call is its attributes, CALL and what stands in it; the next call ends it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(kind, words); the upper half of the first word, then the others. "A:B": lower, upper half */
#define TRACER_NOTES(X)                                                                            \
    X(ATTRIBUTE, 2)        /* attribute; value */                                                  \
    X(CALL, 5)             /* region; enter, leave, CPU time + 1, inside */                        \
    X(POLL, 5)             /* the same, complete */                                                \
    X(SEND, 3)             /* peer; comm:tag, bytes */                                             \
    X(RECV, 3)             /* peer; comm:tag, bytes */                                             \
    X(ISEND, 4)            /* peer; comm:tag, bytes, request */                                    \
    X(IRECV, 2)            /* -; request */                                                        \
    X(ISEND_DONE, 2)       /* -; request */                                                        \
    X(IRECV_DONE, 4)       /* peer; comm:tag, bytes, request */                                    \
    X(CANCELLED, 2)        /* -; request */                                                        \
    X(COLLECTIVE, 4)       /* operation; comm:root, sent, received */                              \
    X(ICOLLECTIVE, 2)      /* -; request */                                                        \
    X(ICOLLECTIVE_DONE, 5) /* operation; comm:root, sent, received, request */                     \
    X(PARAMETER, 2)        /* parameter; value */

typedef enum {
#define X(kind, words) NOTE_##kind,
    TRACER_NOTES(X)
#undef X
} tracer_note;
