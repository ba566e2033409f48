/* noise/detours/rank_ranges.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature, test_place. */
#include "detours/rank_ranges.h"

#include <stdlib.h>

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

/* "5", "5-7", "5-70/8" */
static bool parse_range(const char **at, noise_range *out)
{
    out->stride = 1;
    if (!parse_rank(at, &out->first)) {
        return false;
    }
    out->last = out->first;
    if (**at != '-') {
        return true;
    }
    (*at)++;
    if (!parse_rank(at, &out->last) || out->first > out->last) {
        return false;
    }
    if (**at != '/') {
        return true;
    }
    (*at)++;
    if (!parse_rank(at, &out->stride) || out->stride == 0) {
        return false;
    }
    out->last -= (out->last - out->first) % out->stride;
    return true;
}

static int by_first(const void *pa, const void *pb)
{
    const noise_range *a = pa;
    const noise_range *b = pb;
    return (a->first > b->first) - (a->first < b->first);
}

static bool has_stride(const noise_range *ranges, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (ranges[i].stride > 1) {
            return true;
        }
    }
    return false;
}

static uint32_t join(noise_range *ranges, uint32_t n)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < n; i++) {
        if (ranges[i].first <= ranges[kept - 1].last + 1) { /* the last rank is below UINT32_MAX */
            ranges[kept - 1].last = MAX(ranges[kept - 1].last, ranges[i].last);
        } else {
            ranges[kept++] = ranges[i];
        }
    }
    return kept;
}

noise_range *noise_rank_ranges_parse(const char *text, const char *what, uint32_t *n,
                                     GError **error)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(noise_range));
    const char *at = text;
    do {
        noise_range r;
        if (!parse_range(&at, &r) || (*at != ',' && *at != '\0')) {
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_MODEL,
                        "%s '%s' are not of the form 0,5-7,64-1023/64", what, text);
            return NULL;
        }
        g_array_append_val(found, r);
    } while (*at++ == ',');
    qsort(found->data, found->len, sizeof(noise_range), by_first);
    noise_range *ranges = (noise_range *)(void *)found->data;
    *n = has_stride(ranges, found->len) ? found->len : join(ranges, found->len);
    return (noise_range *)(void *)g_array_free(g_steal_pointer(&found), FALSE);
}

static bool holds(const noise_range *r, uint32_t rank)
{
    return r->first <= rank && rank <= r->last && (rank - r->first) % r->stride == 0;
}

bool noise_rank_ranges_contain(const noise_range *ranges, uint32_t n, uint32_t rank)
{
    if (has_stride(ranges, n)) {
        for (uint32_t i = 0; i < n; i++) {
            if (holds(&ranges[i], rank)) {
                return true;
            }
        }
        return false;
    }
    uint32_t low = 0;
    uint32_t high = n;
    while (low < high) { /* the first range that ends at or after rank */
        const uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].last < rank) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < n && ranges[low].first <= rank;
}

uint32_t noise_rank_ranges_count(const noise_range *ranges, uint32_t n, uint32_t end)
{
    uint32_t count = 0;
    if (has_stride(ranges, n)) {
        for (uint32_t rank = 0; rank < end; rank++) {
            count += noise_rank_ranges_contain(ranges, n, rank);
        }
        return count;
    }
    for (uint32_t i = 0; i < n && ranges[i].first < end; i++) {
        count += MIN(ranges[i].last, end - 1) - ranges[i].first + 1;
    }
    return count;
}
