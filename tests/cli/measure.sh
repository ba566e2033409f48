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
ripple measure --time=100ms -q --format=csv 2>/dev/null | sed -n 2p
ripple measure --time=100ms -q --format=json 2>/dev/null | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(r["schema"], sorted(k for k in r if k != "schema"))'
try ripple measure --time=0
try ripple measure --time=long
try ripple measure --threshold=0.5
try ripple measure --cpus=1000000
try ripple measure --cpus=a-b
try ripple measure --events=-1
try ripple measure absent.detours
