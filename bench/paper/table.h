/* bench/paper/table.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What was checked: ours, the paper's, and where ours lies against what is accepted.
 */
#pragma once

#include "report/page.h"
#include "verdict.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct sc10_table sc10_table;

/** @param progress rows are also written here as they come, or NULL */
sc10_table *sc10_table_new(FILE *progress);
void sc10_table_free(sc10_table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc10_table, sc10_table_free)

/** @p ours, which has no interval, is to lie in @p low .. @p high. @param id "E3"  @param unit
 * "us", "x", "%" or "" */
void sc10_check_between(sc10_table *table, const char *id, const char *what, const char *paper,
                        double ours, double low, double high, const char *unit);
/** The interval of @p ours is to lie in @p low .. @p high. */
void sc10_check_estimate(sc10_table *table, const char *id, const char *what, const char *paper,
                         sc10_estimate ours, double low, double high, const char *unit);
/** A statement that holds (inside) or does not (outside); @p ours (printf) says what was seen. */
void sc10_check_that(sc10_table *table, const char *id, const char *what, const char *paper,
                     bool holds, const char *ours, ...) G_GNUC_PRINTF(6, 7);
/** Beside the checks: a value without tolerance. */
void sc10_note(sc10_table *table, const char *id, const char *what, const char *paper,
               const char *ours, ...) G_GNUC_PRINTF(5, 6);

/** Aligned text, or CSV. */
void sc10_table_print(const sc10_table *table, FILE *out);
void sc10_table_print_csv(const sc10_table *table, FILE *out);
/** Is there anything of experiment @p id? */
bool sc10_table_has(const sc10_table *table, const char *id);
/** What belongs to experiment @p id, as a table of the page. */
void sc10_table_add(const sc10_table *table, const char *id, app_page *page);
/** How many checks came to each verdict. */
void sc10_table_count(const sc10_table *table, unsigned counts[SC10_NUM_VERDICTS]);
/** "70 checks: 60 inside, 9 compatible, 1 outside". Owned by the caller. */
char *sc10_table_sum_up(const sc10_table *table);
