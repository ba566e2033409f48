/* apps/ripple/scores/model_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What a model knows, for people: `ripple detect show`. */
#pragma once

#include "noise/interference.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

void app_model_print(const noise_interference_model *model, FILE *out);
/** One row per rank and sequence; rank "any" is for those that were not learned. */
void app_model_print_csv(const noise_interference_model *model, FILE *out);
void app_model_build(const noise_interference_model *model, JsonBuilder *builder);
/** "MPI_Irecv from rank-1, 2 x (MPI_Send to rank+1, MPI_Wait)": repetitions next to each other in
 * short. Owned by the caller. */
char *app_model_sequence_text(const noise_interference_model *model, uint32_t sequence);
