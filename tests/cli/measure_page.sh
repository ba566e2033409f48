# The page of what was measured: a tick and a daemon with known numbers; two CPUs' work in fixed time quanta.
python3 - <<'PYTHON'
with open("made.detours", "w") as f:
    for k in range(20000):
        print(f"{k * 1e6 + 1000:.2f}\t{2000 + 100 * (k * 7919 % 11):.2f}", file=f)
        if k % 97 == 50:
            print(f"{k * 1e6 + 500000 + 3000 * (k * 7919 % 101):.2f}\t{150000 + 1000 * (k % 13):.2f}", file=f)
    print("# Measurement period: 20.00 s", file=f)
PYTHON
ripple measure made.detours --report=page -q >/dev/null
ls page
cat >check.py <<'PYTHON'
"""Marks and points of a page stand for all detours, and the table has the sources of the CSV."""
import csv, re, subprocess, sys
page = open("page/report.html").read()
assert "http" not in page and "<script" not in page and "<img" not in page
figures = re.findall(r"<figure>(.*?)</figure>", page, re.S)
for figure in figures:
    assert [d for d in re.findall(r'<div class="(wide|narrow)">', figure)] == ["wide", "narrow"]
    ids = re.findall(r"\bid=['\"]([^'\"]*)", figure)
    assert len(ids) == len(set(ids)), "ids clash"
rows = list(csv.DictReader(open("page/detours.csv")))
points = {}
for row in rows:
    points[row["source"]] = points.get(row["source"], 0) + int(row["points"])
print(len(figures), "figures;", points, "of", sum(points.values()), "points,", len(rows) < 3000 and "thinned")
assert f"{len(rows)} marks stand for {sum(points.values())} points" in page
said = csv.DictReader(l for l in open("said.csv") if not l.startswith("#"))
cells = [re.findall("<td[^>]*>(.*?)</td>", r) for r in re.findall("<tr>(.*?)</tr>", page)]
for source in said:
    row = next(c for c in cells if c and c[0] == source["source"])
    assert row[1].replace(",", "") == source["detours"] == str(points[source["source"]]), row
    assert abs(float(re.sub("[ %<]", "", row[2])) - 100 * float(source["share"])) <= 0.005 * 100 * float(source["share"])
    print(row[0], row[1], row[5], row[6])
PYTHON
ripple measure made.detours --format=csv >said.csv
python3 check.py
# At least so long: the first point is all, each later one less.
python3 - <<'PYTHON'
import csv
rows = list(csv.DictReader(open("page/ccdf.csv")))
rates = [float(r["per_second"]) for r in rows]
assert rates == sorted(rates, reverse=True)
print(round(rates[0] * 20), "detours in 20 s")
PYTHON
touch taken
try ripple measure made.detours --report=taken
# Said before anything is measured, not after.
try ripple measure --report=taken
