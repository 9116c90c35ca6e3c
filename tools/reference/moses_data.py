"""What the Moses rules of crates/engine/tokenize/src/text/moses need of sacremoses: the words behind which a full stop ends no sentence, and
the classes of characters, which the Rust code states as Unicode properties and a test compares.

    python tools/reference/moses_data.py crates/engine/tokenize/data/moses crates/engine/engine/tests/moses

Needs sacremoses 0.2.0 (MIT; its lists are those of the Moses decoder). Writes LANGUAGE.txt with one word in a line, sorted; a word followed by
` #` counts only before a number. Languages are those that an XLM checkpoint knows. `classes.json` has the ranges of each class.
"""
import json
import sys
import unicodedata
from pathlib import Path

from sacremoses.corpus import NonbreakingPrefixes, Perluniprops
from sacremoses.tokenize import MosesTokenizer

LANGUAGES = "bn ca cs de el en es et fi fr ga gu hi hu is it kn lt lv ml mr nl pl pt ro ru sk sl sv ta te".split()


def prefixes(language):
    tokenizer = MosesTokenizer(lang=language)
    numeric = set(tokenizer.NUMERIC_ONLY_PREFIXES)
    words = {word for word in tokenizer.NONBREAKING_PREFIXES if word not in numeric}
    assert words | numeric and NonbreakingPrefixes().available_langs[language] == language
    lines = [word for word in words] + [word + " #" for word in numeric if word]
    # What has a blank in it is never a word of a text.
    return sorted(line for line in lines if len(line.removesuffix(" #").split()) == 1)


def ranges(characters):
    found = []
    for code in sorted(set(map(ord, characters))):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def main():
    lists, golden = Path(sys.argv[1]), Path(sys.argv[2])
    for place in (lists, golden):
        place.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        (lists / f"{language}.txt").write_text("".join(line + "\n" for line in prefixes(language)))
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    classes = {
        "alnum": MosesTokenizer.IsAlnum,
        "alpha": MosesTokenizer.IsAlpha,
        "number": MosesTokenizer.IsN,
        "lower": MosesTokenizer.IsLower,
        "hangul": "".join(Perluniprops().chars("Hangul")),
        # Of Python's own Unicode.
        "space": [letter for letter in every if letter.isspace()],
        "unprinted": [letter for letter in every if unicodedata.category(letter)[0] == "C" and unicodedata.category(letter) != "Cn"],
        "unassigned": [letter for letter in every if unicodedata.category(letter) == "Cn"],
        "accent": [letter for letter in every if unicodedata.category(letter) == "Mn"],
    }
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(ranges(letters), separators=(',', ':'))}" for name, letters in classes.items())
    (golden / "classes.json").write_text("{\n" + text + "\n}\n")


main()
