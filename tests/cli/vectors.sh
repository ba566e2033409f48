# Every reference vector, through the command: --per-rank CSV of the noise-free run.
python3 - <<'PYTHON'
import csv, subprocess

UNITS = {"L": "ns", "o": "ns", "g": "ns", "G": "ns/B", "O": "ns/B", "S": "B"}
folder = "testdata/vectors/"
wrong = 0
rows = list(csv.DictReader(open(folder + "expected.tsv"), delimiter="\t"))
for row in rows:
    command = ["ripple", "simulate", "--compat=loggopsim", "--per-rank", "--format=csv"]
    command += [f"--set={key}={row[key]}{unit}" for key, unit in UNITS.items()]
    run = subprocess.run(command + [folder + row["name"] + ".goal"], capture_output=True, text=True)
    lines = [line.split(",") for line in run.stdout.splitlines()[2:]]
    if [line[4] for line in lines] != row["times"].split(","):
        print(row["name"], "differs", run.stderr)
        wrong += 1
print(len(rows), "vectors,", wrong, "wrong")
PYTHON
