/* apps/ripple/options/options.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The options of a verb, in groups: one table from which parsing, --help, the man page and the
 * shell completion are made.
 *
 * Conventions that the table's readers rely on: an entry's description states unit and default
 * ("simulated runs [10]"); an arg_description of lower-case words joined by '|' is the list of
 * possible values; one like "[=SIGMA]" says that the value may be left out: the variable (of
 * G_OPTION_ARG_STRING) is then the empty string.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_option_group {
    const char *title;
    GArray *entries; /* of GOptionEntry */
} app_option_group;

typedef struct app_options app_options;

app_options *app_options_new(void);
void app_options_free(app_options *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_options, app_options_free)

/** Append a group; copies the entries (ending with {NULL}), borrows the strings in them. */
void app_options_add(app_options *options, const char *title, const GOptionEntry *entries);
/** Keep @p text until the options are freed: for strings put together at run time. */
const char *app_options_keep(app_options *options, char *text);

guint app_options_num_groups(const app_options *options);
const app_option_group *app_options_group(const app_options *options, guint i);
/** May the value be left out? */
bool app_option_is_optional(const GOptionEntry *entry);
/** "--machine=FILE|PRESET", "-o, --output=FILE", "--cosched[=SIGMA]". Owned by the caller. */
char *app_option_synopsis(const GOptionEntry *entry);

/**
 * Parse @p argv in place (GOption's way); what is left in it are the positional arguments. Fills
 * the variables the entries point to.
 * @return false with an error of usage, with a suggestion for an unknown option
 */
bool app_options_parse(app_options *options, char ***argv, GError **error);

/** An option that was given, or not, and where it has no effect; NULL: here it has one. */
typedef struct app_option_use {
    const char *name; /* "--replicas" */
    bool given;
    const char *idle; /* "without noise" */
} app_option_use;

/**
 * What is asked for and has no effect is a mistake, not a wish: an error of usage that names the
 * first of @p uses [n] which is given and idle: "--replicas has no effect without noise".
 */
bool app_options_refuse_idle(const app_option_use *uses, size_t n, GError **error);

/**
 * A list has a value twice: an error of usage that names it, @p text, and how it was written
 * @p before. @return false
 */
bool app_refuse_double(const char *text, const char *before, GError **error);

/** A whole number in [@p min, @p max], else an error of usage naming @p option. */
bool app_parse_unsigned(const char *option, const char *text, uint64_t min, uint64_t max,
                        uint64_t *out, GError **error);
/** @p words (NULL-terminated) with @p separator between them. Owned by the caller. */
char *app_join(const char *const *words, const char *separator);
/** One of @p names (NULL-terminated): its index, else an error of usage that lists them. */
bool app_parse_choice(const char *option, const char *text, const char *const *names, unsigned *out,
                      GError **error);
