/* schedgen/pattern/item_calc.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_pattern_parse, test_pattern_items. */
#include "pattern/pattern_item_private.h"
#include "sim/unit.h"

#include <string.h>

/* calc=TIME[~PERCENT%]: computation, the same on all ranks or drawn for each and each turn. */

static bool parse_percent(const char *text, double *percent, GError **error)
{
    char *end = NULL;
    *percent = g_ascii_isdigit(text[0]) ? g_ascii_strtod(text, &end) : -1;
    if (end == NULL || strcmp(end, "%") != 0 || !(*percent >= 0 && *percent <= 100)) {
        return sched_pattern_refuse(error, "'%s' is not a percentage from 0%% to 100%%", text);
    }
    return true;
}

static bool parse(pattern_item *item, const char *arguments, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(arguments != NULL ? arguments : "", "~", 2);
    const char *time = parts[0] != NULL ? parts[0] : "";
    const size_t length = strlen(time);
    double percent = 0;
    if (length > 0 && g_ascii_isdigit(time[length - 1])) {
        return sched_pattern_refuse(error, "'%s' has no unit: 200us, 1ms", time);
    }
    if (!sim_unit_parse_time(time, SIM_NS, &item->time, NULL)) {
        return sched_pattern_refuse(error, "'%s' is not a time", time);
    }
    if (parts[0] != NULL && parts[1] != NULL && !parse_percent(parts[1], &percent, error)) {
        return false;
    }
    item->spread = (sim_time)((double)item->time * (percent / 100));
    item->spread = MIN(item->spread, item->time);
    if (item->time > SIM_TIME_MAX - item->spread) {
        return sched_pattern_refuse(error, "'%s' may be longer than can be simulated", arguments);
    }
    return true;
}

static bool next(const pattern_part *part, pattern_place at, coll_walk *walk, coll_step *step)
{
    if (walk->position++ > 0) {
        return false;
    }
    *step = pattern_calc_step(part->item, at);
    return true;
}

static uint64_t max_steps(const pattern_part *part)
{
    (void)part;
    return 1;
}

static pattern_ways ways(const pattern_part *part)
{
    return part->item->spread == 0 ? PATTERN_WAYS_SHIFT : PATTERN_WAYS_DIFFER;
}

const pattern_item_class sched_pattern_item_calc = {
    .form = "calc=TIME[~PERCENT%]",
    .parse = parse,
    .next = next,
    .max_steps = max_steps,
    .ways = ways,
};
