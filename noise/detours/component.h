/* noise/detours/component.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What is to be known of a component of a signature beside its detours: how often they come, how
 * long they are, and when they repeat.
 */
#pragma once

#include "detours/model.h"
#include "noise/signature.h"

/** What the model says; all but the ranks. @param name is taken @param preset static, or NULL */
noise_component noise_component_of(const noise_model *model, char *name, const char *preset);
/** It was drawn into a trace of @p period; @p longest of its detours is there. */
void noise_component_note_drawn(noise_component *component, const noise_model *model,
                                sim_time longest, sim_time period);
