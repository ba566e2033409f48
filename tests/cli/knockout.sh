# What to switch off first: runs without each component of the noise, and what is refused.
program='pattern:calc=1ms,allreduce:8B*60'
one=fixed:100Hz:80us two=poisson:300ms:800us three=lognormal:40ms:30us:1 four=tick:20ms:1us:7us
all=$one+$two+$three+$four

# One command ranks four components as four studies do, each of them of the other three alone.
ripple simulate "$program" --ranks=256 --noise=$all --knock-out --format=csv -q >ranked.csv
ripple simulate "$program" --ranks=256 --noise=$all --format=csv -q >all.csv
mean() { awk -F, 'NR > 2 { sum += $7; n++ } END { printf "%.6f", sum / n }' "$1"; }
study() { # NAME OTHERS
    ripple simulate "$program" --ranks=256 --noise="$2" --format=csv -q >study.csv
    echo "$(mean study.csv) $1"
}
{
    study $one $two+$three+$four
    study $two $one+$three+$four
    study $three $one+$two+$four
    study $four $one+$two+$three
} | sort -n | cut -d' ' -f2 >apart
awk -F, 'NR > 2 { print $10, $7 }' ranked.csv | sort -rn | cut -d' ' -f2 >together
cat together
cmp apart together && echo "ranked as four studies rank them"

try ripple simulate "$program" --ranks=64 --noise=$all --knock-out=pairs --cosched --replicas=6
try ripple simulate "$program" --ranks=16 --noise=$one+$two --knock-out=pairs --format=csv
ripple simulate "$program" --ranks=16 --noise=$one+$two --knock-out=pairs --format=json -q |
    sed -n '/"knock_out"/,$p'
# A part of a preset, what is on some ranks, and a rate.
try ripple simulate "$program" --ranks=16 --noise="zeptoos@0-7+$two+slow:3%@5" --knock-out --replicas=5 |
    sed -n '/what to switch off/,/^$/p'
# Fewer than five replicas have no interval.
try ripple simulate "$program" --ranks=16 --noise=$one+$two --knock-out --replicas=3 | grep 'no interval'
# What takes little goes together.
try ripple simulate "$program" --ranks=16 --noise=$one+$two+fixed:1s:1us+fixed:2s:2us --knock-out=largest
# In the long run, and on the page.
ripple run "$program" --ranks=16 --noise=$one+$two --knock-out --budget=30s --half-width=50% -o page -q |
    grep -oE '^(unsynchronized|co-scheduled) at 16 ranks: slowdown with all|^Steady.*'
grep -o 'What to switch off first<' page/report.html
ls page | grep knock
try ripple simulate "$program" --ranks=16 --knock-out
try ripple simulate "$program" --ranks=16 --noise=$one --replicas=1 --knock-out
try ripple simulate "$program" --ranks=16 --noise=$one --knock-out=all
try ripple simulate "$program" --ranks=16 --noise=$one --knock-out --per-rank --format=csv
