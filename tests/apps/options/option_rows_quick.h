/* tests/apps/options/option_rows_quick.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of quick, which simulates up to a million ranks: tests/cli/quick.sh runs it once. Here: that
 * every option is looked at before. */
#pragma once

#include "option_row_macros.h"

#define QUICK_ROWS                                                                                 \
    REFUSED("quick", "--cpus", "", "--cpus=1000000", "--cpus: "),                                  \
        REFUSED("quick", "--time", "", "--time=0", "--time: no time to measure in"),               \
        REFUSED("quick", "--budget", "", "--budget=0", "--budget: no time to work in"),            \
        SAYS("quick", "--budget", "--time=50ms -q", "--budget=1s",                                 \
             "Left out, having no room in --budget: "),                                            \
        SAYS("quick", "--without", "--time=50ms -q", "--without=nobody",                           \
             "--without: noise .*no component to leave out is called 'nobody'"),                   \
        SAYS("quick", "--no-symmetry", "--time=50ms --budget=1s -q --format=json",                 \
             "--no-symmetry", "\\A(?=[\\s\\S]*\"series\")(?![\\s\\S]*representatives)"),           \
        REFUSED("quick", "--machine", "", "--machine=xt5", "--machine: no such machine"),          \
        REFUSED("quick", "--set", "", "--set=L=never", "--set: L: not a time"),                    \
        REFUSED("quick", "--ranks-per-node", "", "--ranks-per-node=0", "--ranks-per-node: "),      \
        REFUSED("quick", "--placement", "", "--placement=cyclic", IDLE "with one rank on a node"), \
        REFUSED("quick", "--threads-per-rank", "", "--threads-per-rank=x",                         \
                "--threads-per-rank: "),                                                           \
        REFUSED("quick", "--cores-per-node", "", "--cores-per-node=1 --ranks-per-node=2",          \
                "too few"),                                                                        \
        REFUSED("quick", "--format", "", "--format=xml", "--format: 'xml' is none of"),            \
        REFUSED("quick", "--seed", "", "--seed=-1", "--seed: '-1' is not a whole number"),         \
        REFUSED("quick", "--threads", "", "--threads=0", "--threads: '0' is not a whole number"),  \
        REFUSED("quick", "--time-limit", "", "--time-limit=0", "--time-limit: no time"),           \
        SAYS("quick", "--output", "--time=1s", "--output=data/pair.goal", "data/pair.goal"),       \
        SAYS("quick", "--quiet", "--help", "-q", "^Usage: ripple quick"),                          \
        SAYS("quick", "--help", "", "--help", "^Usage: ripple quick")
