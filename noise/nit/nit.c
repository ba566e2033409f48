/* noise/nit/nit.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_nit_file. */
#include "noise/nit.h"

const char noise_program_user_rule[] =
    "user: its uid is 1000 to 59999, or the service manager has it in a user's slice; or, unless "
    "it is "
    "in a service's, it has a terminal, or a login (loginuid), or the leader of its session was "
    "begun by "
    "another process than 1. Daemon: all others but the kernel's, the job's and the monitor";

const char *noise_program_class_name(noise_program_class kind)
{
    static const char *const NAMES[NOISE_NUM_PROGRAM_CLASSES] = {"daemon", "kernel", "user",
                                                                 "application", "monitor"};
    return NAMES[kind];
}

void noise_nit_free(noise_nit *nit)
{
    if (nit == NULL) {
        return;
    }
    for (size_t i = 0; i < nit->num_nodes; i++) {
        noise_nit_node *node = &nit->nodes[i];
        g_free(node->name);
        g_free(node->boot_id);
        g_free(node->kernel);
        g_free(node->cpus);
        g_free(node->core);
        g_free(node->clocks);
        g_free(node->blind);
    }
    for (size_t i = 0; i < nit->num_threads; i++) {
        g_free(nit->threads[i].name);
        g_free(nit->threads[i].command);
    }
    for (size_t i = 0; i < nit->num_lines; i++) {
        g_free(nit->lines[i].name);
    }
    for (size_t i = 0; i < nit->num_markers; i++) {
        g_free(nit->markers[i].text);
    }
    g_free(nit->nodes);
    g_free(nit->threads);
    g_free(nit->activities);
    g_free(nit->lines);
    g_free(nit->interrupts);
    g_free(nit->steals);
    g_free(nit->markers);
    g_free(nit);
}
