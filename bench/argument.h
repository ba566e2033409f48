/* bench/argument.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/**
 * Word @p index of a benchmark's command line as a count ("4096", "4Ki", "2^12"), or @p otherwise
 * if there are fewer words. What is no count ends the benchmark, with a message that names it as @p
 * what.
 */
uint32_t bench_count(int argc, char **argv, int index, const char *what, uint32_t otherwise);
