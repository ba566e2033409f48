/* noise/files/formats/format_fwq.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * Netgauge's fixed work quantum, and Ripple's: number of the cycle, its duration in us.
 */
#include "files/comment.h"
#include "files/format.h"
#include "files/head.h"
#include "files/samples.h"

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
    return noise_samples_read(
        r, line, 6, 1, "the duration above 0 of a cycle in us, behind its number", &f->durations);
}

static bool read_line(noise_reader *r, const char *line)
{
    if (*line != '#') {
        return read_sample(r, line);
    }
    return noise_comment_end_run(r, line, end) && noise_comment_read(r, line);
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
