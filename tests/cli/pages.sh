# Numbers read back from a page are those of the CSV beside it, and of the table that is printed.
ripple run collective:allreduce:8B --ranks=4,64,1Ki --noise=fixed:10ms:9.9ms --replicas=10 -o run >/dev/null
ripple run collective:allreduce:8B --ranks=4,64 --noise=none -o quiet >/dev/null
ripple sweep collective:allreduce:8B --replicas=6 --sweep=ranks=16,1Ki --sweep=L=500ns..8us/x4 \
    --sweep='noise=fixed:1kHz:100us;fixed:21.34ms:5.7ms+poisson:500us:2us;jaguar' -o sweep.db -q >/dev/null
ripple report sweep.db -o sweep >/dev/null
ripple sweep pattern:calc=1ms --noise=fixed:10s:1ms --replicas=3 --sweep=ranks=2,4 -o flat.db -q >/dev/null
ripple report flat.db -o flat >/dev/null

cat >check.py <<'PYTHON'
"""Each value of each CSV is told by a tooltip of both drawings of the page, and no tooltip tells another one.
Usage: check.py FOLDER"""
import csv, html, os, re, sys
folder = sys.argv[1]
page = open(folder + "/report.html").read()
assert "http" not in page and "<script" not in page and "<img" not in page
figures = re.findall(r"<figure>(.*?)</figure>", page, re.S)
number = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"

def told(drawing):
    """The numbers of each tooltip after the names, sorted."""
    tips = [html.unescape(t) for t in re.findall(r"<title>(.*?)</title>", drawing)]
    return sorted(sorted(re.findall(r"(?<![\w.])" + number + r"(?![\w.])", t.split(": ", 1)[1] if ": " in t else t))
                  for t in tips)

def columns(name, head):
    """The groups of columns of which a row gets a tooltip each."""
    values = [i for i, c in enumerate(head) if c.endswith(("_ns", "_percent"))]
    if name.startswith("boxes") or name == "replicas": # a box with its number of replicas; an outlier; the line
        return [[head.index("n")] + values[:5], values[5:6], values[6:]]
    if name == "where":
        return [[i] for i in values]
    if name.startswith("heat"):
        return [[head.index("column") - 1]]
    return [[head.index(c) for c in head if re.match("(low_|high_)?(slowdown_percent|makespan_ns)$", c)]]

tooltips = 0
for figure in figures:
    name = re.search(r'href="([a-z0-9A-Z-]+)\.csv"', figure).group(1)
    rows = list(csv.reader(open(f"{folder}/{name}.csv")))
    want = []
    for row in rows[1:]:
        for group in columns(name, rows[0]):
            cells = [row[i] for i in group if row[i] != ""]
            if rows[0][group[0]].startswith(("slowdown", "makespan")) and len(group) == 3 and row[group[1]] == row[group[2]]:
                cells = cells[:1] # no interval: only the value
            if cells and not (name == "where" and float(cells[0]) == 0):
                want.append(sorted(cells))
    drawings = re.findall(r'<div class="(wide|narrow)">(<svg.*?</svg>)\s*</div>', figure, re.S)
    assert [d[0] for d in drawings] == ["wide", "narrow"], name
    for kind, drawing in drawings:
        assert told(drawing) == sorted(want), (name, kind, told(drawing), sorted(want))
    for suffix in ("", "-narrow"):
        assert os.path.exists(f"{folder}/{name}{suffix}.svg")
    ids = re.findall(r"\bid=['\"]([^'\"]*)", figure)
    assert len(ids) == len(set(ids)), "ids clash"
    tooltips += len(want)
print(f"{len(figures)} figures, {tooltips} values: as in the CSV")

# The table: three digits of what slowdown.csv has.
if os.path.exists(folder + "/slowdown.csv"):
    head, *rows = csv.reader(open(folder + "/slowdown.csv"))
    cells = [re.findall("<td[^>]*>(.*?)</td>", r) for r in re.findall("<tr>(.*?)</tr>", page)]
    for ranks, mode, slowdown, low, high, *_ in rows:
        text = ranks if int(ranks) % 1024 else f"{int(ranks) // 1024}Ki"
        row = next(c for c in cells if c[:2] == [text, mode])
        for cell, value in zip([row[3]] + row[4].split(" .. "), (slowdown, low, high)):
            value = float(value)
            shown = float(re.sub("[x %,]", "", cell))
            exact = 1 + value / 100 if cell.startswith("x") else value
            assert abs(shown - exact) <= 0.005 * abs(exact), (row, value)
    print(f"{len(rows)} rows of the table: as in the CSV")
PYTHON
for folder in run quiet sweep flat; do
    echo "$folder:" $(python3 check.py $folder)
done
grep -o 'In no point.*draw\.' flat/report.html
grep -o '<dt>[^<]*</dt>' run/report.html | sed 's/<[^>]*>//g' | tr '\n' ' '
echo
