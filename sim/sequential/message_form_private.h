/* sim/sequential/message_form_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What messages and receives have in common: size, tag, communicator, and so what their bytes
 * cost. Programs have few different ones, so each is kept once and called by number: a pending
 * event has room for no more.
 */
#pragma once

#include "sim/machine.h"
#include "sim/program.h"

typedef struct message_form {
    int64_t size;
    uint32_t tag;
    uint32_t comm;
    sim_time G; /* b·G */
    sim_time O; /* b·O */
} message_form;

typedef struct message_forms {
    message_form *form; /* [num_forms]; numbers count from 0 */
    uint32_t num_forms, cap_forms;
    uint32_t *slot; /* [mask + 1] number + 1; 0: free; at most half full */
    uint32_t mask;
    sim_rate G, O;
} message_forms;

void sim_message_forms_init(message_forms *forms, const sim_params *params);
void sim_message_forms_clear(message_forms *forms);
/** The number of what @p op, a send or receive, has in common with others. O(1) expected. */
uint32_t sim_message_forms_number(message_forms *forms, const sim_op *op);
