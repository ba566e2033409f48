/* bench/sc07/sc07_methods.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typical sequences beside NoiseMiner and plain z-scores: the tables of docs/interference.md. 40
 * groups are 200 runs, five minutes of CPU time.
 * Usage: sc07_methods [GROUPS [THREADS [CURVES.csv]]]
 */
#include "argument.h"
#include "comparison.h"

int main(int argc, char **argv)
{
    if (argc > 4) {
        fprintf(stderr, "usage: sc07_methods [GROUPS [THREADS [CURVES.csv]]]\n");
        return 2;
    }
    FILE *curves = argc > 3 ? fopen(argv[3], "w") : NULL;
    if (argc > 3 && curves == NULL) {
        fprintf(stderr, "sc07_methods: %s: cannot be written\n", argv[3]);
        return 1;
    }
    const sc07_comparison_options options = {
        .groups = bench_count(argc, argv, 1, "GROUPS", 40),
        .threads = bench_count(argc, argv, 2, "THREADS", 2),
        .curves = curves,
    };
    sc07_comparison comparison;
    sc07_compare(&options, &comparison);
    sc07_comparison_print(&comparison, stdout);
    if (curves != NULL && fclose(curves) != 0) {
        fprintf(stderr, "sc07_methods: %s: cannot be written\n", argv[3]);
        return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
