/* apps/ripple/system/measured.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure. */
#include "system/measured.h"

#include "sim/out_file.h"

#include <stdio.h>

double app_measured_share(const noise_selfish_cpu *cpu)
{
    sim_time stolen = 0;
    for (size_t i = 0; i < cpu->n; i++) {
        stolen += cpu->length[i];
    }
    return cpu->duration > 0 ? (double)stolen / (double)cpu->duration : 0.0;
}

bool app_measured_write(const noise_selfish_result *measured, const char *path, GError **error)
{
    g_autofree char *text = noise_selfish_to_text(measured);
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    fputs(text, sim_out_file_stream(file));
    return sim_out_file_commit(file, error);
}
