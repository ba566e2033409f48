/* tracer/protocol.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How a program is recorded: preload the library of its MPI implementation and set the
 * environment. `ripple trace` does this; by hand:
 *
 *     RIPPLE_TRACE_DIR=run1 mpirun -x RIPPLE_TRACE_DIR -x LD_PRELOAD=.../libripple-trace-openmpi.so
 *
 * The anchor file of the archive is $RIPPLE_TRACE_DIR/traces.otf2.
 */
#pragma once

#define TRACER_LIBRARY_OPENMPI "libripple-trace-openmpi.so" /* in <libdir>/ripple */
#define TRACER_LIBRARY_MPICH   "libripple-trace-mpich.so"

/** Folder of the archive; created if need be. One that already holds an archive is refused. */
#define TRACER_ENV_DIR     "RIPPLE_TRACE_DIR"
#define TRACER_DEFAULT_DIR "ripple-trace"
/** Base name of the archive's files in that folder, and the anchor file. */
#define TRACER_ARCHIVE "traces"
#define TRACER_ANCHOR  TRACER_ARCHIVE ".otf2"

/** "1": nodes are recorded as "node 0", "node 1", ..., not by their host names. */
#define TRACER_ENV_ANONYMOUS "RIPPLE_TRACE_ANONYMOUS"
/** "measure": clock offsets are measured between all ranks, even those that share one clock. */
#define TRACER_ENV_CLOCK "RIPPLE_TRACE_CLOCK"
/** "1": the calls are mined (NoiseMiner) while the program runs; rank 0 leaves what was found in
 * TRACER_MINE_FILE, or, of a program that ends before MPI_Finalize, each rank in TRACER_MINE_PART
 * with its number; both beside where the anchor is or would be. "only": and no archive is written.
 */
#define TRACER_ENV_MINE  "RIPPLE_TRACE_MINE"
#define TRACER_MINE_FILE "mine.synopsis"
#define TRACER_MINE_PART "mine."
/** Seconds: each rank writes its part in a call about so often. */
#define TRACER_ENV_MINE_EVERY "RIPPLE_TRACE_MINE_EVERY"
/** A model of interference (docs/interference.md): while the program runs, each rank hands on how
 * long the typical sequences of its calls took, in the file detect.RANK beside where the anchor is
 * or would be (noise/sample_record.h). Only rank 0 reads the model. */
#define TRACER_ENV_DETECT "RIPPLE_TRACE_DETECT"
/** "0": no archive is written. */
#define TRACER_ENV_ARCHIVE "RIPPLE_TRACE_ARCHIVE"
/** "1": each rank records when its threads were not on a CPU, in the file switches.RANK beside the
 * anchor, where the kernel lets it. */
#define TRACER_ENV_SWITCHES "RIPPLE_TRACE_SWITCHES"
/** "1": nothing is recorded; rank 0 writes how long each rank was between MPI_Init and MPI_Finalize
 * to TRACER_SPAN_FILE in the folder, which has to be there: after two lines that begin with '#', a
 * line for each rank, `RANK WALL_NS CPU_NS PREEMPTED FIRST_CPU LAST_CPU ALLOWED_CPUS HOST`. */
#define TRACER_ENV_SPAN  "RIPPLE_TRACE_SPAN"
#define TRACER_SPAN_FILE "spans"
