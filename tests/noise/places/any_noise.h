/* tests/noise/places/any_noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Noise of any place at random, of detours so short that it can be walked over in picoseconds.
 */
#pragma once

#include "noise/signature.h"

/** Up to three components, perhaps drift, and perhaps one of them left out.
 * @return owned by the caller */
noise_signature *any_noise(GRand *random);
