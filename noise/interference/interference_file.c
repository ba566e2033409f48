/* noise/interference/interference_file.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_model_text. */
#include "noise/interference_file.h"

#include "noise/error.h"
#include "sim/out_file.h"

#include <stdlib.h>

bool noise_interference_model_save(const noise_interference_model *model, const char *path,
                                   GError **error)
{
    size_t size = 0;
    char *text = noise_interference_model_text(model, &size);
    if (text == NULL) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, "%s: no memory for the model",
                    sim_out_file_name(path));
        return false;
    }
    g_autoptr(sim_out_file) file = sim_out_file_open(path, error);
    if (file != NULL) {
        fwrite(text, 1, size, sim_out_file_stream(file)); /* committing sees what failed */
    }
    free(text);
    return file != NULL && sim_out_file_commit(g_steal_pointer(&file), error);
}

noise_interference_model *noise_interference_model_open(const char *path, GError **error)
{
    noise_interference_error why = {0};
    noise_interference_model *model = noise_interference_model_load(path, &why);
    if (model == NULL) {
        g_set_error_literal(error, NOISE_ERROR, NOISE_ERROR_BAD_FILE, why.text);
    }
    return model;
}
