/* apps/ripple/validation/validation_print.h — SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "validation/validation.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

void app_validation_print(const app_validation *validation, FILE *out);
void app_validation_print_csv(const app_validation *validation, FILE *out);
/** Add its members to the object being built. */
void app_validation_build(const app_validation *validation, JsonBuilder *builder);
