#!/usr/bin/env python3
"""What two generations of `transformers` make of characters that a vocabulary has no piece for, and of tokens that stand for single bytes:
the judge of `crates/engine/tokenize/src/translation/bytes_judged.rs`.

    P4=VENV4/bin/python P5=VENV5/bin/python      # transformers 4.57.6 and 5.22.2, both with sentencepiece 0.2.2
    $P4 tools/reference/byte_fallback.py crates/engine/engine/tests --four $P4 --five $P5

A case is one of the tiny tokenizers under `tests` with 256 pieces `<0x00>` to `<0xFF>` more: at the end of a SentencePiece model (kept as
`tests/byte_fallback/*.model`) and of its `vocab.json`, or in `tokenizer.json` (`changes`; `grown`). Causal ones have them already.
`lists.json` has LINES lines and LISTS lists of tokens drawn with SEED: numbers are bytes, strings other pieces (left out where a
vocabulary has them not). They make whole characters, characters cut off, bytes that begin none, surrogates, numbers beyond Unicode, longer
forms than needed, and all of them with pieces and special tokens in between. A case holds the first eight hex digits of the SHA-256 of each
ten lines' ids and each ten texts, and in full the texts of the first HARD lists. `--dump FOLDER` writes everything.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

SEED = 20261117
VERSIONS = {"four": "4.57.6", "five": "5.22.2"}
LINES, LISTS, HARD = 120, 400, 30
FILES = ["added_tokens.json", "sentencepiece.bpe.model", "source.spm", "special_tokens_map.json", "spiece.model", "target.spm", "target_vocab.json",
         "tokenizer.json", "tokenizer_config.json", "vocab.json"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SPELLED = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]
STRIPPED = SPELLED + [{"type": "Strip", "content": " ", "start": 1, "stop": 0}]

# ---------------------------------------------------------------------------------------------------------------
# Lines and lists of tokens.

CHARACTERS = "aé€😀ß日本한ع\u0000\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff\ufffd\ufeff\u2581 \u2028"
BROKEN = [[0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
          [0xED, 0xBF, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xF8, 0x88, 0x80, 0x80, 0x80],
          [0xFE], [0xFF], [0xFF, 0xFE], [0xEF, 0xBF]]
PIECES = ["▁the", "▁The", "the", "▁", "s", "e", ".", "▁a", "er", "</s>", "<s>", "<unk>", "<pad>", "<eos>", "<bos>", "<mask>", "▁▁", "'", "n"]
WORDS = ["The doctor", "nurse", "日本語", "😀", "👩🏽‍🚀", "Ω", "\u0000", "ع", "x\ufffdy", "\U0010ffff", "€5", "한국어", "<0x41>", "<0xE2><0x82><0xAC>", "the", "Straße", "\ufeff"]


def drawn():
    draw = random.Random(SEED)
    lines = list(WORDS) + ["", " ", "😀 😀", "a😀b", "😀😀😀 the"]
    while len(lines) < LINES:
        lines.append(draw.choice(["", "", " "]) + draw.choice(["", " "]).join(draw.choice(WORDS) for _ in range(draw.randint(1, 6))))
    lists = [[0xE2, 0x82, 0xAC], [0xE2, "</s>", 0x82, 0xAC], [0xE2, "▁the", 0x82, 0xAC], [0x20, "▁the"], ["▁", 0x41], ["▁the", 0xC3, 0xA9, "s"], [0xFF], [0xFF] * 5,
             [0x41, 0xFF, 0x42], [0x0A], [0x20], [0x20, 0x20, "▁the", 0x20], ["▁", "▁", 0xE6, 0x97, 0xA5], [0xE6, 0x97, "▁", 0xA5], ["</s>", 0x41], [0x00],
             [0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F], ["<unk>", 0xC3, "<unk>", 0xA9], [0xC3, "<pad>", 0xA9], [0xE2, 0x96, 0x81, 0x41], ["▁the", 0xE2, 0x96, 0x81, 0xE2, 0x96, 0x81, "▁the"]]
    while len(lists) < LISTS:
        line = []
        for _ in range(draw.randint(1, 6)):
            kind = draw.random()
            if kind < 0.35:
                line += list(draw.choice(CHARACTERS).encode())
            elif kind < 0.55:
                line += draw.choice(BROKEN)
            elif kind < 0.65:
                line += [draw.randrange(256) for _ in range(draw.randint(1, 3))]
            else:
                line.append(draw.choice(PIECES))
        if draw.random() < 0.3 and len(line) > 1:
            line.insert(draw.randrange(1, len(line)), draw.choice(PIECES))
        lists.append(line)
    return lines, lists


# ---------------------------------------------------------------------------------------------------------------
# Cases.

def with_bytes(model):
    from sentencepiece import sentencepiece_model_pb2 as proto

    parsed = proto.ModelProto()
    parsed.ParseFromString(model)
    for name in BYTES:
        parsed.pieces.add(piece=name, score=0.0, type=proto.ModelProto.SentencePiece.BYTE)
    parsed.trainer_spec.byte_fallback = True
    parsed.trainer_spec.vocab_size = len(parsed.pieces)
    return parsed.SerializeToString()


def numbered(tests, base, file="vocab.json"):
    ids = json.load(open(os.path.join(tests, "seq2seq", base, file)))
    size = max(ids.values()) + 1
    return dict(ids, **{name: size + byte for byte, name in enumerate(BYTES)})


def grown(tests, base, flag, decoder):
    """Changes to `tokenizer.json`, and the settings that number its tokens: bytes stand behind the pieces, added tokens behind them."""
    place = os.path.join(tests, "seq2seq", base)
    state = json.load(open(os.path.join(place, "tokenizer.json")))
    vocabulary = state["model"]["vocab"]
    size = len(vocabulary)
    listed = isinstance(vocabulary, list)
    behind = 0 if listed else 256

    def moved(number):
        return number + behind if number >= size else number

    more = [[name, 0.0] for name in BYTES] if listed else {name: size + byte for byte, name in enumerate(BYTES)}
    changes = {"model": {"byte_fallback": flag, "vocab": more}, "added_tokens": [dict(token, id=moved(token["id"])) for token in state["added_tokens"]]}
    if decoder:
        changes["decoder"] = {"type": "Sequence", "decoders": decoder}
    if not behind:
        del changes["added_tokens"]
        return {"tokenizer.json": changes}, {}
    settings = json.load(open(os.path.join(place, "tokenizer_config.json")))
    settings["added_tokens_decoder"] = {str(moved(int(number))): token for number, token in settings["added_tokens_decoder"].items()}
    return {"tokenizer.json": changes}, {"tokenizer_config.json": settings, "added_tokens.json": None}


def cases(tests, models):
    def stored(base, file):
        with open(os.path.join(tests, "seq2seq", base, file), "rb") as opened:
            name = f"{base}.{file.split('.')[0]}.model"
            models[name] = with_bytes(opened.read())
            return f"byte_fallback/{name}"

    def case(name, kind, base, copies=None, files=None, changes=None, config=None, versions=("four", "five")):
        return dict(name=name, kind=kind, base=base, copies=copies or {}, files=files or {}, changes=changes or {}, config=config or {}, versions=list(versions))

    both = {"vocab.json": numbered(tests, "marian")}
    source, target = stored("marian", "source.spm"), stored("marian", "target.spm")
    yield case("marian", "translator", "seq2seq/marian", {"source.spm": source, "target.spm": target}, both)
    yield case("marian-target", "translator", "seq2seq/marian", {"target.spm": target}, both)
    yield case("marian-source", "translator", "seq2seq/marian", {"source.spm": source}, both)
    separate = {file: numbered(tests, "marian-separate", file) for file in ("vocab.json", "target_vocab.json")}
    yield case("marian-separate", "translator", "seq2seq/marian-separate", {"source.spm": source, "target.spm": target}, separate)
    pieces = stored("m2m_100", "sentencepiece.bpe.model")
    yield case("m2m_100", "translator", "seq2seq/m2m_100", {"sentencepiece.bpe.model": pieces}, {"vocab.json": numbered(tests, "m2m_100")})
    for base in ("t5", "mbart50", "nllb"):
        kinds = [("", True, SPELLED), ("-marked", True, None)] + [("-stripped", True, STRIPPED), ("-unread", False, SPELLED)] * (base == "t5")
        for name, flag, decoder in kinds:
            changes, files = grown(tests, base, flag, decoder)
            yield case(base + name, "translator", f"seq2seq/{base}", files=files, changes=changes)
    # Without tokenizer.json.
    pieces = stored("mbart50", "sentencepiece.bpe.model")
    yield case("mbart50-old", "translator", "seq2seq/mbart50", {"sentencepiece.bpe.model": pieces}, versions=("four",),
               files={"tokenizer.json": None, "special_tokens_map.json": None, "tokenizer_config.json": {"tokenizer_class": "MBart50Tokenizer"}})
    # Causal models.
    for name in ("llama", "gemma3", "mistral"):
        yield case(name, "causal", f"checkpoints/{name}")
    settings = json.load(open(os.path.join(tests, "checkpoints/llama/tokenizer_config.json")))
    for name, decoder in [("llama-class", STRIPPED), ("llama-class-unstripped", SPELLED)]:
        yield case(name, "causal", "checkpoints/llama", files={"tokenizer_config.json": dict(settings, tokenizer_class="LlamaTokenizer")},
                   changes={"tokenizer.json": {"decoder": {"type": "Sequence", "decoders": decoder}}}, versions=("four",))
    for name, model_type, settings in [("llama-old", "llama", {}), ("llama-old-new", "llama", {"tokenizer_class": "LlamaTokenizer", "legacy": False}),
                                       ("llama-old-bare", "llama", {"tokenizer_class": "LlamaTokenizer", "add_prefix_space": False}),
                                       ("gemma-old", "gemma", {"tokenizer_class": "GemmaTokenizer"})]:
        model = f"old_tokenizers/{model_type}.tokenizer.model"
        yield case(name, "causal", None, {"tokenizer.model": model}, {"tokenizer_config.json": settings}, config={"model_type": model_type}, versions=("four",))


# ---------------------------------------------------------------------------------------------------------------
# One version's answers.

def change(state, changes):
    for key, new in changes.items():
        if key == "model":
            change(state[key], new)
        elif key == "vocab" and isinstance(new, list):
            state[key] += new
        elif key == "vocab":
            state[key].update(new)
        else:
            state[key] = new


def make(tests, case, folder, version):
    config = dict(case["config"])
    if case["base"]:
        base = os.path.join(tests, case["base"])
        for file in FILES:
            if os.path.exists(os.path.join(base, file)):
                shutil.copy(os.path.join(base, file), folder)
        config = json.load(open(os.path.join(base, "config.json")))
    config["transformers_version"] = VERSIONS[version]
    json.dump(config, open(os.path.join(folder, "config.json"), "w"))
    for file, source in case["copies"].items():
        shutil.copy(os.path.join(tests, source), os.path.join(folder, file))
    for file, content in case["files"].items():
        path = os.path.join(folder, file)
        if content is not None:
            json.dump(content, open(path, "w"))
        elif os.path.exists(path):
            os.remove(path)
    for file, changes in case["changes"].items():
        path = os.path.join(folder, file)
        state = json.load(open(path))
        change(state, changes)
        json.dump(state, open(path, "w"))


def answer(tests, case, version, lines, lists):
    import transformers as hf

    hf.logging.set_verbosity_error()
    with tempfile.TemporaryDirectory() as folder:
        make(tests, case, folder, version)
        try:
            tokenizer = hf.AutoTokenizer.from_pretrained(folder)
        except Exception as error:  # what a version cannot read is no judgement
            return {"error": f"{type(error).__name__}: {error}"[:120]}
        name = type(tokenizer).__name__
        for part, language in [("M2M", "en"), ("Nllb", "eng_Latn"), ("MBart", "en_XX")]:
            if part in name:
                tokenizer.src_lang = language
        prefix = "translate English to German: " if (case["base"] or "").endswith("/t5") else ""
        ids = [tokenizer(prefix + line)["input_ids"] for line in lines]
        known = tokenizer.get_vocab()
        if "marian-separate" in case["name"]:
            known = tokenizer.target_encoder
        spelled = [[BYTES[item] if isinstance(item, int) else item for item in line] for line in lists]
        numbers = [[known[item] for item in line if item in known] for line in spelled]
        texts = [tokenizer.decode(line, skip_special_tokens=True, **({} if case["kind"] == "translator" else {"clean_up_tokenization_spaces": False}))
                 for line in numbers]
        if case["kind"] == "translator":
            texts = [text.strip() for text in texts]
        return {"class": name, "ids": ids, "texts": texts}


def digests(entries):
    blocks = ["\n".join(entries[i : i + 10]) for i in range(0, len(entries), 10)]
    return "".join(hashlib.sha256(block.encode()).hexdigest()[:8] for block in blocks)


def short(answer):
    if "error" in answer:
        return answer
    return {"class": answer["class"], "ids": digests([" ".join(map(str, line)) for line in answer["ids"]]), "texts": digests(answer["texts"]),
            "hard": answer["texts"][:HARD]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--four", "--five", "--dump"):
        parser.add_argument(name)
    parser.add_argument("--worker", action="store_true")
    parser.add_argument("tests", nargs="?")
    arguments = parser.parse_args()
    if arguments.worker:
        request = json.load(sys.stdin)
        given = (request["version"], request["lines"], request["lists"])
        print(json.dumps({case["name"]: answer(request["tests"], case, *given) for case in request["cases"]}))
        return
    tests, models = arguments.tests, {}
    out = os.path.join(tests, "byte_fallback")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    made = list(cases(tests, models))
    for name, model in models.items():
        open(os.path.join(out, name), "wb").write(model)
    lines, lists = drawn()
    with open(os.path.join(out, "lists.json"), "w") as file:
        file.write(json.dumps({"lines": lines, "lists": lists}) + "\n")
    answers = {}
    for version in VERSIONS:
        request = {"tests": tests, "version": version, "lines": lines, "lists": lists, "cases": [case for case in made if version in case["versions"]]}
        process = subprocess.run([getattr(arguments, version), __file__, "--worker"], input=json.dumps(request), capture_output=True, text=True)
        if process.returncode:
            raise SystemExit(process.stderr[-2000:])
        answers[version] = json.loads(process.stdout.splitlines()[-1])
    for case in made:
        name = case["name"]
        golden = {key: case[key] for key in ("kind", "base", "copies", "files", "changes", "config") if case[key]}
        for version in case["versions"]:
            golden[version] = short(answers[version][name])
            if arguments.dump:
                os.makedirs(arguments.dump, exist_ok=True)
                json.dump(answers[version][name], open(os.path.join(arguments.dump, f"{name}.{version}.json"), "w"))
        both = [answers[version][name] for version in case["versions"]]
        if len(both) == 2 and all("ids" in one for one in both):
            print(f"{name:24} four and five differ in", *(sum(a != b for a, b in zip(both[0][kind], both[1][kind])) for kind in ("ids", "texts")))
            if dict(short(both[0]), **{"class": ""}) == dict(short(both[1]), **{"class": ""}):
                golden["five"] = "four"
        else:
            print(f"{name:24}", [one.get("error", "read") for one in both])
        with open(os.path.join(out, f"{name}.json"), "w") as file:
            file.write(json.dumps(golden) + "\n")


main()
