/* noise/activity/node_clocks.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_merge. */
/**
 * @file
 * The offset of each node's clock, and the rate at which it changes: a straight line through the
 * pairs of instants at which two clocks were compared.
 */
#include "noise/nit_merge.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>

#define MOST_DRIFT 1e-3 /* 1000 ppm: quartz and its correction by NTP are within 600 */

const char *const noise_clocks_by_names[] = {"same", "mpi", "marker", "realtime", NULL};

/* The same instants on the clock of a node and on the common one. */
typedef struct pairs {
    GArray *own;    /* of uint64_t, ns */
    GArray *offset; /* of int64_t: common less own */
    double error;   /* that each may have */
} pairs;

static pairs pairs_new(void)
{
    return (pairs){g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                   g_array_new(FALSE, FALSE, sizeof(int64_t)), 0};
}

static void pairs_clear(pairs *p)
{
    g_array_unref(p->own);
    g_array_unref(p->offset);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(pairs, pairs_clear)

static void add_pair(pairs *p, uint64_t own, int64_t offset)
{
    g_array_append_val(p->own, own);
    g_array_append_val(p->offset, offset);
}

/* The difference as the signed number that it is. */
static int64_t less(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b);
}

/* Through one pair an offset, through more a line; what is left over is the uncertainty. */
static noise_node_clock fit(const pairs *p, noise_clocks_by by)
{
    const guint n = p->own->len;
    const uint64_t *own = (const uint64_t *)(void *)p->own->data;
    const int64_t *offset = (const int64_t *)(void *)p->offset->data;
    noise_node_clock c = {.by = by, .at = own[0], .offset_ns = offset[0], .pairs = n};
    c.uncertainty_ns = p->error > 0 ? p->error : NAN;
    bool moves = false;
    for (guint i = 1; i < n; i++) {
        moves = moves || own[i] != own[0];
    }
    if (!moves) { /* one instant, be it told by several ranks: no line */
        return c;
    }
    g_autofree double *x = g_new(double, n);
    g_autofree double *y = g_new(double, n);
    for (guint i = 0; i < n; i++) { /* small numbers: a double has 53 bits */
        x[i] = (double)less(own[i], own[0]);
        y[i] = (double)less((uint64_t)offset[i], (uint64_t)offset[0]);
    }
    double shift = 0;
    double cov[3];
    double rest = 0;
    gsl_fit_linear(x, 1, y, 1, n, &shift, &c.drift, &cov[0], &cov[1], &cov[2], &rest);
    c.offset_ns = offset[0] + (int64_t)rint(shift);
    double most = 0;
    for (guint i = 0; i < n; i++) {
        most = fmax(most, fabs(y[i] - shift - c.drift * x[i]));
    }
    if (n > 2) {
        c.uncertainty_ns = p->error + most;
    }
    return c;
}

/* ---- What there is to compare by ---- */

static bool by_rounds(const noise_nit *nit, const noise_clock_round *rounds, size_t n, pairs *p,
                      bool *is_reference)
{
    *is_reference = false;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rounds[i].boot_id, nit->nodes[0].boot_id) == 0) {
            *is_reference = *is_reference || rounds[i].is_reference;
            add_pair(p, rounds[i].when, rounds[i].offset_ns);
            p->error = fmax(p->error, (double)rounds[i].round_ns / 2);
        }
    }
    return p->own->len > 0;
}

static const noise_nit_marker *find_mark(const noise_nit *nit, const char *text)
{
    for (size_t i = 0; i < nit->num_markers; i++) {
        if (strcmp(nit->markers[i].text, text) == 0) {
            return &nit->markers[i];
        }
    }
    return NULL;
}

/* Marks of the same text; where a node has several, the first. */
static bool by_markers(const noise_nit *nit, const noise_nit *common, pairs *p)
{
    for (size_t i = 0; i < nit->num_markers; i++) {
        const noise_nit_marker *mark = &nit->markers[i];
        const noise_nit_marker *other = find_mark(common, mark->text);
        if (other != NULL && find_mark(nit, mark->text) == mark) {
            add_pair(p, mark->when, less(other->when, mark->when));
        }
    }
    return p->own->len > 0;
}

/* What the common clock showed at this time of day: between the two pairs around it. */
static bool common_at(const noise_nit_node *common, uint64_t realtime, uint64_t *when)
{
    const size_t n = common->num_clocks;
    if (n == 0) {
        return false;
    }
    size_t i = 0;
    while (i + 2 < n && common->clocks[i + 1].realtime <= realtime) {
        i++;
    }
    const noise_nit_clocks *a = &common->clocks[i];
    double rate = 1;
    if (n > 1) {
        const noise_nit_clocks *b = &common->clocks[i + 1];
        const double real = (double)less(b->realtime, a->realtime);
        rate = real > 0 ? (double)less(b->monotonic, a->monotonic) / real : 1;
    }
    const double since = (double)less(realtime, a->realtime);
    *when = a->monotonic + (uint64_t)less(realtime, a->realtime) +
            (uint64_t)(int64_t)rint((rate - 1) * since);
    return true;
}

static bool by_realtime(const noise_nit *nit, const noise_nit *common, pairs *p)
{
    const noise_nit_node *node = &nit->nodes[0];
    for (size_t i = 0; i < node->num_clocks; i++) {
        uint64_t when = 0;
        if (!common_at(&common->nodes[0], node->clocks[i].realtime, &when)) {
            return false;
        }
        add_pair(p, node->clocks[i].monotonic, less(when, node->clocks[i].monotonic));
    }
    return p->own->len > 0;
}

/* ---- All nodes in one way ---- */

static size_t find_reference(const noise_nit *const *nits, size_t n,
                             const noise_clock_round *rounds, size_t num_rounds)
{
    for (size_t i = 0; i < n; i++) {
        g_auto(pairs) p = pairs_new();
        bool is_reference = false;
        if (by_rounds(nits[i], rounds, num_rounds, &p, &is_reference) && is_reference) {
            return i;
        }
    }
    return n;
}

/* n if all could be compared in this way, else the first that could not. */
static size_t compare_all(const noise_nit *const *nits, size_t n, const noise_clock_round *rounds,
                          size_t num_rounds, noise_clocks_by by, noise_node_clock *out)
{
    const size_t common = by == NOISE_CLOCKS_MPI ? find_reference(nits, n, rounds, num_rounds) : 0;
    if (common == n) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (i == common) {
            out[i] = (noise_node_clock){.by = NOISE_CLOCKS_SAME};
            continue;
        }
        g_auto(pairs) p = pairs_new();
        bool is_reference = false;
        const bool found = by == NOISE_CLOCKS_MPI
                               ? by_rounds(nits[i], rounds, num_rounds, &p, &is_reference)
                           : by == NOISE_CLOCKS_MARKER ? by_markers(nits[i], nits[common], &p)
                                                       : by_realtime(nits[i], nits[common], &p);
        if (!found) {
            return i;
        }
        out[i] = fit(&p, by);
    }
    return n;
}

static bool refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool refuse(GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_set_error_literal(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, text);
    return false;
}

static bool check_nodes(const noise_nit *const *nits, const char *const *names, size_t n,
                        GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (nits[i]->num_nodes != 1) {
            return refuse(error, "%s: holds %zu nodes; only files of one node are merged", names[i],
                          nits[i]->num_nodes);
        }
        for (size_t k = 0; k < i; k++) {
            const char *boot = nits[i]->nodes[0].boot_id;
            if (boot != NULL && g_strcmp0(boot, nits[k]->nodes[0].boot_id) == 0) {
                return refuse(error, "%s: of the same node and boot as %s (boot id %s)", names[i],
                              names[k], boot);
            }
        }
        const noise_nit_node *node = &nits[i]->nodes[0];
        for (size_t k = 1; k < node->num_clocks; k++) {
            if (node->clocks[k].monotonic <= node->clocks[k - 1].monotonic) {
                return refuse(error, "%s: its clock runs backwards at pair %zu", names[i], k + 1);
            }
        }
    }
    return true;
}

/* Could it have been so? */
static bool check_clocks(const noise_nit *const *nits, const char *const *names, size_t n,
                         const noise_node_clock *clocks, GError **error)
{
    uint64_t begin = 0;
    uint64_t end = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const noise_nit_node *node = &nits[i]->nodes[0];
        if (!(fabs(clocks[i].drift) <= MOST_DRIFT)) {
            return refuse(error,
                          "%s: by %s its clock would run %.4g ppm off, at most %g are believed",
                          names[i], noise_clocks_by_names[clocks[i].by], clocks[i].drift * 1e6,
                          MOST_DRIFT * 1e6);
        }
        const double shift =
            (double)clocks[i].offset_ns + clocks[i].drift * (double)less(node->begin, clocks[i].at);
        if ((double)node->begin + shift < 0) {
            return refuse(error, "%s: by %s it would begin before the common clock did", names[i],
                          noise_clocks_by_names[clocks[i].by]);
        }
        begin = MAX(begin, noise_node_clock_apply(&clocks[i], node->begin));
        end = MIN(end, noise_node_clock_apply(&clocks[i], node->end));
        if (begin >= end) {
            return refuse(error, "%s: was not watched at the same time as those before it",
                          names[i]);
        }
    }
    return true;
}

bool noise_node_clocks_find(const noise_nit *const *nits, const char *const *names, size_t n,
                            const noise_clock_round *rounds, size_t num_rounds, noise_clocks_by by,
                            noise_node_clock *out, GError **error)
{
    if (!check_nodes(nits, names, n, error)) {
        return false;
    }
    g_autofree noise_node_clock *found = g_new0(noise_node_clock, n + 1);
    const noise_clocks_by first = by == NOISE_CLOCKS_SAME ? NOISE_CLOCKS_MPI : by;
    const noise_clocks_by last = by == NOISE_CLOCKS_SAME ? NOISE_CLOCKS_REALTIME : by;
    size_t missing = 0;
    for (int way = (int)first; way <= (int)last; way++) {
        missing = compare_all(nits, n, rounds, num_rounds, (noise_clocks_by)way, found);
        if (missing == n) {
            break;
        }
    }
    if (missing < n) {
        return refuse(error, "%s: nothing to compare its clock by: no %s", names[missing],
                      by == NOISE_CLOCKS_MPI      ? "messages of ranks that ran on it"
                      : by == NOISE_CLOCKS_MARKER ? "mark whose text the first file has, too"
                      : by == NOISE_CLOCKS_REALTIME
                          ? "time of day"
                          : "messages of ranks, common marks, time of day");
    }
    if (!check_clocks(nits, names, n, found, error)) {
        return false;
    }
    memcpy(out, found, n * sizeof *out);
    return true;
}
