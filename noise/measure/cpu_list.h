/* noise/measure/cpu_list.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which CPUs to measure: those asked for, if this process may run there.
 */
#pragma once

#include "noise/error.h"

#include <stddef.h>
#include <stdint.h>

/** CPUs this process may use (its affinity), ascending. Owned by the caller. */
uint32_t *noise_cpu_list_inherited(size_t *n);
/**
 * @param text "0-3,8", a hexadecimal mask ("ff", "0xff"), or NULL for all of @p allowed
 * @return [n] ascending, owned by the caller; NULL with NOISE_ERROR_BAD_CPUS, or
 *   NOISE_ERROR_MEASURE naming the first CPU that is not allowed
 */
uint32_t *noise_cpu_list_parse(const char *text, const uint32_t *allowed, size_t num_allowed,
                               size_t *n, GError **error);
/** "0-3,8". Owned by the caller. */
char *noise_cpu_list_format(const uint32_t *cpus, size_t n);
