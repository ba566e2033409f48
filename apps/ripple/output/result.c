/* apps/ripple/output/result.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_output. */
#include "output/result.h"

bool app_result_write(const app_context *context, const char *path, unsigned format,
                      const app_result_writer *writer, const void *result, GError **error)
{
    app_output *output = app_output_open(path, error);
    if (output == NULL) {
        return false;
    }
    if (format == APP_FORMAT_JSON) {
        g_autoptr(JsonBuilder) builder = json_builder_new();
        json_builder_begin_object(builder);
        app_manifest_build(context->manifest, builder);
        writer->json(result, builder);
        json_builder_end_object(builder);
        app_output_json(output, builder);
    } else {
        app_output_head(output, context->manifest);
        (format == APP_FORMAT_CSV ? writer->csv : writer->text)(result, app_output_stream(output));
    }
    return app_output_close(output, error);
}
