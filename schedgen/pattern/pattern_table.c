/* schedgen/pattern/pattern_table.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_parse. */
#include "pattern/pattern_table.h"

#define ROW(name) &pattern_item_##name,
const pattern_item_class *const pattern_item_table[] = {PATTERN_ITEMS(ROW)};
#undef ROW
const size_t pattern_item_table_size = G_N_ELEMENTS(pattern_item_table);
