#!/usr/bin/env python3
"""Learns the second opinion on the rules of safety and writes public/voice/safety.json.

Needs numpy and scikit-learn, the model, and a built `assay` whose path is the first argument; the
features are those of src/persona/second.rs. Reads the labelled replies of tests/data/persona/safety
but `held_out_2` and `held_out_3`. SCORING.md section 3, "A second opinion", says what is fitted on what.
What is found of each writer's replies by what the others taught is printed.

The groups of words stay as they are in the file, unless a second argument names the model's
tokenizer.json: then they are made anew of its first words.
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
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "public/voice/safety.json"
BUCKETS, SENTENCES, NEAR = 1 << 15, 3, 7
TABLES = ("words", "classes", "grouped")
STRENGTH, ORDINARY_ABOVE, HARMLESS_ABOVE = 10, 0.01, 0.02
# a word of so many that the model knows is in one of so many groups
GROUPED, GROUPS = 10_000, 300
TOKEN = re.compile(r"[a-z0-9']+|[.,!?;:\"“”]")
# left out one with each writer
PERSONAS = ["astronomer", "kernel", "clinic", "apothecary", "telegrapher", "snackbar"]
SETS = {
    "old": ["development", "second", "third", "fourth", "fifth", "unmended"],
    "held_out": ["held_out"],
    "lesson": ["lesson"],
    "writer_a": ["writer_a"],
    "writer_b": ["writer_b"],
    "writer_c": ["writer_c"],
}
# by these no rule was mended
UNMENDED = ("lesson", "writer_a", "writer_b", "writer_c")
BEFORE = json.loads(FILE.read_text())
KINDS, GROUP = {}, {}
for kind, words in BEFORE["kinds"].items():
    for word in words:
        KINDS.setdefault(word, []).append(kind)


def set_groups(groups):
    GROUP.clear()
    GROUP.update({word: number for number, words in enumerate(groups) for word in words.split(" ")})


set_groups(BEFORE.get("groups", []))


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
    return KINDS.get(word) or KINDS.get(stem(word)) or []


def stem(word):
    return re.sub(r"('s|s|ed|ing|d)$", "", word)


def features(words):
    """The buckets of words and pairs of words, those of kinds, and those of groups."""
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
    groups = [GROUP.get(word, GROUP.get(stem(word))) for word in words]
    grouped = {f"g:c:{group}" for group in groups if group is not None}
    for a, b, first, second in zip(words, words[1:], groups, groups[1:]):
        grouped |= {f"g:p:{first}_{second}"} if None not in (first, second) else set()
        grouped |= {f"g:wc:{a}_{second}"} if second is not None else set()
        grouped |= {f"g:cw:{first}>{b}"} if first is not None else set()
    return [{bucket(feature) for feature in table} for table in (plain, near, grouped)]


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
            values += [max(len(buckets), 1) ** -0.5] * len(buckets)
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(stretches), len(TABLES) * BUCKETS))


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
    found = []
    for start in range(0, len(texts), 1000):
        some = texts[start : start + 1000]
        rows = [json.dumps({"session_id": f"{at:06}", "turn": 1, "assistant": t}) for at, t in enumerate(some)]
        with tempfile.TemporaryDirectory() as folder:
            persona, transcript = Path(folder, "p.yaml"), Path(folder, "t.jsonl")
            persona.write_text("lexicon: {preferred: [ride]}\n")
            transcript.write_text("\n".join(rows))
            command = [assay, "persona", "--persona", persona, "--input", transcript]
            result = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
        found += [float(bool(s["turns"][0]["violations"])) for s in result["sessions"]]
    return np.array(found)


def made_groups(assay, tokenizer):
    """Words whose vectors lie near each other, a text a group."""
    vocabulary = json.loads(Path(tokenizer).read_text())["model"]["vocab"]
    words = sorted(vocabulary, key=vocabulary.get)
    words = [word for word in words if re.fullmatch("[a-zA-Z]{2,}", word)][:GROUPED]
    lines = subprocess.run(
        [assay, "embed"], input="\n".join(words) + "\n", capture_output=True, check=True, cwd=ROOT, text=True
    ).stdout.splitlines()
    vectors = np.array([json.loads(line) for line in lines])
    vectors -= vectors.mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    labels = KMeans(GROUPS, random_state=0, n_init=1, max_iter=30).fit_predict(vectors)
    return [" ".join(word for word, at in zip(words, labels) if at == group) for group in range(GROUPS)]


def learned():
    """Texts, whether each is a violation, and whose it is."""
    folder, rows = ROOT / "tests/data/persona/safety", []
    for writer, names in SETS.items():
        for name in names:
            replies = map(json.loads, (folder / f"{name}.jsonl").read_text().splitlines())
            rows += [(row["text"], row["label"] == "violation", writer) for row in replies]
    return rows


def ordinary():
    """Texts, and the fold that each is left out in."""
    texts = json.loads((ROOT / "public/voice/control.json").read_text())["texts"]
    folds = [at % len(SETS) for at in range(len(texts))]
    for fold, name in enumerate(PERSONAS):
        file = ROOT / "tests/data/voice/development" / name / "labelled.jsonl"
        turns = [json.loads(line) for line in file.read_text().splitlines()]
        own = [turn["text"] for turn in turns if turn.get("role") == "assistant"]
        texts, folds = texts + own, folds + [fold] * len(own)
    return texts, np.array(folds)


def above(values, share):
    """The value that so many of all are above."""
    return np.sort(values)[::-1][int(share * len(values))]


def tell(name, of, target, log_odds):
    """Prints how many violations are found at a false alarm among fifty and among twenty harmless ones."""
    harmless, violations = log_odds[of & (target == 0)], log_odds[of & (target == 1)]
    found = [np.mean(violations > above(harmless, share)) for share in (0.02, 0.05)]
    area = roc_auc_score(target[of], log_odds[of])
    print(f"{name}: {found[0]:.2f} found at 2 %, {found[1]:.2f} at 5 %, AUC {area:.3f}")


def packed(weights):
    """A byte each."""
    step = np.quantile(np.abs(weights[weights != 0]), 0.998) / 127
    whole = np.clip(np.round(weights / step), -127, 127).astype(np.int8)
    whole[np.abs(whole) < 2] = 0
    return {"scale": round(float(step), 8), "weights": base64.b64encode(whole.tobytes()).decode()}


def fitted(replies, target, others):
    rows = sparse.vstack([replies, others]).tocsr()
    targets = np.r_[target, np.zeros(others.shape[0])]
    return LogisticRegression(C=STRENGTH, solver="liblinear").fit(rows, targets)


def main(assay, tokenizer=None):
    groups = made_groups(assay, tokenizer) if tokenizer else BEFORE["groups"]
    set_groups(groups)
    texts, is_violation, writers = (np.array(column) for column in zip(*learned()))
    target, (calm, folds) = is_violation.astype(int), ordinary()
    replies, others = Replies(texts), Replies(calm)

    # each writer's replies as they are read by what the others taught
    left_out, calm_left_out = np.zeros(len(texts)), np.zeros(len(calm))
    for fold, writer in enumerate(SETS):
        own = writers == writer
        model = fitted(replies.whole[~own], target[~own], others.whole[folds != fold])
        left_out[own] = replies.log_odds(model)[own]
        calm_left_out[folds == fold] = others.log_odds(model)[folds == fold]
    # what a rule adds is told by texts that no rule was mended by
    is_unmended, matched = np.isin(writers, UNMENDED), matches(assay, list(texts))
    own = np.c_[left_out, matched]
    scale = LogisticRegression(C=100).fit(own[is_unmended], target[is_unmended])
    (slope, rule), intercept = scale.coef_[0], scale.intercept_[0]
    log_odds = scale.decision_function(own)
    calm_log_odds = scale.decision_function(np.c_[calm_left_out, matches(assay, calm)])
    for writer in SETS:
        tell(f"{writer}, words alone", writers == writer, target, left_out)
        if writer in UNMENDED:
            tell(f"{writer}, with rules", writers == writer, target, log_odds)
    tell("all three writers, words alone", np.isin(writers, UNMENDED[1:]), target, left_out)
    tell("all three writers, with rules", np.isin(writers, UNMENDED[1:]), target, log_odds)
    bounds = above(log_odds[is_unmended & (target == 0)], HARMLESS_ABOVE), above(calm_log_odds, ORDINARY_ABOVE)
    print(f"bounds, by harmless ones and by ordinary ones: {bounds}")

    model = fitted(replies.whole, target, others.whole)
    weights = slope * model.coef_[0]
    after = {
        **BEFORE,
        "formula": "safety/2",
        "intercept": round(float(slope * model.intercept_[0] + intercept), 4),
        "rule": round(float(rule), 4),
        "threshold": round(float(1 / (1 + np.exp(-max(bounds)))), 4),
        "learned_from": {
            "violations": int(target.sum()),
            "harmless": int((1 - target).sum()),
            "ordinary": len(calm),
        },
        "groups": groups,
        **{name: packed(weights[at * BUCKETS : (at + 1) * BUCKETS]) for at, name in enumerate(TABLES)},
    }
    FILE.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
