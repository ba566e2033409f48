/* tests/schedgen/pattern/fuzz_pattern.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as the text of a pattern: refused with one line, or written and read back the same; and
 * if it is short, it comes to an end, whatever it is.
 */
#include "fuzz.h"
#include "sched/pattern.h"
#include "sim/error.h"
#include "sim/run.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 6, MOST_OPS = 2000 };

static void run(const sched_pattern *pattern)
{
    static const sim_params params = {.L = SIM_US, .o = SIM_US, .g = SIM_US, .S = 1000};
    const sched_pattern_options options = {.ranks = RANKS, .repeat = 2};
    g_autoptr(GError) error = NULL;
    sim_program *program = sched_pattern_program_new(pattern, &options, &error);
    if (program == NULL) {
        if (error == NULL) {
            abort();
        }
        return;
    }
    uint64_t most = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        most = MAX(most, program->methods->num_ops(program, rank));
    }
    if (most <= MOST_OPS) {
        g_autoptr(sim_result) result = sim_run(program, &params, NULL, &error);
        const bool too_long =
            error != NULL && g_error_matches(error, SIM_ERROR, SIM_ERROR_OVERFLOW);
        if (result == NULL && !too_long) { /* it never waits forever */
            abort();
        }
    }
    sim_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(sched_pattern) pattern = sched_pattern_new(text, &error);
    if (pattern == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    g_autofree char *once = sched_pattern_format(pattern);
    g_autoptr(sched_pattern) back = sched_pattern_new(once, NULL);
    g_autofree char *twice = back != NULL ? sched_pattern_format(back) : NULL;
    if (twice == NULL || strcmp(once, twice) != 0) {
        abort();
    }
    run(pattern);
    return 0;
}
