/* tests/noise/detours/test_signature_redraw.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "noise/signature.h"

/* All replicas of a seed share a list of some 100 detours unless it is drawn anew. */
static void other_replicas_are_other_machines(void)
{
    static const struct {
        const char *text;
        bool drawn;
    } ROWS[] = {{"fixed:10Hz:2ms", false},
                {"poisson:1s:1ms", true},
                {"tick:10ms:1us:7us", true},
                {"fixed:10Hz:2ms+fixed:7Hz:1ms", true},
                {"none", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        g_autoptr(noise_signature) first = noise_signature_parse(ROWS[i].text, 5, NULL);
        g_autoptr(noise_signature) same = noise_signature_redraw(first, 5, 0, NULL);
        g_autoptr(noise_signature) other = noise_signature_redraw(first, 5, 1, NULL);
        CHECK_I64(noise_signature_is_drawn(first), ROWS[i].drawn, "%s", ROWS[i].text);
        const noise_detour_trace *a = noise_signature_trace(first, 0);
        const noise_detour_trace *b = noise_signature_trace(same, 0);
        const noise_detour_trace *c = noise_signature_trace(other, 0);
        if (a == NULL) {
            continue;
        }
        bool equal = true;
        for (size_t k = 0; k < noise_detour_trace_count(a); k++) {
            CHECK_I64(noise_detour_trace_start(b, k), noise_detour_trace_start(a, k));
            equal = equal && noise_detour_trace_start(c, k) == noise_detour_trace_start(a, k) &&
                    noise_detour_trace_length(c, k) == noise_detour_trace_length(a, k);
        }
        CHECK_I64(equal, !ROWS[i].drawn, "%s", ROWS[i].text);
    }
}

SUITE_MAIN("signature_redraw", TEST(other_replicas_are_other_machines))
