/* apps/ripple/system/memory.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/** Bytes of memory that this process may still use without swapping; UINT64_MAX: not known. */
uint64_t app_memory_available(void);
/** Bytes that may still be written where @p path, a file or folder, is; UINT64_MAX: not known. */
uint64_t app_disk_available(const char *path);
