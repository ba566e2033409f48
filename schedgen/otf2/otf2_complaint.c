/* schedgen/otf2/otf2_complaint.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2_refused. */
/* What OTF2 complains of is kept for our message instead of printed. */
#include "otf2/otf2_private.h"

#include <stdarg.h>

static _Thread_local char complaint[512];

G_GNUC_PRINTF(6, 0) /* a va_list */
static OTF2_ErrorCode on_error(void *user, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function;
    if (complaint[0] == '\0') { /* the first is the cause */
        g_vsnprintf(complaint, sizeof complaint, format, arguments);
        if (complaint[0] == '\0') {
            g_strlcpy(complaint, OTF2_Error_GetDescription(code), sizeof complaint);
        }
        g_strdelimit(complaint, "\n", ' ');
    }
    return code;
}

const char *sched_otf2_complaint(void)
{
    static _Thread_local char last[sizeof complaint];
    g_strlcpy(last, complaint[0] != '\0' ? complaint : "the library does not say why", sizeof last);
    complaint[0] = '\0';
    return last;
}

void sched_otf2_complaints_begin(void)
{
    (void)OTF2_Error_RegisterCallback(on_error, NULL);
    complaint[0] = '\0';
}
