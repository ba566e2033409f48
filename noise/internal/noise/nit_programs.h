/* noise/nit_programs.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which threads of a watched node are one program. Not installed.
 */
#pragma once

#include "noise/nit.h"

G_BEGIN_DECLS

/**
 * The family of a kernel thread: "kworker/u8:2-events" is a "kworker", "migration/1" a "migration";
 * "irq/24-nvme0q1" stays. Other names are as they are. Owned by the caller.
 */
char *noise_program_family(const char *name, noise_program_class kind);

/**
 * What the program of each thread is called: as the first thread of its process, since others of it
 * may have names of their own; of a kernel thread, its family. O(threads)
 * @return [nit->num_threads] and NULL, owned by the caller
 */
char **noise_nit_programs(const noise_nit *nit);

G_END_DECLS
