"""The native embedder against onnxruntime with the float32 graph of the same weights, in turns in one
run: native.py ASSAY MODEL TOKENIZER GRAPH CONTROL. Where sentence-transformers is installed it is run beside them."""

import json
import os
import subprocess
import sys
import time
from statistics import median

import numpy
import onnxruntime
from tokenizers import Tokenizer

# of the texts so many are taken, and fewer than all of them once
SHARE = float(os.environ.get("SHARE", 1))
# short turns, and many: what else runs on the machine meets both
ROUNDS = 9 if SHARE == 1 else 1
# a cosine between their vectors is above it
LEAST = 0.9999
# texts that are computed together, in the order of their lengths; the best of them is taken
BATCHES = (1, 8, 32)

assay, model, tokenizer_file, graph, control = sys.argv[1:]


def texts():
    """Short, mixed and long texts, of the control sample."""
    held = json.load(open(control))
    mixed = [text.replace("\n", " ") for text in held["texts"]] * 3
    words = " ".join(mixed).split()
    kinds = {
        "short (12 words)": [" ".join(text.split()[:12]) for text in mixed[:400]],
        "mixed (5 to 120 words)": mixed[:200],
        "256 tokens": [" ".join(words[at * 53 % 4000:][:260]) for at in range(60)],
    }
    return {kind: own[: max(1, int(SHARE * len(own)))] for kind, own in kinds.items()}


class Ours:
    """The program, which stays: what it loads is loaded before its first text, as theirs is."""

    def __init__(self, threads):
        self.process = subprocess.Popen(
            [assay, "embed", "--model", model, "--threads", str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=1 << 20,
        )

    def embed(self, lines):
        began = time.perf_counter()
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()
        made = [self.process.stdout.readline() for _ in lines]
        took = time.perf_counter() - began
        return took, numpy.array([json.loads(line) for line in made])

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


def started():
    """How long it takes to load what it needs, and to embed a word."""
    began = time.perf_counter()
    ours = Ours(1)
    ours.embed(["a"])
    took = time.perf_counter() - began
    ours.end()
    return took


class Theirs:
    def __init__(self, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self.inputs = {one.name for one in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(tokenizer_file)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)

    def embed(self, lines, batch):
        began = time.perf_counter()
        all_ids = [one.ids for one in self.tokenizer.encode_batch(lines)]
        order = sorted(range(len(lines)), key=lambda at: len(all_ids[at]), reverse=True)
        made = numpy.empty((len(lines), 384))
        for at in range(0, len(order), batch):
            part = [all_ids[one] for one in order[at:at + batch]]
            ids = numpy.zeros((len(part), len(part[0])), numpy.int64)
            mask = numpy.zeros_like(ids)
            for row, one in enumerate(part):
                ids[row, : len(one)] = one
                mask[row, : len(one)] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            rows = self.session.run(None, {name: feed[name] for name in self.inputs})[0]
            mean = (rows * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            made[order[at:at + batch]] = mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
        return time.perf_counter() - began, made


def beside(threads):
    """sentence-transformers, where it is installed."""
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError:
        return None
    torch.set_num_threads(threads)
    loaded = SentenceTransformer(os.path.dirname(tokenizer_file), device="cpu")

    def embed(lines):
        began = time.perf_counter()
        loaded.encode(lines, batch_size=32, normalize_embeddings=True)
        return time.perf_counter() - began

    return embed


def main():
    every = os.cpu_count() or 1
    counts = [1] if every == 1 else [1, every]
    start = min(started() for _ in range(ROUNDS))
    print(f"onnxruntime {onnxruntime.__version__}, {ROUNDS} rounds in turns; texts a second in the best of them")
    print(f"assay embed takes {start:.2f} s to start, which is not counted: onnxruntime is loaded already\n")
    print("| texts | threads | assay embed | onnxruntime | by | by the medians |")
    print("|---|---|---|---|---|---|")
    for threads in counts:
        ours, theirs, third = Ours(threads), Theirs(threads), beside(threads)
        for name, lines in texts().items():
            # they do the same work, and theirs is done as suits it best
            _, own = ours.embed(lines)
            tried = []
            for batch in BATCHES:
                took, other = theirs.embed(lines, batch)
                assert (own * other).sum(1).min() > LEAST
                tried.append((took, batch))
            _, batch = min(tried)
            took = {"ours": [], "theirs": [], "third": []}
            for _ in range(ROUNDS):
                took["ours"].append(ours.embed(lines)[0])
                took["theirs"].append(theirs.embed(lines, batch)[0])
                if third:
                    took["third"].append(third(lines))
            rate = {who: len(lines) / min(times) for who, times in took.items() if times}
            extra = f"; sentence-transformers {rate['third']:.0f}" if third else ""
            by = [of(took["theirs"]) / of(took["ours"]) for of in (min, median)]
            print(
                f"| {name} | {threads} | {rate['ours']:.0f} | {rate['theirs']:.0f}{extra} | {by[0]:.2f} | {by[1]:.2f} |",
                flush=True,
            )
        ours.end()


main()
