/* sim/machine/machine_preset.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_machine. */
#include "machine/machine_private.h"

#include <string.h>

#define TABLE_III "Hoefler et al., SC'10, Table III"

/* Table III gives L, o and g in us and G in us/B; S and O are those of its simulations. */
#define SC10(name_, description_, L_ns, o_ns, g_ns, G_ps)                                          \
    {                                                                                              \
        .name = (name_), .description = (description_),                                            \
        .params =                                                                                  \
            {                                                                                      \
                .L = (L_ns)*SIM_NS,                                                                \
                .o = (o_ns)*SIM_NS,                                                                \
                .g = (g_ns)*SIM_NS,                                                                \
                .G = (G_ps)*SIM_RATE_PER_PS,                                                       \
                .O = 0,                                                                            \
                .S = 65535,                                                                        \
                .progress = SIM_PROGRESS_POLLING,                                                  \
                .rendezvous = SIM_RENDEZVOUS_HANDSHAKE,                                            \
            },                                                                                     \
        .provenance = {                                                                            \
            [SIM_KEY_L] = TABLE_III,                                                               \
            [SIM_KEY_O] = "SC'10 simulations: none",                                               \
            [SIM_KEY_S] = "SC'10 simulations: 65 kB",                                              \
            [SIM_KEY_PROGRESS] = "default",                                                        \
            [SIM_KEY_RENDEZVOUS] = "default",                                                      \
        },                                                                                         \
    }

/*
 * From Netgauge's loggp tables (1 B to 130,049 B in steps of 1 KiB, n = 10 messages):
 *   o  mean of the columns o_s and o_r at 1 byte.
 *   L  half the round trip of 1 byte (the column L) less o_s and o_r: a simulated ping-pong takes
 * as long as one on the machine. Table III has the column itself, and so have its presets. g
 * (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1) at s = 1: the distance of messages sent back to back. G
 * slope of that distance over s: median of the slopes between all pairs of rows (Theil-Sen) with s
 * >= 16,385, on c5n 65,537, past the change of protocol; the few disturbed rows do not count. S the
 * last size before the round trip jumps. The columns g and G are least-squares lines through the
 * change of protocol and are not used. Of daint, o_s and o_r together are more than the whole way
 * of a message, so they are not CPU time before and after it: sender, wire and receiver have a
 * third of the way each, which is a guess.
 */
#define NETGAUGE "Netgauge loggp "
#define NETGAUGE_PROVENANCE(run, L_, o_, from, S_)                                                 \
    {                                                                                              \
        [SIM_KEY_L] = (NETGAUGE run L_), [SIM_KEY_o] = (NETGAUGE run o_),                          \
        [SIM_KEY_g] = (NETGAUGE run ": distance of 10 messages of 1 B"),                           \
        [SIM_KEY_G] = (NETGAUGE run ": Theil-Sen slope over sizes from " from " B"),               \
        [SIM_KEY_O] = "not measured: none", [SIM_KEY_S] = (S_), [SIM_KEY_PROGRESS] = "default",    \
        [SIM_KEY_RENDEZVOUS] = "default",                                                          \
    }
#define LESS_OVERHEADS ": half the round trip of 1 B less o_s and o_r"
#define MEAN_OVERHEAD  ": mean of o_s and o_r at 1 B"
#define A_THIRD        ": a third of half the round trip of 1 B; its o_s + o_r is more than all of that"

static const sim_machine_preset PRESETS[] = {
    SC10("chic", "CHiC, InfiniBand cluster (SC'10 Table III)", 5330, 770, 1560, 1250),
    SC10("altix", "SGI Altix 4700, NUMAlink (SC'10 Table III)", 1640, 990, 900, 1230),
    SC10("cnl", "BlueGene/P under CNK (SC'10 Table III)", 4770, 2870, 2040, 2670),
    SC10("zeptoos", "BlueGene/P under ZeptoOS (SC'10 Table III)", 8670, 3420, 2810, 2690),
    SC10("xt4", "Cray XT-4 Jaguar, SeaStar (SC'10 Table III)", 9900, 1750, 3400, 580),
    {
        .name = "daint",
        .description = "Cray XC40 Piz Daint, Aries, one rack, quiet hours (Netgauge, 2022)",
        .params = {.L = 437 * SIM_NS,
                   .o = 437 * SIM_NS,
                   .g = 1563 * SIM_NS,
                   .G = 102 * SIM_RATE_PER_PS,
                   .S = 8192},
        .provenance =
            NETGAUGE_PROVENANCE("2022-03-24", A_THIRD, A_THIRD, "16385",
                                "Netgauge loggp 2022-03-24: the round trip jumps above 8 KiB"),
    },
    {
        .name = "azure",
        .description = "Azure HC44rs, InfiniBand EDR, one rack (Netgauge, 2022)",
        .params = {.L = 1409 * SIM_NS,
                   .o = 119 * SIM_NS,
                   .g = 170 * SIM_NS,
                   .G = 111 * SIM_RATE_PER_PS,
                   .S = 65535},
        .provenance = NETGAUGE_PROVENANCE("2022-03-18", LESS_OVERHEADS, MEAN_OVERHEAD, "16385",
                                          "SC'10's 65 kB: the table shows no limit"),
    },
    {
        .name = "c5n",
        .description = "AWS c5n cluster (Netgauge, 2022)",
        .params = {.L = 20165 * SIM_NS,
                   .o = 854 * SIM_NS,
                   .g = 1431 * SIM_NS,
                   .G = 187 * SIM_RATE_PER_PS,
                   .S = 65536},
        .provenance =
            NETGAUGE_PROVENANCE("2022-03-21", LESS_OVERHEADS, MEAN_OVERHEAD, "65537",
                                "Netgauge loggp 2022-03-21: the round trip jumps above 64 KiB"),
    },
};

const sim_machine_preset *sim_machine_preset_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PRESETS); i++) {
        if (strcmp(PRESETS[i].name, name) == 0) {
            return &PRESETS[i];
        }
    }
    return NULL;
}

const char *const *sim_machine_presets(void)
{
    static const char *const names[] = {"chic",  "altix", "cnl", "zeptoos", "xt4",
                                        "daint", "azure", "c5n", NULL};
    return names;
}

const char *sim_machine_preset_description(const char *name)
{
    const sim_machine_preset *preset = sim_machine_preset_find(name);
    return preset != NULL ? preset->description : NULL;
}
