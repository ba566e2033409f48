/* schedgen/simgrid/simgrid_line.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_simgrid, fuzz_simgrid. */
#include "sched/error.h"
#include "simgrid/simgrid_private.h"

#include <float.h>
#include <string.h>

/* Bytes by identifier: double, int, char, short, long, float, byte, long long; signed and unsigned
 * char; unsigned short, int, long, long long; long double, wchar_t, bool; integers of 1, 2, 4, 8
 * bytes with and without sign; complex numbers; addresses, offsets; pairs. */
static const uint8_t TYPE_SIZES[] = {8,  4,  1, 2, 8, 4,  1,  8, 1, 1, 2,  4, 8,
                                     8,  16, 4, 1, 1, 2,  4,  8, 1, 2, 4,  8, 8,
                                     16, 32, 8, 8, 8, 16, 16, 8, 8, 8, 16, 16};

/* ---- words ---- */

bool sched_simgrid_fail(const simgrid_line *line, const char *what, const char *value,
                        GError **error)
{
    g_autofree char *shown = g_utf8_make_valid(value, (gssize)strnlen(value, 60));
    g_set_error(error, SCHED_ERROR, SCHED_ERROR_BAD_FILE, "%s:%u: %s '%s'", line->file,
                line->number, what, shown);
    return false;
}

bool sched_simgrid_number(const simgrid_line *line, size_t word, double *out, GError **error)
{
    const char *text = line->words[word];
    char *end = NULL;
    *out = g_ascii_strtod(text, &end);
    if (text[strspn(text, "0123456789+-.eE")] != '\0' || end == text || *end != '\0' ||
        !(*out >= 0 && *out <= DBL_MAX)) {
        return sched_simgrid_fail(line, "not a number of 0 or more:", text, error);
    }
    return true;
}

bool sched_simgrid_integer(const simgrid_line *line, size_t word, int64_t min, int64_t max,
                           int64_t *out, GError **error)
{
    const char *text = line->words[word];
    if (!g_ascii_string_to_signed(text, 10, min, max, out, NULL)) {
        g_autofree char *what = g_strdup_printf(
            "not a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ":", min, max);
        return sched_simgrid_fail(line, what, text, error);
    }
    return true;
}

bool sched_simgrid_bytes(const simgrid_line *line, size_t word, int64_t type_size, int64_t *out,
                         GError **error)
{
    const double most = 0x1p53; /* up to there a double tells whole numbers apart */
    double count;
    if (!sched_simgrid_number(line, word, &count, error)) {
        return false;
    }
    if (count > most || (double)(int64_t)count != count ||
        __builtin_mul_overflow((int64_t)count, type_size, out)) {
        return sched_simgrid_fail(line, "not a number of elements:", line->words[word], error);
    }
    return true;
}

bool sched_simgrid_type(const simgrid_line *line, size_t word, int64_t *out, GError **error)
{
    int64_t id;
    if (!sched_simgrid_integer(line, word, 0, INT32_MAX, &id, error)) {
        return false;
    }
    if (id >= (int64_t)G_N_ELEMENTS(TYPE_SIZES)) {
        return sched_simgrid_fail(line, "a type whose size is not known:", line->words[word],
                                  error);
    }
    *out = TYPE_SIZES[id];
    return true;
}

/* ---- time ---- */

bool sched_simgrid_pass(simgrid_reading *reading, const simgrid_line *line, double seconds,
                        size_t word, GError **error)
{
    simgrid_rank *rank = &reading->ranks[line->rank];
    const double ps = seconds * (double)SIM_S;
    if (!(ps < (double)(SIM_TIME_MAX - rank->now))) {
        return sched_simgrid_fail(line, "the rank takes longer than 26 days with",
                                  line->words[word], error);
    }
    const sim_time time = (sim_time)(ps + 0.5);
    rank->now += time;
    rank->computed += time;
    return true;
}

bool sched_simgrid_compute(simgrid_reading *reading, const simgrid_line *line, size_t word,
                           GError **error)
{
    double flops;
    if (!sched_simgrid_number(line, word, &flops, error)) {
        return false;
    }
    if (flops > 0 && reading->flops_per_second == 0) {
        return sched_simgrid_fail(line, "flops take a time that --flops-per-second has to say:",
                                  line->words[word], error);
    }
    return flops == 0 ||
           sched_simgrid_pass(reading, line, flops / reading->flops_per_second, word, error);
}

sched_call *sched_simgrid_call(simgrid_reading *reading, const simgrid_line *line,
                               sched_call_kind kind)
{
    simgrid_rank *rank = &reading->ranks[line->rank];
    sched_call *call = sched_rank_append(&reading->trace->ranks[line->rank]);
    call->kind = (uint8_t)kind;
    call->enter = rank->now;
    call->leave = rank->now;
    call->cpu = rank->computed;
    call->name = sched_trace_name(reading->trace, line->words[1]);
    call->line = line->number;
    rank->computed = 0;
    return call;
}
