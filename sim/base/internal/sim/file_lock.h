/* sim/file_lock.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Whose is a file that is found? Who uses it holds a lock of the open file, which ends with the
 * process, however that ends; and as it may be removed between opening and locking it, who has the
 * lock looks whether the file still has its name. Tested with what uses it: out_file, sweep_claim.
 */
#pragma once

#include <stdbool.h>

/** Lock all of it against everybody else, without waiting. @return 0 or errno: EAGAIN or EACCES if
 * another has it, something else where there are no locks */
int sim_file_lock(int fd);
/** Is the open file the one that @p name names now? */
bool sim_file_has_name(int fd, const char *name);
