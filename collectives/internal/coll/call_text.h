/* coll/call_text.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A collective as users write it: NAME[:ALGORITHM][:BYTES].
 */
#pragma once

#include "coll/algorithm.h"

#define COLL_CALL_FORM "NAME[:ALGORITHM][:BYTES]"

/**
 * "allreduce", "bcast:4Ki", "allreduce:ring:1KiB". Without BYTES: 8, or none for a barrier. Ranks,
 * root, reduction and counts of @p call are left as they are.
 * @param algorithm zeroed where none is named
 * @return false with COLL_ERROR, which says what is wrong with which part
 */
bool coll_call_parse(const char *text, coll_call *call, coll_algorithm *algorithm, GError **error);

/**
 * A call of the v-family has the same count for every partner: the bytes of @p call itself. To be
 * done again where the call is moved.
 */
static inline void coll_call_level(coll_call *call)
{
    call->send_counts = &call->bytes;
    call->recv_counts = &call->bytes;
    call->num_counts = 1;
}
