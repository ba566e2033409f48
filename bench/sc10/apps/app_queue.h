/* bench/sc10/apps/app_queue.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Runs of records, of many programs and sizes, in one queue: each on one thread, which takes less
 * CPU time than several threads on one run, the longest first, so that no thread is left without
 * work until the last ones end. What comes of a run does not depend on threads or on the order.
 */
#pragma once

#include "app_case.h"
#include "noise/signature.h"
#include "records.h"
#include "shares.h"

typedef struct sc10_app_queue sc10_app_queue;

/** @param records borrowed until the queue is gone */
sc10_app_queue *sc10_app_queue_new(sc10_records *records, unsigned threads, uint64_t seed);
void sc10_app_queue_free(sc10_app_queue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc10_app_queue, sc10_app_queue_free)

/** What is borrowed here and below stays where it is until sc10_app_queue_do() is back. */
typedef struct sc10_app_run {
    const sc10_app_case *what;
    const noise_signature *noise; /* NULL: none */
    uint32_t replica;
    double *seconds;    /* takes the time */
    uint64_t *messages; /* takes their number; NULL: nobody asks */
} sc10_app_run;

void sc10_app_queue_add(sc10_app_queue *queue, const sc10_app_run *run);
/** Where the time goes, without noise, on the ranks of the record. */
void sc10_app_queue_add_shares(sc10_app_queue *queue, const sc10_app_case *what,
                               sc10_shares *shares);
/** Make them all; says on standard error what each came to. What cannot be run is an error of ours:
 * aborts. */
void sc10_app_queue_do(sc10_app_queue *queue);
