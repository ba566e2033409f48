/* classes/class_facts.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What classes are found from, beside the detours.
 */
#pragma once

#include "host/ran.h"
#include "host/witness.h"

#include <stdbool.h>

/* Beside what was witnessed: what is known of the whole window. */
typedef struct noise_class_facts {
    const noise_witness *witness;       /* [num_cpus] */
    const noise_ran_counts *ran_before; /* names of threads; NULL: none are known */
    const noise_ran_counts *ran_after;
    uint32_t hz;   /* ticks of the kernel a second; 0: not known */
    bool is_guest; /* a hypervisor runs this machine */
} noise_class_facts;
