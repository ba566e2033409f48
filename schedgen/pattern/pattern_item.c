/* schedgen/pattern/pattern_item.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_parse, test_pattern_items. */
#include "pattern/pattern_item_private.h"
#include "sim/unit.h"

#define USUAL_BYTES 8 /* as that of collectives */

bool sched_pattern_refuse(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, SCHED_ERROR, SCHED_ERROR_BAD_PATTERN, why);
    return false;
}

bool sched_pattern_parse_bytes(pattern_item *item, const char *arguments, GError **error)
{
    item->bytes = USUAL_BYTES;
    if (arguments != NULL && !sim_unit_parse_bytes(arguments, &item->bytes, NULL)) {
        return sched_pattern_refuse(error, "'%s' is not a size", arguments);
    }
    return true;
}

uint64_t sched_pattern_sendrecv_max_steps(const pattern_part *part)
{
    return part->ranks > 1 ? 2 : 0;
}
