"""Debates, turns and replies line by line, as many a second by threads, and other programs that do the same
beside them, in turns in one run: compare.py ASSAY FOLDER NUMBER

Beside debates stands plain Python. A command in BESIDE_DEBATES, BESIDE_TURNS or BESIDE_REPLIES is run as well, with the
file as its last argument: an original that is at hand.
"""

import json
import os
import random
import resource
import shlex
import subprocess
import sys
import time

ROUNDS = 3
assay, folder, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
here = os.path.dirname(os.path.abspath(__file__))
WORDS = (
    "the a your our this that bike ride wheel chain brake oil road rain hill shop seat tyre pump light will can should is "
    "are was make take check turn clean keep bring send book fix try look need want good quick small new dry clear right"
).split()


def words(draw, least, most):
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(least, most)))


def debate(draw, _):
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


def fuller(draw, at):
    """With all that makes work: a domain to detect, models that no profile knows, claims, and answers that nobody reads."""
    debate_ = debate(draw, at)
    debate_["domain"] = "auto"
    debate_["question"] = "How should the code of our algorithm be tested? " + words(draw, 5, 30)
    for candidate in debate_["candidates"]:
        candidate["model"] = f"model {draw.randint(1, 9)}"
        candidate["answer"] = words(draw, 20, 80)
        candidate["claims"] = [{"text": words(draw, 5, 9), "status": draw.choice(["proved", "disproved", "timeout"])}]
    return debate_


def turn(draw, at):
    tools = [{"name": f"tool_{draw.randint(1, 20)}"} for _ in range(draw.randint(0, 9))]
    result = {"response": words(draw, 5, 60), "tools": tools, "tools_passed": draw.random() < 0.9}
    return {
        "turn_number": at + 1, "action": "send_message", "user_message": words(draw, 3, 20),
        "has_mutations": draw.random() < 0.4, "turn_result": result,
    }


def logged(draw, at):
    """As a log has it: with keys that nobody reads."""
    turn_ = turn(draw, at)
    turn_["timestamp"] = "2026-11-29T10:00:00Z"
    turn_["turn_result"]["tokens"] = draw.randint(1, 999)
    return turn_


def reply(draw, at):
    text = words(draw, 10, 80).capitalize() + "."
    return {"session_id": f"s{at}", "turn_index": 1, "role": "assistant", "text": text}


def file_of(name, make):
    file = os.path.join(folder, f"{name}-{number}.jsonl")
    if not os.path.exists(file):
        draw = random.Random(7)
        with open(file + ".part", "w") as out:
            for at in range(number):
                out.write(json.dumps(make(draw, at)) + "\n")
        os.rename(file + ".part", file)
    return file


def took(call):
    began = time.perf_counter()
    subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def table(name, file, beside, call):
    """Of `call` with each number of threads, and what stands beside it."""
    calls = dict(beside)
    other = os.environ.get(f"BESIDE_{name.upper()}")
    if other:
        calls["the original"] = shlex.split(other) + [file]
    threads = 1
    while threads <= (os.cpu_count() or 1):
        calls[f"`--threads {threads}`"] = call + ["--input", file, "--threads", str(threads)]
        threads *= 2
    times = {row: [] for row in calls}
    for _ in range(ROUNDS):
        for row, command in calls.items():
            times[row].append(took(command))
    print(f"\n{number} {name}, {os.path.getsize(file) / 1e6:.0f} MB, best of {ROUNDS} in turns\n")
    first = next(iter(calls))
    print(f"| | {name} a second | each | against {first} |")
    print("|---|---|---|---|")
    for row, own in times.items():
        best = min(own)
        print(f"| {row} | {number / best:,.0f} | {best / number * 1e6:.1f} µs | {min(times[first]) / best:.1f} |")


plain = [sys.executable, os.path.join(here, "plain.py")]
debates = file_of("debates", debate)
table("debates", debates, {"plain Python": plain + [debates]}, [assay, "rwea"])
fuller_debates = file_of("fuller_debates", fuller)
table("fuller_debates", fuller_debates, {"plain Python": plain + [fuller_debates]}, [assay, "rwea"])
table("turns", file_of("turns", turn), {}, [assay, "reward", "--lines"])
table("logged_turns", file_of("logged_turns", logged), {}, [assay, "reward", "--lines"])
persona = ["--persona", os.path.join(here, "persona.yaml")]
table("replies", file_of("replies", reply), {}, [assay, "persona", *persona, "--partial", "--lines"])
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
print(f"\nMost memory of any of them: {most:.0f} MB")
