/* noise/detours/signature_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the rooms above need of a signature: its traces by group, and its models.
 */
#pragma once

#include "detours/layout.h"

/** Borrowed. */
const noise_layout *noise_signature_layout(const noise_signature *signature);
/** All components in the order of the text, those that are left out, too. */
size_t noise_signature_num_drawn(const noise_signature *signature);
/** Borrowed. */
const noise_component *noise_signature_drawn(const noise_signature *signature, size_t i);
/** Of component @p i of these. Borrowed. */
const noise_model *noise_signature_model(const noise_signature *signature, size_t i);
