/* noise/monitor/sampler_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "monitor/sampler.h"

/** Look at one thread now. @return false: it is gone */
bool noise_sampler_look(noise_sampler *sampler, watched_thread *thread);
/** Read its stat; what follows from a new name or CPU. @return false: gone, or another thread */
bool noise_sampler_identify(noise_sampler *sampler, watched_thread *thread, proc_stat *out);
/** Tell the writer who it is: command line and rank are read now. */
void noise_sampler_introduce(noise_sampler *sampler, watched_thread *thread);
/** Close descriptors and take it out. */
void noise_sampler_forget(noise_sampler *sampler, uint32_t index);
