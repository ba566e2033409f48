/* sim/replica/replica_portable.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
/* The loops over replicas, compiled for the vectors that every processor of this kind has. */
#define REPLICA_KERNEL sim_replica_portable
#define REPLICA_NAME   "portable"
#include "replica/replica_kernel.inl"
