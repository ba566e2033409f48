/* noise/analysis/draft.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A source before it has a name: which detours, and by what they were put together.
 */
#pragma once

#include "analysis/beats.h"
#include "noise/decomposition.h"

#include <glib.h>
#include <stdbool.h>

enum { NOISE_NO_CLASS = UINT16_MAX };

typedef struct noise_draft {
    uint16_t class_of;  /* NOISE_NO_CLASS: not known */
    bool is_rest;       /* of no rhythm, no length, no class */
    bool is_mode;       /* put together by length */
    size_t first_train; /* of the trains */
    size_t num_trains;  /* 0: not periodic */
} noise_draft;

typedef struct noise_division {
    const noise_observation *cpus;
    size_t num_cpus;
    const noise_detour_source *classes;
    size_t num_classes;
    GArray *trains;      /* of noise_train; sorted by draft in the end */
    GArray *train_class; /* of uint16_t, beside them */
    GArray *drafts;      /* of noise_draft */
    uint16_t **owner;    /* [num_cpus][n] train, or NOISE_NOBODY */
    uint16_t **draft;    /* [num_cpus][n] */
} noise_division;

/** Count, share, lengths and rhythm of each draft into @p source [drafts]. O(n log n). */
void noise_sources_figure(const noise_division *division, noise_source *source);

/** Is @p s, of those in @p source [drafts], the kernel's tick? */
bool noise_source_is_tick(const noise_division *division, const noise_source *source,
                          const noise_source *s);
/** Name, kind and evidence of each; names differ. */
void noise_sources_name(const noise_division *division, noise_source *source);

/** The class of detour @p i on CPU @p c; NOISE_NO_CLASS: not known. */
uint16_t noise_division_class(const noise_division *division, size_t c, size_t i);

/* Each of these adds drafts and gives them detours that have none yet. */

/** Trains of one class; of no class, those of one period, or a multiple of it, and length. */
void noise_draft_trains(noise_division *division);
/** What is left of a class; it joins the trains of it. */
void noise_draft_class(noise_division *division, uint16_t class_of);
/** Of what is left those of one length, and the rest. */
void noise_draft_modes(noise_division *division);
