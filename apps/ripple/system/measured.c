/* apps/ripple/system/measured.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure. */
#include "system/measured.h"

#include "sim/out_file.h"

#include <stdio.h>

bool app_measured_write_text(const char *text, const char *path, GError **error)
{
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    fputs(text, sim_out_file_stream(file));
    return sim_out_file_commit(file, error);
}

bool app_measured_write(const noise_measurement *measured, bool netgauge, const char *path,
                        GError **error)
{
    g_autofree char *text =
        netgauge ? noise_measurement_to_netgauge(measured) : noise_measurement_to_text(measured);
    return app_measured_write_text(text, path, error);
}
