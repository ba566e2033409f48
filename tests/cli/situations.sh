# What is said of results, by situation: the same words in text, JSON and on the page, and no number
# without interval, range or remark. Programs are small, and budgets never bind, or always.
folder=$(dirname "$(command -v ripple)")
# Without gnuplot: captions are what counts here.
ripple() { PATH=$folder command "$folder/ripple" "$@"; }

# Two ranks that compute for 1 ms and tell each other; with L=9ms they wait nine tenths of the time.
for rank in 0 1; do
    printf 'rank %d {\nw: calc 1000000\ns: send 8b to %d tag 0\nr: recv 8b from %d tag 0\n' $rank $((1 - rank)) $((1 - rank))
    printf 's requires w\nr requires s\n}\n'
done >ranks
{ echo "num_ranks 2"; cat ranks; } >pair.goal
printf 'num_ranks 1\nrank 0 {\nw: calc 12000000\n}\n' >one.goal
printf 'num_ranks 2\nrank 0 {\nw: calc 12000000\n}\nrank 1 {\nw: calc 1000000\n}\n' >idle.goal
printf 'num_ranks 1\nrank 0 {\nw: calc 1000000000\n}\n' >second.goal
# 99 detours of 1 us and one of 2 ms in a second.
{
    printf '# Time [ns]\tselfish duration [ns]\n'
    for i in $(seq 0 98); do
        printf '%d.00\t1000.00\n' $((i * 10000000))
    done
    printf '995000000.00\t2000000.00\n# Measurement period: 1 s\n'
} >tail.detours

cat >check.py <<'PYTHON'
"""Compare the three forms; print what a reader of the text sees. Usage: check.py REPORT-FOLDER"""
import html, json, re, sys
folder = sys.argv[1]
text = open("text").read()
result = json.load(open("json"))
page = html.unescape(open(folder + "/report.html").read())
lines = text.split("\n")
flat = re.sub(r"\n    ", " ", text)

assert lines[0].startswith("# ripple"), lines[0]
conditions = result["conditions"]
grave = [c for c in conditions if c["grave"]]
assert flat.split("\n")[1 : 1 + len(grave)] == [c["text"] for c in grave], "what is grave comes first"
for c in grave:
    print("FIRST", c["text"])

table = lines.index(next(l for l in lines if re.match(" *ranks  noise", l)))
end = next(i for i in range(table, len(lines)) if lines[i].startswith("slowdown: "))
rows = [l for l in lines[table:end] if " ideal " not in l]
for row in rows:
    print(row)
below = "what these numbers stand on"
own = lines[1 + len(grave) : end] + (lines[lines.index(below) :] if below in lines else [])
assert (below in lines) == (len(conditions) > len(grave))
assert all(len(l) <= 120 for l in own), max(own, key=len)

# No bare number: an interval, or a range or one value that is called that.
words = {"too-short": "too short", "few-met": "few met", "check": "check", "one-replica": "one replica",
         "range-only": "range", "drifts": "not settled", "wide": "wide", "absorbed": "absorbed",
         "less-than": "less than", "no-effect": "no effect"}
noisy = [s for s in result["series"] if s["mode"] != "ideal"]
assert len(noisy) == len(rows) - 1
for row, s in zip(rows[1:], noisy):
    remarks = [words[r] for r in s["remarks"]]
    assert row.endswith(", ".join(remarks)), (row, remarks)
    cell = row[row.index(s["mode"]) + 14 :][9:19].strip()
    level = s["slowdown"]["level"]
    assert " .. " in row or remarks, "a bare number: " + row
    assert level > 0 or remarks, "a range that is not called one: " + row
    assert "too-short" not in s["remarks"] or (cell == "too short" and " .. " not in row), row
    assert cell != "0 %" or "no-effect" in s["remarks"], row
    assert len(s["met"]) >= 1 and s["quantity"] in ("pass", "steady") and s["passes"] >= 1
    for r in s["remarks"]: # each has a condition, unless it says nothing beside "too short"
        said = [c for c in conditions if c["code"] == r and c["mode"] == s["mode"] and s["ranks"] in c["ranks"]]
        assert said or {"too-short", "few-met"} & set(s["remarks"]), (row, r)

# The same sentences, everywhere.
for c in conditions:
    print(f'{c["code"]}: {c["text"]}' if not c["grave"] else f'{c["code"]}: (first line)')
    assert c["text"] in flat.split("\n"), c
    assert c["text"] in page, ("not on the page", c)
for sentence in result["findings"]:
    print("=>", sentence)
    assert sentence in flat.split("\n"), sentence
    assert f'<p class="finding">{sentence}</p>' in page, ("not on the page", sentence)
if any(c["code"] == "invalid-measurement" for c in conditions):
    assert not any("%" in s or " x " in s for s in result["findings"]), "a headline"
captions = re.findall(r"<figcaption>(.*?) Files:", page)
print("caption:", (captions[0].partition(". ")[2] or "(nothing more)") if captions else "(no figure)")
assert len(set(c.split("outliers.")[-1] for c in captions if "outliers." in c)) <= 1
PYTHON

# long NAME ARGUMENT...: the same in the long run, with time enough whatever the machine does
long() { situation "$@" --budget=2h; }
# situation NAME ARGUMENT...: ripple run ARGUMENT..., in text, JSON and on the page
situation() {
    echo
    echo "== $1"
    shift
    rm -rf report
    ripple run "$@" -q -o report >text || echo "[exit $?]"
    ripple run "$@" -q -o report --format=json >json
    python3 check.py report
}

accepted="--noise=data/invalid.detours --accept-invalid"
situation "a measurement that is not valid, accepted" data/pair.goal --repeat=3 $accepted --replicas=5
echo
echo "== a measurement that is not valid, refused"
try ripple run data/pair.goal --repeat=3 --noise=data/invalid.detours -q
situation "a measurement of unknown validity, shorter than the run" pair.goal --repeat=9 --noise=data/netgauge.detours --replicas=5
situation "a valid measurement" one.goal --repeat=1 --noise=data/valid.detours --replicas=5
situation "a tail seen once decides" second.goal --ranks=64 --repeat=1 --noise=tail.detours --replicas=5
situation "one replica" pair.goal --ranks=2,16 --repeat=50 --noise=fixed:1kHz:100us --replicas=1
situation "a range of three that says one thing" one.goal --repeat=20 --noise=fixed:1kHz:200us --replicas=3
situation "a range of three that says both" pair.goal --set=L=1ms --repeat=20 --noise=poisson:4ms:500us --replicas=3
situation "one pass, no detour met" one.goal --repeat=1 --noise=poisson:10s:3ms --replicas=5
situation "long run, too short for the noise: no time" pair.goal --budget=0s --noise=poisson:10s:3ms
situation "sizes that the budget has no room for" pair.goal --ranks=2,4,8 --budget=0s --noise=poisson:10s:3ms
long "settled, phases locked" one.goal --noise=fixed:10Hz:2.5ms
long "settled, clocks drift" pair.goal --noise=fixed:1kHz:100us+drift=200
long "absorbed by waiting" pair.goal --set=L=9ms --noise=fixed:100Hz:1ms --half-width=40%
long "less than x: co-scheduled, checked at other sizes" pair.goal --ranks=2,4 --set=L=9ms --noise=fixed:100Hz:1ms --half-width=50%
long "wider than asked for" one.goal --noise=poisson:50ms:2ms --half-width=0.1% --replicas=5
situation "a preset, enlarged from a record" data/ft8 --ranks=8,64 --repeat=1 --noise=chic --replicas=5 --roots=copy
long "copies of a stored schedule" pair.goal --ranks=2,8 --noise=fixed:1kHz:100us
long "a long grid" "pattern:stencil3d:1B,calc=1ms" --ranks=64,67 --noise=fixed:1kHz:100us
situation "one pass of a collective" collective:allreduce:8B --ranks=64,4Ki --noise=jaguar
situation "no effect of what is met" idle.goal --repeat=9 --noise=fixed:1kHz:100us@1 --replicas=5
situation "a threshold between two sizes" collective:barrier --ranks=16,256,1Ki --repeat=100 --noise=poisson:10ms:40us --replicas=10

# Stopped after the first size; how long that takes nobody knows.
for seconds in 1 2 4 8 16 32 64; do
    rm -rf report
    stopped="pair.goal --ranks=2,1Mi --repeat=500 --noise=fixed:1kHz:100us --replicas=5 -q -o report"
    if ! ripple run $stopped --time-limit=${seconds}s >text 2>err && grep -q finished err &&
        ! ripple run $stopped --time-limit=${seconds}s --format=json >json 2>err && grep -q finished err; then
        break
    fi
done
sed -i "s/time-limit=[0-9]*s/time-limit=Ns/" text json report/report.html
echo
echo "== stopped"
python3 check.py report
