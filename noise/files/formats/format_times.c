/* noise/files/formats/format_times.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * "PREFIX_times.dat" of the FWQ benchmark of LLNL: the duration of each piece of work on a line.
 */
#include "files/comment.h"
#include "files/decimal.h"
#include "files/format.h"
#include "files/head.h"
#include "files/samples.h"

#include <string.h>

typedef struct times {
    GArray *durations; /* of double, ps */
} times;

/* At least two of them: "1" alone is a cut line of columns. */
static bool probe(const char *head)
{
    const char *at = head;
    for (int n = 0; n < 2; n++) {
        g_autofree char *line = noise_head_first_data(at);
        if (line == NULL || noise_head_numbers(line) != 1 || strpbrk(g_strchomp(line), " \t")) {
            return false;
        }
        at = strstr(at, line) + strlen(line);
    }
    return true;
}

static bool read_line(noise_reader *r, const char *line)
{
    times *t = r->state;
    char shown[NOISE_FILE_FIELD];
    if (*line == '#') {
        return noise_comment_read(r, line);
    }
    const char *at = line;
    const sim_time took = noise_decimal_parse(&at, 3);
    if (took <= 0 || at[strspn(at, " \t\r")] != '\0') {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "'%s' is not a duration above 0 in ns, alone on its line",
                                 noise_reader_field(line, shown));
    }
    if (t->durations == NULL) {
        t->durations = g_array_new(FALSE, FALSE, sizeof(double));
    }
    const double ps = (double)took;
    g_array_append_val(t->durations, ps);
    return true;
}

static bool finish(noise_reader *r)
{
    times *t = r->state;
    noise_reader_note(r, "Samples of fixed work, taken as ns (the file does not say whether they "
                         "are clock cycles): each that took longer than the shortest is one "
                         "detour, at its beginning.");
    noise_reader_method(r, "fwq");
    return t->durations != NULL
               ? noise_samples_end_fwq(r, g_steal_pointer(&t->durations), -1)
               : noise_reader_fail(r, NOISE_ERROR_BAD_FILE, MAX(r->line, 1), "there is no sample");
}

static void clear(void *state)
{
    g_clear_pointer(&((times *)state)->durations, g_array_unref);
}

const noise_file_format noise_format_times = {
    .name = "FWQ",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(times),
    .clear = clear,
};
