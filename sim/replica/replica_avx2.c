/* sim/replica/replica_avx2.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
/* The loops over replicas, compiled for AVX2. */
#define REPLICA_KERNEL sim_replica_avx2
#define REPLICA_NAME   "avx2"
#include "replica/replica_kernel.inl"
