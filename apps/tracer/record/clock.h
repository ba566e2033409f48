/* apps/tracer/record/clock.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Offsets of the ranks' clocks to that of rank 0. */
#pragma once

#include <stdbool.h>

/** Measure and note them; once at the start (@p first) and once at the end. Collective. */
void tracer_clock_align(bool first);
