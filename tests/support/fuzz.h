/* tests/support/fuzz.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** What a fuzz target defines: reads @p data as a file; 0 whatever it is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
