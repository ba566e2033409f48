# A recorded program as a schedule: what it consists of; the file is the program simulated.
try ripple schedule data/ft8
try ripple schedule data/ft8 --ranks=16 --check
try ripple schedule data/ft8 --no-collectives --format=csv
ripple schedule data/ft8 --ranks=16 -o ft16.bin >/dev/null
ripple simulate data/ft8 --ranks=16 --per-rank --format=csv | tail -n +3 >direct
ripple simulate ft16.bin --per-rank --format=csv | tail -n +3 >written
cmp direct written && echo "the file takes the same time"
