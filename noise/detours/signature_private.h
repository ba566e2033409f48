/* noise/detours/signature_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the rooms above need of a signature: its traces by group, and its models.
 */
#pragma once

#include "detours/layout.h"

/** Borrowed. */
const noise_layout *noise_signature_layout(const noise_signature *signature);
/** Of component @p i. Borrowed. */
const noise_model *noise_signature_model(const noise_signature *signature, size_t i);
