/* bench/sc10/thin.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "thin.h"

#include <glib.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { DECADES = 19 }; /* of 63 bits */

static size_t decade_of(sim_time length)
{
    size_t decade = 0;
    for (; length >= 10; length /= 10) {
        decade++;
    }
    return decade;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const size_t x = *(const size_t *)a;
    const size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

size_t *sc10_thin(const sim_time *lengths, size_t n, size_t most, uint64_t seed, size_t *num_kept)
{
    GArray *decades[DECADES];
    for (size_t d = 0; d < DECADES; d++) {
        decades[d] = g_array_new(FALSE, FALSE, sizeof(size_t));
    }
    for (size_t i = 0; i < n; i++) {
        g_array_append_val(decades[decade_of(lengths[i])], i);
    }
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, (unsigned long)seed);
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (size_t d = 0; d < DECADES; d++) {
        const size_t first = kept->len;
        const size_t take = MIN(decades[d]->len, most);
        if (take > 0) {
            g_array_set_size(kept, (guint)(first + take));
            (void)gsl_ran_choose(random, &g_array_index(kept, size_t, first), take,
                                 decades[d]->data, decades[d]->len, sizeof(size_t));
        }
        g_array_unref(decades[d]);
    }
    gsl_rng_free(random);
    g_array_sort(kept, compare);
    *num_kept = kept->len;
    return (size_t *)(void *)g_array_free(kept, FALSE);
}
