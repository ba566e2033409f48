/* apps/marker/marker.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_marker. */
/**
 * @file
 * A library to be preloaded beside Extrae (Barcelona Supercomputing Center's tracer): when the
 * program begins and when it ends, it puts the time of CLOCK_MONOTONIC into Extrae's trace, so that
 * the trace and what `ripple monitor` saw can be laid over each other. Nothing else; without
 * Extrae, nothing at all.
 *
 * The time goes in two halves, so that no reader needs values of 64 bits: type 91000000 has the low
 * 32 bits, 91000008 the high ones. Extrae takes events only between its own beginning and end:
 * where that is MPI_Init() and MPI_Finalize(), the marks come too early and too late.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

/* As Extrae's documentation has them: extrae_type_t and extrae_value_t. */
typedef unsigned extrae_type;
typedef unsigned long long extrae_value;
typedef void extrae_nevent(unsigned *count, extrae_type *types, extrae_value *values);
typedef void extrae_event(extrae_type type, extrae_value value);

enum { MARKER_LOW = 91000000, MARKER_HIGH = 91000008 };

static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Both halves at one instant where Extrae can, else right after each other. */
static void mark(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return;
    }
    const uint64_t ns = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
    union {
        void *found;
        extrae_nevent *both;
        extrae_event *one;
    } emit = {find("Extrae_nevent")};
    if (emit.found != NULL) {
        unsigned count = 2;
        extrae_type types[2] = {MARKER_LOW, MARKER_HIGH};
        extrae_value values[2] = {ns & UINT32_MAX, ns >> 32};
        emit.both(&count, types, values);
        return;
    }
    emit.found = find("Extrae_event");
    if (emit.found != NULL) {
        emit.one(MARKER_LOW, ns & UINT32_MAX);
        emit.one(MARKER_HIGH, ns >> 32);
    }
}

__attribute__((constructor)) static void at_begin(void)
{
    mark();
}

__attribute__((destructor)) static void at_end(void)
{
    mark();
}
