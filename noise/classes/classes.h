/* classes/classes.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Every detour gets a class, and every class says how it is known. docs/noise.md, section 6.
 */
#pragma once

#include "classes/class_facts.h"
#include "noise/measurement.h"

/**
 * Sets result->classes, and class_of of all its CPUs. Only for detours (the selfish method). One
 * class for each program that ran (kind "scheduler"), "other programs" for those not known, "tick"
 * and "interrupts" (kind "interrupt"), "steal or firmware" and "not known", those that have
 * detours. O(detours log detours).
 */
void noise_measurement_classify(noise_measurement *result, const noise_class_facts *facts);
