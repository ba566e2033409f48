/* apps/ripple/live/live_lines.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/live_lines.h"

#include "sim/unit.h"

enum { MOST = 16 }; /* times that a rank is told of: the table says the rest */

typedef struct rank_lines {
    uint32_t open; /* sequences that see it */
    uint32_t told;
    sim_time lost; /* most of any sequence since none saw it */
} rank_lines;

struct app_live_lines {
    const noise_interference_model *model;
    void (*say)(void *to, const char *line);
    void *to;
    GArray *ranks; /* of rank_lines, for each kind, of as many as have been heard of */
};

app_live_lines *app_live_lines_new(const noise_interference_model *model,
                                   void (*say)(void *to, const char *line), void *to)
{
    app_live_lines *l = g_new0(app_live_lines, 1);
    l->model = model;
    l->say = say;
    l->to = to;
    l->ranks = g_array_new(FALSE, TRUE, sizeof(rank_lines));
    return l;
}

void app_live_lines_free(app_live_lines *l)
{
    if (l != NULL) {
        g_array_unref(l->ranks);
        g_free(l);
    }
}

static rank_lines *lines_of(app_live_lines *l, uint32_t rank, noise_interference_kind kind)
{
    const guint at = rank * NOISE_INTERFERENCE_KINDS + kind;
    if (at >= l->ranks->len) {
        g_array_set_size(l->ranks, at + 1);
    }
    return &g_array_index(l->ranks, rank_lines, at);
}

static const char *const LOOKS[] = {
    [NOISE_INTERFERENCE_DISTURBED] = "disturbed", [NOISE_INTERFERENCE_SLOWER] = "slower"};

/* "12 calls from MPI_Irecv to MPI_Allreduce" */
static char *sequence_text(const noise_interference_model *m, uint32_t sequence)
{
    const noise_interference_sequence *s = &m->sequences[sequence];
    const char *first = m->calls[s->calls[0]].name;
    const char *last = m->calls[s->calls[s->length - 1]].name;
    return s->length == 1 ? g_strdup(first)
                          : g_strdup_printf("%u calls from %s to %s", s->length, first, last);
}

static void begin(const app_live_lines *l, const noise_interference_event *e, bool is_last)
{
    g_autofree char *when = sim_unit_format_time_short(e->when);
    g_autofree char *noticed = sim_unit_format_time_short(e->noticed);
    g_autofree char *lost = sim_unit_format_time_short(e->lost);
    g_autofree char *what = sequence_text(l->model, e->sequence);
    g_autofree char *line = g_strdup_printf(
        "rank %u looks %s since %s of the run (noticed at %s): %s%s by then in its %s%s", e->rank,
        LOOKS[e->kind], when, noticed, lost,
        e->kind == NOISE_INTERFERENCE_SLOWER ? " more CPU time" : " lost", what,
        is_last ? "; that was so often before that it is told no more until the end" : "");
    l->say(l->to, line);
}

static void end(const app_live_lines *l, const noise_interference_event *e, sim_time lost)
{
    g_autofree char *when = sim_unit_format_time_short(e->when);
    g_autofree char *text = sim_unit_format_time_short(lost);
    const bool is_slower = e->kind == NOISE_INTERFERENCE_SLOWER;
    g_autofree char *line = g_strdup_printf(
        "rank %u looks %s no more since %s of the run; it %s %s%s", e->rank, LOOKS[e->kind], when,
        is_slower ? "took" : "lost", text, is_slower ? " more CPU time" : "");
    l->say(l->to, line);
}

void app_live_lines_tell(void *lines, const noise_interference_event *e)
{
    app_live_lines *l = lines;
    rank_lines *r = lines_of(l, e->rank, e->kind);
    if (e->change == NOISE_INTERFERENCE_BEGAN) {
        if (r->open == 0) {
            r->told++;
            r->lost = 0;
            if (r->told <= MOST) {
                begin(l, e, r->told == MOST);
            }
        }
        r->open++;
        return;
    }
    r->lost = MAX(r->lost, e->lost);
    r->open--;
    if (r->open == 0 && r->told < MOST) {
        end(l, e, r->lost);
    }
}
