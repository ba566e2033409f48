/* tests/apps/marker/fake_extrae.c — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file In Extrae's place: prints the events that it is given. */
#include <stdio.h>

#ifdef FAKE_EXTRAE_PAIRS
void Extrae_nevent(unsigned *count, const unsigned *types, const unsigned long long *values);
void Extrae_nevent(unsigned *count, const unsigned *types, const unsigned long long *values)
{
    for (unsigned i = 0; i < *count; i++) {
        printf("%u %llu\n", types[i], values[i]);
    }
    fflush(stdout);
}
#else
void Extrae_event(unsigned type, unsigned long long value);
void Extrae_event(unsigned type, unsigned long long value)
{
    printf("%u %llu\n", type, value);
    fflush(stdout);
}
#endif
