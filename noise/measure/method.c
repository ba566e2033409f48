/* noise/measure/method.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_quantum. */
/**
 * @file
 * The names of methods and kernels.
 */
#include "noise/measurement.h"

static const char *const METHODS[] = {
    [NOISE_METHOD_SELFISH] = "selfish", [NOISE_METHOD_FWQ] = "fwq", [NOISE_METHOD_FTQ] = "ftq"};
static const char *const KERNELS[] = {[NOISE_KERNEL_MULTIPLY] = "multiply",
                                      [NOISE_KERNEL_FMA] = "fma",
                                      [NOISE_KERNEL_DAXPY] = "daxpy",
                                      [NOISE_KERNEL_MEMORY] = "memory"};

/* Index of @p text, or -1 with @p error. */
static int find(const char *text, const char *const *names, int n, const char *what, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (int i = 0; i < n; i++) {
        if (g_str_equal(text, names[i])) {
            return i;
        }
        g_string_append_printf(list, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", names[i]);
    }
    g_set_error(error, NOISE_ERROR, NOISE_ERROR_MEASURE, "there is no %s '%s'; there are %s", what,
                text, list->str);
    return -1;
}

const char *noise_method_name(noise_method method)
{
    return METHODS[method];
}

bool noise_method_parse(const char *text, noise_method *out, GError **error)
{
    const int i = find(text, METHODS, G_N_ELEMENTS(METHODS), "method", error);
    *out = i >= 0 ? (noise_method)i : *out;
    return i >= 0;
}

const char *noise_kernel_name(noise_kernel kernel)
{
    return KERNELS[kernel];
}

bool noise_kernel_parse(const char *text, noise_kernel *out, GError **error)
{
    const int i = find(text, KERNELS, G_N_ELEMENTS(KERNELS), "kernel", error);
    *out = i >= 0 ? (noise_kernel)i : *out;
    return i >= 0;
}
