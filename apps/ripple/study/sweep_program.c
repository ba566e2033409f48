/* apps/ripple/study/sweep_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_shipped, cli_sweep, cli_sweep_errors, cli_shipped_study. */
#include "study/sweep_program.h"

#include "coll/kind.h"
#include "output/error.h"
#include "sim/unit.h"

#include <string.h>

#define COLLECTIVE "collective:"
#define PATTERN    "pattern:"
#define CALC       "calc="

const char *app_sweep_size_part(const char *program, int64_t *bytes)
{
    const char *last = strrchr(program, ':');
    const bool named = last != NULL && last != program + strlen(COLLECTIVE) - 1;
    return named && sim_unit_parse_bytes(last + 1, bytes, NULL) ? last : NULL;
}

/* A barrier moves no bytes: the parameter is for the other programs of the study. */
static bool is_empty(const char *program)
{
    g_auto(GStrv) parts = g_strsplit(program, ":", 3);
    coll_kind kind;
    return g_strv_length(parts) > 1 && coll_kind_parse(parts[1], &kind) &&
           coll_kind_table[kind].is_empty;
}

/* The time of the first computation of a pattern, and how long its text is; NULL: it has none. */
static const char *calc_part(const char *program, size_t *length)
{
    const char *calc = g_str_has_prefix(program, PATTERN) ? strstr(program, CALC) : NULL;
    if (calc == NULL) {
        return NULL;
    }
    calc += strlen(CALC);
    *length = strcspn(calc, "~,()* ");
    return calc;
}

/* Parameter interval is the time of that computation. */
static char *pattern_text(const char *program, const char *interval, GError **error)
{
    size_t length = 0;
    const char *calc = calc_part(program, &length);
    if (calc == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "interval has an effect on patterns that compute (calc=TIME) only, not on '%s'",
                    program);
        return NULL;
    }
    return g_strdup_printf("%.*s%s%s", (int)(calc - program), program, interval, calc + length);
}

char *app_sweep_program_text(const char *const values[APP_NUM_PARAMETERS], GError **error)
{
    const char *program = values[APP_PARAMETER_PROGRAM];
    const char *bytes = values[APP_PARAMETER_BYTES];
    if (program == NULL) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE, "no program: which one is to be simulated?");
        return NULL;
    }
    if (values[APP_PARAMETER_INTERVAL] != NULL && bytes == NULL) {
        return pattern_text(program, values[APP_PARAMETER_INTERVAL], error);
    }
    if (bytes == NULL) {
        return g_strdup(program);
    }
    if (!g_str_has_prefix(program, COLLECTIVE)) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "bytes has an effect on collectives only, not on '%s'", program);
        return NULL;
    }
    if (is_empty(program)) {
        return g_strdup(program);
    }
    int64_t size;
    const char *old = app_sweep_size_part(program, &size);
    return g_strdup_printf(
        "%.*s:%s", (int)(old != NULL ? (size_t)(old - program) : strlen(program)), program, bytes);
}
