/* apps/ripple/losses/losses.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Who took CPU time from which rank of a program that was recorded while its node was watched:
 * docs/monitor.md. Rows of all ranks, and detours to simulate with.
 */
#pragma once

#include "noise/cpu_record.h"
#include "noise/join.h"
#include "program/record.h"
#include "sched/trace.h"

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

/** What others took, as a file of detours in the folder of the archive. */
#define APP_LOSSES_DETOURS "lost.detours"

typedef struct app_losses {
    noise_nit *nit;
    uint64_t *since;    /* of noise_join_input */
    GPtrArray *logs;    /* of noise_switch_log */
    GArray *slices;     /* of noise_cpu_slices; NULL: not allowed */
    char *refusal;      /* why not; NULL if there are */
    GPtrArray *arrays;  /* what threads point to */
    GArray *threads;    /* of noise_join_thread */
    GArray *cpus;       /* of noise_join_cpu */
    uint32_t elsewhere; /* ranks that ran on other nodes, which nobody watched */
    uint32_t refused;   /* ranks whose switches the kernel does not tell; errno below */
    int refused_error;
    uint32_t coarse;    /* ranks of which only run_delay at calls is known */
    uint32_t num_ranks; /* of the program */
    noise_join_input input;
    noise_join *join;
} app_losses;

/** Free what was left by a watch that nobody joins. */
void app_losses_drop(app_watched *watched);
/**
 * From the files in @p folder (APP_NODE_WATCH_FILE, switches.RANK) and the calls of @p trace.
 * @param watched what it holds becomes the result's, also on failure; where it holds nothing,
 * records of CPUs are those of the file NOISE_CPU_FILE, if there is one
 */
app_losses *app_losses_new(const char *folder, const sched_trace *trace, app_watched *watched,
                           GError **error);
void app_losses_free(app_losses *losses);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_losses, app_losses_free)

/**
 * Write what others took as noise into the folder, unless nothing was taken.
 * @param path NULL, or set: owned by the caller; NULL: nothing was taken
 */
bool app_losses_write_detours(const app_losses *losses, const char *folder, char **path,
                              GError **error);

enum { APP_LOSSES_MOST_ROWS = 20 };
void app_losses_print(const app_losses *losses, FILE *out);
/** The member "losses". */
void app_losses_build(const app_losses *losses, JsonBuilder *builder);
