/* tests/apps/pages/write_samples.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* write_samples FOLDER: the pages that browser tests open, and their numbers beside them as CSV. */
#include "pages/component_page.h"
#include "pages/view_page.h"
#include "sample_component.h"
#include "sample_picture.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *open_in(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
    return file;
}

static void write_slices(const app_picture *p, const char *folder)
{
    FILE *file = open_in(folder, "slices.csv");
    fputs("rank,begin_ps,end_ps,kind,from,op\n", file);
    for (size_t l = 0; l < p->num_lanes; l++) {
        for (size_t i = 0; i < p->lanes[l].num_slices; i++) {
            const app_picture_slice *s = &p->slices[p->lanes[l].first_slice + i];
            fprintf(file,
                    "%u,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%d,%" G_GINT64_FORMAT ",%u\n",
                    p->lanes[l].rank, s->begin, s->end, s->kind,
                    s->from == APP_PICTURE_NONE ? -1 : (gint64)s->from, s->op);
        }
    }
    fclose(file);
}

static void write_heat(const app_picture *p, const char *folder)
{
    FILE *file = open_in(folder, "heat.csv");
    fputs("level,row,column,mean,most,worst\n", file);
    for (size_t i = 0; i < p->num_levels; i++) {
        const app_picture_level *l = &p->levels[i];
        for (size_t cell = 0; cell < (size_t)l->rows * l->columns; cell++) {
            if (l->mean[cell] > 0) {
                fprintf(file, "%zu,%zu,%zu,%d,%d,%u\n", i, cell / l->columns, cell % l->columns,
                        l->mean[cell], l->most[cell], l->worst[cell]);
            }
        }
    }
    fclose(file);
}

static void write_blocks(const app_picture *p, const char *folder)
{
    FILE *file = open_in(folder, "blocks.csv");
    fputs("rank,column,share\n", file);
    for (size_t i = 0; i < p->num_blocks; i++) {
        const app_picture_block *b = &p->blocks[i];
        for (uint32_t cell = 0; cell < b->ranks * b->columns; cell++) {
            if (b->share[cell] > 0) {
                fprintf(file, "%u,%u,%d\n", b->first + cell / b->columns, cell % b->columns,
                        b->share[cell]);
            }
        }
    }
    fclose(file);
}

static void write_view(const char *folder, const char *name, const app_picture *p)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    if (!app_view_page_write(p, path, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static void write_events(const sample_component *sample, const char *folder)
{
    FILE *file = open_in(folder, "events.csv");
    fputs("row,rank,start_ps,end_ps,expected_ps,cpu_ps,slices\n", file);
    for (size_t i = 0; i < sample->view.num_exemplars; i++) {
        const app_exemplar *e = &sample->view.exemplars[i];
        fprintf(file,
                "%zu,%u,%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
                ",%" G_GINT64_FORMAT ",%zu\n",
                e->row, e->event.rank, e->event.start, e->event.end, e->event.expected,
                e->event.cpu, e->num_slices);
    }
    fclose(file);
}

static void write_component(const char *folder)
{
    g_autoptr(sample_component) sample = sample_component_new(30);
    g_autofree char *path = g_build_filename(folder, "component.html", NULL);
    g_autoptr(GError) error = NULL;
    if (!app_component_page_write(&sample->view, path, &error)) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
    write_events(sample, folder);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("Usage: write_samples FOLDER\n", stderr);
        return 2;
    }
    const char *folder = argv[1];
    g_mkdir_with_parents(folder, 0777);
    g_autoptr(app_picture) small = sample_picture_new(1024, 256, 64, 100);
    sample_picture_add_ripples(small);
    write_view(folder, "view.html", small);
    write_slices(small, folder);
    write_heat(small, folder);
    /* Some 100,000 slices in 64 lanes. */
    g_autoptr(app_picture) large = sample_picture_new(1 << 20, 1024, 64, 280);
    sample_picture_add_blocks(large);
    write_blocks(large, folder);
    write_view(folder, "large.html", large);
    /* Three lanes and nothing else. */
    g_autoptr(app_picture) bare = sample_picture_new(64, 16, 3, 10);
    bare->num_messages = bare->num_path = 0;
    g_clear_pointer(&bare->injection, sample_injection_free);
    write_view(folder, "bare.html", bare);
    write_component(folder);
    return 0;
}
