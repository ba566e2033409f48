/* coll/coll.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file All of the collectives. */
#pragma once

#include "coll/algorithm.h"
#include "coll/kind.h"
#include "coll/program.h"
