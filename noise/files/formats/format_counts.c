/* noise/files/formats/format_counts.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * Files of the FTQ benchmark by Sottile and Minnich: time of the sample in ns, work done in it.
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"
#include "files/samples.h"

#include <string.h>

typedef struct counts {
    GArray *work; /* of double */
    sim_time first, last;
} counts;

/* Its header has the commands for octave. */
static bool probe(const char *head)
{
    const char *data = strchr(head, '#');
    return data != NULL && (strstr(data, "pwelch") != NULL || strstr(data, "icks per ns") != NULL);
}

static bool read_line(noise_reader *r, const char *line)
{
    counts *c = r->state;
    char shown[NOISE_FILE_FIELD];
    if (*line == '#') {
        return noise_comment_read(r, line);
    }
    const char *at = line;
    const sim_time when = noise_decimal_parse(&at, 3);
    at += strspn(at, " \t");
    const sim_time count = when >= 0 ? noise_decimal_parse(&at, 0) : -1;
    if (count < 0 || at[strspn(at, " \t\r")] != '\0') {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "'%s' does not begin a line of a time in ns and the work done",
                                 noise_reader_field(line, shown));
    }
    if (c->work != NULL && when <= c->last) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the sample at '%s' is not later than the one before",
                                 noise_reader_field(line, shown));
    }
    if (c->work == NULL) {
        c->work = g_array_new(FALSE, FALSE, sizeof(double));
        c->first = when;
    }
    c->last = when;
    const double work = (double)count;
    g_array_append_val(c->work, work);
    return true;
}

static bool finish(noise_reader *r)
{
    counts *c = r->state;
    if (c->work == NULL || c->work->len < 2) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1),
                                 "there are fewer than two samples");
    }
    noise_reader_note(r, "Samples of fixed time: work that is missing in one is one detour, at its "
                         "beginning.");
    noise_reader_method(r, "ftq");
    const sim_time interval = (c->last - c->first) / (c->work->len - 1);
    return noise_samples_end_ftq(r, g_steal_pointer(&c->work), MAX(interval, 1), -1);
}

static void clear(void *state)
{
    g_clear_pointer(&((counts *)state)->work, g_array_unref);
}

const noise_file_format noise_format_counts = {
    .name = "FTQ",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(counts),
    .clear = clear,
};
