# Recording what cannot be recorded: one line, nothing left behind.
try ripple trace
try ripple trace -- /no/such/program
try ripple trace -- true
try ripple trace --mpi=other -- true
try ripple run
try ripple run -o report -- /no/such/program
: >file
ln -s round round
mkdir -p begun/traces
try ripple trace -o file -- true
try ripple trace -o round -- true
try ripple trace -o begun -- true
try ripple trace -o new/folder -- true
# Open MPI's launcher takes variables for each of several programs by itself.
printf '%s\n' '#!/bin/sh' 'for word; do printf "%s\\n" "${word%%=*}"; done' >orterun
chmod +x orterun
try ripple trace -o several -- ./orterun -n 1 one : -n 2 two
files
