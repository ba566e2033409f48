/* noise/files/header.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The line of JSON of Ripple's files: what it says of runs and sources. docs/noise.md, section 5.
 */
#pragma once

#include "sim/time.h"

#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct noise_header {
    JsonNode *root; /* owned; NULL: there is no header */
} noise_header;

typedef struct noise_header_cpu {
    sim_time duration;  /* ps; -1: not said */
    uint32_t node, cpu; /* UINT32_MAX: not said */
} noise_header_cpu;

/**
 * @param json NULL: an empty header
 * @param why  out, may be NULL: what is wrong. Owned by the caller
 * @return false: it is no JSON object, or nests so deeply that it might do harm
 */
bool noise_header_parse(const char *json, noise_header *out, char **why);
void noise_header_clear(noise_header *header);
/** A member that is a text, else NULL. Borrowed. */
const char *noise_header_text(JsonNode *object, const char *name);
/** A member that is a time in ns, in ps; -1: there is none. */
sim_time noise_header_time(JsonNode *object, const char *name);
/** Of run @p run. O(1). */
noise_header_cpu noise_header_cpu_of(const noise_header *header, size_t run);
/** Source @p i of the header: an object, if it is what is meant. NULL: there are no more. */
JsonNode *noise_header_source(const noise_header *header, unsigned i);
