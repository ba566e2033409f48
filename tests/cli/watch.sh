# Watching while a program is recorded: what is refused, and what a program without MPI leaves.
try ripple trace --watch --max-cpu=none -- true
try ripple trace --watch --max-cpu=0 -- true
try ripple trace --max-cpu=1% -- true
try ripple run --watch nothing.goal
try ripple trace --watch -o w --mpi=openmpi -- true
files
