/* noise/files/formats/format_ftq.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * Netgauge's fixed time quantum, and Ripple's: number of the cycle, work done in it; how long a
 * cycle is stands in the header.
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"
#include "files/header.h"
#include "files/samples.h"

#include <string.h>

typedef struct ftq {
    GArray *work;      /* of double; NULL: no sample of this run yet */
    sim_time interval; /* ps; 0: not said yet */
} ftq;

static bool probe(const char *head)
{
    return noise_head_has_line(head, "# Benchmark Method: ftq") ||
           noise_head_has_line(head, "# Fixed Time Quantum Benchmark");
}

/* Ripple's files say it exactly: by the time that all samples took, else by the header. */
static sim_time exact_interval(const noise_reader *r, sim_time stated, guint samples)
{
    noise_header header;
    if (r->json == NULL || !noise_header_parse(r->json, &header, NULL)) {
        return 0;
    }
    const sim_time quantum = noise_header_time(header.root, "quantum_ns");
    noise_header_clear(&header);
    return quantum > 0 && stated > 0 ? MAX(stated / samples, 1) : MAX(quantum, 0);
}

static bool end(noise_reader *r, sim_time stated)
{
    ftq *f = r->state;
    if (f->work == NULL) {
        return true;
    }
    const sim_time exact = exact_interval(r, stated, f->work->len);
    const sim_time interval = exact > 0 ? exact : f->interval;
    if (interval <= 0) {
        return noise_reader_fail(
            r, NOISE_ERROR_BAD_FILE, r->line,
            "no line '# Compute-Cycle Duration:' has said how long a cycle is");
    }
    return noise_samples_end_ftq(r, g_steal_pointer(&f->work), interval, stated);
}

static bool read_sample(noise_reader *r, const char *line)
{
    ftq *f = r->state;
    return noise_samples_read(r, line, 0, 0, "the work of a cycle behind its number", &f->work);
}

static bool read_interval(noise_reader *r, const char *value)
{
    ftq *f = r->state;
    char shown[NOISE_FILE_FIELD];
    const char *at = value + strspn(value, " \t");
    const char *number = at;
    f->interval = noise_decimal_parse(&at, 6); /* us to ps */
    return f->interval >= 0 || noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                                 "the duration of a cycle '%s' is not a time in us",
                                                 noise_reader_field(number, shown));
}

static bool read_line(noise_reader *r, const char *line)
{
    static const char CYCLE[] = "# Compute-Cycle Duration:";
    if (*line != '#') {
        return read_sample(r, line);
    }
    if (!noise_comment_end_run(r, line, end)) {
        return false;
    }
    if (g_str_has_prefix(line, CYCLE)) {
        return read_interval(r, line + strlen(CYCLE));
    }
    return noise_comment_read(r, line);
}

static bool finish(noise_reader *r)
{
    noise_reader_note(r, "Samples of fixed time: work that is missing in one is one detour, at its "
                         "beginning.");
    return end(r, -1);
}

static void clear(void *state)
{
    g_clear_pointer(&((ftq *)state)->work, g_array_unref);
}

const noise_file_format noise_format_ftq = {
    .name = "fixed time quantum",
    .probe = probe,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(ftq),
    .clear = clear,
};
