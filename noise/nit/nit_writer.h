/* noise/nit/nit_writer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Writes the file of a watched node while it is watched. Who adds records never waits: they go to
 * one of two buffers, and a thread of the writer deflates and writes the other. Records are
 * dropped, and counted, where the disk is slower than that.
 */
#pragma once

#include "nit/nit_format.h"
#include "noise/nit.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct noise_nit_writer noise_nit_writer;

/**
 * Create @p path, or empty it, and write the head: what is known of @p node before the watch begins
 * (name to blind, and its first clocks, of which begin is the CLOCK_MONOTONIC).
 * @return owned by the caller; NULL with G_FILE_ERROR
 */
noise_nit_writer *noise_nit_writer_new(const char *path, const noise_nit_node *node,
                                       GError **error);
/** Write what is left, and that the watch ended at @p end; frees. @return false with G_FILE_ERROR
 */
bool noise_nit_writer_close(noise_nit_writer *writer, uint64_t end, GError **error);

/*
 * Adding records: one thread at a time, some 30 ns each, no allocation.
 */
/** @return its index, for activities; UINT32_MAX: dropped */
uint32_t noise_nit_writer_thread(noise_nit_writer *writer, const noise_nit_thread *thread);
/** @param goes_on the next record of this thread, from where this one ends, belongs to it */
void noise_nit_writer_activity(noise_nit_writer *writer, const noise_nit_activity *activity,
                               bool goes_on);
/** @return its index; UINT32_MAX: dropped */
uint32_t noise_nit_writer_line(noise_nit_writer *writer, const noise_nit_line *line);
void noise_nit_writer_interrupts(noise_nit_writer *writer, const noise_nit_interrupts *interrupts);
void noise_nit_writer_steal(noise_nit_writer *writer, const noise_nit_steal *steal);
void noise_nit_writer_marker(noise_nit_writer *writer, const noise_nit_marker *marker);
void noise_nit_writer_clocks(noise_nit_writer *writer, const noise_nit_clocks *clocks);
/** seen->lost is filled in. */
void noise_nit_writer_seen(noise_nit_writer *writer, nit_seen *seen);
/** What was added so far goes to the disk, unless the writer is still busy: then a little later. */
void noise_nit_writer_spill(noise_nit_writer *writer, uint64_t now);
/** CPU time of the writer's thread so far, ns. */
uint64_t noise_nit_writer_cpu_ns(const noise_nit_writer *writer);
