#!/usr/bin/env python3
"""Counts words and sentence lengths of README and docs, and finds phrases that plain English avoids.

    tools/readability.py [PAGE…]      without pages: README.md and everything below docs/

A word has a letter or a digit: the bars of a table are none. Ends with 1 if README has more than 900 words, docs more than 35,000, a page more than 20 words a sentence on average, a page has a
phrase of tools/forbidden-phrases.txt, or does not open with a sentence that says what you can do with it. The same rules are a
test: crates/app/cli/tests/it/docs_readability.rs."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README_WORDS, DOCS_WORDS, SENTENCE_WORDS = 900, 35_000, 20
ABBREVIATIONS = ("al.", "e.g.", "i.e.", "vs.", "cf.", "no.")


def phrases():
    for line in (ROOT / "tools/forbidden-phrases.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            phrase, _, instead = line.partition("\t")
            exact = phrase.startswith("=")
            phrase = phrase.removeprefix("=")
            yield phrase, re.compile(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", 0 if exact else re.I), instead


def prose(text):
    """(line number, kind, text) of everything that is not code; kind is "text", "item", "heading", "table" or "" (a blank)."""
    fenced = generated = comment = False
    blank = True
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fenced = not fenced
            yield number, "", ""
            continue
        if fenced:
            continue
        if stripped.startswith("<!-- generated"):
            generated = True
        if stripped.startswith("<!-- end"):
            generated = False
        comment |= stripped.startswith("<!--")
        if generated or comment or (blank and line.startswith("    ") and not stripped.startswith(("- ", "* "))):
            comment &= not stripped.endswith("-->")
            yield number, "", ""
            continue
        blank = not stripped
        stripped = re.sub(r"`[^`]*`", "x", stripped)
        stripped = re.sub(r"\]\([^)]*\)", "]", stripped)
        if not stripped:
            yield number, "", ""
        elif stripped.startswith("#"):
            yield number, "heading", stripped.lstrip("# ")
        elif stripped.startswith("|"):
            yield number, "table", stripped
        elif re.match(r"([-*]|\d+\.) ", stripped):
            yield number, "item", re.sub(r"^([-*]|\d+\.) ", "", stripped)
        else:
            yield number, "text", stripped


def paragraphs(text):
    found, open_ = [], False
    for _, kind, line in prose(text):
        if kind == "item" or (kind == "text" and not open_):
            found.append(line)
            open_ = True
        elif kind == "text":
            found[-1] += " " + line
        else:
            open_ = False
    return found


def sentences(text):
    for paragraph in paragraphs(text):
        words = []
        for word in paragraph.split():
            words.append(word)
            bare = word.rstrip("\"')*_]”")
            if bare.endswith((".", "!", "?")) and not bare.lower().endswith(ABBREVIATIONS):
                yield words
                words = []
        if words:
            yield words


def opening(text):
    """The first sentence below the title."""
    first = next(iter(paragraphs(text)), "")
    return " ".join(next(sentences(first), []))


def main(names):
    pages = [Path(name).resolve() for name in names]
    pages = pages or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    problems, total = [], 0
    for page in pages:
        text = page.read_text("utf-8")
        shown = page.relative_to(ROOT)
        words = sum(any(letter.isalnum() for letter in word) for word in text.split())
        lengths = [len(sentence) for sentence in sentences(text)]
        average = sum(lengths) / max(len(lengths), 1)
        print(f"{words:6} words  {average:5.1f} a sentence  {shown}")
        total += words if shown.parts[0] == "docs" else 0
        if shown.name == "README.md" and words > README_WORDS:
            problems.append(f"{shown}: {words} words, at most {README_WORDS}")
        if average > SENTENCE_WORDS and shown.name != "SUMMARY.md":
            problems.append(f"{shown}: {average:.1f} words a sentence, at most {SENTENCE_WORDS}")
        if shown.name not in ("README.md", "SUMMARY.md") and "you can" not in opening(text).lower():
            problems.append(f"{shown}: opens with \"{opening(text)}\", not with what \"you can\" do")
        for number, _, line in prose(text):
            for phrase, pattern, instead in PHRASES:
                if pattern.search(line):
                    problems.append(f"{shown}:{number}: \"{phrase}\" ({instead})")
    print(f"{total:6} words in docs")
    if total > DOCS_WORDS:
        problems.append(f"docs: {total} words, at most {DOCS_WORDS}")
    print("\n".join(problems))
    return 1 if problems else 0


PHRASES = list(phrases())

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
