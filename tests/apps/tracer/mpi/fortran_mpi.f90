! tests/apps/mpi/fortran_mpi.f90 — SPDX-License-Identifier: GPL-3.0-or-later
! A ring, requests, a sub-communicator and collectives through the module mpi; test_tracer counts the calls.
program fortran_mpi
    use mpi
    implicit none
    integer :: rank, size, to, from, ierr, sub, i
    integer :: request(2), status(MPI_STATUS_SIZE)
    double precision :: v(10), w(10)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    to = mod(rank + 1, size)
    from = mod(rank + size - 1, size)
    v = rank
    do i = 1, 3
        call MPI_Irecv(w, 10, MPI_DOUBLE_PRECISION, from, i, MPI_COMM_WORLD, request(1), ierr)
        call MPI_Isend(v, 10, MPI_DOUBLE_PRECISION, to, i, MPI_COMM_WORLD, request(2), ierr)
        call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
    end do
    call MPI_Sendrecv(v, 5, MPI_DOUBLE_PRECISION, to, 9, w, 5, MPI_DOUBLE_PRECISION, from, 9, &
                      MPI_COMM_WORLD, status, ierr)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, sub, ierr)
    call MPI_Allreduce(MPI_IN_PLACE, v, 4, MPI_DOUBLE_PRECISION, MPI_SUM, sub, ierr)
    call MPI_Bcast(v, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    call MPI_Comm_free(sub, ierr)
    call MPI_Pcontrol(0)
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
    call MPI_Pcontrol(1)
    call MPI_Finalize(ierr)
end program
