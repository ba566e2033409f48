# A measurement's verdict travels with what is made from it; one that is not valid is refused.
barrier="collective:barrier --ranks=4 --replicas=1"
for verb in simulate mine; do
    options=$barrier
    [ $verb = mine ] && options="collective:barrier --ranks=4 --format=text"
    try ripple $verb $options --noise=data/invalid.detours
    ripple $verb $options --noise=data/invalid.detours --accept-invalid | head -n 1
done
try ripple run data/ft8 --noise=data/invalid.detours -o report
try ripple simulate $barrier --noise=fixed:1kHz:1us+data/invalid.detours@0-1
ripple simulate $barrier --noise=data/valid.detours | head -n 1
ripple simulate $barrier --noise=data/netgauge.detours | head -n 1
ripple simulate $barrier --noise=data/good.detours | head -n 1

# In JSON, of several files; a later one has a number.
ripple simulate $barrier --noise=data/valid.detours+data/invalid.detours --accept-invalid --format=json |
    sed -n '/"parameters"/,/}/p'

# Nothing is accepted where there is nothing to accept.
try ripple simulate $barrier --noise=data/valid.detours --accept-invalid
try ripple simulate $barrier --noise=data/netgauge.detours --accept-invalid
try ripple simulate $barrier --noise=fixed:1kHz:1us --accept-invalid
try ripple simulate collective:barrier --ranks=4 --accept-invalid

# A sweep keeps it in its database; the study file has the same words.
study="collective:barrier --ranks=4 --replicas=2"
try ripple sweep $study --sweep=noise=data/valid.detours,data/invalid.detours -o refused.db
files
try ripple sweep $study --sweep=noise=data/netgauge.detours,data/invalid.detours --accept-invalid -o accepted.db -q
try ripple sweep $study --sweep=noise=data/netgauge.detours,data/invalid.detours --accept-invalid -o accepted.db -q
sqlite3 accepted.db "SELECT * FROM measurements" "SELECT point, noise, accept_invalid FROM points" \
    "SELECT value FROM meta WHERE name = 'study'"
sqlite3 accepted.db "SELECT value FROM meta WHERE name = 'study'" >study.ini
try ripple sweep study.ini -o again.db -q --format=csv
try ripple sweep $study --noise=data/valid.detours --accept-invalid --sweep=L=1us,2us -o idle.db
try ripple sweep $study --noise=data/invalid.detours --sweep=accept-invalid=yes,no -o idle.db

# The page of a sweep has a table of its measurements.
ripple report accepted.db -o figures >/dev/null
sed -n '/Where the detours were measured/,/<\/table>/p' figures/report.html
