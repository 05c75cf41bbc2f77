#!/usr/bin/env python3
"""Writes tests/data/embedding/token_ids.tsv with the original tokenizer.

    ASSAY_TEXTS=texts.json cargo test --test embedding -- --ignored write_texts
    python3 tests/embedding/token_ids.py texts.json tokenizer.json > tests/data/embedding/token_ids.tsv

Needs `pip install tokenizers`; tokenizer.json is the original one.
"""

import hashlib
import json
import sys

from tokenizers import Tokenizer


def short_hash(text):
    return hashlib.sha256(text.encode()).hexdigest()[:8]


texts, tokenizer = sys.argv[1:]
tokenizer = Tokenizer.from_file(tokenizer)
tokenizer.enable_truncation(256)
tokenizer.no_padding()
for text in json.load(open(texts, encoding="utf-8")):
    ids = tokenizer.encode(text).ids
    print(short_hash(text), short_hash(",".join(map(str, ids))), sep="\t")
