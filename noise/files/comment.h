/* noise/files/comment.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Lines that begin with '#' and say where a file comes from: Netgauge's, and Ripple's header.
 */
#pragma once

#include "files/reader.h"

/** Takes what @p line says of method, system and sources; ignores what it does not know. @return
 * false with the reader's error, of a header that is not one */
bool noise_comment_read(noise_reader *reader, const char *line);
/**
 * "# Measurement period: 2.00 s".
 * @param period ps, out; as it was where @p line says something else
 * @return false with the reader's error: that is no time
 */
bool noise_comment_period(noise_reader *reader, const char *line, sim_time *period);
/**
 * A run of samples ends where its period is stated (@p end gets it), or the next run's method (-1).
 * @return false with the reader's error
 */
bool noise_comment_end_run(noise_reader *reader, const char *line,
                           bool (*end)(noise_reader *reader, sim_time stated));
