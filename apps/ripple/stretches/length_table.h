/* apps/ripple/stretches/length_table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_reference, test_stretch_log. */
/**
 * @file
 * Most stretches of a run have one of few lengths: those come to have a number of one digit. A
 * length keeps its place once it has one, so who reads needs no more than the table as it is then.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { APP_LENGTH_PLACES = 31 };

typedef struct app_length_table {
    uint64_t taken[APP_LENGTH_PLACES]; /* the length and 1; 0: by none */
} app_length_table;

/** @return its place, APP_LENGTH_PLACES: it has none, and gets none */
static inline unsigned app_length_place(app_length_table *table, uint64_t length)
{
    const unsigned place = (unsigned)((length + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 59);
    if (place == APP_LENGTH_PLACES) {
        return place;
    }
    if (table->taken[place] == 0) {
        table->taken[place] = length + 1;
    }
    return table->taken[place] == length + 1 ? place : APP_LENGTH_PLACES;
}

static inline uint64_t app_length_at(const app_length_table *table, unsigned place)
{
    return table->taken[place] - 1;
}
