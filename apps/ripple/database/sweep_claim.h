/* apps/ripple/database/sweep_claim.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Which points of a sweep some process is working on, so that several processes share the work. A
 * claim is a lock on one byte of an empty file beside the database: it ends with the process,
 * however that ends, and leaves the database as it is. Where a file system has no locks, every
 * claim succeeds, and work is done twice, with the same result.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct app_sweep_claims app_sweep_claims;

/**
 * Use the database @p path: until they are closed, nobody finds himself alone. To be opened before
 * the database, which who ends may be removing. Owned by the caller.
 */
app_sweep_claims *app_sweep_claims_open(const char *path);
/**
 * Does nobody else use the database? Then nobody does before these are closed: who comes waits.
 * Where there are no locks that cannot be told, and is taken to be so.
 */
bool app_sweep_claims_alone(const app_sweep_claims *claims);
/** All claims made here end; where nobody else is left, the file goes. NULL is a no-op. */
void app_sweep_claims_close(app_sweep_claims *claims);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_sweep_claims, app_sweep_claims_close)

/** @p wait until nobody else has it, or until asked to stop (system/stop.h). @return false: another
 * has */
bool app_sweep_claims_take(const app_sweep_claims *claims, size_t point, bool wait);
void app_sweep_claims_give_back(const app_sweep_claims *claims, size_t point);
