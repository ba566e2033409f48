/* noise/files/decimal.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Decimal numbers as exact times.
 */
#pragma once

#include "sim/time.h"

/**
 * The decimal number at *@p at times 10^@p power, rounded to nearest, without a double between:
 * "%lf" of the tools that read and write such files, as far as it makes sense for a time.
 * @param at moved behind the number, on success only
 * @return -1 if it is not a number, is negative, or is above SIM_TIME_MAX
 */
sim_time noise_decimal_parse(const char **at, int power);
