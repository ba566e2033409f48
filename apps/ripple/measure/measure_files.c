/* apps/ripple/measure/measure_files.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure_files. */
#include "measure/measure_files.h"

#include "measure/measure_page.h"
#include "measure/measure_print.h"
#include "output/error.h"
#include "output/result.h"
#include "sim/out_file.h"

#include <string.h>

static void print_text(const void *result, FILE *out)
{
    app_measure_print(result, out);
}

static void print_csv(const void *result, FILE *out)
{
    app_measure_print_csv(result, out);
}

static void build(const void *result, JsonBuilder *builder)
{
    app_measure_build(result, builder);
}

static const app_result_writer WRITER = {print_text, print_csv, build};

static app_measure_analysis *read_all(const app_context *context, const app_measure_ask *ask,
                                      GError **error)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    for (unsigned i = 0; i < context->nargs; i++) {
        noise_detour_file *file = noise_detour_file_read(context->args[i], error);
        if (file == NULL) {
            g_ptr_array_foreach(files, (GFunc)(void (*)(void))noise_detour_file_free, NULL);
            return NULL;
        }
        g_ptr_array_add(files, file);
    }
    return app_measure_analysis_new((noise_detour_file **)files->pdata,
                                    (const char *const *)context->args, files->len,
                                    ask->collective);
}

bool app_measure_write_divided(app_measure_analysis *a, const char *path, GError **error)
{
    app_measure_analysis_divide(a, 0);
    g_autofree char *text = noise_detour_file_to_text(a->files[0], true);
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    fputs(text, sim_out_file_stream(file));
    return sim_out_file_commit(file, error);
}

app_measure_analysis *app_measure_analyse(const noise_measurement *measurement, const char *name,
                                          const app_measure_ask *ask, GError **error)
{
    g_autofree char *text = noise_measurement_to_text(measurement);
    noise_detour_file *file = noise_detour_file_parse(name, text, strlen(text), error);
    return file == NULL ? NULL : app_measure_analysis_new(&file, &name, 1, ask->collective);
}

int app_measure_files(const app_context *context, const app_measure_ask *ask, GError **error)
{
    if (context->output != NULL && context->nargs > 1) {
        g_set_error(error, APP_ERROR, APP_ERROR_USAGE,
                    "--output writes one file divided into its sources, and %u are given",
                    context->nargs);
        return APP_EXIT_USAGE;
    }
    const app_output_place place = {"--output", context->output, false};
    if (!app_output_check(&place, context->nargs, (const char *const *)context->args, error)) {
        return app_error_exit_code(*error);
    }
    g_autofree char *files = g_strjoinv(" ", context->args);
    app_manifest_add(context->manifest, "files", "%s", files);
    g_autoptr(app_measure_analysis) a = read_all(context, ask, error);
    if (a == NULL ||
        (context->output != NULL && !app_measure_write_divided(a, context->output, error))) {
        return APP_EXIT_ERROR;
    }
    if (ask->report != NULL &&
        !app_measure_page_write(a, NULL, context->manifest, ask->report, error)) {
        return APP_EXIT_ERROR;
    }
    if (context->output != NULL) {
        app_context_note(context, "%zu sources in %s, for --noise=%s --without=NAME",
                         a->division->num_sources, context->output, context->output);
    }
    return app_result_write(context, NULL, context->format, &WRITER, a, error) ? APP_EXIT_DONE
                                                                               : APP_EXIT_ERROR;
}
