/* noise/detours/rank_ranges.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "detours/rank_ranges.h"

#include <stdlib.h>

typedef uint32_t range[2];

/* Digits only: strtoull() alone would take signs and blanks. */
static bool parse_rank(const char **at, uint32_t *out)
{
    guint64 value = 0;
    const char *p = *at;
    for (; g_ascii_isdigit(*p); p++) {
        value = value * 10 + (guint64)g_ascii_digit_value(*p);
        if (value >= UINT32_MAX) {
            return false;
        }
    }
    if (p == *at) {
        return false;
    }
    *at = p;
    *out = (uint32_t)value;
    return true;
}

static bool parse_range(const char **at, range out)
{
    if (!parse_rank(at, &out[0])) {
        return false;
    }
    out[1] = out[0];
    if (**at != '-') {
        return true;
    }
    (*at)++;
    return parse_rank(at, &out[1]) && out[0] <= out[1];
}

static int by_first(const void *pa, const void *pb)
{
    const uint32_t *a = pa;
    const uint32_t *b = pb;
    return (a[0] > b[0]) - (a[0] < b[0]);
}

static uint32_t join(range *ranges, uint32_t n)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < n; i++) {
        if (ranges[i][0] <= ranges[kept - 1][1] + 1) { /* the last rank is below UINT32_MAX */
            ranges[kept - 1][1] = MAX(ranges[kept - 1][1], ranges[i][1]);
        } else {
            ranges[kept][0] = ranges[i][0];
            ranges[kept][1] = ranges[i][1];
            kept++;
        }
    }
    return kept;
}

uint32_t (*noise_rank_ranges_parse(const char *text, uint32_t *n, GError **error))[2]
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(range));
    const char *at = text;
    do {
        range r;
        if (!parse_range(&at, r) || (*at != ',' && *at != '\0')) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                        "ranks '%s' are not of the form 0,5-7", text);
            return NULL;
        }
        g_array_append_val(found, r);
    } while (*at++ == ',');
    qsort(found->data, found->len, sizeof(range), by_first);
    *n = join((range *)(void *)found->data, found->len);
    return (range *)(void *)g_array_free(g_steal_pointer(&found), FALSE);
}

bool noise_rank_ranges_contain(const uint32_t (*ranges)[2], uint32_t n, uint32_t rank)
{
    uint32_t low = 0;
    uint32_t high = n;
    while (low < high) { /* the first range that ends at or after rank */
        const uint32_t middle = low + (high - low) / 2;
        if (ranges[middle][1] < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && ranges[low][0] <= rank;
}
