/* tests/apps/view/test_picture_tables.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of small pictures, written out. */
#include "check.h"
#include "exports/picture_print.h"

#include <stdlib.h>

static void check_table(const app_picture *picture, app_view_table table, const char *wanted)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    app_picture_print_csv(picture, table, out);
    fclose(out);
    CHECK(strcmp(text, wanted) == 0, "%s: %s", app_view_tables[table], text);
    free(text);
}

/* A map of 2 rows and 2 columns; 3 rows of 64 ranks, 1 column; a block of the last 2 ranks. */
static void heat_has_all_that_the_page_leads_to(void)
{
    uint8_t mean[] = {0, 51, 255, 0};
    uint8_t most[] = {0, 102, 255, 0};
    uint32_t worst[] = {APP_PICTURE_NONE, 7, 129, APP_PICTURE_NONE};
    app_picture_level map = {2, 2, 128, 2 * SIM_US, mean, most, worst};
    uint8_t few_mean[] = {0, 51, 255};
    uint32_t few_worst[] = {APP_PICTURE_NONE, 70, 128};
    app_picture_level few = {3, 1, 64, 4 * SIM_US, few_mean, few_mean, few_worst};
    uint8_t share[] = {255, 0, 0, 153};
    app_picture_block block = {128, 2, 2, 2 * SIM_US, share};
    const app_picture p = {.num_ranks = 130,
                           .num_levels = 1,
                           .levels = &map,
                           .few = &few,
                           .num_blocks = 1,
                           .blocks = &block};
    check_table(&p, APP_VIEW_TABLE_HEAT,
                "level,first_rank,ranks,from_ns,width_ns,share,worst_share,worst_rank,part\n"
                "0,0,128,2000,2000,0.2000,0.4000,7,map\n"
                "0,128,2,0,2000,1.0000,1.0000,129,map\n"
                ",64,64,0,4000,0.2000,0.2000,70,rows\n"
                ",128,2,0,4000,1.0000,1.0000,128,rows\n"
                ",128,1,0,2000,1.0000,1.0000,128,block\n"
                ",129,1,2000,2000,0.6000,0.6000,129,block\n");
}

/* One ripple is in the other; nothing waited behind it. */
static void what_is_not_there_has_no_time(void)
{
    char name[] = "tick";
    app_picture_component component = {.name = name};
    app_picture_ripple ripples[] = {{.after = APP_PICTURE_NONE,
                                     .rank = 5,
                                     .waits = 2,
                                     .begin = SIM_US,
                                     .end = 3 * SIM_US,
                                     .detour = SIM_US,
                                     .waited = 1500,
                                     .until = 9 * SIM_US,
                                     .absorbed = SIM_NS},
                                    {.after = 0,
                                     .rank = 6,
                                     .component = APP_PICTURE_NONE,
                                     .begin = 4 * SIM_US,
                                     .end = 5 * SIM_US,
                                     .detour = 10}};
    app_picture_cone cones[] = {
        {.rank = 6, .waits = 2, .waited = 1500, .from = 3 * SIM_US, .until = 9 * SIM_US},
        {.rank = 7, .from = SIM_TIME_MAX, .absorbed = SIM_NS, .absorbed_at = 8 * SIM_US}};
    const app_picture p = {.num_ripples = 2,
                           .ripples = ripples,
                           .num_cones = 2,
                           .cones = cones,
                           .num_components = 1,
                           .components = &component};
    check_table(&p, APP_VIEW_TABLE_RIPPLES,
                "ripple,rank,begin_ns,end_ns,detour_ns,component,after,waits,waited_ns,"
                "absorbed_ns,until_ns\n"
                "1,5,1000,3000,1000,tick,,2,1.5,1,9000\n"
                "2,6,4000,5000,0.01,,1,0,0,0,\n");
    check_table(&p, APP_VIEW_TABLE_CONES,
                "ripple,rank,waits,waited_ns,from_ns,until_ns,absorbed_ns,absorbed_at_ns\n"
                "1,6,2,1.5,3000,9000,0,\n"
                "1,7,0,0,,,1,8000\n");
}

SUITE_MAIN("picture_tables", TEST(heat_has_all_that_the_page_leads_to),
           TEST(what_is_not_there_has_no_time))
