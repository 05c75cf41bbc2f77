#!/usr/bin/env python3
"""Learns the second opinion on the rules of safety and writes public/voice/safety.json.

Needs numpy and scikit-learn, the model, and a built `assay` whose path is the one argument; the
features are those of src/persona/second.rs. Reads the labelled replies of tests/data/persona/safety
but the held-out ones. SCORING.md section 3, "A second opinion", says what is fitted on what.
"""

import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "public/voice/safety.json"
BUCKETS, SENTENCES, NEAR = 1 << 14, 3, 7
STRENGTH, FOLDS, ORDINARY_ABOVE = 30, 8, 0.01
TOKEN = re.compile(r"[a-z0-9']+|[.,!?;:\"“”]")
# in the order in which their replies were dealt into folds
PERSONAS = ["astronomer", "kernel", "clinic", "apothecary", "telegrapher", "snackbar"]
KINDS = {}
for kind, words in json.loads(FILE.read_text())["kinds"].items():
    for word in words:
        KINDS.setdefault(word, []).append(kind)


def tokens(text):
    return TOKEN.findall(text.lower().replace("’", "'"))


def bucket(feature):
    value = 0x811C9DC5
    for byte in feature.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return ((value >> 16) ^ value) & (BUCKETS - 1)


def kinds_of(word):
    if word in ".!?;":
        return ["|"]
    if word in '"“”':
        return ["Q"]
    return KINDS.get(word) or KINDS.get(re.sub(r"('s|s|ed|ing|d)$", "", word)) or []


def features(words):
    """The buckets of words and pairs of words, and those of kinds."""
    plain = {f"w:{word}" for word in words} | {f"w:{a}_{b}" for a, b in zip(words, words[1:])}
    kinds, near, starts = [kinds_of(word) for word in words], set(), True
    for at, (word, own) in enumerate(zip(words, kinds)):
        near |= {f"k:s:{word}"} if at == 0 else set()
        near |= {f"k:ss:{word}"} | {f"k:sc:{kind}" for kind in own} if starts else set()
        near |= {f"k:c:{kind}" for kind in own if kind != "|"}
        near |= {f"k:wc:{words[at - 1]}>{kind}" for kind in own if at and kind != "|"}
        starts = word in ".!?;:"
        for other in range(at + 1, min(at + 1 + NEAR, len(words))):
            if "|" in own or "|" in kinds[other]:
                break
            near |= {f"k:p:{a}>{b}" for a in own for b in kinds[other]}
            near |= {f"k:cw:{kind}>{words[other]}" for kind in own if other == at + 1}
    return [{bucket(feature) for feature in table} for table in (plain, near)]


def stretches(text):
    """Every run of so many sentences; all of a short text."""
    sentences, now = [], []
    words = tokens(text)
    for at, word in enumerate(words):
        now.append(word)
        if word in ".!?;" or at + 1 == len(words):
            is_marks = all(one in '.!?;:,"“”' for one in now)
            if is_marks and sentences:
                sentences[-1] += now
            else:
                sentences.append(now)
            now = []
    if len(sentences) <= SENTENCES:
        return [sum(sentences, [])]
    runs = range(len(sentences) - SENTENCES + 1)
    return [sum(sentences[at : at + SENTENCES], []) for at in runs]


def matrix(stretches):
    rows, columns, values = [], [], []
    for row, words in enumerate(stretches):
        for table, buckets in enumerate(features(words)):
            rows += [row] * len(buckets)
            columns += [table * BUCKETS + one for one in buckets]
            values += [len(buckets) ** -0.5] * len(buckets)
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(stretches), 2 * BUCKETS))


class Replies:
    """Replies as whole texts and as stretches."""

    def __init__(self, texts):
        self.whole = matrix([tokens(text) for text in texts])
        all_stretches = [(of, one) for of, text in enumerate(texts) for one in stretches(text)]
        self.owner = np.array([of for of, _ in all_stretches])
        self.parts = matrix([one for _, one in all_stretches])

    def log_odds(self, model):
        worst = np.full(self.whole.shape[0], -np.inf)
        np.maximum.at(worst, self.owner, self.parts @ model.coef_[0])
        return worst + model.intercept_[0]


def matches(assay, texts):
    """Whether a rule matches each text."""
    rows = [json.dumps({"session_id": f"{at:06}", "turn": 1, "assistant": t}) for at, t in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        persona, transcript = Path(folder, "p.yaml"), Path(folder, "t.jsonl")
        persona.write_text("lexicon: {preferred: [ride]}\n")
        transcript.write_text("\n".join(rows))
        command = [assay, "persona", "--persona", persona, "--input", transcript]
        result = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
    return np.array([float(bool(s["turns"][0]["violations"])) for s in result["sessions"]])


def learned():
    """Texts, whether each is a violation, its group, and whether no rule was mended by it."""
    folder, rows = ROOT / "tests/data/persona/safety", []
    for name in ["development", "second", "third", "fourth", "fifth", "unmended", "lesson"]:
        for at, line in enumerate((folder / f"{name}.jsonl").read_text().splitlines()):
            row = json.loads(line)
            kind = row.get("kind") or row["category"]
            # a violation and its harmless twin are left out together
            batch, number = divmod(at % 300, 30)
            own = f"own{batch // 2 + 1}{'_b' if batch % 2 else 'None'}{number // 6}"
            group = own if name == "lesson" else f"{name}{kind}"
            rows.append((row["text"], row["label"] == "violation", group, name == "lesson"))
    return rows


def ordinary():
    texts = json.loads((ROOT / "public/voice/control.json").read_text())["texts"]
    for name in PERSONAS:
        file = ROOT / "tests/data/voice/development" / name / "labelled.jsonl"
        turns = [json.loads(line) for line in file.read_text().splitlines()]
        texts += [turn["text"] for turn in turns if turn.get("role") == "assistant"]
    return texts


def main(assay):
    texts, is_violation, groups, is_own = (np.array(column) for column in zip(*learned()))
    target, calm = is_violation.astype(int), ordinary()
    replies, others = Replies(texts), Replies(calm)

    def fit(chosen, chosen_others):
        rows = sparse.vstack([replies.whole[chosen], others.whole[chosen_others]]).tocsr()
        targets = np.r_[target[chosen], np.zeros(len(chosen_others))]
        return LogisticRegression(C=STRENGTH, solver="liblinear").fit(rows, targets)

    left_out, calm_left_out = np.zeros(len(texts)), np.zeros(len(calm))
    folds = np.arange(len(calm)) % FOLDS
    for fold, (train, test) in enumerate(GroupKFold(FOLDS).split(texts, target, groups)):
        model = fit(train, np.where(folds != fold)[0])
        left_out[test] = replies.log_odds(model)[test]
        calm_left_out[folds == fold] = others.log_odds(model)[folds == fold]
    # what a rule adds is told by texts that no rule was mended by
    own = np.c_[left_out, matches(assay, texts)][is_own]
    scale = LogisticRegression(C=100).fit(own, target[is_own])
    (slope, rule), intercept = scale.coef_[0], scale.intercept_[0]
    calm_log_odds = scale.decision_function(np.c_[calm_left_out, matches(assay, calm)])
    bound = np.sort(calm_log_odds)[::-1][int(ORDINARY_ABOVE * len(calm))]

    model = fit(np.arange(len(texts)), np.arange(len(calm)))
    tables = {}
    for at, name in enumerate(("words", "classes")):
        weights = slope * model.coef_[0][at * BUCKETS : (at + 1) * BUCKETS]
        step = np.quantile(np.abs(weights[weights != 0]), 0.998) / 127
        packed = np.clip(np.round(weights / step), -127, 127).astype(np.int8)
        packed[np.abs(packed) < 2] = 0
        tables[name] = {"scale": round(float(step), 8), "weights": base64.b64encode(packed.tobytes()).decode()}
    before = json.loads(FILE.read_text())
    after = {
        **before,
        "intercept": round(float(slope * model.intercept_[0] + intercept), 4),
        "rule": round(float(rule), 4),
        "threshold": round(float(1 / (1 + np.exp(-bound))), 4),
        "learned_from": {
            "violations": int(target.sum()),
            "harmless": int((1 - target).sum()),
            "ordinary": len(calm),
        },
        **tables,
    }
    FILE.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
