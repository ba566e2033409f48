/* apps/ripple/system/tasks.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Tasks on several threads, all of which have ended afterwards: a thread that lingers, as those of
 * a GThreadPool do, may hold the allocator's lock when the process forks, and the child then waits
 * for it for ever where the allocator does not mind forks (that of AddressSanitizer).
 */
#pragma once

#include <stddef.h>

/** Do task @p i; called by any thread, for several tasks at a time. */
typedef void app_task(void *data, size_t i);

/**
 * Do tasks 0 .. @p n - 1, begun in this order, @p at_once (at least 1) at a time, on threads of
 * their own. Where the system gives fewer threads, they do all of it, where it gives none, the
 * caller does.
 */
void app_tasks_do(size_t n, unsigned at_once, app_task *task, void *data);
