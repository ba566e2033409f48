/* tests/apps/option_rows.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Every option of every verb: where it takes effect and where it is refused. A new option needs a
 * row here, or test_option_effects fails and names it.
 */
#pragma once

#include <stddef.h>

typedef enum {
    OPTION_DIFFERS, /* base with the option comes to something else than base */
    OPTION_SAME,    /* it never changes a result, and says so in its help */
    OPTION_REFUSED, /* exit 2 and one line with these words; nothing on standard output */
    OPTION_SAYS,    /* what comes matches this regular expression */
    OPTION_HUSHES,  /* base says these words, with the option it does not */
    OPTION_TRACED,  /* as DIFFERS, where the tracer for Open MPI was built */
} option_effect;

typedef struct option_row {
    const char *verb;   /* "": the command itself */
    const char *option; /* "--machine" */
    option_effect effect;
    const char *base;  /* the situation: other words, as to a shell; files are in the folders
                          data, testdata and traces */
    const char *given; /* the option; it comes before the base */
    const char *words; /* or NULL */
} option_row;

extern const option_row option_rows[];
extern const size_t num_option_rows;
