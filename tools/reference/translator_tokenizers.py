#!/usr/bin/env python3
"""What two generations of `transformers` make of 1,400 odd lines with the tokenizers of translation models, with tokens that files beside
the vocabulary add, and which text they give tokens back as: the judge of `crates/engine/tokenize/src/translation/judged.rs`.

    P4=VENV4/bin/python P5=VENV5/bin/python      # transformers 4.57.6 and 5.22.2, both with sentencepiece
    $P4 tools/reference/translator_tokenizers.py crates/engine/engine/tests --four $P4 --five $P5

A case is one of the tiny checkpoints of `tests/seq2seq` (`tiny_seq2seq.py`) with other files beside the vocabulary, or none (`saved`): the
one that a version writes when an owner adds tokens and saves. Only what differs is kept, in `tests/translators/NAME.json`; the test makes
the folder anew.

Lines: the thousand of `tests/old_tokenizers/lines.json` where no tokens are added, and in all cases 400 more drawn with SEED, in
`tests/translators/lines.json`. A case that is refused says so, for both versions or by version. Tokens that are
turned back into text: those of every line, and 400 lists drawn by a generator of the form x -> a x + c (`Draw`), which the test repeats; language
tokens are left out of both, since no translation shows them. Texts are compared without blanks around them. For every version a case
holds the first eight hex digits of the SHA-256 of each ten lines' ids and texts, and in full those of some hard lines. `--dump FOLDER` writes all
ids and texts, one JSON file for each case and version; `--only TEXT` makes the cases whose names contain the text.
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

SEED = 20261116
VERSIONS = {"four": "4.57.6", "five": "5.22.2"}
MORE = 400
DRAWN = 400
HARD = [0, 7, 16, 33, 49, 100, 234]
# Files that belong to a tokenizer.
FILES = ["added_tokens.json", "sentencepiece.bpe.model", "source.spm", "special_tokens_map.json", "spiece.model", "target.spm", "target_vocab.json",
         "tokenizer.json", "tokenizer_config.json", "vocab.json"]

# ---------------------------------------------------------------------------------------------------------------
# Lines.

SPELLED = ["<s>", "</s>", "<unk>", "<pad>", "<mask>", ">>deu<<", ">>fra<<", ">>x", "<<", "__de__", "__xx__", "deu_Latn", "de_DE", "en_XX", "eng_Latn",
           "<2de>", "<extra_id_0>", "<f>", "<m>", "[X]", "[X]y", "Ärzt*in", "nurse", "the", "▁the", "<0x41>", "<NEW>"]
BLANKS = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u2009", "\u200b", "", "\u2028", "\u001c", "\r\n"]
RANGES = [(0x20, 0x7e), (0xa1, 0x24f), (0x250, 0x36f), (0x370, 0x3ff), (0x400, 0x52f), (0x531, 0x58f), (0x591, 0x5f4), (0x600, 0x6ff), (0x900, 0x97f),
          (0x980, 0x9ff), (0xb80, 0xbff), (0xe01, 0xe5b), (0x10a0, 0x10ff), (0x1100, 0x11ff), (0x1200, 0x137f), (0x1780, 0x17ff), (0x1e00, 0x1eff),
          (0x2000, 0x206f), (0x2190, 0x21ff), (0x3041, 0x30ff), (0x4e00, 0x4eff), (0xac00, 0xacff), (0xfb00, 0xfb4f), (0xfe70, 0xfeff), (0xff01, 0xffee),
          (0x1f300, 0x1f6ff), (0x1d400, 0x1d4ff), (1, 31), (0x300, 0x36f)]
WORDS = """The doctor asked the nurse to help her I was tired teacher wrote a letter manager Café café naïve Straße größer Ärztin Größe 12,345.67 2026 €5 50%
don't it's "quoted" „so“ l'amie übergroß Žena отец мать 日本語 السلام עברית हिन्दी ภาษาไทย 한국어 ქართული հայերեն አማርኛ""".split()


def lines():
    draw = random.Random(SEED)
    found = ["", " ", "</s>", "<s></s>", ">>deu<<", ">>deu<< The doctor", ">>", ">><<", "nurse", "nurses", "the nurse.", "The<f>doctor", " <f> The <m> nurse [X] .",
             "he [X]y [X] z[X]", "[X]", "[X] [X][X]", "<f><m><f>", "</s></s> end", "a <unk> b", "__de__ Haus", "deu_Latn Haus de_DE", "<mask> is  <mask>",
             "<extra_id_0> x <extra_id_99>", "x" * 700, "ab" * 300 + " " + "9" * 400, "a\u0301" * 60, "The\u0000doctor", "\ufeffThe", "The nurse \u00a0 \u3000 end  ",
             "e\u0301\u0301 a\u0308\u0301", "🙂" * 30, "👩🏽‍🚀🏳️‍🌈", "<f", "f>", "<<f>>", "<f>\n<m>", "\u2581\u2581the", "the\u2581nurse", "\u200d\u200c", "ﬁﬂ Ａｂ … ½ Ω",
             "Ärzt*in Ärzt*innen", "<NEW>new<NEW>", "[X]\u00a0[X]", "  [X]  ", "nursenurse nurse", "the [X]", "\u001c\u001f x \u0085 y"]
    while len(found) < MORE:
        parts = []
        for _ in range(draw.randint(1, 9)):
            kind = draw.random()
            if kind < 0.4:
                word = draw.choice(WORDS)
                word = draw.choice([word, word, word.upper(), word[::-1], word + draw.choice(".,;:!?…)”»")])
            elif kind < 0.65:
                word = draw.choice(SPELLED) if draw.random() < 0.7 else draw.choice(WORDS) + draw.choice(SPELLED) + draw.choice(["", "s", " "])
            else:
                low, high = draw.choice(RANGES)
                word = "".join(chr(draw.randint(low, high)) for _ in range(draw.randint(1, 8)))
            parts.append(word + draw.choice(BLANKS))
        found.append(draw.choice(["", "", "", " ", "\t", "  "]) + "".join(parts))
    return found


class Draw:
    """Numbers that are easily drawn again elsewhere."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound


# ---------------------------------------------------------------------------------------------------------------
# Cases. `files` are written over those of the base, as they are; `null` takes one away; `settings` change tokenizer_config.json.

CASES = []


def case(name, base, settings=None, special=None, added=None, files=None, saved=None, versions=("four", "five"), refused=None):
    CASES.append(dict(name=name, base=base, settings=settings or {}, special=special, added=added, files=files or {}, saved=saved,
                      versions=list(versions), refused=refused))


def found(text, **flags):
    return dict(dict(content=text, lstrip=False, rstrip=False, normalized=False, single_word=False, special=True), **flags)


BASES = dict(marian="MarianTokenizer", m2m_100="M2M100Tokenizer", nllb="NllbTokenizer", mbart50="MBart50Tokenizer", t5="T5Tokenizer")
for base in ["marian", "marian-multilingual", "marian-separate", "m2m_100", "nllb", "mbart50", "t5", "t5-gated"]:
    case(base, base)
for base, own in BASES.items():
    none = dict(added_tokens_decoder=None)
    languages = dict(m2m_100="m2m", nllb="nllb").get(base)
    case(f"{base}-additional", base, dict(none, additional_special_tokens=["LANGUAGES", "<f>", "<m>", "nurse"]))
    case(f"{base}-objects", base, dict(none, additional_special_tokens=["LANGUAGES", dict(found("<f>", lstrip=True, rstrip=True), __type="AddedToken"),
                                                                         dict(found("[X]", single_word=True), __type="AddedToken")]))
    # Version 5 never writes such files. It reads them where no tokens are numbered, lists of further tokens otherwise than version 4; beside
    # its checkpoints these are refused.
    pad = "<pad>" if base in ("marian", "m2m_100") else "<NEW>"
    case(f"{base}-map", base, none, special=dict(additional_special_tokens=["LANGUAGES", found("<f>", rstrip=True), found("[X]", lstrip=True)], pad_token=pad),
         refused=dict(five="as objects"))
    case(f"{base}-strings", base, none, special=dict(additional_special_tokens=["LANGUAGES", "<f>", "[X]"], pad_token=pad))
    case(f"{base}-whole", base, none, special=dict(mask_token=found("<NEW>", lstrip=True), eos_token=found("</s>"), unk_token=found("<unk>")),
         refused="share the number" if base == "m2m_100" else None)
    case(f"{base}-listed", base, none, added=["LANGUAGES"] * (base == "m2m_100") + ["Ärzt*in", "nurse", "<f>"],
         special=dict(additional_special_tokens=["LANGUAGES", "<f>"]), refused=None if base in ("marian", "m2m_100") else dict(five="makes text"))
    case(f"{base}-named-listed", base, none, added=["LANGUAGES"] * (base == "m2m_100") + ["Ärzt*in", "<NEW>"], special=dict(pad_token=pad, mask_token="<NEW>"))
    case(f"{base}-decoder", base, dict(added_tokens_decoder=dict(more=[found("<f>", lstrip=True), found("nurse", special=False, single_word=True),
                                                                       found("Ärzt*in", special=False, normalized=True)])))
    # M2M-100 numbers its languages behind the vocabulary, where a new mask would stand too.
    case(f"{base}-named", base, dict(none, mask_token="<NEW>", x_token="<f>"), refused="share the number" if base == "m2m_100" else None)
    case(f"{base}-clean", base, dict(clean_up_tokenization_spaces=True))
    for version in VERSIONS:
        case(f"{base}-saved-{version}", base, saved=version, versions=(version,))
case("m2m_100-clash", "m2m_100", dict(added_tokens_decoder=None), added=["<f>"], versions=("four",), refused="share the number")
case("mbart50-old", "mbart50", dict(added_tokens_decoder=None, tokenizer_class="MBart50Tokenizer"), files={"tokenizer.json": None}, versions=("four",))


# ---------------------------------------------------------------------------------------------------------------
# One version's answers.

def opened(folder):
    import transformers as hf

    hf.logging.set_verbosity_error()
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    name = type(tokenizer).__name__
    if "M2M" in name:
        tokenizer.src_lang = "en"
    elif "Nllb" in name:
        tokenizer.src_lang = "eng_Latn"
    elif "MBart" in name:
        tokenizer.src_lang = "en_XX"
    return tokenizer


def language_ids(tokenizer, base):
    from transformers.models.mbart50 import tokenization_mbart50

    if base.startswith("m2m"):
        return set(tokenizer.lang_token_to_id.values())
    codes = dict(nllb=["ces_Latn", "deu_Latn", "eng_Latn", "fra_Latn", "spa_Latn", "zho_Hans"], mbart50=tokenization_mbart50.FAIRSEQ_LANGUAGE_CODES)
    return {tokenizer.convert_tokens_to_ids(code) for code in codes.get(base, [])}


def make(tests, case, folder, version):
    base = os.path.join(tests, "seq2seq", case["base"])
    for file in FILES:
        if os.path.exists(os.path.join(base, file)):
            shutil.copy(os.path.join(base, file), folder)
    config = json.load(open(os.path.join(base, "config.json")))
    config["transformers_version"] = VERSIONS[version]
    json.dump(config, open(os.path.join(folder, "config.json"), "w"))
    for file, content in case["files"].items():
        if content is None:
            os.remove(os.path.join(folder, file))
        else:
            json.dump(content, open(os.path.join(folder, file), "w"))


def recipe(tests, case):
    """The files that a case writes, with numbers and languages filled in."""
    files = dict(case["files"])
    base = os.path.join(tests, "seq2seq", case["base"])
    settings = json.load(open(os.path.join(base, "tokenizer_config.json")))
    before = settings.get("additional_special_tokens") or []
    if case["settings"] or case["special"] or case["added"]:
        def filled(value):
            return (before if value == "LANGUAGES" else [value])

        size = highest(base) + 1
        for field, value in case["settings"].items():
            if value is None:
                settings.pop(field, None)
            elif field == "additional_special_tokens":
                settings[field] = sum(map(filled, value), [])
            elif field == "added_tokens_decoder":
                known = dict(settings.get(field) or {})
                if case["base"] == "m2m_100":
                    known.update({str(size + i): found(token) for i, token in enumerate(before)})
                for i, token in enumerate(value["more"]):
                    known[str(size + len(before) * (case["base"] == "m2m_100") + i)] = token
                settings[field] = known
            else:
                settings[field] = value
        files["tokenizer_config.json"] = settings
        for file in ("special_tokens_map.json", "added_tokens.json"):
            if os.path.exists(os.path.join(base, file)):
                files[file] = None
        if case["special"]:
            special = dict(case["special"])
            if "additional_special_tokens" in special:
                special["additional_special_tokens"] = sum(map(filled, special["additional_special_tokens"]), [])
                settings.pop("additional_special_tokens", None)
            files["special_tokens_map.json"] = special
        if case["added"]:
            files["added_tokens.json"] = {token: size + i for i, token in enumerate(sum(map(filled, case["added"]), []))}
    return files


def highest(base):
    if os.path.exists(os.path.join(base, "tokenizer.json")):
        state = json.load(open(os.path.join(base, "tokenizer.json")))
        vocabulary = state["model"]["vocab"]
        return max([len(vocabulary) - 1] + [token["id"] for token in state["added_tokens"]])
    return max(json.load(open(os.path.join(base, "vocab.json"))).values())


def save(tests, case, version):
    """What the version's owner has after adding tokens and saving."""
    from tokenizers import AddedToken

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        make(tests, dict(case, files={}), folder, version)
        tokenizer = opened(folder)
        tokenizer.add_tokens(["Ärzt*in", AddedToken("nurse", single_word=True, normalized=False)])
        tokenizer.add_tokens([AddedToken("<f>", lstrip=True, rstrip=True, special=True, normalized=False), "<m>"], special_tokens=True)
        tokenizer.save_pretrained(out)
        files = {}
        for file in FILES:
            path = os.path.join(out, file)
            if file.endswith(".json") and os.path.exists(path):
                content = json.load(open(path))
                own = os.path.join(tests, "seq2seq", case["base"], file)
                if not os.path.exists(own) or json.load(open(own)) != content:
                    files[file] = content
            elif file.endswith(".json") and os.path.exists(os.path.join(folder, file)) and file != "vocab.json":
                files[file] = None
        return files


def answer(tests, case, version, texts):
    with tempfile.TemporaryDirectory() as folder:
        make(tests, case, folder, version)
        try:
            tokenizer = opened(folder)
        except Exception as error:  # what a version cannot read is no judgement
            return {"error": f"{type(error).__name__}: {error}"[:120]}
        prefix = {"t5": "translate English to German: ", "t5-gated": "<2de> ", "marian-multilingual": ">>deu<< "}.get(case["base"], "")
        texts = texts[-MORE:] if is_short(case) else texts
        ids = [tokenizer(prefix + text)["input_ids"] for text in texts]
        languages = language_ids(tokenizer, case["base"])
        size = len(tokenizer)
        if case["base"] == "marian-separate":
            size = len(tokenizer.target_encoder)
        draw = Draw(SEED)
        lists = [[i for i in line if i < size] for line in ids]
        lists += [[draw.below(size) for _ in range(1 + draw.below(16))] for _ in range(DRAWN)]
        lists = [[i for i in line if i not in languages] for line in lists]
        found = [tokenizer.decode(line, skip_special_tokens=True).strip() for line in lists]
        assert found == [text.strip() for text in tokenizer.batch_decode(lists, skip_special_tokens=True)]
        return {"class": type(tokenizer).__name__, "size": size, "ids": ids, "texts": found}


def is_short(case):
    """Cases that change a few tokens are asked about fewer lines."""
    return bool(case["files"]) and not case["name"].endswith("-old")


def digests(entries):
    blocks = ["\n".join(entries[i : i + 10]) for i in range(0, len(entries), 10)]
    return "".join(hashlib.sha256(block.encode()).hexdigest()[:8] for block in blocks)


def short(answer):
    if "error" in answer:
        return answer
    ids = [" ".join(map(str, line)) for line in answer["ids"]]
    first = len(ids) - MORE
    hard = [{"line": n, "ids": answer["ids"][first + n], "text": answer["texts"][first + n]} for n in HARD]
    return {"class": answer["class"], "size": answer["size"], "ids": digests(ids), "texts": digests(answer["texts"]), "hard": hard}


def ask(python, request):
    process = subprocess.run([python, __file__, "--worker"], input=json.dumps(request), capture_output=True, text=True)
    if process.returncode:
        raise SystemExit(process.stderr[-2000:])
    return json.loads(process.stdout.splitlines()[-1])


def worker():
    request = json.load(sys.stdin)
    tests, version = request["tests"], request["version"]
    if request["texts"] is None:
        print(json.dumps({case["name"]: save(tests, case, version) for case in request["cases"]}))
    else:
        print(json.dumps({case["name"]: answer(tests, case, version, request["texts"]) for case in request["cases"]}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="?")
    parser.add_argument("--four")
    parser.add_argument("--five")
    parser.add_argument("--dump")
    parser.add_argument("--only", default="")
    parser.add_argument("--worker", action="store_true")
    arguments = parser.parse_args()
    if arguments.worker:
        return worker()
    tests = arguments.tests
    pythons = {"four": arguments.four, "five": arguments.five}
    out = os.path.join(tests, "translators")
    if not arguments.only:
        shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out, exist_ok=True)
    CASES[:] = [case for case in CASES if arguments.only in case["name"]]
    own = lines()
    with open(os.path.join(out, "lines.json"), "w") as file:
        file.write(json.dumps(own) + "\n")
    texts = json.load(open(os.path.join(tests, "old_tokenizers", "lines.json"))) + own
    saved = {}
    for version, python in pythons.items():
        cases = [case for case in CASES if case["saved"] == version]
        saved.update(ask(python, {"tests": tests, "version": version, "cases": cases, "texts": None}))
    for case in CASES:
        case["files"] = saved.get(case["name"]) if case["saved"] else recipe(tests, case)
    answers = {}
    for version, python in pythons.items():
        cases = [case for case in CASES if version in case["versions"]]
        answers[version] = ask(python, {"tests": tests, "version": version, "cases": cases, "texts": texts})
    for case in CASES:
        name = case["name"]
        golden = {"base": case["base"], "files": case["files"]}
        if case["refused"]:
            golden["refused"] = case["refused"]
        for version in case["versions"]:
            golden[version] = short(answers[version][name])
            if arguments.dump:
                os.makedirs(arguments.dump, exist_ok=True)
                with open(os.path.join(arguments.dump, f"{name}.{version}.json"), "w") as file:
                    json.dump(dict(answers[version][name], lines=own if is_short(case) else texts), file)
        both = [answers[version][name] for version in case["versions"]]
        if len(both) == 2 and "ids" in both[0] and "ids" in both[1]:
            differing = [sum(a != b for a, b in zip(both[0][kind], both[1][kind])) for kind in ("ids", "texts")]
            print(f"{name:30} four and five differ in {differing[0]} ids, {differing[1]} texts")
        else:
            print(f"{name:30} {[answer.get('error', 'read') for answer in both]}")
        if len(both) == 2 and golden["four"] == golden["five"]:
            golden["five"] = "four"
        with open(os.path.join(out, f"{name}.json"), "w") as file:
            file.write(json.dumps(golden) + "\n")


main()
