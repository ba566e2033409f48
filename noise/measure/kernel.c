/* noise/measure/kernel.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_quantum. */
#include "measure/kernel.h"

/* 8 MiB in all: more than a second-level cache. */
enum { NEXT = 1 << 21 };

/* The empty asm makes each result one that the next iteration has to wait for, and that must not be
 * computed ahead. */

static void run_multiply(noise_workload *self, uint64_t iterations)
{
    uint64_t x = self->integer;
    for (uint64_t i = 0; i < iterations; i++) {
        x *= UINT64_C(6364136223846793005);
        __asm__ volatile("" : "+r"(x));
    }
    self->integer = x;
}

#if defined(__x86_64__)
#define REGISTER "+x"
#elif defined(__aarch64__)
#define REGISTER "+w"
#else
#define REGISTER "+m"
#endif

static void run_fma(noise_workload *self, uint64_t iterations)
{
    double x = self->real;
    for (uint64_t i = 0; i < iterations; i++) {
        x = x * 0.5 + 0.5; /* tends to 1: never denormal */
        __asm__ volatile("" : REGISTER(x));
    }
    self->real = x;
}

static void run_daxpy(noise_workload *self, uint64_t iterations)
{
    double *restrict y = self->x;
    const double *restrict x = self->x + NOISE_KERNEL_VECTOR;
    for (uint64_t i = 0; i < iterations; i++) {
        const double a = i % 2 == 0 ? 0.5 : -0.5; /* y stays bounded */
        for (size_t k = 0; k < NOISE_KERNEL_VECTOR; k++) {
            y[k] += a * x[k];
        }
        __asm__ volatile("" ::"r"(y) : "memory");
    }
}

static void run_memory(noise_workload *self, uint64_t iterations)
{
    uint32_t at = self->at;
    for (uint64_t i = 0; i < iterations; i++) {
        at = self->next[at];
    }
    __asm__ volatile("" : "+r"(at));
    self->at = at;
}

/* One circle in random order (Sattolo's shuffle), the same in every run. */
static uint32_t *new_circle(void)
{
    uint32_t *next = g_new(uint32_t, NEXT);
    for (uint32_t i = 0; i < NEXT; i++) {
        next[i] = i;
    }
    uint64_t random = 1;
    for (uint32_t i = NEXT - 1; i > 0; i--) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t j = (uint32_t)((random >> 33) % i);
        const uint32_t swap = next[i];
        next[i] = next[j];
        next[j] = swap;
    }
    return next;
}

noise_workload *noise_workload_new(noise_kernel kernel)
{
    static void (*const runs[])(noise_workload *, uint64_t) = {
        [NOISE_KERNEL_MULTIPLY] = run_multiply,
        [NOISE_KERNEL_FMA] = run_fma,
        [NOISE_KERNEL_DAXPY] = run_daxpy,
        [NOISE_KERNEL_MEMORY] = run_memory,
    };
    noise_workload *w = g_new0(noise_workload, 1);
    w->run = runs[kernel];
    w->integer = 1;
    if (kernel == NOISE_KERNEL_DAXPY) {
        w->x = g_new(double, (size_t)2 * NOISE_KERNEL_VECTOR);
        for (size_t i = 0; i < (size_t)2 * NOISE_KERNEL_VECTOR; i++) {
            w->x[i] = 1;
        }
    } else if (kernel == NOISE_KERNEL_MEMORY) {
        w->next = new_circle();
    }
    return w;
}

void noise_workload_free(noise_workload *w)
{
    if (w != NULL) {
        g_free(w->x);
        g_free(w->next);
        g_free(w);
    }
}
