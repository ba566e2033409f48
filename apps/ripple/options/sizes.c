/* apps/ripple/options/sizes.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick, test_option_effects. */
#include "options/sizes.h"

#include <glib.h>

uint32_t *app_scaling_sizes(uint32_t unit, uint32_t first, uint32_t last, size_t *n)
{
    GArray *sizes = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint64_t size = ((uint64_t)first + unit - 1) / unit * unit;
    do {
        const uint32_t one = (uint32_t)size;
        g_array_append_val(sizes, one);
        size *= 4;
    } while (size <= last);
    *n = sizes->len;
    return (uint32_t *)(gpointer)g_array_free(sizes, FALSE);
}
