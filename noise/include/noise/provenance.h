/* noise/provenance.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where a file of detours comes from, and whether its measurement may be believed: what its header
 * says (docs/noise.md, section 5), and how much was measured.
 */
#pragma once

#include "noise/detour_file.h"
#include "noise/tail.h"
#include "sim/time.h"

#include <glib.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
    NOISE_VALIDITY_UNKNOWN, /* the file does not say: it is not Ripple's */
    NOISE_VALIDITY_VALID,
    NOISE_VALIDITY_INVALID,
} noise_validity;

typedef struct noise_provenance {
    char *path; /* as it was given */
    noise_validity validity;
    char *verdict;   /* lines: "valid", or "not valid: ..." for each reason; then "note: ..."; NULL:
                      * the file has none */
    size_t num_runs; /* CPUs, in files of Ripple's */
    sim_time *run_length; /* [num_runs] ps */
    sim_time length;      /* ps, their sum, at most SIM_TIME_MAX: what the noise repeats after */
    char *clock;          /* what it was measured with; NULL: not known */
    char *host;           /* NULL: not known */
    char *kernel;         /* "Linux 6.1.0"; NULL: not known */
    char *note;           /* how detours were made of what was measured; NULL: they are that */
    noise_tail tail;      /* filled by who has the trace */
} noise_provenance;

/** What @p file, read from @p path, says of itself. @return owned by the caller */
noise_provenance *noise_provenance_new(const noise_detour_file *file, const char *path);
void noise_provenance_free(noise_provenance *provenance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(noise_provenance, noise_provenance_free)

/**
 * The verdict in a few words: "valid", "validity unknown", or the first reason why not and how many
 * more there are: "not valid: CPU 1: the clock went back 3 times (and 2 more reasons)". Owned by
 * the caller.
 */
char *noise_provenance_verdict(const noise_provenance *provenance);

G_END_DECLS
