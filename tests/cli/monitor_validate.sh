# Whether it passes depends on how busy the machine is; that it says so does not.
ripple monitor -q --validate=fwq --time=3s -o out.nit >table
code=$?
case "$code $(tail -n 1 table)" in
"0 passed" | "3 not passed") echo "code and verdict agree" ;;
*) echo "exit $code" && cat table ;;
esac
sed -e '$d' -e '/^  late at/d' -e '/^This CPU is too busy/d' -e 's/[0-9][0-9.]*/N/g' table
try ripple monitor --validate=nothing
try ripple monitor --validate=fwq -- true
try ripple monitor --validate=allreduce
try ripple monitor -q --validate=allreduce -o out.nit -- true
try ripple monitor --validate=long --rate=100Hz
# What it takes here is not known beforehand; that all is said is.
ripple monitor -q --validate=long --time=1s -o out.nit >table
code=$?
case "$code $(tail -n 1 table)" in
"0 passed" | "3 not passed") echo "code and verdict agree" ;;
*) echo "exit $code" && cat table ;;
esac
sed -e '$d' -e 's/[0-9][0-9.]*/N/g' table
