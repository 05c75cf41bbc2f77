"""The same work in plain Python: each line read, checked, scored and printed. plain.py FILE"""

import json
import sys

WEIGHTS = {"w_base": 0.5, "w_pairwise": 2.0, "w_risk": 0.7, "w_reliability": 0.0, "w_formal": 0.0}
RATINGS = {"support": 2, "evidence": 2, "major_risks": 2, "critical_fail": 1}


def is_whole(value, most):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def check(payload):
    candidates = payload["candidates"]
    seen = set()
    assert isinstance(candidates, list) and len(candidates) >= 2
    for candidate in candidates:
        assert isinstance(candidate["id"], str) and candidate["id"] not in seen
        seen.add(candidate["id"])
        assert is_whole(candidate["wins"], len(candidates) - 1)
        assert candidate["reviews"]
        for review in candidate["reviews"]:
            for name, most in RATINGS.items():
                assert is_whole(review[name], most)


def score(payload):
    rows = []
    candidates = payload["candidates"]
    for candidate in candidates:
        reviews = candidate["reviews"]
        base = sum(review["support"] + review["evidence"] for review in reviews) / len(reviews)
        risk = sum(review["major_risks"] + 2 * review["critical_fail"] for review in reviews) / len(reviews)
        pairwise = candidate["wins"] / (len(candidates) - 1)
        fails = sum(review["critical_fail"] for review in reviews)
        total = WEIGHTS["w_base"] * base + WEIGHTS["w_pairwise"] * pairwise - WEIGHTS["w_risk"] * risk
        rows.append({
            "id": candidate["id"], "wins": candidate["wins"], "base": round(base, 4), "risk": round(risk, 4),
            "pairwise": round(pairwise, 4), "score": round(total, 4), "critical_fails": fails,
            "eliminated": fails >= 2,
        })
    alive = [row for row in rows if not row["eliminated"]]
    alive.sort(key=lambda row: (-row["score"], row["critical_fails"], -row["base"]))
    gone = [row for row in rows if row["eliminated"]]
    decision, winner, hybrid = "insufficient", None, []
    if alive and alive[0]["score"] >= 1.2:
        winner = alive[0]["id"]
        decision = "winner"
        if len(alive) > 1 and alive[0]["score"] - alive[1]["score"] < 0.4:
            decision, hybrid = "hybrid", [row["id"] for row in alive[:2]]
    return {"weights": WEIGHTS, "decision": decision, "winner": winner, "hybrid_candidates": hybrid, "results": alive + gone}


for line in open(sys.argv[1]):
    payload = json.loads(line)
    check(payload)
    sys.stdout.write(json.dumps(score(payload)) + "\n")
