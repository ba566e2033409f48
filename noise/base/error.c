/* noise/base/error.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
#include "noise/error.h"

GQuark noise_error_quark(void)
{
    return g_quark_from_static_string("noise-error");
}
