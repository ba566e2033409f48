# A recorded program on a larger grid: which one it was recorded on, what is refused, what it takes.
traces=$(realpath testdata/../..)/apps/proxies/traces
ln -s "$traces" traces
try ripple schedule traces/halo-cg-16 --recognise
try ripple schedule traces/ocean-pcg-16 --recognise --format=csv
try ripple schedule traces/halo-cg-16 --recognise --grid=8x2 --format=json
try ripple schedule traces/halo-cg-16 --recognise --grid=2x8
try ripple schedule data/ft8 --recognise
try ripple schedule data/pair.goal --recognise
try ripple schedule traces/halo-cg-16 --ranks=64 --extrapolate=regrid --check
try ripple schedule traces/halo-cg-16 --ranks=64 --check
try ripple simulate traces/halo-cg-16 --ranks=16,36,64 --extrapolate=regrid
try ripple simulate traces/halo-cg-16 --ranks=64 --extrapolate=regrid --scaling=strong --grid=to=4x16,seed=9 -q --format=csv
try ripple simulate traces/halo-cg-16 --ranks=20 --extrapolate=regrid --grid=to=2x10
try ripple simulate traces/halo-cg-16 --ranks=32 --extrapolate=regrid --grid=4x4,periodic=yy
ripple schedule traces/ocean-pcg-16 --ranks=40 --extrapolate=regrid -o grown.bin >/dev/null
ripple simulate traces/ocean-pcg-16 --ranks=40 --extrapolate=regrid --per-rank --format=csv 2>/dev/null | tail -n +3 >direct
ripple simulate grown.bin --per-rank --format=csv | tail -n +3 | cmp - direct && echo "the file takes the same time"
rm traces
