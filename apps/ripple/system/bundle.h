/* apps/ripple/system/bundle.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Files that ship with Ripple, found from where the program itself is: so an installation can be
 * moved as a whole, and the program runs from its build folder.
 */
#pragma once

/**
 * Path of @p name in the first of @p folders (NULL-terminated, relative to the program's folder)
 * that has it, owned by the caller; NULL if none has.
 */
char *app_bundle_find(const char *const *folders, const char *name);
