/* apps/ripple/view/view_run.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Simulate a program under noise and picture the run. Beside it goes the run without noise, with
 * which it is compared while both last; with an injected detour and other noise a third one,
 * without that detour.
 */
#pragma once

#include "stretches/detours.h"
#include "view/picture.h"

#include "noise/injection.h"
#include "sim/run.h"

/** Lanes where none are asked for. */
enum { APP_VIEW_WORST = 64 };

/** All borrowed. */
typedef struct app_view_request {
    const sim_program *program;
    const sim_params *params;
    const sim_levels *levels;         /* NULL: one level */
    const noise_signature *signature; /* NULL: no noise */
    noise_injection_options injection;
    const app_detour *detour; /* to be injected; NULL: none */
    const uint32_t *lanes;    /* [num_lanes] ranks, each once; NULL: the worst */
    uint32_t num_lanes;       /* so many */
    sim_time from, to;        /* of lanes; to 0: to the end */
    bool no_heat;
    bool with_cones;  /* what each ripple did to which rank */
    bool no_path;     /* the critical path takes a record of some 10 bytes per operation */
    uint64_t num_ops; /* of the program; it says whether all stretches can be kept */
    sim_watch *watch; /* of the first run; NULL: nobody */
    uint32_t threads; /* of runs, where that is more than one; the picture is the same */
} app_view_request;

/**
 * Stretches that are kept of all ranks, to choose lanes from at the end. A larger run, whose lanes
 * are not named, is made twice: the second time for its lanes alone.
 */
#define APP_VIEW_KEPT_OF_ALL (UINT64_C(1) << 21)
/** Of chosen ranks; what is beyond is left out (app_picture_lane.whole_until). */
#define APP_VIEW_KEPT_OF_LANES (UINT64_C(1) << 22)
/** Larger runs have no critical path. */
#define APP_VIEW_PATH_OPS UINT64_C(10000000)

/**
 * What a picture takes beside the runs, roughly: measured of a stencil on a million ranks; and the
 * cells of the heat map and what is kept of lanes, at most.
 */
#define APP_VIEW_BYTES_PER_RANK UINT64_C(640)
#define APP_VIEW_BYTES          (UINT64_C(400) << 20)

/** @return owned by the caller, without title and manifest; NULL with an error of sim_run() */
app_picture *app_view_run(const app_view_request *request, GError **error);
