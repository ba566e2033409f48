/* apps/ripple/view/path.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_view_run. */
#include "view/path.h"

#include "sim/run_path.h"

static const uint8_t KIND_OF[SIM_NUM_PARTS] = {
    [SIM_PART_COMPUTE] = APP_PICTURE_PATH_COMPUTE,  [SIM_PART_o] = APP_PICTURE_PATH_OVERHEAD,
    [SIM_PART_O] = APP_PICTURE_PATH_OVERHEAD,       [SIM_PART_L] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_S] = APP_PICTURE_PATH_NETWORK,        [SIM_PART_H] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_NODE_H] = APP_PICTURE_PATH_NETWORK,   [SIM_PART_g] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_G] = APP_PICTURE_PATH_NETWORK,        [SIM_PART_DISTANCE] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_NODE_o] = APP_PICTURE_PATH_OVERHEAD,  [SIM_PART_NODE_O] = APP_PICTURE_PATH_OVERHEAD,
    [SIM_PART_NODE_L] = APP_PICTURE_PATH_NETWORK,   [SIM_PART_NODE_S] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_NODE_g] = APP_PICTURE_PATH_NETWORK,   [SIM_PART_NODE_G] = APP_PICTURE_PATH_NETWORK,
    [SIM_PART_PEER_NOISE] = APP_PICTURE_PATH_NOISE, [SIM_PART_NOISE] = APP_PICTURE_PATH_NOISE,
};

typedef struct walk {
    app_picture *picture;
    GArray *path; /* latest first */
    size_t all;
} walk;

static void visit(const sim_path_stretch *s, void *user)
{
    walk *w = user;
    app_picture_path stretch = {.rank = s->rank, .op = s->op, .begin = s->start, .end = s->finish};
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        stretch.part[KIND_OF[p]] += s->part[p];
        w->picture->path_part[KIND_OF[p]] += s->part[p];
    }
    if (w->all++ < APP_PICTURE_MOST_PATH) {
        g_array_append_val(w->path, stretch);
    }
}

bool app_path_fill(app_picture *picture, const sim_run_record *record, GError **error)
{
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(app_picture_path));
    walk w = {picture, path, 0};
    if (!sim_run_record_walk_path(record, visit, &w, error)) {
        return false;
    }
    picture->num_path = w.all <= APP_PICTURE_MOST_PATH ? path->len : 0;
    picture->path = g_new(app_picture_path, MAX(picture->num_path, 1));
    for (size_t i = 0; i < picture->num_path; i++) {
        picture->path[i] = g_array_index(path, app_picture_path, path->len - 1 - i);
    }
    return true;
}
