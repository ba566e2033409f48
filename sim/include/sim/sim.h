/* sim/sim.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file All of the simulator: docs/embed.c. */
#pragma once

#include "ripple_version.h"
#include "sim/error.h"
#include "sim/graph.h"
#include "sim/graph_file.h"
#include "sim/graph_repeat.h"
#include "sim/machine.h"
#include "sim/noise.h"
#include "sim/program.h"
#include "sim/result.h"
#include "sim/run.h"
#include "sim/run_path.h"
#include "sim/run_record.h"
#include "sim/run_wait.h"
#include "sim/sink.h"
#include "sim/slices.h"
#include "sim/time.h"
#include "sim/unit.h"
#include "sim/watch.h"
