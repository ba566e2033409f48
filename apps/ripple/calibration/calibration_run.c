/* apps/ripple/calibration/calibration_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_calibrate, test_calibrator. */
#include "calibration/calibration_run.h"

#include "output/error.h"
#include "system/launch.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/wait.h>

/* The command with the calibrator of its MPI behind it. @return NULL with an error */
static GPtrArray *words_of(char **command, const char *samples, int rounds, GError **error)
{
    char *calibrator = app_launch_calibrator(command, error);
    if (calibrator == NULL) {
        return NULL;
    }
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (char **word = command; *word != NULL; word++) {
        g_ptr_array_add(words, g_strdup(*word));
    }
    g_ptr_array_add(words, calibrator);
    g_ptr_array_add(words, g_strdup(samples));
    g_ptr_array_add(words, g_strdup_printf("%d", rounds));
    g_ptr_array_add(words, NULL);
    return words;
}

app_calibration *app_calibration_run(char **command, int rounds, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-calibrate-XXXXXX", error);
    if (folder == NULL) {
        return NULL;
    }
    g_autofree char *samples = g_build_filename(folder, "samples", NULL);
    g_autoptr(GPtrArray) words = words_of(command, samples, rounds, error);
    g_auto(GStrv) environment = g_get_environ();
    app_child_end end = {0};
    app_calibration *calibration = NULL;
    if (words != NULL && app_child_run((char **)words->pdata, environment, NULL, &end, error)) {
        if (end.stopped_by != 0) {
            (void)g_unlink(samples);
            (void)g_rmdir(folder);
            app_child_die(end.stopped_by);
        }
        if (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0) {
            g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the measurement failed (status %d)",
                        command[0], WIFEXITED(end.status) ? WEXITSTATUS(end.status) : end.status);
        } else {
            calibration = app_calibration_read(samples, error);
        }
    }
    (void)g_unlink(samples);
    (void)g_rmdir(folder);
    return calibration;
}
