/* noise/evidence_sources.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What can be had on this machine of the evidence that a measurement is judged and its detours are
 * classified by. Not installed.
 */
#pragma once

#include <glib.h>

typedef enum { NOISE_EVIDENCE_OK, NOISE_EVIDENCE_LIMITED } noise_evidence_status;

typedef struct noise_evidence_source {
    const char *what; /* static */
    noise_evidence_status status;
    char *detail; /* what it is good for, or why it cannot be had and what stands in */
} noise_evidence_source;

/**
 * Try them all, by the calling thread.
 * @param root of the machine's files: ""
 * @return array of noise_evidence_source, owned by the caller, which frees it with g_array_unref()
 */
GArray *noise_evidence_sources(const char *root);
