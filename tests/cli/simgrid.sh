# A time-independent trace of SimGrid: its flops need a rate, and nothing else does.
try ripple schedule data/simgrid/list --flops-per-second=1e9
try ripple simulate data/simgrid/list --flops-per-second=1e9
try ripple simulate data/simgrid/list --flops-per-second=2e9 --ranks=4 --format=csv
ripple schedule data/simgrid/list --flops-per-second=1e9 -o x.goal >/dev/null
ripple simulate data/simgrid/list --flops-per-second=1e9 --per-rank --format=csv | tail -n +3 >direct
ripple simulate x.goal --per-rank --format=csv | tail -n +3 >written
cmp direct written && echo "the file takes the same time"
try ripple simulate data/simgrid/list
try ripple sweep data/simgrid/list --sweep L=1us,2us -o x.db
try ripple simulate data/simgrid/short --flops-per-second=1e9
try ripple simulate data/simgrid/damaged --flops-per-second=1e9
try ripple simulate data/simgrid/rank0 --flops-per-second=1e9
for rate in 0 -1 nan 1x ''; do
    try ripple simulate data/simgrid/list --flops-per-second=$rate
done
try ripple simulate data/ft8 --flops-per-second=1e9
try ripple simulate data/pair.goal --flops-per-second=1e9
try ripple simulate collective:barrier --flops-per-second=1e9
