/* noise/synopsis/packed.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A synopsis as bytes, for messages and files: the same bytes for the same set of events. Format:
 * docs/formats.md.
 */
#pragma once

#include "synopsis/synopsis.h"

#include <stddef.h>
#include <stdint.h>

#define NOISE_SYNOPSIS_MAGIC "ripplesy" /* 8 bytes */
enum { NOISE_SYNOPSIS_VERSION = 2, NOISE_SYNOPSIS_HEADER = 28 };

/** @return [*size], freed by the caller with free(); NULL: no memory */
uint8_t *noise_synopsis_pack(const noise_synopsis *synopsis, size_t *size);

/**
 * Make a synopsis of @p bytes. It is cleared by the caller in any case.
 * @param most_bytes its budget, as of noise_synopsis_init()
 * @param where      set to the byte at which something is wrong
 * @return NULL: done; else what is wrong
 */
const char *noise_synopsis_unpack(noise_synopsis *synopsis, const uint8_t *bytes, size_t size,
                                  uint64_t most_bytes, size_t *where);
