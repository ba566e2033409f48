/* bench/sc07/methods/comparison_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file A comparison of methods as tables of docs/interference.md. */
#pragma once

#include "comparison.h"

#include <glib.h>
#include <stdio.h>

/** Cells as text. */
typedef struct sc07_text_table {
    size_t columns;
    GPtrArray *rows; /* of char *[columns + 1], the first is the head; NULL-terminated */
} sc07_text_table;

void sc07_text_table_free(sc07_text_table *table); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sc07_text_table, sc07_text_table_free)

/** Areas by program and by kind of job; false alarms. @return owned by the caller */
sc07_text_table *sc07_comparison_programs(const sc07_comparison *comparison);
sc07_text_table *sc07_comparison_jobs(const sc07_comparison *comparison);
sc07_text_table *sc07_comparison_alarms(const sc07_comparison *comparison);
/** How much was run. @return owned by the caller */
char *sc07_comparison_says(const sc07_comparison *comparison);

/** All of it. */
void sc07_comparison_print(const sc07_comparison *comparison, FILE *file);
