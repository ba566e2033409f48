! tests/apps/mpi/fortran_mpi_f08.f90 — SPDX-License-Identifier: GPL-3.0-or-later
! A ring, requests, a sub-communicator and collectives through the module mpi_f08; test_tracer counts the calls.
program fortran_mpi_f08
    use mpi_f08
    implicit none
    integer :: rank, size, to, from, i
    type(MPI_Comm) :: sub
    type(MPI_Request) :: request(2)
    type(MPI_Status) :: status
    double precision :: v(10), w(10)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    to = mod(rank + 1, size)
    from = mod(rank + size - 1, size)
    v = rank
    do i = 1, 3
        call MPI_Irecv(w, 10, MPI_DOUBLE_PRECISION, from, i, MPI_COMM_WORLD, request(1))
        call MPI_Isend(v, 10, MPI_DOUBLE_PRECISION, to, i, MPI_COMM_WORLD, request(2))
        call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
    end do
    call MPI_Sendrecv(v, 5, MPI_DOUBLE_PRECISION, to, 9, w, 5, MPI_DOUBLE_PRECISION, from, 9, &
                      MPI_COMM_WORLD, status)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, sub)
    call MPI_Allreduce(MPI_IN_PLACE, v, 4, MPI_DOUBLE_PRECISION, MPI_SUM, sub)
    call MPI_Bcast(v, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
    call MPI_Comm_free(sub)
    call MPI_Pcontrol(0)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Pcontrol(1)
    call MPI_Finalize()
end program
