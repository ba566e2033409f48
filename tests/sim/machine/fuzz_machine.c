/* tests/sim/machine/fuzz_machine.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Any bytes as a machine file: refused with a message, or written and read back the same.
 */
#include "fuzz.h"
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sim_machine) machine =
        sim_machine_load_data("fuzz", (const char *)data, size, &error);
    if (machine == NULL) {
        if (error == NULL || error->message[0] == '\0') {
            abort();
        }
        return 0;
    }
    g_autofree char *ini = sim_machine_to_ini(machine);
    g_autoptr(sim_machine) back = sim_machine_load_data("fuzz", ini, strlen(ini), NULL);
    if (back == NULL) {
        abort();
    }
    g_autofree char *again = sim_machine_to_ini(back);
    if (strcmp(ini, again) != 0) {
        abort();
    }
    return 0;
}
