# The study of the interval between synchronisations, made small, and its page.
ripple sweep study:synchronisation --noise=fixed:1kHz:25us --ranks=4,16 --replicas=5 \
    --sweep=interval=1ms,10ms --sweep=repeat=10 -o s.db --page=page -q |
    sed -n '/^slowdown/q; p' | cut -d, -f1-3
ls page | grep -E 'interval|html'
cut -d, -f1-4 page/slowdown-interval.csv
try ripple sweep study:sync -o x.db
try ripple sweep collective:barrier --sweep=interval=1ms,2ms -o x.db
try ripple sweep study:synchronisation --dry-run -q
