/* schedgen/pattern/pattern_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_parse. */
#include "pattern/pattern_table.h"

#define ROW(name) &sched_pattern_item_##name,
const pattern_item_class *const sched_pattern_item_table[] = {PATTERN_ITEMS(ROW)};
#undef ROW
const size_t sched_pattern_item_table_size = G_N_ELEMENTS(sched_pattern_item_table);
