# What is seen depends on the machine; how it is said does not.
ripple monitor --rate=100Hz --time=300ms -o out.nit >summary 2>messages
echo "exit $?"
head -n 1 summary
cat messages
ripple monitor --dump out.nit | cut -d' ' -f 1 | grep -x -e node -e clocks -e seen | uniq -c
# a folder: a file by the name of the node
mkdir nodes
ripple monitor --time=100ms -q -o nodes --format=csv | sed -n '2s/,.*//p'
[ -s "nodes/$(uname -n).nit" ] && echo "a file for this node"
# it ends with the command, whose end it says; its child is the application
ripple monitor -q -o out.nit --format=json -- sh -c 'exit 0' | sed -n '/schema/p'
ripple monitor --rate=200Hz -q -o out.nit -- python3 -c 'sum(range(10**7))' | grep -c '^python3 *application'
ripple monitor -o out.nit -- sh -c 'exit 3' 2>&1 >/dev/null
echo "exit $?"
# told to stop: the file is complete
ripple monitor -q -o out.nit >summary &
sleep 1
kill -TERM $!
wait $!
echo "exit $?"
ripple monitor --dump out.nit | grep -c -e 'cut short'
# one of several processes on a node watches
OMPI_COMM_WORLD_LOCAL_RANK=1 ripple monitor -o other.nit -- echo only run
[ -e other.nit ] || echo "not watched"
ripple monitor --dump testdata/fuzz/nit/cut.nit | head -n 5
try ripple monitor --dump data/pair.goal
try ripple monitor --dump absent.nit
try ripple monitor --time=0
try ripple monitor --time=1s -- true
try ripple monitor --rate=0
try ripple monitor --rate=1kHz --max-cpu=1%
try ripple monitor --max-cpu=200%
try ripple monitor --cpu=x
try ripple monitor --pids=1,x
try ripple monitor --dump out.nit -- true
try ripple monitor -o absent/out.nit --time=100ms
ripple monitor extra.nit 2>&1 | sed 's/.*No such/No such/'
try ripple monitor --cpu=1000000
