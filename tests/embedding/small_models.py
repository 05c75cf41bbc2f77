"""Writes the small models of tests/data/onnx, and what another runtime makes of texts with them.

Needs `pip install onnx onnxruntime tokenizers sentencepiece numpy`. Run in the repository's root.

- multilingual: as multilingual MiniLM is exported. Inputs input_ids and attention_mask alone, places
  counted from the ids, a Unigram tokenizer with a compiled normaliser and Metaspace. Words that mean
  the same in four languages begin as the same vector; all else is drawn with a fixed seed.
- pooled: as BERT with token_type_ids and a WordPiece tokenizer; its outputs are token_embeddings
  and sentence_embedding.
- broken.onnx: operators that no runtime has, or only one.
"""

import base64
import io
import json
import os
import tempfile

import numpy as np
import onnx
import onnxruntime
import sentencepiece
from onnx import TensorProto, helper, numpy_helper
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer

OUT = "tests/data/onnx"
HIDDEN, HEADS, LAYERS, WIDE, PLACES = 32, 2, 2, 48, 66
RANDOM = np.random.default_rng(20261123)

# concept: English, German, Japanese, Arabic
CONCEPTS = """
bread Brot パン خبز
oven Ofen オーブン فرن
baked gebacken 焼いた مخبوز
fresh frisch 新鮮な طازج
morning Morgen 朝 صباح
mill Mühle 製粉所 طاحونة
flour Mehl 小麦粉 دقيق
river Fluss 川 نهر
train Zug 電車 قطار
late spät 遅れた متأخر
station Bahnhof 駅 محطة
ticket Fahrkarte 切符 تذكرة
money Geld お金 مال
bank Bank 銀行 بنك
interest Zinsen 利子 فائدة
account Konto 口座 حساب
the der は ال
is ist です هو
we wir 私たち نحن
good gut 良い جيد
""".split()
CONCEPTS = [CONCEPTS[at : at + 4] for at in range(0, len(CONCEPTS), 4)]
TEXTS = [
    "The bread is fresh, baked this morning.",
    "Brot, frisch gebacken am Morgen.",
    "新鮮な パン は 朝 焼いた です。",
    "خبز طازج مخبوز صباح",
    "The train is late at the station.",
    "Der Zug ist spät am Bahnhof.",
    "ＦＲＥＳＨ　bread  ½ ﬁne soft\u00adhyphen",
    "money money money " * 40,
    "naïve café 😀 \u200bzero",
    "",
]


class Graph:
    def __init__(self):
        self.nodes, self.weights, self.count = [], [], 0

    def constant(self, array, name=None):
        self.count += 1
        name = name or f"c{self.count}"
        self.weights.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def floats(self, value):
        return self.constant(np.array(value, np.float32))

    def node(self, op, inputs, output=None, **attributes):
        self.count += 1
        output = output or f"{op}_{self.count}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def normed(self, x):
        scale = self.constant(np.ones(HIDDEN, np.float32))
        bias = self.constant(np.zeros(HIDDEN, np.float32))
        return self.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=1e-5)

    def dense(self, x, inputs, outputs):
        matrix = RANDOM.normal(0, 0.08, (inputs, outputs)).astype(np.float32)
        bias = RANDOM.normal(0, 0.02, outputs).astype(np.float32)
        product = self.node("MatMul", [x, self.constant(matrix)])
        return self.node("Add", [product, self.constant(bias)])

    def places(self, ids, pad, kind):
        """The place of each token from 1, as models of RoBERTa's kind count them."""
        counted = self.node("Not", [self.node("Equal", [ids, self.ints(pad)])])
        counted = self.node("Cast", [counted], to=kind)
        places = self.node("CumSum", [counted, self.constant(np.array(1, np.int64))])
        return self.node("Mul", [places, counted])

    def encoder(self, x, mask):
        size = HIDDEN // HEADS
        mask = self.node("Cast", [self.node("Unsqueeze", [mask, self.ints(1, 2)])], to=1)
        mask = self.node("Mul", [self.node("Sub", [self.floats(1), mask]), self.floats(-1e30)])
        for _ in range(LAYERS):
            parts = []
            for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
                part = self.node("Reshape", [self.dense(x, HIDDEN, HIDDEN), self.ints(0, 0, HEADS, size)])
                parts.append(self.node("Transpose", [part], perm=order))
            scores = self.node("Div", [self.node("MatMul", parts[:2]), self.floats(size**0.5)])
            scores = self.node("Softmax", [self.node("Add", [scores, mask])], axis=-1)
            mixed = self.node("Transpose", [self.node("MatMul", [scores, parts[2]])], perm=[0, 2, 1, 3])
            mixed = self.node("Reshape", [mixed, self.ints(0, 0, HIDDEN)])
            x = self.normed(self.node("Add", [self.dense(mixed, HIDDEN, HIDDEN), x]))
            wide = self.dense(x, HIDDEN, WIDE)
            gate = self.node("Erf", [self.node("Div", [wide, self.floats(2**0.5)])])
            gate = self.node("Mul", [self.node("Add", [gate, self.floats(1)]), self.floats(0.5)])
            narrow = self.dense(self.node("Mul", [wide, gate]), WIDE, HIDDEN)
            x = self.normed(self.node("Add", [narrow, x]))
        return x

    def save(self, path, inputs, outputs):
        def about(name, kind, dims):
            return helper.make_tensor_value_info(name, kind, dims)

        graph = helper.make_graph(
            self.nodes,
            "small",
            [about(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs],
            [about(name, TensorProto.FLOAT, dims) for name, dims in outputs],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(model, path)


def write(folder, files):
    for name, value in files.items():
        path = f"{OUT}/{folder}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False)
            file.write("\n")


def charsmap():
    """Rules of NFKC and of what sentencepiece drops, for the letters of the tests, compiled by it."""
    rules = [(chr(0xFF01 + at), chr(0x21 + at)) for at in range(94)]
    rules += [("\u3000", " "), ("\u00ad", ""), ("\u200b", ""), ("½", "1⁄2"), ("ﬁ", "fi"), ("\u00a0", " ")]
    hexed = lambda text: " ".join(f"{ord(letter):X}" for letter in text)
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.writelines(f"{hexed(a)}\t{hexed(b)}\n" for a, b in rules)
        file.flush()
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["hello little world", "another test of it"] * 20),
            model_writer=out,
            vocab_size=30,
            hard_vocab_limit=False,
            normalization_rule_tsv=file.name,
            minloglevel=2,
        )
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(out.getvalue())
    return base64.b64encode(model.normalizer_spec.precompiled_charsmap).decode()


def special(number, content, lstrip=False):
    return dict(id=number, content=content, single_word=False, lstrip=lstrip, rstrip=False, normalized=False, special=True)


def template(first, last):
    side = lambda content: {"SpecialToken": {"id": content[0], "type_id": 0}}
    one = [side(first), {"Sequence": {"id": "A", "type_id": 0}}, side(last)]
    two = one + [{"Sequence": {"id": "B", "type_id": 1}}, side(last)]
    tokens = {content: {"id": content, "ids": [number], "tokens": [content]} for content, number in (first, last)}
    return dict(type="TemplateProcessing", single=one, pair=two, special_tokens=tokens)


def multilingual():
    letters = sorted({letter for text in TEXTS for letter in text} | set("abcdefghijklmnopqrstuvwxyz⁄12"))
    pieces = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁", -4.0]]
    concept_of = {}
    for number, concept in enumerate(CONCEPTS):
        for word in dict.fromkeys(w for word in concept for w in (word, word.capitalize())):
            concept_of[len(pieces)] = number
            pieces.append([f"▁{word}", -6.0 - 0.01 * len(pieces)])
    known = {piece for piece, _ in pieces}
    for letter in letters:
        if not letter.isspace() and letter not in known and ord(letter) < 0xFF00:
            pieces.append([letter, -9.0 - 0.01 * len(pieces)])
    metaspace = dict(type="Metaspace", replacement="▁", prepend_scheme="always", split=True)
    tokenizer = dict(
        version="1.0",
        truncation=dict(direction="Right", max_length=512, strategy="LongestFirst", stride=0),
        padding=None,
        added_tokens=[special(0, "<s>"), special(1, "<pad>"), special(2, "</s>"), special(3, "<unk>")],
        normalizer=dict(
            type="Sequence",
            normalizers=[
                dict(type="Precompiled", precompiled_charsmap=charsmap()),
                dict(type="Replace", pattern=dict(Regex=" {2,}"), content=" "),
            ],
        ),
        pre_tokenizer=dict(type="Sequence", pretokenizers=[dict(type="WhitespaceSplit"), metaspace]),
        post_processor=template(("<s>", 0), ("</s>", 2)),
        decoder=metaspace,
        model=dict(type="Unigram", unk_id=3, vocab=pieces, byte_fallback=False),
    )
    concepts = RANDOM.normal(0, 1, (len(CONCEPTS), HIDDEN))
    # what carries no meaning weighs little
    words = RANDOM.normal(0, 0.05, (len(pieces), HIDDEN))
    for piece, number in concept_of.items():
        words[piece] += concepts[number] * (0.1 if number >= len(CONCEPTS) - 4 else 1)
    graph = Graph()
    ids = "input_ids"
    places = graph.places(ids, 1, TensorProto.INT32)
    places = graph.node("Add", [graph.node("Cast", [places], to=TensorProto.INT64), graph.ints(1)])
    table = graph.constant(words.astype(np.float32), "words")
    beside = graph.constant(RANDOM.normal(0, 0.02, (PLACES, HIDDEN)).astype(np.float32), "places")
    sum_ = graph.node("Add", [graph.node("Gather", [table, ids]), graph.node("Gather", [beside, places])])
    graph.node("Identity", [graph.encoder(graph.normed(sum_), "attention_mask")], "last_hidden_state")
    os.makedirs(f"{OUT}/multilingual", exist_ok=True)
    outputs = [("last_hidden_state", ["batch", "sequence", HIDDEN])]
    graph.save(f"{OUT}/multilingual/model.onnx", [ids, "attention_mask"], outputs)
    module = "sentence_transformers.models."
    write("multilingual", {
        "tokenizer.json": tokenizer,
        "config.json": dict(_name_or_path="tests/multilingual-small", model_type="xlm-roberta", hidden_size=HIDDEN, max_position_embeddings=PLACES),
        "sentence_bert_config.json": dict(max_seq_length=64, do_lower_case=False),
        "config_sentence_transformers.json": dict(prompts=dict(query="query: ", document=""), default_prompt_name=None),
        "modules.json": [dict(idx=at, type=module + kind) for at, kind in enumerate(["Transformer", "Pooling", "Normalize"])],
        "1_Pooling/config.json": dict(word_embedding_dimension=HIDDEN, pooling_mode_cls_token=False, pooling_mode_mean_tokens=True, pooling_mode_max_tokens=False),
    })


def pooled():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz.,", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    words += [word.lower() for concept in CONCEPTS for word in concept[:1]]
    tokenizer = dict(
        version="1.0",
        truncation=None,
        padding=None,
        added_tokens=[special(number, words[number]) for number in range(4)],
        normalizer=dict(type="BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True),
        pre_tokenizer=dict(type="BertPreTokenizer"),
        post_processor=template(("[CLS]", 2), ("[SEP]", 3)),
        decoder=dict(type="WordPiece", prefix="##", cleanup=True),
        model=dict(type="WordPiece", unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=100, vocab={word: at for at, word in enumerate(dict.fromkeys(words))}),
    )
    graph = Graph()
    draw = lambda rows: graph.constant(RANDOM.normal(0, 0.5, (rows, HIDDEN)).astype(np.float32))
    # in 64 bits, which is another thing to tract than in 32
    beside = graph.node("Gather", [draw(PLACES), graph.places("input_ids", 0, TensorProto.INT64)])
    sum_ = graph.node("Add", [graph.node("Gather", [draw(len(words)), "input_ids"]), beside])
    sum_ = graph.node("Add", [sum_, graph.node("Gather", [draw(2), "token_type_ids"])])
    hidden = graph.node("Identity", [graph.encoder(graph.normed(sum_), "attention_mask")], "token_embeddings")
    mask = graph.node("Cast", [graph.node("Unsqueeze", ["attention_mask", graph.ints(-1)])], to=1)
    total = graph.node("ReduceSum", [graph.node("Mul", [hidden, mask]), graph.ints(1)], keepdims=0)
    count = graph.node("ReduceSum", [mask, graph.ints(1)], keepdims=0)
    mean = graph.node("Div", [total, count])
    norm = graph.node("ReduceL2", [mean], axes=[-1], keepdims=1)
    graph.node("Div", [mean, norm], "sentence_embedding")
    os.makedirs(f"{OUT}/pooled", exist_ok=True)
    outputs = [("token_embeddings", ["batch", "sequence", HIDDEN]), ("sentence_embedding", ["batch", HIDDEN])]
    graph.save(f"{OUT}/pooled/model.onnx", ["input_ids", "attention_mask", "token_type_ids"], outputs)
    write("pooled", {
        "tokenizer.json": tokenizer,
        "config.json": dict(model_type="bert", hidden_size=HIDDEN, max_position_embeddings=64),
    })


def broken():
    graph = Graph()
    words = graph.constant(RANDOM.normal(0, 1, (8, HIDDEN)).astype(np.float32))
    x = graph.node("Gather", [words, "input_ids"])
    for _ in range(2):
        x = graph.node("SkipLayerNormalization", [x, x], domain="com.microsoft")
    graph.node("Frobnicate", [x], "last_hidden_state")
    graph.save(f"{OUT}/broken.onnx", ["input_ids"], [("last_hidden_state", ["batch", "sequence", HIDDEN])])


def facts(folder, output, max_tokens):
    tokenizer = Tokenizer.from_file(f"{OUT}/{folder}/tokenizer.json")
    tokenizer.enable_truncation(max_tokens)
    session = onnxruntime.InferenceSession(f"{OUT}/{folder}/model.onnx")
    asked = [asked.name for asked in session.get_inputs()]
    found = []
    for text in TEXTS:
        encoded = tokenizer.encode(text)
        inputs = dict(input_ids=encoded.ids, attention_mask=encoded.attention_mask, token_type_ids=encoded.type_ids)
        inputs = {name: np.array([inputs[name]], np.int64) for name in asked}
        rows = session.run([output], inputs)[0][0]
        ways = dict(own=rows) if rows.ndim == 1 else dict(mean=rows.mean(0), first=rows[0])
        vectors = {way: [round(float(x), 7) for x in row / np.linalg.norm(row)] for way, row in ways.items()}
        found.append(dict(text=text, ids=encoded.ids, **vectors))
    return found


multilingual()
pooled()
broken()
everything = dict(multilingual=facts("multilingual", "last_hidden_state", 64), pooled=facts("pooled", "sentence_embedding", 64))
with open(f"{OUT}/facts.json", "w", encoding="utf-8") as file:
    for number, (name, found) in enumerate(everything.items()):
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
        file.write(f'{"{" if number == 0 else ","}"{name}": [\n{rows}\n]')
    file.write("}\n")
vectors = np.array([fact["mean"] for fact in everything["multilingual"]])
print(np.round(vectors @ vectors.T, 2))
