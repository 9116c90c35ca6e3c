#!/usr/bin/env python3
"""Counts that the Rust rules over CoNLL-U must reproduce, from a second implementation.

Implements the first-person gender rules of GEST (arXiv 2311.18711; rules of section 4) with
nothing but the standard library, and without sharing any code or structure with the crate, so
that a misreading has to happen twice to go unnoticed. Reads the Slavic development files of
Universal Dependencies and writes how many sentences and how many translations (first sentence
of each document) every rule gives to each gender. Numbers only: no text of the treebanks.

    conllu_rules.py FOLDER_WITH_XZ_FILES > crates/base/lang/tests/golden/conllu_counts.json
    conllu_rules.py FOLDER_WITH_XZ_FILES --show FILE    (prints each decided sentence)
"""

import json
import lzma
import pathlib
import re
import sys

LISTS = {
    "be": "SIBm(я,быў,была) HEAD(я) PAIR(сам,сама) GLUED",
    "ru": "HEAD(я) SIB(я,был,была) HEAD(быть) PAIR(один,одна)",
    "uk": "HEAD(я) SIBm(я,був,була) PAIR(один,одна)",
    "hr": "HEAD(sam) HEAD(nisam) HEAD(bih) SIB(sam,bio,bila) ADV(sam,sama)",
    "sr-Cyrl": "HEAD(сам) HEAD(нисам) HEAD(бих) SIB(бих,био,била) SIB(сам,био,била) ADV(сам,сама)",
    "sr-Latn": "HEAD(sam) HEAD(nisam) HEAD(bih) SIB(bih,bio,bila) SIB(sam,bio,bila) ADV(sam,sama)",
    "sl": "HEAD(sem) HEAD(nisem) HEAD(bi) HEAD(biti) PAIR(rad,rada) PAIR(sam,sama)",
    "sl-repository": "HEAD(sem) HEAD(nisem) HEAD(bi) HEAD(biti) SIB(sem,bil,bila)"
    " PAIR(rad,rada) PAIR(sam,sama)",
    "cs": "HEAD(jsem) HEAD(nejsem) HEAD(bych) HEAD(já) PAIR(rád,ráda) PAIR(nerad,nerada)"
    " PAIR(sám,sama) SIB(jsem,byl,byla)",
    "pl": "MWT1 HEAD(jestem) HEAD(być) GDYBYM CZUJE PAIR(sam,sama)",
    "sk": "HEAD(som) HEAD(byť) HEAD(budem) PAIR(rád,rada) PAIR(nerád,nerada) PAIR(sám,sama)"
    " SIB(som,bol,bola)",
}

FILES = [
    ("be_hse", "be"),
    ("cs_cac", "cs"),
    ("cs_fictree", "cs"),
    ("hr_set", "hr"),
    ("pl_lfg", "pl"),
    ("pl_pdb", "pl"),
    ("ru_gsd", "ru"),
    ("ru_taiga", "ru"),
    ("sk_snk", "sk"),
    ("sl_ssj", "sl"),
    ("sl_ssj", "sl-repository"),
    ("sl_sst", "sl"),
    ("sl_sst", "sl-repository"),
    ("sr_set", "sr"),
    ("sr_set", "sr-Cyrl"),
    ("sr_set", "sr-Latn"),
    ("uk_iu", "uk"),
    ("uk_parlamint", "uk"),
]


def sentences(path):
    """Yields (comments, tokens); a token is a dict, a multi-word token one with key `parts`."""
    for block in lzma.open(path, "rt", encoding="utf-8").read().split("\n\n"):
        comments, tokens, inside = [], [], (0, None)
        for line in block.splitlines():
            if line.startswith("#"):
                comments.append(line[1:].strip())
                continue
            columns = line.split("\t")
            if "." in columns[0]:
                continue
            token = {"text": columns[1].lower()}
            if "-" in columns[0]:
                token["parts"] = []
                inside = (int(columns[0].split("-")[1]), token["parts"])
                tokens.append(token)
                continue
            token.update(id=int(columns[0]), upos=columns[3], feats=columns[5], head=int(columns[6]))
            (inside[1] if token["id"] <= inside[0] else tokens).append(token)
        if tokens:
            yield comments, tokens


def gender(token):
    match = re.search("Gender=(...)", token.get("feats", ""))
    return {"Mas": "m", "Fem": "f"}.get(match.group(1)) if match else None


def apply(rule, tokens):
    name, *words = re.findall(r"\w+", rule)
    by_id = {token["id"]: token for token in tokens if "id" in token}
    all_of = lambda word: [token for token in tokens if token["text"] == word]
    first = lambda word: (all_of(word) + [None])[0]

    if name == "HEAD":
        for token in all_of(words[0]):
            governor = by_id.get(token.get("head"))
            if governor and governor["upos"] in {"VERB", "AUX", "ADJ", "DET"} and gender(governor):
                return gender(governor)
    elif name == "PAIR":
        return "f" if first(words[1]) else "m" if first(words[0]) else None
    elif name in {"SIB", "SIBm"}:
        token = first(words[0])
        if token and "head" in token:
            order = [("m", words[1]), ("f", words[2])]
            for result, word in order if name == "SIBm" else reversed(order):
                other = first(word)
                if other and other.get("head") == token["head"]:
                    return result
    elif name == "ADV":
        if first(words[1]):
            return "f"
        if first(words[0]) and first(words[0]).get("upos") == "ADV":
            return "m"
    elif name == "GLUED":
        for token in tokens:
            if token["text"].startswith("я ") and gender(token):
                return gender(token)
    elif name == "MWT1":
        for token in tokens:
            parts = token.get("parts")
            if parts and "Person=1" in parts[-1]["feats"] and "Gender=" in parts[0]["feats"]:
                return gender(parts[0])
    elif name == "GDYBYM":
        for token in all_of("gdybym"):
            governor = by_id.get(token["parts"][0]["head"]) if "parts" in token else None
            if governor and gender(governor):
                return gender(governor)
    elif name == "CZUJE":
        verb = first("czuję")
        if verb and "id" in verb:
            for token in tokens:
                if token.get("head") == verb["id"] and token["upos"] in {"AUX", "ADJ"} and gender(token):
                    return gender(token)
    else:
        raise ValueError(rule)
    return None


def judge(language, tokens):
    if language == "sr":
        letters = "".join(token["text"] for token in tokens)
        cyrillic = len(re.findall("[а-яђјљњћџ]", letters))
        latin = len(re.findall("[a-zčćžšđ]", letters))
        language = "sr-Cyrl" if cyrillic > latin else "sr-Latn"
    for rule in LISTS[language].split():
        result = apply(rule, tokens)
        if result:
            return result, rule.replace(",", ", ")
    return None, None


def count(language, parses):
    totals = {"masculine": 0, "feminine": 0, "unknown": 0, "rules": {}}
    for _, tokens in parses:
        result, rule = judge(language, tokens)
        totals[{"m": "masculine", "f": "feminine", None: "unknown"}[result]] += 1
        if result:
            pair = totals["rules"].setdefault(rule, {"masculine": 0, "feminine": 0})
            pair["masculine" if result == "m" else "feminine"] += 1
    return totals


def first_sentences(parses):
    """The first sentence of each document; all sentences of a file that names no document."""
    starts = [any(c.startswith("newdoc") for c in comments) for comments, _ in parses]
    if not any(starts):
        return parses
    return [parse for index, parse in enumerate(parses) if index == 0 or starts[index]]


def main():
    folder = pathlib.Path(sys.argv[1])
    if "--show" in sys.argv:
        wanted = sys.argv[sys.argv.index("--show") + 1]
        for name, language in FILES:
            if name == wanted:
                for comments, tokens in sentences(folder / f"{name}-ud-dev.conllu.xz"):
                    result, rule = judge(language, tokens)
                    if result:
                        shown = [c for c in comments if c.startswith(("sent_id", "text ="))]
                        print(language, result, rule, *shown, sep=" | ")
        return
    golden = []
    for name, language in FILES:
        parses = list(sentences(folder / f"{name}-ud-dev.conllu.xz"))
        golden.append(
            {
                "file": f"{name}-ud-dev.conllu",
                "language": language,
                "sentences": count(language, parses),
                "translations": count(language, first_sentences(parses)),
            }
        )
    lines = [json.dumps(entry, ensure_ascii=False, sort_keys=True) for entry in golden]
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
