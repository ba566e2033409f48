/* sim/byte_order_mark.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Some editors put a byte order mark before a text. No reader here accepts one; and since it is
 * invisible, each error says that it is there.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIM_BYTE_ORDER_MARK_BYTES = 3 }; /* the longest */

/**
 * Does @p text [@p len] begin with a byte order mark, of UTF-8 or UTF-16? If so, set @p error to
 * @p domain and @p code, with a message that names line 1 of @p name.
 * @return true if there is none
 */
bool sim_byte_order_mark_refuse(const char *name, const char *text, size_t len, GQuark domain,
                                int code, GError **error);
/** The same for a file; true for what cannot be read. */
bool sim_byte_order_mark_refuse_file(const char *path, GQuark domain, int code, GError **error);
