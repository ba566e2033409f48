/* apps/tracer/record/state.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

tracer_state tracer;
_Thread_local bool tracer_inside __attribute__((tls_model("initial-exec")));

void tracer_say(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 loses va_start's effect here
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "ripple trace: %s\n", text);
}

void *tracer_calloc(size_t n, size_t width)
{
    void *p = calloc(n > 0 ? n : 1, width);
    if (p == NULL) {
        tracer_say("out of memory");
        abort();
    }
    return p;
}
