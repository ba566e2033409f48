/* tests/support/seeds.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * On how many random inputs a property is tried.
 */
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Of n inputs that the plain build judges, a sanitizer sees the first fifth: it looks for errors of
 * memory and of the language on each path, and the common ones are all taken by then. Of sizes that
 * are tried one by one it sees one in eleven: a prime, so that what else varies with the size still
 * meets everything. */
#ifdef SANITIZED
#define SEEDS(n) (((n) + 4) / 5)
#define EVERY    11
#else
#define SEEDS(n) (n)
#define EVERY    1
#endif
