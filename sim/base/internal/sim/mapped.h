/* sim/mapped.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Large files that are read once, from beginning to end, through a mapping.
 */
#pragma once

/**
 * What lies between @p begin and @p end of a read-only mapping of a file need not stay in memory.
 * It can still be read; what is asked for again comes from the file. Pages that lie there only in
 * part stay. Not for any other memory, whose contents would be lost.
 */
void sim_mapped_let_go(const void *begin, const void *end);
