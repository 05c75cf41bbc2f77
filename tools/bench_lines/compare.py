"""Debates line by line, as many a second by threads, and plain Python beside it, in turns in one run:
compare.py ASSAY FOLDER NUMBER"""

import json
import os
import random
import resource
import subprocess
import sys
import time

ROUNDS = 3
assay, folder, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
file = os.path.join(folder, f"debates-{number}.jsonl")


def debate(draw):
    count = draw.randint(3, 5)
    candidates = []
    for at in range(count):
        reviews = [
            {
                "debater": f"debater {one}", "support": draw.randint(0, 2), "evidence": draw.randint(0, 2),
                "major_risks": draw.randint(0, 2), "critical_fail": int(draw.random() < 0.1),
                "justification": "It says so in the text. " * draw.randint(0, 2),
            }
            for one in range(count - 1)
        ]
        candidates.append({"id": chr(65 + at), "model": draw.choice(["opus", "gpt", "gemini"]), "wins": 0, "reviews": reviews})
    for one in range(count):
        for other in range(one):
            candidates[draw.choice([one, other])]["wins"] += 1
    return {"question": "How should the data of our users be stored?", "candidates": candidates}


if not os.path.exists(file):
    draw = random.Random(7)
    with open(file + ".part", "w") as out:
        for _ in range(number):
            out.write(json.dumps(debate(draw)) + "\n")
    os.rename(file + ".part", file)


def took(call):
    began = time.perf_counter()
    subprocess.run(call, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


every = os.cpu_count() or 1
calls = {"plain Python": [sys.executable, os.path.join(os.path.dirname(__file__), "plain.py"), file]}
threads = 1
while threads <= every:
    calls[f"assay rwea --threads {threads}"] = [assay, "rwea", "--input", file, "--threads", str(threads)]
    threads *= 2
best = {name: [] for name in calls}
for _ in range(ROUNDS):
    for name, call in calls.items():
        best[name].append(took(call))
print(f"{number} debates, {os.path.getsize(file) / 1e6:.0f} MB, best of {ROUNDS} in turns\n")
print("| | debates a second | a debate | against plain Python |")
print("|---|---|---|---|")
python = min(best["plain Python"])
for name, times in best.items():
    print(f"| {name} | {number / min(times):,.0f} | {min(times) / number * 1e6:.1f} µs | {python / min(times):.1f} |")
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
print(f"\nMost memory of any of them: {most:.0f} MB")
