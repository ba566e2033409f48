/* apps/ripple/calibration/calibration_run.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_calibrate, test_calibrator. */
#include "calibration/calibration_run.h"

#include "output/error.h"
#include "system/launch.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Times as many rounds as are asked for, at most; so many further ones before the next look. */
enum { MOST_TIMES = 3, AT_ONCE = 3 };

/* The command with the calibrator of its MPI behind it. @return NULL with an error */
static GPtrArray *words_of(char **command, const char *samples, int seed, GError **error)
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
    g_ptr_array_add(words, g_strdup_printf("%d", seed));
    g_ptr_array_add(words, NULL);
    return words;
}

/* One round: start it, and wait. @return 0: done; a signal: it was stopped by that; -1: error */
static int run_round(char **command, const char *samples, int seed, GError **error)
{
    g_autoptr(GPtrArray) words = words_of(command, samples, seed, error);
    g_auto(GStrv) environment = g_get_environ();
    app_child_end end = {0};
    if (words == NULL || !app_child_run((char **)words->pdata, environment, NULL, &end, error)) {
        return -1;
    }
    if (end.stopped_by == 0 && (!WIFEXITED(end.status) || WEXITSTATUS(end.status) != 0)) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: the measurement failed (status %d)",
                    command[0], WIFEXITED(end.status) ? WEXITSTATUS(end.status) : end.status);
        return -1;
    }
    return end.stopped_by;
}

/* Has enough been measured? Not if the cores were not undisturbed for long enough, or if there are
 * faster rounds than those that agree: more of them may come, and be enough. */
static bool is_enough(const app_calibration *c, size_t wanted)
{
    const bool has_faster = c->others_fastest > 0 && c->others_fastest < 1;
    return (c->num_rounds >= wanted && !has_faster && !c->in_company) ||
           c->num_measured >= MOST_TIMES * wanted;
}

/* Rounds until as many agree as are asked for, or MOST_TIMES as many have been run. @p paths: of
 * what they wrote */
static int run_rounds(char **command, const char *folder, size_t wanted, GPtrArray *paths,
                      app_calibration **out, GError **error)
{
    while (*out == NULL || !is_enough(*out, wanted)) {
        const size_t before = *out == NULL ? wanted : AT_ONCE;
        for (size_t i = 0; i < before; i++) {
            const int seed = (int)paths->len + 1;
            g_autofree char *name = g_strdup_printf("round-%d", seed);
            char *path = g_build_filename(folder, name, NULL);
            g_ptr_array_add(paths, path);
            const int end = run_round(command, path, seed, error);
            if (end != 0) {
                return end;
            }
        }
        g_autofree char **list = g_new0(char *, paths->len + 1);
        memcpy(list, paths->pdata, paths->len * sizeof *list);
        app_calibration_free(*out);
        *out = app_calibration_read(list, error);
        if (*out == NULL) {
            return -1;
        }
    }
    return 0;
}

app_calibration *app_calibration_run(char **command, int rounds, GError **error)
{
    g_autofree char *folder = g_dir_make_tmp("ripple-calibrate-XXXXXX", error);
    if (folder == NULL) {
        return NULL;
    }
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    app_calibration *calibration = NULL;
    const int end = run_rounds(command, folder, (size_t)rounds, paths, &calibration, error);
    for (guint i = 0; i < paths->len; i++) {
        (void)g_unlink(paths->pdata[i]);
    }
    (void)g_rmdir(folder);
    if (end > 0) {
        app_child_die(end);
    }
    return end == 0 ? calibration : NULL;
}
