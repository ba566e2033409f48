/* noise/monitor/sampler.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Looks at the threads of this node, sweep after sweep, and tells a writer what has changed.
 * docs/monitor.md, section 2. Nothing here sleeps or chooses when: that is the monitor's.
 */
#pragma once

#include "monitor/sampler_state.h"

/** Take note of all threads that are there; what they have used so far is not told. */
void noise_sampler_begin(noise_sampler *sampler);
/** Look at the threads that are due. Some 1 us for each, 15 us for each that has changed. */
void noise_sampler_sweep(noise_sampler *sampler);
/** Look for new processes and threads. */
void noise_sampler_discover(noise_sampler *sampler);
/** Tell what has been seen of activities that go on. */
void noise_sampler_tell(noise_sampler *sampler);
/** Who belongs to the application has changed. */
void noise_sampler_classify(noise_sampler *sampler);
/** Tell all that is open, and free what is held. */
void noise_sampler_end(noise_sampler *sampler);
