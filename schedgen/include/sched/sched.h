/* sched/sched.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file All of traces and schedules. */
#pragma once

#include "sched/check.h"
#include "sched/convert.h"
#include "sched/error.h"
#include "sched/goal.h"
#include "sched/liballprof.h"
#include "sched/otf2.h"
#include "sched/pattern.h"
#include "sched/rank_source.h"
#include "sched/reader.h"
#include "sched/regrid.h"
#include "sched/replay.h"
#include "sched/simgrid.h"
#include "sched/trace.h"
#include "sched/writer.h"
