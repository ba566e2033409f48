/* apps/tracer/record/definitions.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Anchor and global definitions of the archive; rank 0 writes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tracer_definitions {
    const char *dir;
    int size;
    const uint64_t *events; /* [size]; NULL: not known yet */
    const uint32_t *nodes;  /* [size] number of the node of each rank */
    char *const *node_names;
    int num_nodes;
    const uint32_t *comms; /* as tracer_comm_led, of all ranks */
    size_t comm_words;
    uint64_t start;
    uint64_t end; /* 0: not known yet */
} tracer_definitions;
/** @return false if they could not be written */
bool tracer_definitions_write(const tracer_definitions *d);
