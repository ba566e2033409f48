/* noise/measure/cpu_list.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/cpu_list.h"

#include "detours/rank_ranges.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

/* More than any kernel knows (8192 on x86). */
enum { MAX_CPUS = 1 << 16 };

static uint32_t *steal_array(GArray *cpus, size_t *n)
{
    *n = cpus->len;
    return (uint32_t *)(void *)g_array_free(cpus, FALSE);
}

uint32_t *noise_cpu_list_inherited(size_t *n)
{
    GArray *cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
    const size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
    if (set != NULL && sched_getaffinity(0, size, set) == 0) {
        for (uint32_t cpu = 0; cpu < MAX_CPUS; cpu++) {
            if (CPU_ISSET_S(cpu, size, set)) {
                g_array_append_val(cpus, cpu);
            }
        }
    }
    CPU_FREE(set);
    return steal_array(cpus, n);
}

static bool fail(GError **error, const char *text)
{
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_BAD_CPUS,
                "CPUs '%s' are neither a list such as 0-3,8 nor a hexadecimal mask", text);
    return false;
}

/* The last digit holds CPUs 0-3. Commas, as taskset and hwloc print them, separate groups. */
static bool parse_mask(const char *text, GArray *out, GError **error)
{
    const char *digits = g_str_has_prefix(text, "0x") ? text + 2 : text;
    uint32_t cpu = 0;
    for (size_t i = strlen(digits); i-- > 0;) {
        if (digits[i] == ',' && i > 0) {
            continue;
        }
        if (!g_ascii_isxdigit(digits[i]) || cpu >= MAX_CPUS) {
            return fail(error, text);
        }
        for (unsigned bit = 0; bit < 4; bit++, cpu++) {
            if ((unsigned)g_ascii_xdigit_value(digits[i]) >> bit & 1) {
                g_array_append_val(out, cpu);
            }
        }
    }
    return out->len > 0 || fail(error, text);
}

static bool parse_list(const char *text, GArray *out, GError **error)
{
    uint32_t n;
    g_autofree noise_range *ranges =
        strchr(text, '/') == NULL ? noise_rank_ranges_parse(text, "CPUs", &n, NULL) : NULL;
    if (ranges == NULL || ranges[n - 1].last >= MAX_CPUS) {
        return fail(error, text);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t cpu = ranges[i].first; cpu <= ranges[i].last; cpu++) {
            g_array_append_val(out, cpu);
        }
    }
    return true;
}

uint32_t *noise_cpu_list_parse(const char *text, const uint32_t *allowed, size_t num_allowed,
                               size_t *n, GError **error)
{
    g_autoptr(GArray) cpus = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (text == NULL) {
        if (num_allowed > 0) {
            g_array_append_vals(cpus, allowed, (guint)num_allowed);
        }
    } else {
        const bool is_mask = g_str_has_prefix(text, "0x") || strpbrk(text, "abcdefABCDEF") != NULL;
        if (!(is_mask ? parse_mask : parse_list)(text, cpus, error)) {
            return NULL;
        }
    }
    for (guint i = 0; i < cpus->len; i++) {
        const uint32_t cpu = g_array_index(cpus, uint32_t, i);
        bool found = false;
        for (size_t j = 0; j < num_allowed && !found; j++) {
            found = allowed[j] == cpu;
        }
        if (!found) {
            g_autofree char *list = noise_cpu_list_format(allowed, num_allowed);
            g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                        "CPU %u is not among those this process may use (%s)", cpu, list);
            return NULL;
        }
    }
    if (cpus->len == 0) {
        g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE,
                    "the CPUs this process may use cannot be found out");
        return NULL;
    }
    return steal_array(g_steal_pointer(&cpus), n);
}

char *noise_cpu_list_format(const uint32_t *cpus, size_t n)
{
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < n;) {
        size_t last = i;
        while (last + 1 < n && cpus[last + 1] == cpus[last] + 1) {
            last++;
        }
        g_string_append_printf(out, "%s%u", i > 0 ? "," : "", cpus[i]);
        if (last > i) {
            g_string_append_printf(out, "-%u", cpus[last]);
        }
        i = last + 1;
    }
    return g_string_free(out, FALSE);
}
