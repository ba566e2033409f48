/* tests/apps/pages/sample_component.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file What a miner might have found, with events; all numbers follow from a few rules. */
#pragma once

#include "pages/component_view.h"

enum {
    SAMPLE_ROWS = 3,
    SAMPLE_EPOCHS = 10,
    SAMPLE_EVENTS = 40
}; /* 36 of the first row, 4 of the second, no other */

typedef struct sample_component {
    noise_miner_report report;
    noise_miner_row rows[SAMPLE_ROWS];
    uint32_t ranges[SAMPLE_ROWS][1][2];
    app_exemplar *events; /* [SAMPLE_EVENTS] */
    app_component_view view;
} sample_component;

/** @p slices around each event, besides the event itself. */
sample_component *sample_component_new(size_t slices);
void sample_component_free(sample_component *sample);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sample_component, sample_component_free)
