/* noise/detours/component.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is to be known of a component of a signature beside its detours: how often they come, how
 * long they are, and when they repeat.
 */
#pragma once

#include "detours/model.h"
#include "detours/place.h"
#include "noise/signature.h"

/** Of one signature. */
enum { NOISE_MAX_COMPONENTS = 64 };

/** Where a component comes from, beside its model. */
typedef struct noise_component_source {
    const char *preset;           /* static, or NULL */
    noise_provenance *provenance; /* of a file, or NULL */
    char *name, *kind, *evidence; /* of the source in a divided file, or NULL */
    uint32_t part;                /* of it, from 0 */
    uint32_t num_nodes;           /* measured, of which this is one; 0: they are not told apart */
} noise_component_source;

/** What the model says, and whom it strikes. Takes @p name and all
 * that @p source holds. */
noise_component noise_component_of(const noise_model *model, char *name,
                                   noise_component_source source, const noise_where *where);
void noise_component_clear(noise_component *component);
/** It was drawn into a trace of @p period; @p longest of its detours is there. */
void noise_component_note_drawn(noise_component *component, const noise_model *model,
                                sim_time longest, sim_time period);
