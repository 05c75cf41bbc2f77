"""Debates made up with a seed, a line each: debates.py NUMBER FILE"""

import json
import random
import sys


def debate(draw, number):
    count = draw.randint(3, 5)
    candidates = []
    for at in range(count):
        reviews = [
            {
                "debater": f"debater {one}",
                "support": draw.randint(0, 2),
                "evidence": draw.randint(0, 2),
                "major_risks": draw.randint(0, 2),
                "critical_fail": int(draw.random() < 0.1),
            }
            for one in range(count - 1)
        ]
        model = draw.choice(["opus", "gpt", "gemini"])
        candidates.append({"id": chr(65 + at), "model": model, "wins": 0, "reviews": reviews})
    for one in range(count):
        for other in range(one):
            candidates[draw.choice([one, other])]["wins"] += 1
    return {"question": f"What should be done in case {number}?", "candidates": candidates}


def main():
    number, file = int(sys.argv[1]), sys.argv[2]
    draw = random.Random(7)
    with open(file, "w") as out:
        for at in range(number):
            out.write(json.dumps(debate(draw, at)) + "\n")


main()
