/* apps/ripple/pages/packed_column.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A column of numbers as a page carries it: few bytes each, deflated, in base64. script/data.js
 * unpacks it.
 */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    APP_COLUMN_BYTES,  /* 0..255, one byte each */
    APP_COLUMN_COUNTS, /* >= 0; small ones take few bytes */
    APP_COLUMN_SIGNED, /* close to 0 on either side */
    APP_COLUMN_STEPS,  /* each close to the one before it */
} app_column_kind;

typedef struct app_column app_column;

/** @return owned by the caller */
app_column *app_column_new(app_column_kind kind);
void app_column_free(app_column *column); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_column, app_column_free)

/** @param value within what the kind allows, and |value| <= 2^61 */
void app_column_add(app_column *column, int64_t value);
/** Of a column of bytes: many at once. */
void app_column_add_bytes(app_column *column, const uint8_t *values, size_t n);
/** Nothing is added any more. The same numbers always give the same bytes. */
void app_column_close(app_column *column);
/** Of a closed column: bytes that it takes in the page, roughly. */
size_t app_column_size(const app_column *column);
/** A closed column as member @p name of the object that is being built. */
void app_column_build(const app_column *column, const char *name, JsonBuilder *builder);
