/* tests/support/seeds.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * On how many random inputs a property is tried.
 */
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* Of n inputs that the plain build judges, a sanitizer sees the first fifth: it looks for errors of
 * memory and of the language on each path, and the common ones are all taken by then. Of sizes that
 * are tried one by one it sees one in eleven: a prime, so that what else varies with the size still
 * meets everything. */
#define SEEDS(n) (IS_SANITIZED ? ((n) + 4) / 5 : (n))
#define EVERY    (IS_SANITIZED ? 11 : 1)
