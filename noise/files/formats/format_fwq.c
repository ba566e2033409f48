/* noise/files/formats/format_fwq.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * Netgauge's fixed work quantum, and Ripple's: number of the cycle, its duration in us.
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"
#include "files/samples.h"

#include <string.h>

typedef struct fwq {
    GArray *durations; /* of double, ps; NULL: no sample of this run yet */
} fwq;

static bool probe(const char *head)
{
    return noise_head_has_line(head, "# Benchmark Method: fwq") ||
           noise_head_has_line(head, "# Fixed Work Quantum Benchmark");
}

static bool end(noise_reader *r, sim_time stated)
{
    fwq *f = r->state;
    return f->durations == NULL || noise_samples_end_fwq(r, g_steal_pointer(&f->durations), stated);
}

static bool read_sample(noise_reader *r, const char *line)
{
    fwq *f = r->state;
    char shown[NOISE_FILE_FIELD];
    const char *at = line + strspn(line, "0123456789");
    const bool numbered = at > line && (*at == ' ' || *at == '\t');
    at += strspn(at, " \t");
    const char *second = at;
    const sim_time took = numbered ? noise_decimal_parse(&at, 6) : -1; /* us to ps */
    if (took <= 0 || at[strspn(at, " \t\r")] != '\0') {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "'%s' is not the duration above 0 of a cycle in us, behind its "
                                 "number",
                                 noise_reader_field(numbered ? second : line, shown));
    }
    if (f->durations == NULL) {
        f->durations = g_array_new(FALSE, FALSE, sizeof(double));
    }
    const double ps = (double)took;
    g_array_append_val(f->durations, ps);
    return true;
}

static bool read_line(noise_reader *r, const char *line)
{
    if (*line != '#') {
        return read_sample(r, line);
    }
    sim_time period = -1;
    if (!noise_comment_period(r, line, &period)) {
        return false;
    }
    if ((period >= 0 || g_str_has_prefix(line, "# Benchmark Method")) && !end(r, period)) {
        return false;
    }
    return noise_comment_read(r, line);
}

static bool finish(noise_reader *r)
{
    noise_reader_note(r, "Samples of fixed work: each that took longer than the shortest is one "
                         "detour, at its beginning.");
    return end(r, -1);
}

static void clear(void *state)
{
    g_clear_pointer(&((fwq *)state)->durations, g_array_unref);
}

const noise_file_format noise_format_fwq = {
    .name = "fixed work quantum",
    .probe = probe,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(fwq),
    .clear = clear,
};
