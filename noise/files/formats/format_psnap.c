/* noise/files/formats/format_psnap.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_file_formats. */
/**
 * @file
 * P-SNAP's histograms of a loop of fixed work: rank, duration in us, how often, and the host.
 */
#include "files/comment.h"
#include "files/format.h"
#include "files/head.h"
#include "files/scatter.h"

#include <string.h>

typedef struct psnap {
    GArray *bins; /* of noise_bin, of the rank that is being read: duration of the loop */
    uint64_t rank;
    uint64_t ranks; /* that have ended */
} psnap;

/* Three numbers and a name. */
static bool probe(const char *head)
{
    g_autofree char *line = noise_head_first_data(head);
    const bool three = line != NULL && noise_head_numbers(line) == 3;
    const char *last = three ? strpbrk(g_strchomp(line), " \t") : NULL;
    for (int i = 0; last != NULL && i < 2; i++) {
        last = strpbrk(last + strspn(last, " \t"), " \t");
    }
    return last != NULL;
}

/* What the loop took above its shortest are the detours of the rank, in the time of all loops. */
static bool end_rank(noise_reader *r)
{
    psnap *p = r->state;
    noise_bin *bins = (noise_bin *)(void *)p->bins->data;
    sim_time shortest = SIM_TIME_MAX;
    sim_int128 period = 0;
    for (guint i = 0; i < p->bins->len; i++) {
        shortest = MIN(shortest, bins[i].length);
        period += (sim_int128)bins[i].length * bins[i].count;
    }
    if (period > SIM_TIME_MAX) {
        return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                 "the loops of rank %" G_GUINT64_FORMAT " took more than 26 days",
                                 p->rank);
    }
    for (guint i = 0; i < p->bins->len; i++) {
        bins[i].length -= shortest;
        bins[i].count = bins[i].length > 0 ? bins[i].count : 0;
    }
    const bool ok = noise_scatter(r, bins, p->bins->len, (sim_time)period, p->rank);
    g_array_set_size(p->bins, 0);
    p->ranks++;
    return ok;
}

static bool read_bin(noise_reader *r, const char *line)
{
    psnap *p = r->state;
    static const uint64_t MOST[] = {UINT32_MAX, 1000000000, UINT64_C(1) << 40};
    uint64_t value[3];
    const char *at = line;
    for (int i = 0; i < 3; i++) {
        char shown[NOISE_FILE_FIELD];
        char *end = NULL;
        value[i] = g_ascii_isdigit(*at) ? g_ascii_strtoull(at, &end, 10) : UINT64_MAX;
        if (value[i] > MOST[i] || (i > 0 && value[i] == 0) || strchr(" \t\r", *end) == NULL) {
            return noise_reader_fail(r, NOISE_ERROR_BAD_FILE, r->line,
                                     "'%s' is not %s of a histogram", noise_reader_field(at, shown),
                                     i == 0   ? "the rank"
                                     : i == 1 ? "the time in us"
                                              : "a count");
        }
        at = end + strspn(end, " \t\r");
    }
    if (p->bins->len > 0 && value[0] != p->rank && !end_rank(r)) {
        return false;
    }
    p->rank = value[0];
    const noise_bin bin = {(sim_time)value[1] * SIM_US, value[2]};
    g_array_append_val(p->bins, bin);
    return true;
}

static bool read_line(noise_reader *r, const char *line)
{
    psnap *p = r->state;
    if (p->bins == NULL) {
        p->bins = g_array_new(FALSE, FALSE, sizeof(noise_bin));
    }
    return *line == '#' ? noise_comment_read(r, line) : read_bin(r, line);
}

static bool finish(noise_reader *r)
{
    const psnap *p = r->state;
    noise_reader_method(r, "P-SNAP");
    noise_reader_note(r, "A model drawn from a histogram of loops: what each took above the "
                         "shortest is one detour, at a random time; when they came is not known.");
    return p->bins == NULL || p->bins->len == 0 || end_rank(r);
}

static void clear(void *state)
{
    g_clear_pointer(&((psnap *)state)->bins, g_array_unref);
}

const noise_file_format noise_format_psnap = {
    .name = "P-SNAP",
    .probe = probe,
    .is_foreign = true,
    .line = read_line,
    .finish = finish,
    .state_size = sizeof(psnap),
    .clear = clear,
};
