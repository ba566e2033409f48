# A program against the clock; a script stands for the launcher and leaves always the same times and record.
shown() { sed 's/Of the command, [^ ]* lie/Of the command, TIME lie/'; }
{ ripple validate --machine=xt4 --runs=6 -q -- data/launcher/orterun -n 4 2>&1; echo "exit $?"; } | shown
{ ripple validate --machine=xt4 --set=L=0 --tolerance=90% --runs=1 -- data/launcher/orterun -n 4 2>&1; echo "exit $?"; } | shown | head -21
echo "ranks share a CPU"
{ SHARED=1 ripple validate --machine=azure --runs=2 -q -- data/launcher/orterun -n 4 2>&1; echo "exit $?"; } | shown
ripple validate --machine=azure --runs=2 -q --format=csv -- data/launcher/orterun -n 4 2>/dev/null
echo "a page"
ripple validate --machine=azure --runs=2 -q --report=pages -- data/launcher/orterun -n 4 >/dev/null 2>&1; ls pages
ls -d ripple-validate-* 2>/dev/null
echo "what is refused"
RANKS=3 try ripple validate -q --machine=xt4 -- data/launcher/orterun -n 3
try ripple validate
try ripple validate something -- true
try ripple validate --machine=xt4 -- /no/such/program
try ripple validate --machine=nothing -- true
try ripple validate --machine=xt4 --runs=0 -- true
try ripple validate --machine=xt4 --tolerance=0 -- true
try ripple validate --machine=xt4 --tolerance=5x -- true
try ripple validate --machine=xt4 --coll=allreduce=circle -- true
try ripple validate -- data/launcher/orterun -n 4
try ripple validate --machine=xt4 --mpi=lam -- data/launcher/orterun
