/* apps/tracer/record/attempt.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The door to OTF2: one caller at a time, and out at the first thing it complains of.
 */
#pragma once

#include <stdbool.h>

/**
 * Enter, so that nothing that interrupts calls of OTF2 makes some as well.
 * @return false: somebody is inside
 */
bool tracer_otf2_begin(void);
void tracer_otf2_end(void);

/** Before the first call of OTF2: hear its complaints. */
void tracer_attempt_start(void);

/**
 * Run work(data), which calls OTF2. At the first complaint of OTF2 the work is left where it
 * stands, and what it was writing must not be touched again: not even closed. Not to be nested.
 * @return false: the work was left
 */
bool tracer_attempt(void (*work)(void *data), void *data);

/**
 * The attempt that runs is about to write to files. From here to its end, a file that would grow
 * beyond a limit of the process is a full disk and raises no SIGXFSZ. Costs three system calls.
 */
void tracer_attempt_writes(void);

/** What OTF2 first complained of; NULL: nothing. */
const char *tracer_attempt_error(void);
