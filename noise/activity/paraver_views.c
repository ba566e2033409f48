/* noise/activity/paraver_views.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_paraver. */
/**
 * @file
 * Views of a Paraver trace that are ready to be loaded, as its own "save configuration" writes
 * them.
 */
#include "activity/paraver_private.h"

const noise_paraver_view noise_paraver_views[] = {
    {"daemon-as-state", "who was on each CPU, a colour each"},
    {"stolen-per-100ms", "CPU time of other programs in each 100 ms"},
    {"one-daemon", "when one program was active; its number is in the file"},
    {"late-rank", "ranks, and below them the CPUs at the same times"},
    {NULL, NULL},
};

/* What tells one window from another. */
typedef struct window {
    const char *name;
    const char *function; /* of a thread's records */
    const char *colours;
    const char *unit;
    const char *compose; /* over what the function gives */
    unsigned equal;      /* its parameter; 0: none */
    unsigned type;       /* of events; 0: all */
    const char *type_name;
    const char *applications; /* those that are shown; NULL: all */
    bool is_synchronised;
} window;

static void print_window(const window *w, unsigned id, FILE *out)
{
    static const char *const RULE =
        "################################################################################\n";
    fprintf(out, "%s< NEW DISPLAYING WINDOW %s >\n%swindow_name %s\n", RULE, w->name, RULE,
            w->name);
    fprintf(out,
            "window_type single\nwindow_id %u\nwindow_position_x 100\nwindow_position_y %u\n"
            "window_width 1000\nwindow_height 220\nwindow_comm_lines_enabled false\n"
            "window_flags_enabled false\nwindow_noncolor_mode true\nwindow_color_mode %s\n",
            id, 100 + 260 * (id - 1), w->colours);
    fprintf(
        out,
        "window_logical_filtered true\nwindow_physical_filtered false\nwindow_comm_fromto true\n"
        "window_comm_tagsize true\nwindow_comm_typeval true\nwindow_units %s\n"
        "window_maximum_y 100000.0\nwindow_minimum_y 0.0\nwindow_compute_y_max true\n"
        "window_level thread\nwindow_scale_relative 1.000000000000\n"
        "window_end_time_relative 1.000000000000\n",
        w->unit);
    if (w->applications != NULL) {
        fprintf(out, "window_object appl { 2, { %s } }\n", w->applications);
    } else {
        fputs("window_object appl { 1, { All } }\n", out);
    }
    fprintf(out,
            "window_begin_time_relative 0.000000000000\nwindow_open true\n"
            "window_drawmode draw_maximum\nwindow_drawmode_rows draw_maximum\nwindow_pixel_size 1\n"
            "window_labels_to_draw 1\nwindow_selected_functions { 14, { {cpu, Active Thd}, {appl, "
            "Adding}, {task, Adding}, {thread, %s}, {node, Adding}, {system, Adding}, {workload, "
            "Adding}, {from_obj, All}, {to_obj, All}, {tag_msg, All}, {size_msg, All}, {bw_msg, "
            "All}, {evt_type, =}, {evt_value, All} } }\n",
            w->function);
    fprintf(out,
            "window_compose_functions { 9, { {compose_cpu, As Is}, {compose_appl, As Is}, "
            "{compose_task, As Is}, {compose_thread, As Is}, {compose_node, As Is}, "
            "{compose_system, As Is}, {compose_workload, As Is}, {topcompose1, %s}, {topcompose2, "
            "As Is} } }\n",
            w->compose);
    if (w->equal > 0) {
        fprintf(out, "window_semantic_module topcompose1 %s { 1, { 1 %u.000000000000 } }\n",
                w->compose, w->equal);
    }
    if (w->type > 0) {
        fprintf(
            out,
            "window_filter_module evt_type 1 %u\nwindow_filter_module evt_type_label 1 \"%s\"\n",
            w->type, w->type_name);
    }
    fputs(w->is_synchronised ? "window_synchronize 1\n\n" : "\n", out);
}

void noise_paraver_write_view(const noise_activity_trace *t, size_t view, FILE *out)
{
    static const char *const CODE = "window_in_code_mode";
    static const char *const GRADIENT = "window_in_null_gradient_mode";
    const bool has_ranks = t->num_ranks > 0;
    const window windows[][2] = {
        {{"Activity", "State As Is", CODE, "Microseconds", "As Is", 0, 0, NULL, NULL, false}, {0}},
        {{"CPU time of other programs per 100 ms, us", "Next Evt Val", GRADIENT, "Milliseconds",
          "As Is", 0, PARAVER_STOLEN, "CPU time of other programs in the last 100 ms, us", NULL,
          false},
         {0}},
        {{t->num_programs > 0 ? t->programs[0].name : "Program", "Last Evt Val", CODE,
          "Microseconds", "Is Equal (Sign)", NOISE_PARAVER_FIRST_STATE, PARAVER_ACTIVITY,
          "Activity", NULL, false},
         {0}},
        {{"Ranks", "State As Is", CODE, "Microseconds", "As Is", 0, 0, NULL,
          has_ranks ? "All, None" : NULL, true},
         {"CPUs", "State As Is", CODE, "Microseconds", "As Is", 0, 0, NULL,
          has_ranks ? "None, All" : NULL, true}},
    };
    const unsigned n = windows[view][1].name != NULL ? 2 : 1;
    fprintf(out,
            "#ParaverCFG\nConfigFile.Version: 3.4\nConfigFile.NumWindows: %u\n"
            "ConfigFile.BeginDescription\n%s\nConfigFile.EndDescription\n\n\n",
            n, noise_paraver_views[view].means);
    for (unsigned i = 0; i < n; i++) {
        print_window(&windows[view][i], i + 1, out);
    }
}
