/* apps/tracer/live/detect_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Samples on their way to whoever scores them: the file detect.RANK in the folder, or, of a rank
 * that does not see rank 0's folder, a file of its own that rank 0 puts there at the end.
 */
#pragma once

#include "noise/sample_record.h"

#include <stdbool.h>

/** The file, with its header. Collective. @return false: it cannot be written; said */
bool tracer_detect_file_open(noise_sample_header *header);
/** Append a page; empty afterwards. @return false: could not, and the file is closed; said */
bool tracer_detect_file_write(noise_sample_page *page);
/**
 * The files of all ranks are in rank 0's folder then. Collective.
 * @return false: some are not; said
 */
bool tracer_detect_file_unite(void);
/** Not collective: the program ends before MPI_Finalize. @return false: it is lost; said */
bool tracer_detect_file_leave(void);
