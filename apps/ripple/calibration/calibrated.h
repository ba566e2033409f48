/* apps/ripple/calibration/calibrated.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file The values that a calibration finds. */
#pragma once

typedef enum {
    APP_CALIBRATED_L,
    APP_CALIBRATED_o,
    APP_CALIBRATED_g,
    APP_CALIBRATED_G,
    APP_CALIBRATED_O,
    APP_CALIBRATED_H,   /* 0 unless it can be told from nothing: app_calibration.has_handshake */
    APP_CALIBRATED_WAY, /* L + 2 o: half a round trip of 1 byte, which is measured as such */
    APP_NUM_CALIBRATED
} app_calibrated;
