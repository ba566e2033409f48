/* host/host_file.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Small files of the kernel, below a root that is "" on a real machine and a folder in tests.
 * "%u" in a path stands for the number of a CPU.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** The whole text, made valid UTF-8, or NULL. Owned by the caller. */
char *noise_host_file_text(const char *root, const char *path, unsigned cpu);
/** The first line without its end, or NULL. Owned by the caller. */
char *noise_host_file_line(const char *root, const char *path, unsigned cpu);
/** The number that the file begins with; -1: there is none. */
int64_t noise_host_file_number(const char *root, const char *path, unsigned cpu);
/** The number after @p key at the beginning of a line of @p text ("nr_throttled 5"); -1. */
int64_t noise_host_file_value(const char *text, const char *key);
/** Is @p cpu in the kernel's list "0-3,8-9"? */
bool noise_host_file_lists(const char *list, uint32_t cpu);
/** Does a hypervisor run this machine, by the processor's flags? */
bool noise_host_is_guest(const char *root);
