/* tests/apps/view/test_picture_export.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written for other tools, judged by a script that knows their formats only. */
#include "check.h"
#include "exports/picture_export.h"
#include "folder.h"
#include "viewed_run.h"

#include <stdlib.h>

static void write_file(const char *base, const char *suffix,
                       void (*print)(const app_picture *, FILE *), const app_picture *picture)
{
    g_autofree char *path = g_strconcat(base, suffix, NULL);
    FILE *out = fopen(path, "w");
    if (CHECK(out != NULL, "%s", path)) {
        print(picture, out);
        fclose(out);
    }
}

static void judge(const app_picture *picture)
{
    g_autofree char *folder = g_dir_make_tmp("view-XXXXXX", NULL);
    g_autofree char *base = g_build_filename(folder, "run", NULL);
    write_file(base, ".json", app_picture_write_chrome, picture);
    write_file(base, ".prv", app_picture_write_prv, picture);
    write_file(base, ".pcf", app_picture_write_pcf, picture);
    write_file(base, ".row", app_picture_write_row, picture);
    g_autofree char *command = g_strdup_printf("%s/check_export '%s' >&2", VIEW_CHECKS, base);
    CHECK_I64(system(command), 0, "%s", command);
    folder_remove(folder);
}

#define NOISE "fixed:1ms:60us+fixed:370us:9us"

static void a_whole_run_keeps_to_the_formats(void)
{
    g_autoptr(app_picture) picture = viewed_run(NOISE, NULL);
    judge(picture);
}

static void choose(app_view_request *r)
{
    static const uint32_t lanes[] = {7, 6, 8};
    r->lanes = lanes;
    r->num_lanes = G_N_ELEMENTS(lanes);
    r->from = 1234567 * SIM_NS;
    r->to = 3210 * SIM_US;
}

static void a_part_of_it_does_so_too(void)
{
    g_autoptr(app_picture) picture = viewed_run(NOISE, choose);
    CHECK_I64(picture->num_lanes, 3, "");
    CHECK_I64(picture->lanes[0].rank, 7, "in the order asked for");
    judge(picture);
}

SUITE_MAIN("picture_export", TEST(a_whole_run_keeps_to_the_formats), TEST(a_part_of_it_does_so_too))
