/* apps/ripple/mining/exemplar_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_exemplar. */
/*
 * An exemplar as text: a line on the event, and strips of COLUMNS signs from `from` to `to`, with
 * the event under the ruler.
 *
 *     rank 3 at 12.3ms, inside MPI_Send <= 1 KiB to rank+1: 6.002ms, usually 2.05us, CPU time 6ms
 *                     |------------------|
 *       in MPI   |MM..|MMMMMMMMMMMMMMMMMM|MMMM....|MMMM
 *       off CPU  ..............|####...................
 */
#include "mining/exemplar_find.h"

#include "sim/unit.h"

enum { COLUMNS = 90 };

static size_t column_of(const app_exemplar *e, sim_time when)
{
    const double share = (double)(when - e->from) / (double)MAX(e->to - e->from, 1);
    return (size_t)CLAMP(share * COLUMNS, 0, COLUMNS - 1);
}

/* What is rare stays visible: a slice takes one column at least. */
static void draw(const app_exemplar *e, app_exemplar_kind kind, char sign, char *strip)
{
    for (size_t i = 0; i < e->num_slices; i++) {
        const app_exemplar_slice *s = &e->slices[i];
        if (s->kind == kind && s->begin < e->to && s->end > e->from) {
            const size_t first = column_of(e, s->begin);
            memset(&strip[first], sign, column_of(e, s->end) - first + 1);
            if (s->begin >= e->from) {
                strip[first] = '|'; /* neighbours stay apart */
            }
        }
    }
}

static void print_strips(const app_exemplar *e, FILE *out)
{
    char ruler[COLUMNS + 1] = {0};
    char calls[COLUMNS + 1] = {0};
    char system[COLUMNS + 1] = {0};
    memset(ruler, ' ', COLUMNS);
    memset(calls, '.', COLUMNS);
    memset(system, '.', COLUMNS);
    const size_t begin = column_of(e, e->event.start);
    const size_t end = column_of(e, e->event.end);
    memset(&ruler[begin], '-', end - begin + 1);
    ruler[begin] = '|';
    ruler[end] = '|';
    draw(e, APP_EXEMPLAR_CALL, 'M', calls);
    draw(e, APP_EXEMPLAR_SYSTEM, '#', system);
    g_strchomp(ruler);
    fprintf(out, "           %s\n  in MPI   %s\n", ruler, calls);
    if (strchr(system, '#') != NULL) {
        fprintf(out, "  off CPU  %s\n", system);
    }
}

/* Who ran within the event, if that is known: each once. */
static void print_system(const app_exemplar *e, FILE *out)
{
    g_autoptr(GHashTable) said = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 0; i < e->num_slices; i++) {
        const app_exemplar_slice *s = &e->slices[i];
        if (s->kind == APP_EXEMPLAR_SYSTEM && s->begin < e->event.end && s->end > e->event.start &&
            g_hash_table_add(said, s->name)) {
            fprintf(out, "%s%s", g_hash_table_size(said) == 1 ? "  system: " : ", ", s->name);
            if (s->cpu_number >= 0) {
                fprintf(out, " (CPU %d)", s->cpu_number);
            }
        }
    }
    if (g_hash_table_size(said) > 0) {
        fputc('\n', out);
    }
}

static void print_one(const app_exemplar *e, FILE *out)
{
    g_autofree char *start = sim_unit_format_time_short(e->event.start);
    g_autofree char *took = sim_unit_format_time_short(noise_miner_event_duration(&e->event));
    g_autofree char *usual = sim_unit_format_time_short(e->event.expected);
    fprintf(out, "rank %u at %s, %s%s: %s, usually %s", e->event.rank, start,
            noise_event_type_kind(e->event.type) == NOISE_EVENT_CALL ? "inside " : "", e->type,
            took, usual);
    if (e->event.cpu >= 0) {
        g_autofree char *cpu = sim_unit_format_time_short(e->event.cpu);
        fprintf(out, ", CPU time %s", cpu);
    }
    if (e->event.waited > 0) {
        g_autofree char *waited = sim_unit_format_time_short(e->event.waited);
        fprintf(out, ", waited %s before", waited);
    }
    fputc('\n', out);
    print_strips(e, out);
    print_system(e, out);
}

void app_exemplars_print(const app_exemplar *all, size_t n, const noise_miner_report *report,
                         size_t row, FILE *out)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        const app_exemplar *e = &all[i];
        if (row != SIZE_MAX && e->row != row) {
            continue;
        }
        if (e->row != last) {
            last = e->row;
            g_autofree char *noise = sim_unit_format_time_short(report->rows[last].t_noise);
            const char *place = app_exemplars_place(all, n, last);
            fprintf(out, "\nexemplars of row %zu, %s %s\n", last + 1, noise, place);
        }
        print_one(e, out);
    }
}

/* "MPI_Send" of "MPI_Send <= 1 KiB to rank+1"; interned. */
static const char *function_of(const app_exemplar *e)
{
    const char *space = strchr(e->type, ' ');
    g_autofree char *name =
        g_strndup(e->type, space != NULL ? (gsize)(space - e->type) : strlen(e->type));
    g_strdelimit(name, ",", '\0');
    return g_intern_string(name);
}

const char *app_exemplars_place(const app_exemplar *all, size_t n, size_t row)
{
    const char *function = NULL;
    bool several = false;
    bool computes = false;
    for (size_t i = 0; i < n; i++) {
        if (all[i].row != row) {
            continue;
        }
        if (noise_event_type_kind(all[i].event.type) == NOISE_EVENT_CALL) {
            several = several || (function != NULL && function != function_of(&all[i]));
            function = function_of(&all[i]);
        } else {
            computes = true;
        }
    }
    if (function == NULL) {
        return computes ? "in computation" : NULL;
    }
    if (computes) {
        return "in computation and inside MPI";
    }
    if (several) {
        return "inside MPI";
    }
    g_autofree char *text = g_strconcat("inside ", function, NULL);
    return g_intern_string(text);
}
