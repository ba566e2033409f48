/* apps/ripple/exports/picture_tables.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_view. */
#include "exports/picture_print.h"

#include "output/output.h"
#include "sim/unit.h"

#include <math.h>

const char *const app_view_tables[] = {"ranks",   "heat",  "slices", "messages", "path",
                                       "ripples", "cones", "front",  "wave",     NULL};

/* ",12.5" */
static void print_ns(sim_time t, FILE *out)
{
    g_autofree char *text = sim_unit_format_ns(t);
    fprintf(out, ",%s", text);
}

/* Nothing where it never was. */
static void print_time(sim_time t, bool is_known, FILE *out)
{
    if (is_known) {
        print_ns(t, out);
    } else {
        fputc(',', out);
    }
}

static void print_index(uint32_t index, FILE *out)
{
    fputc(',', out);
    if (index != APP_PICTURE_NONE) {
        fprintf(out, "%u", index);
    }
}

/* From 1 on. */
static void print_number_of(uint32_t index, FILE *out)
{
    print_index(index == APP_PICTURE_NONE ? index : index + 1, out);
}

/* Nothing where it is not to be had. */
static void print_number(double value, FILE *out)
{
    fputc(',', out);
    if (isfinite(value)) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        fputs(g_ascii_formatd(text, sizeof text, "%.9g", value), out);
    }
}

static void print_ranks(const app_picture *p, FILE *out)
{
    fputs("rank,compute_ns,send_ns,receive_ns,wait_ns,noise_wait_ns,detour_ns,finish_ns\n", out);
    for (size_t i = 0; i < p->num_lanes; i++) {
        const app_picture_lane *l = &p->lanes[i];
        fprintf(out, "%u", l->rank);
        for (int k = 0; k < APP_PICTURE_NUM_KINDS; k++) {
            print_ns(l->time[k], out);
        }
        print_ns(l->finish, out);
        fputc('\n', out);
    }
}

/* @param level "0" of the finest, or nothing  @param part which of the tables it is of */
static void print_level(const app_picture *p, const app_picture_level *l, const char *level,
                        const char *part, FILE *out)
{
    for (size_t i = 0; i < (size_t)l->rows * l->columns; i++) {
        const uint32_t first = (uint32_t)(i / l->columns) * l->ranks_per_row;
        if (l->mean[i] == 0) {
            continue;
        }
        fprintf(out, "%s,%u,%u", level, first, MIN(l->ranks_per_row, p->num_ranks - first));
        print_ns((sim_time)(i % l->columns) * l->column_width, out);
        print_ns(l->column_width, out);
        fprintf(out, ",%.4f,%.4f,%u,%s\n", l->mean[i] / 255., l->most[i] / 255., l->worst[i], part);
    }
}

static void print_block(const app_picture_block *b, FILE *out)
{
    for (size_t i = 0; i < (size_t)b->ranks * b->columns; i++) {
        const uint32_t rank = b->first + (uint32_t)(i / b->columns);
        if (b->share[i] == 0) {
            continue;
        }
        fprintf(out, ",%u,1", rank);
        print_ns((sim_time)(i % b->columns) * b->column_width, out);
        print_ns(b->column_width, out);
        fprintf(out, ",%.4f,%.4f,%u,block\n", b->share[i] / 255., b->share[i] / 255., rank);
    }
}

/* The pyramid, and what the page leads down to. */
static void print_heat(const app_picture *p, FILE *out)
{
    fputs("level,first_rank,ranks,from_ns,width_ns,share,worst_share,worst_rank,part\n", out);
    for (size_t n = 0; n < p->num_levels; n++) {
        g_autofree char *level = g_strdup_printf("%zu", n);
        print_level(p, &p->levels[n], level, "map", out);
    }
    if (p->few != NULL) {
        print_level(p, p->few, "", "rows", out);
    }
    for (size_t i = 0; i < p->num_blocks; i++) {
        print_block(&p->blocks[i], out);
    }
}

static void print_component(const app_picture *p, uint32_t component, FILE *out)
{
    fputc(',', out);
    if (component < p->num_components) {
        app_output_csv_text(out, p->components[component].name);
    }
}

static void print_slices(const app_picture *p, FILE *out)
{
    fputs("rank,begin_ns,end_ns,state,from_rank,operation,component,ripple\n", out);
    for (size_t i = 0; i < p->num_lanes; i++) {
        const app_picture_lane *l = &p->lanes[i];
        for (size_t k = 0; k < l->num_slices; k++) {
            const app_picture_slice *s = &p->slices[l->first_slice + k];
            fprintf(out, "%u", l->rank);
            print_ns(s->begin, out);
            print_ns(s->end, out);
            fprintf(out, ",%s", app_picture_kind_name(s->kind));
            print_index(s->from, out);
            print_index(s->op, out);
            print_component(p, s->component, out);
            print_number_of(s->ripple, out);
            fputc('\n', out);
        }
    }
}

static void print_messages(const app_picture *p, FILE *out)
{
    fputs("from_rank,to_rank,sent_ns,received_ns,bytes\n", out);
    for (size_t i = 0; i < p->num_messages; i++) {
        const app_picture_message *m = &p->messages[i];
        fprintf(out, "%u,%u", m->from, m->to);
        print_ns(m->sent, out);
        print_ns(m->received, out);
        m->bytes >= 0 ? fprintf(out, ",%" G_GINT64_FORMAT "\n", m->bytes) : fputs(",\n", out);
    }
}

static void print_path(const app_picture *p, FILE *out)
{
    fputs("rank,operation,begin_ns,end_ns,compute_ns,overhead_ns,network_ns,noise_ns\n", out);
    for (size_t i = 0; i < p->num_path; i++) {
        const app_picture_path *s = &p->path[i];
        fprintf(out, "%u,%u", s->rank, s->op);
        print_ns(s->begin, out);
        print_ns(s->end, out);
        for (int k = 0; k < APP_PICTURE_PATH_NUM_KINDS; k++) {
            print_ns(s->part[k], out);
        }
        fputc('\n', out);
    }
}

static void print_ripples(const app_picture *p, FILE *out)
{
    fputs("ripple,rank,begin_ns,end_ns,detour_ns,component,after,waits,waited_ns,absorbed_ns,"
          "until_ns\n",
          out);
    for (size_t i = 0; i < p->num_ripples; i++) {
        const app_picture_ripple *r = &p->ripples[i];
        fprintf(out, "%zu,%u", i + 1, r->rank);
        print_ns(r->begin, out);
        print_ns(r->end, out);
        print_ns(r->detour, out);
        print_component(p, r->component, out);
        print_number_of(r->after, out);
        fprintf(out, ",%" G_GUINT64_FORMAT, r->waits);
        print_ns(r->waited, out);
        print_ns(r->absorbed, out);
        print_time(r->until, r->waits > 0, out);
        fputc('\n', out);
    }
}

static void print_cones(const app_picture *p, FILE *out)
{
    fputs("ripple,rank,waits,waited_ns,from_ns,until_ns,absorbed_ns,absorbed_at_ns\n", out);
    for (size_t i = 0; i < p->num_cones; i++) {
        const app_picture_cone *c = &p->cones[i];
        fprintf(out, "%u,%u,%" G_GUINT64_FORMAT, c->ripple + 1, c->rank, c->waits);
        print_ns(c->waited, out);
        print_time(c->from, c->waits > 0, out);
        print_time(c->until, c->waits > 0, out);
        print_ns(c->absorbed, out);
        print_time(c->absorbed_at, c->absorbed > 0, out);
        fputc('\n', out);
    }
}

static void print_front(const app_picture *p, FILE *out)
{
    fputs("rank,distance,arrived_ns,delay_ns,fitted\n", out);
    const app_picture_injection *in = p->injection;
    for (size_t i = 0; in != NULL && i < in->num_fronts; i++) {
        const app_picture_front *f = &in->fronts[i];
        fprintf(out, "%u,%" G_GINT64_FORMAT, f->rank, f->distance);
        print_ns(f->arrived, out);
        print_ns(f->delay, out);
        fprintf(out, ",%s\n", f->is_fitted ? "yes" : "no");
    }
}

static void print_wave(const app_picture *p, FILE *out)
{
    fputs("direction,points,ranks_per_s,low,high,decay_ns_per_rank,decay_low,decay_high,"
          "absorbed_rank,sigma,distance,step_ns,formula_ranks_per_s\n",
          out);
    const app_picture_injection *in = p->injection;
    for (size_t i = 0; in != NULL && i < in->num_waves; i++) {
        const app_picture_wave *w = &in->waves[i];
        fprintf(out, "%d,%zu", w->direction, w->points);
        const double numbers[] = {w->speed.value,       w->speed.low,       w->speed.high,
                                  w->decay.value / 1e3, w->decay.low / 1e3, w->decay.high / 1e3};
        for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
            print_number(numbers[k], out);
        }
        print_index(w->absorbed, out);
        fprintf(out, ",%u,%u", in->sigma, in->distance);
        print_ns(in->step, out);
        print_number(in->formula, out);
        fputc('\n', out);
    }
}

void app_picture_print_csv(const app_picture *picture, app_view_table table, FILE *out)
{
    static void (*const PRINT[])(const app_picture *, FILE *) = {
        [APP_VIEW_TABLE_RANKS] = print_ranks,   [APP_VIEW_TABLE_HEAT] = print_heat,
        [APP_VIEW_TABLE_SLICES] = print_slices, [APP_VIEW_TABLE_MESSAGES] = print_messages,
        [APP_VIEW_TABLE_PATH] = print_path,     [APP_VIEW_TABLE_RIPPLES] = print_ripples,
        [APP_VIEW_TABLE_CONES] = print_cones,   [APP_VIEW_TABLE_FRONT] = print_front,
        [APP_VIEW_TABLE_WAVE] = print_wave,
    };
    PRINT[table](picture, out);
}
