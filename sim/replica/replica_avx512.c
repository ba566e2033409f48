/* sim/replica/replica_avx512.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_replica. */
/* The loops over replicas, compiled for AVX-512. */
#define REPLICA_KERNEL sim_replica_avx512
#define REPLICA_NAME   "avx512"
#include "replica/replica_kernel.inl"
