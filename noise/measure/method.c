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

const char *noise_method_name(noise_method method)
{
    return METHODS[method];
}

sim_time noise_method_quantum(noise_method method)
{
    static const sim_time quanta[] = {
        [NOISE_METHOD_SELFISH] = 0, [NOISE_METHOD_FWQ] = SIM_MS, [NOISE_METHOD_FTQ] = 100 * SIM_US};
    return quanta[method];
}

const char *noise_kernel_name(noise_kernel kernel)
{
    return KERNELS[kernel];
}
