# Recording what cannot be recorded: one line, nothing left behind.
try ripple trace
try ripple trace -- /no/such/program
try ripple trace -- true
try ripple trace --mpi=other -- true
try ripple run
try ripple run -o report -- /no/such/program
files
