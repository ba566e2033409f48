/* noise/noise.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file All of the noise. */
#pragma once

#include "noise/decomposition.h"
#include "noise/detour_file.h"
#include "noise/detour_statistics.h"
#include "noise/detour_trace.h"
#include "noise/error.h"
#include "noise/ftq_spectrum.h"
#include "noise/grammar.h"
#include "noise/injection.h"
#include "noise/interference.h"
#include "noise/measurement.h"
#include "noise/miner.h"
#include "noise/miner_event.h"
#include "noise/monitor.h"
#include "noise/nit.h"
#include "noise/provenance.h"
#include "noise/random.h"
#include "noise/sequences.h"
#include "noise/signature.h"
#include "noise/tail.h"
