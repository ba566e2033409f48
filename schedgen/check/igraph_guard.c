/* schedgen/check/igraph_guard.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_check, cli_output. */
#include "check/igraph_private.h"

/* What igraph said first; later reports only say through whose hands it went. */
static _Thread_local char reason[200];

static void on_error(const char *text, const char *file, int line, igraph_error_t code)
{
    (void)file;
    (void)line;
    if (reason[0] == '\0') {
        (void)g_snprintf(reason, sizeof reason, "%s (%s)", text, igraph_strerror(code));
    }
    IGRAPH_FINALLY_FREE();
}

static void on_warning(const char *text, const char *file, int line)
{
    (void)text;
    (void)file;
    (void)line;
}

bool sched_igraph_run(sched_igraph_work *work, void *context, GError **error)
{
    igraph_error_handler_t *old_error = igraph_set_error_handler(on_error);
    igraph_warning_handler_t *old_warning = igraph_set_warning_handler(on_warning);
    igraph_attribute_table_t *old_table = igraph_set_attribute_table(&igraph_cattribute_table);
    reason[0] = '\0';
    const igraph_error_t code = work(context);
    (void)igraph_set_attribute_table(old_table);
    (void)igraph_set_warning_handler(old_warning);
    (void)igraph_set_error_handler(old_error);
    if (code != IGRAPH_SUCCESS) {
        g_set_error(error, SCHED_ERROR, SCHED_ERROR_UNSUPPORTED, "igraph: %s",
                    reason[0] != '\0' ? reason : igraph_strerror(code));
    }
    return code == IGRAPH_SUCCESS;
}
