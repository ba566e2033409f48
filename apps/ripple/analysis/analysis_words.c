/* apps/ripple/analysis/analysis_words.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_analyze. */
#include "analysis/analysis_words.h"

const app_part_words app_part_words_of[SIM_NUM_PARTS] = {
    [SIM_PART_COMPUTE] = {"compute", "compute", NULL, "computation"},
    [SIM_PART_o] = {"o", "o", "times", "CPU overhead of messages"},
    [SIM_PART_O] = {"O", "O", "bytes", "CPU overhead of bytes"},
    [SIM_PART_L] = {"L", "L", "times", "messages on their way"},
    [SIM_PART_S] = {"S", "S", "times", "handshakes of messages larger than S, L each way"},
    [SIM_PART_H] = {"H", "H", "times", "what handshakes take beside that"},
    [SIM_PART_g] = {"g", "g", "times", "interfaces busy with the message before"},
    [SIM_PART_G] = {"G", "G", "bytes", "bytes on the wire"},
    [SIM_PART_DISTANCE] = {"distance", "distance", "switches", "further switches on the way"},
    [SIM_PART_NODE_o] = {"node_o", "node o", "times", "within a node: CPU overhead of messages"},
    [SIM_PART_NODE_O] = {"node_O", "node O", "bytes", "within a node: CPU overhead of bytes"},
    [SIM_PART_NODE_L] = {"node_L", "node L", "times", "within a node: messages on their way"},
    [SIM_PART_NODE_S] = {"node_S", "node S", "times", "within a node: handshakes"},
    [SIM_PART_NODE_H] = {"node_H", "node H", "times", "within a node: what handshakes take beside"},
    [SIM_PART_NODE_g] = {"node_g", "node g", "times",
                         "within a node: busy with the message before"},
    [SIM_PART_NODE_G] = {"node_G", "node G", "bytes", "within a node: bytes on their way"},
    [SIM_PART_PEER_NOISE] = {"peer_noise", "waiting", NULL, "waiting for noise-delayed peers"},
    [SIM_PART_NOISE] = {"noise", "noise", NULL, "noise on the rank that finishes last"},
};

bool app_part_exists(const sim_run_facts *facts, int part)
{
    if (part == SIM_PART_DISTANCE) {
        return facts->L_hop > 0;
    }
    if (part == SIM_PART_H) {
        return facts->params.H > 0;
    }
    if (part == SIM_PART_NODE_H) {
        return facts->has_node && facts->node.H > 0;
    }
    return facts->has_node || part < SIM_PART_NODE_o || part > SIM_PART_NODE_G;
}

const char *const app_cause_keys[SIM_NUM_CAUSES] = {
    [SIM_CAUSE_BEGIN] = "begin",     [SIM_CAUSE_FINISH] = "finish", [SIM_CAUSE_START] = "start",
    [SIM_CAUSE_CPU] = "cpu",         [SIM_CAUSE_NIC] = "nic",       [SIM_CAUSE_MESSAGE] = "message",
    [SIM_CAUSE_RECEIVE] = "receive", [SIM_CAUSE_NOISE] = "noise",
};

const char *const app_type_names[APP_NUM_TYPES] = {
    [SIM_OP_CALC] = "calc", [SIM_OP_SEND] = "send", [SIM_OP_RECV] = "recv"};

char *app_operation_text(uint32_t op)
{
    return op == SIM_ANY ? g_strdup("no operation yet")
                         : g_strdup_printf("operation %" G_GUINT32_FORMAT, op);
}

const char *app_cause_name(unsigned kind)
{
    static const char *const names[SIM_NUM_CAUSES] = {
        [SIM_CAUSE_BEGIN] = "begin",
        [SIM_CAUSE_FINISH] = "finish of an operation",
        [SIM_CAUSE_START] = "start of an operation",
        [SIM_CAUSE_CPU] = "CPU, busy",
        [SIM_CAUSE_NIC] = "NIC, busy",
        [SIM_CAUSE_MESSAGE] = "message",
        [SIM_CAUSE_RECEIVE] = "receive, not posted",
        [SIM_CAUSE_NOISE] = "detours",
    };
    return names[kind];
}

char *app_cause_text(const sim_cause *cause, uint32_t rank)
{
    g_autofree char *own = app_operation_text(cause->op);
    g_autofree char *who = cause->rank != rank
                               ? g_strdup_printf("rank %" G_GUINT32_FORMAT ", %s", cause->rank, own)
                               : g_steal_pointer(&own);
    switch ((sim_cause_kind)cause->kind) {
    case SIM_CAUSE_BEGIN:
        return g_strdup("the run begins");
    case SIM_CAUSE_FINISH:
        return g_strdup_printf("%s finishes", who);
    case SIM_CAUSE_START:
        return g_strdup_printf("%s starts", who);
    case SIM_CAUSE_CPU:
        return g_strdup_printf("CPU, busy with %s", who);
    case SIM_CAUSE_NIC:
        return g_strdup_printf("NIC, busy with %s", who);
    case SIM_CAUSE_MESSAGE:
        return g_strdup_printf("message of %s", who);
    case SIM_CAUSE_RECEIVE:
        return g_strdup_printf("receive of %s", who);
    default:
        return g_strdup("detours");
    }
}
