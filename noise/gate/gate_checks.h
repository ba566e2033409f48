/* gate/gate_checks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The checks, by the file they are in: X(name of the function).
 */
#pragma once

#include "gate/gate_facts.h"

#define NOISE_GATE_JUDGE(name)                                                                     \
    noise_gate_answer noise_gate_##name(const noise_gate_view *view, GString *sentence)

/* gate_loop.c */
NOISE_GATE_JUDGE(binding);
NOISE_GATE_JUDGE(steps);
NOISE_GATE_JUDGE(threshold);
NOISE_GATE_JUDGE(resolution);
NOISE_GATE_JUDGE(room);
NOISE_GATE_JUDGE(faults);
NOISE_GATE_JUDGE(length);
NOISE_GATE_JUDGE(speeds);
NOISE_GATE_JUDGE(frequency);
NOISE_GATE_JUDGE(drift);
NOISE_GATE_JUDGE(clock);
NOISE_GATE_JUDGE(sync);

/* gate_others.c */
NOISE_GATE_JUDGE(share);
NOISE_GATE_JUDGE(siblings);
NOISE_GATE_JUDGE(quota);
NOISE_GATE_JUDGE(steal);
NOISE_GATE_JUDGE(heat);
NOISE_GATE_JUDGE(interrupts);
NOISE_GATE_JUDGE(softirqs);
NOISE_GATE_JUDGE(records);

/* gate_settings.c */
NOISE_GATE_JUDGE(governor);
NOISE_GATE_JUDGE(pages);
NOISE_GATE_JUDGE(numa);
NOISE_GATE_JUDGE(isolation);
NOISE_GATE_JUDGE(tables);

/**
 * Who ran on the CPU in place of the thread that measured, most CPU time first: by the kernel's
 * records of switches, else by the counters of the threads that were there. NULL: nobody is known.
 * Owned by the caller.
 */
char *noise_gate_culprits(const noise_gate_view *view);
