/* gate/gate.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * May a measurement be believed? A table of checks; each looks at one thing, names its evidence,
 * and says what it found in a sentence. docs/noise.md, section 6.
 */
#pragma once

#include "gate/gate_facts.h"

/** All checks in the order of the verdict. @param n [out] */
const noise_gate_check *noise_gate_checks(size_t *n);
/** Sets result->valid and ->verdict. */
void noise_gate_judge(noise_measurement *result, const noise_gate_facts *facts);
