/* apps/ripple/losses/losses_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_losses, cli_watch, test_tracer_switches. */
#include "losses/losses_words.h"
#include "sim/json_member.h"

void app_losses_print(const app_losses *l, FILE *out)
{
    const noise_join *j = l->join;
    size_t n = 0;
    fprintf(out, "CPU time taken from the ranks by others than the program:\n");
    for (size_t i = 0; i < j->num_rows; i++) {
        const noise_join_row *row = &j->row[i];
        if (app_losses_is_culprit(row) && n++ < APP_LOSSES_MOST_ROWS) {
            g_autofree char *text =
                app_losses_row_text(row, app_losses_total_of(j, row->rank)->wall_ns);
            fprintf(out, "  %s\n", text);
        }
    }
    if (n > APP_LOSSES_MOST_ROWS) {
        fprintf(out, "  and %zu more, each less than these.\n", n - APP_LOSSES_MOST_ROWS);
    }
    if (n == 0) {
        fprintf(out, "  none that was seen.\n");
    }
    for (size_t r = 0; r < j->num_ranks; r++) {
        g_autofree char *text = app_losses_total_text(j, &j->total[r]);
        fprintf(out, "  %s\n", text);
    }
    g_auto(GStrv) how = app_losses_how(l);
    for (char **line = how; *line != NULL; line++) {
        fprintf(out, "  %s\n", *line);
    }
}

static void build_row(const noise_join_row *r, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rank", r->rank);
    sim_json_text(b, "program", r->name);
    sim_json_text(b, "class",
                  r->by_rank >= 0 ? "rank of the program" : noise_program_class_name(r->kind));
    if (r->by_rank >= 0) {
        sim_json_int(b, "by_rank", r->by_rank);
    }
    sim_json_int(b, "pid", r->pid);
    sim_json_int(b, "cpu", r->cpu);
    sim_json_int(b, "count", (int64_t)r->count);
    sim_json_int(b, "pieces", (int64_t)r->pieces);
    sim_json_int(b, "lost_ns", (int64_t)r->lost_ns);
    sim_json_int(b, "in_mpi_ns", (int64_t)r->waited_ns);
    sim_json_int(b, "sure_ns", (int64_t)r->sure_ns);
    sim_json_int(b, "median_ns", (int64_t)r->median_ns);
    if (r->period_ns > 0) {
        sim_json_double(b, "period_ns", r->period_ns);
        sim_json_double(b, "false_alarm", r->false_alarm);
    }
    json_builder_end_object(b);
}

static void build_total(const noise_join_total *t, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_int(b, "rank", t->rank);
    sim_json_int(b, "wall_ns", (int64_t)t->wall_ns);
    sim_json_int(b, "count", (int64_t)t->count);
    sim_json_int(b, "lost_ns", (int64_t)t->lost_ns);
    sim_json_int(b, "lost_explained_ns", (int64_t)t->lost_explained_ns);
    sim_json_int(b, "in_mpi_ns", (int64_t)t->waited_ns);
    sim_json_int(b, "in_mpi_explained_ns", (int64_t)t->waited_explained_ns);
    sim_json_int(b, "slept_ns", (int64_t)t->slept_ns);
    sim_json_int(b, "missing", (int64_t)t->missing);
    json_builder_end_object(b);
}

void app_losses_build(const app_losses *l, JsonBuilder *b)
{
    sim_json_begin_object(b, "losses");
    sim_json_begin_array(b, "programs");
    for (size_t i = 0; i < l->join->num_rows; i++) {
        build_row(&l->join->row[i], b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "ranks");
    for (size_t r = 0; r < l->join->num_ranks; r++) {
        build_total(&l->join->total[r], b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}
