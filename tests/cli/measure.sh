# What a measurement says depends on the machine; how it is said does not.
ripple measure --time=200ms -o out.detours >summary 2>messages
code=$?
[ $code -eq 0 ] || [ $code -eq 3 ] || { echo "exit $code"; cat messages; }
head -n 1 summary | sed 's/cpus=.*//'
# valid: nothing is said; not valid: lines on standard error that say why, as in the summary
if [ $code -eq 0 ]; then
    grep -q '^valid' summary && ! grep -q 'not valid' messages && echo "code and verdict agree"
else
    grep -q '^not valid: ' summary && grep -q '^ripple measure: not valid: ' messages && echo "code and verdict agree"
fi
refused=
[ $code -eq 0 ] || refused=', which is refused without --accept-invalid'
grep -qx "ripple measure: detours in out.detours, for --noise=out.detours$refused" messages &&
    echo "who is refused is told"
grep -v -e '^ripple measure: not valid: ' -e '^ripple measure: note: ' -e ': detours in ' messages
head -n 1 out.detours | cut -c 1-30
[ $code -eq 0 ] || accept=--accept-invalid
ripple simulate collective:barrier --ranks=2 --noise=out.detours ${accept-} --replicas=1 --format=csv | tail -n 1 | cut -d, -f1-4
ripple measure --windows=1 --time=100ms -q --format=csv 2>/dev/null | sed -n 2p
ripple measure --windows=1 --time=100ms -q --format=json 2>/dev/null | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["schema"], sorted(k for k in r if k != "schema"))'
# Equal work and equal times: as many lines as were asked for, one run for each CPU.
for method in fwq ftq; do
    ripple measure --method=$method --quantum=200us --samples=50 --windows=2 -q -o out.$method --format=csv 2>/dev/null |
        sed -n -e 2p -e '3s/^[0-9]*,[0-9.]*,[0-9.e-]*,50,.*/fifty/p'
    grep -v '^#' out.$method | head -n 50 | cut -f1 | tr '\n' ' '; echo
    grep '^# Fixed' out.$method | uniq
    ripple measure --method=$method --quantum=200us --samples=5 --windows=1 -q --netgauge -o out.$method --format=json >/dev/null 2>&1
    head -n 1 out.$method
done
try ripple measure --method=other
try ripple measure --method=fwq --kernel=sort
try ripple measure --method=ftq --quantum=10ns
try ripple measure --windows=0
try ripple measure --time=0
try ripple measure --time=long
try ripple measure --threshold=0.5
try ripple measure --cpus=1000000
try ripple measure --cpus=a-b
try ripple measure --events=-1
try ripple measure absent.detours
