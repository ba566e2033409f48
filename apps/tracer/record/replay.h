/* apps/tracer/record/replay.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Notes, made into events of OTF2. Inside an attempt (attempt.h) only. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Make events of @p n words of notes. The last call stays open. */
void tracer_replay(const uint64_t *notes, size_t n);
/** Nobody computed until @p now, ns: the flush belongs to the call that is open. */
void tracer_replay_flushed(uint64_t now);
/** End the call that is open, if one is. */
void tracer_replay_leave(void);
