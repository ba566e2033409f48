/* apps/tracer/calls/completion.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What is left to complete when a program ends. */
#pragma once

/**
 * Programs cancel a request and end without waiting for it: what became of it belongs to the call
 * that is open. Under the lock; no request of the program is changed.
 */
void tracer_complete_cancelled(void);
