/* noise/monitor/node_facts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the head of a node's file says: which node, its CPUs and clocks, and whether we can see.
 */
#pragma once

#include "noise/nit.h"

/** CLOCK_MONOTONIC, ns. @p unused makes it a clock of noise_sampler. */
uint64_t noise_node_now(void *unused);
/** All clocks, read within a microsecond. */
noise_nit_clocks noise_node_clocks(void);
/** Name to .blind, and the first clocks. @return owned by the caller, as of noise_nit_free() */
noise_nit_node *noise_node_facts(int proc);
void noise_node_facts_free(noise_nit_node *node);
/**
 * Why not all that runs on this node can be seen; NULL: all can. Owned by the caller.
 * @param privileged may look at the processes of others whatever the mount says
 */
char *noise_node_blind(int proc, bool privileged);
