/* sim/file_lock.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Is a file that was found in use? Its user holds a lock of the open file, which ends with the
 * process, however that ends. The file may be removed between opening and locking it; so whoever
 * has the lock checks that the file still has its name. Tested with its users: out_file,
 * sweep_claim.
 */
#pragma once

#include <stdbool.h>

/** Lock all of the file against everybody else, without waiting. @return 0 or errno: EAGAIN or
 * EACCES if another process has it, something else where there are no locks */
int sim_file_lock(int fd);
/** Is the open file the one that @p name names now? */
bool sim_file_has_name(int fd, const char *name);
